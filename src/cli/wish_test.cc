// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit::cli {
namespace {

struct Asked {
  Request request;
  Granted granted;
  std::string pins() const {
    std::vector<std::string> out;
    for (const Pin& pin : request.pins) out.push_back(pin.package + pin.version.text() + pin.build);
    return join(out, " ");
  }
  bool notes(std::string_view key) const { return says(granted.notes, key); }
};

// What the words are for a machine ("os=windows python=3.12").
Asked ask(const std::vector<std::string>& words, std::string_view machine = "") {
  static const Knowledge kKnowledge = Knowledge::embedded();
  Wishes wishes;
  for (const auto& word : words) EXPECT_FALSE(add_wish(word, wishes)) << word;
  Asked out;
  out.request = request_of(machine, kKnowledge);
  out.granted = apply_wishes(wishes, kKnowledge, out.request);
  return out;
}

TEST(Wish, UnderstandsEveryForm) {
  static const struct {
    const char *word, *version, *build;
  } kCases[] = {
      {"torch", "", ""},
      {"torch==2.13.0", "==2.13.0", ""},
      {"torch==2.13.0+cu126", "==2.13.0", "cu126"},
      {"torch+cu126", "", "cu126"},
      {"torch>=2.1,<2.4", ">=2.1,<2.4", ""},
      {"torch == 2.15.*", "== 2.15.*", ""},
      {"torch [x] == 2.6.*", "== 2.6.*", ""},
      {"torch[opt-einsum]==2.6.0", "==2.6.0", ""},
      {"Torch (==2.6.0)", "==2.6.0", ""},
      {"torch!=2.6.0+cu124", "!=2.6.0+cu124", ""},
      {"torch==2.6.0+cu124,<3", "==2.6.0,<3", "cu124"},
      {"torch==2.6.0; sys_platform == 'linux'", "==2.6.0", ""},
      {"torch @ https://a/whl/torch-2.6.0%2Bcu124-cp312-cp312-linux_x86_64.whl", "==2.6.0",
       "cu124"},
      {"https://a/torch-2.6.0%2Bcu124-cp312-cp312-linux_x86_64.whl#sha256=0", "==2.6.0", "cu124"},
  };
  for (const auto& c : kCases) {
    const Asked asked = ask({c.word});
    EXPECT_EQ(asked.request.wanted.text(), c.version) << c.word;
    EXPECT_EQ(asked.request.wanted_build, c.build) << c.word;
    EXPECT_TRUE(asked.request.also.empty()) << c.word;
    EXPECT_TRUE(asked.request.pins.empty()) << c.word;
  }
}

TEST(Wish, OtherPackagesGoBesideIt) {
  const Asked asked =
      ask({"torchmetrics", "xformers==0.0.30", "torchvision", "numpy<2; os_name=='posix'"});
  EXPECT_EQ(asked.request.also, (std::vector<std::string>{"torchmetrics", "xformers==0.0.30",
                                                          "torchvision", "numpy<2"}));
  EXPECT_TRUE(asked.request.wanted.empty());
  EXPECT_TRUE(asked.request.pins.empty());
}

TEST(Wish, WhatBelongsToOneTorchIsAPin) {
  const Asked asked = ask({"torchvision==0.21.0", "torchaudio>=2.5", "triton==3.2.0"});
  EXPECT_EQ(asked.pins(), "torchvision==0.21.0 torchaudio>=2.5 triton==3.2.0");
  EXPECT_EQ(ask({"torchvision==0.21.0+cu124"}).request.wanted_build, "cu124");
}

// pip holds all of them at once.
TEST(Wish, TwoPinsHoldTogether) {
  EXPECT_EQ(ask({"torch>=2.1", "torch<2.4", "torch>=2.1"}).request.wanted.text(),
            ">=2.1,<2.4,>=2.1");
  EXPECT_EQ(ask({"torch==2.6.0+cu124", "torch==2.6.0+cu126"}).pins(), "torch==2.6.0cu126");
  const Asked numpy = ask({"numpy==1.26.4", "numpy>=2"});
  ASSERT_TRUE(numpy.granted.problem);
  EXPECT_EQ(numpy.granted.problem->key, "cli.error.no-version");
  EXPECT_FALSE(ask({"numpy==1.26.4", "numpy<2"}).granted.problem);
}

// pip: "Double requirement given"; uv: "your requirements are unsatisfiable".
TEST(Wish, TwoPinsOfWhichOneRulesOutTheOther) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"torch==2.9.0", "torch==2.8.0"},
        {"torchvision==0.23.0", "torchvision>=0.24"},
        {"torch==2.6.0+cu124", "torch==2.6.0+cu126"}}) {
    const Asked asked = ask(words);
    ASSERT_TRUE(asked.granted.problem) << words[0];
    EXPECT_EQ(asked.granted.problem->key, "cli.error.no-version") << words[0];
  }
  EXPECT_FALSE(ask({"torch==2.6.0", "torch==2.6.0+cu126"}).granted.problem);
  EXPECT_FALSE(ask({"torch==2.6.*", "torch==2.6.0"}).granted.problem);
}

TEST(Wish, WhatIsNoWishIsAProblem) {
  for (const char* word : {"torch==", "torch=2.1", "torch==2.1+", "torch>>2", "torch+", "torch[x",
                           "torch==2.6.0; os_name", "torch==2.6.0;", "torch @ nowhere"}) {
    Wishes wishes;
    EXPECT_TRUE(add_wish(word, wishes)) << word;
  }
}

// PEP 508, and what pip takes besides.
TEST(Wish, OnlyWhatPipWouldTakeIsAPackage) {
  for (const char* word :
       {"numpy", "pandas[excel,html]>=2.1,<3", "ruamel.yaml", "a-b_c==1.0.*", "./dist/x.whl",
        "git+https://github.com/a/b.git@main", "flash-attn @ https://example.org/x.whl"}) {
    EXPECT_EQ(ask({word}).request.also, std::vector<std::string>{word});
  }
  for (const char* word : {"foo bar;rm -rf /", "-x", "a b", "numpy>=", "é", "\x01\x02", "$(id)",
                           "numpy[", "./a b", "https://x/\x1b[31m"}) {
    Wishes wishes;
    EXPECT_TRUE(add_wish(word, wishes)) << word;
    EXPECT_TRUE(wishes.all.empty()) << word;
  }
}

// PEP 508, "Environment Markers": the values that CPython has on these systems.
TEST(Wish, MarkersAreReadForTheMachine) {
  const std::vector<std::string> words = {
      "torch==2.6.0; sys_platform == 'win32' and platform_machine == 'AMD64' and os_name == 'nt'",
      "torch==2.5.1; platform_system == 'Linux' and platform_machine == 'x86_64'"};
  const Asked windows = ask(words, "os=windows");
  EXPECT_EQ(windows.request.wanted.text(), "==2.6.0");
  EXPECT_TRUE(windows.notes("cli.note.marker-left-out"));
  EXPECT_EQ(ask(words, "os=linux").request.wanted.text(), "==2.5.1");
  EXPECT_EQ(ask(words, "os=wsl").request.wanted.text(), "==2.5.1");
  EXPECT_TRUE(ask(words, "os=linux cpu=aarch64").request.wanted.empty());
}

TEST(Wish, MarkersOfAPythonThatIsNotKnownAreSaid) {
  const std::vector<std::string> words = {"torch==2.5.1; python_version < '3.9'",
                                          "torch==2.6.0; python_version >= '3.9'"};
  const Asked unknown = ask(words);
  EXPECT_EQ(unknown.request.wanted.text(), "==2.6.0");  // read for 3.12
  EXPECT_TRUE(unknown.notes("cli.note.marker-python"));
  const Asked old = ask(words, "python=3.8");
  EXPECT_EQ(old.request.wanted.text(), "==2.5.1");
  EXPECT_FALSE(old.notes("cli.note.marker-python"));
  const Asked release = ask({"torch==2.6.0; platform_release == '6.1'"}, "python=3.12");
  EXPECT_EQ(release.request.wanted.text(), "==2.6.0");
  EXPECT_TRUE(release.notes("cli.note.marker-unknown"));
}

// pip, "Constraints Files": they ask for nothing by themselves.
TEST(Wish, AConstraintOnlyHoldsForWhatIsAskedFor) {
  Wishes wishes;
  EXPECT_FALSE(add_wish("scipy", wishes));
  for (const char* word : {"torch==2.6.0", "numpy==1.26.4", "scipy<1.13"})
    EXPECT_FALSE(add_wish(word, wishes, true));
  Request request;
  apply_wishes(wishes, Knowledge::embedded(), request);
  EXPECT_EQ(request.wanted.text(), "==2.6.0");
  EXPECT_EQ(request.also, (std::vector<std::string>{"scipy", "scipy<1.13"}));
}

}  // namespace
}  // namespace kernelfit::cli
