// SPDX-License-Identifier: Apache-2.0
// Boards, JetPacks and what runs on them, held to torch/jetson.csv (NVIDIA's "PyTorch for Jetson"
// table) and to facts 2 (1).
#include "solve/jetson.h"

#include <gtest/gtest.h>

#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

struct Case {
  const char* request;
  const char* answer;
};

Answer answer_to(std::string_view words, const Knowledge& knowledge) {
  return solve(request_of(words, knowledge), knowledge);
}

void check(const std::vector<Case>& cases) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const Case& c : cases)
    EXPECT_EQ(summary(answer_to(c.request, knowledge)), c.answer) << c.request;
}

std::string conflict_of(const Answer& answer) {
  std::string out;
  if (!answer.conflict) return out;
  for (const auto& part : answer.conflict->parts) out += part.kind + " " + part.value + "; ";
  return out + "change " + answer.conflict->change;
}

TEST(Jetson, NoDriverIsEverInstalled) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* words :
       {"gpu=Jetson_AGX_Thor driver=580.00 python=3.12 torch=2.10.0+cu130",
        "gpu=Jetson_AGX_Thor driver=none python=3.12 torch=2.10.0+cu130",
        "gpu=Jetson_AGX_Thor driver=none python=3.12",
        "gpu=Jetson_AGX_Thor driver=540.4.0 python=3.12 want=2.9.1",
        "gpu=Jetson_AGX_Orin driver=none python=3.10", "gpu=Jetson_Nano driver=390.157 python=3.6",
        "gpu=Jetson_AGX_Orin jetpack=6.1 driver=none python=3.10",
        "gpu=Jetson_AGX_Orin jetpack=7.2 driver=none python=3.12", "gpu=3.2 driver=none"}) {
    const Answer answer = answer_to(words, knowledge);
    EXPECT_NE(answer.verdict, PlanVerdict::update_driver) << words;
    EXPECT_FALSE(answer.after_driver) << words;
    EXPECT_FALSE(says(answer.caveats, "solve.caveat.driver-unknown")) << words;
  }
}

TEST(Jetson, Thor) {
  check({
      // JetPack 7 has CUDA 13.0 drivers; official aarch64 wheels have 11.0
      {"gpu=Jetson_AGX_Thor driver=580.00 python=3.12 torch=2.10.0+cu130", "keep 2.10.0 cu130 pip"},
      {"gpu=Jetson_AGX_Thor driver=none python=3.12 torch=2.10.0+cu130", "keep 2.10.0 cu130 pip"},
      {"gpu=Jetson_AGX_Thor jetpack=7.1 python=3.12", "install 2.15.0 cu132 pip"},
      {"gpu=Jetson_AGX_Thor jetpack=7.0 python=3.12 torch=2.9.0a0+50eac811a6.nv25.9",
       "keep 2.9.0a0+50eac811a6.nv25.9 wheel jetson"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer = answer_to("gpu=Jetson_AGX_Thor jetpack=7.1 python=3.12", knowledge);
  bool container = false;
  for (const Choice& other : answer.alternatives)
    container = container || (other.jetson != nullptr && other.jetson->ngc_release == "26.03");
  EXPECT_TRUE(container);
}

TEST(Jetson, WithoutAJetPackItIsAskedFor) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* words : {"gpu=Jetson_AGX_Orin python=3.10", "gpu=Jetson_Nano python=3.6",
                            "gpu=Jetson_AGX_Xavier driver=none python=3.8"}) {
    const Answer answer = answer_to(words, knowledge);
    EXPECT_EQ(summary(answer), "ask") << words;
    EXPECT_TRUE(says(answer.questions, "solve.ask.jetpack")) << words;
  }
  // The TK1 was never served: nothing to ask for.
  EXPECT_EQ(summary(answer_to("gpu=3.2 python=3.6", knowledge)), "no-build");
}

TEST(Jetson, NvidiasBuildOfTheLineStays) {
  check({
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.5.0a0+b465a5843b.nv24.9",
       "keep 2.5.0a0+b465a5843b.nv24.9 wheel jetson"},
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.5.0a0+872d972e41.nv24.8",
       "keep 2.5.0a0+872d972e41.nv24.8 wheel jetson"},
      {"gpu=8.7 jetpack=6.2 python=3.10 torch=2.5.0a0+872d972e41.nv24.08",
       "keep 2.5.0a0+872d972e41.nv24.08 wheel jetson"},
      {"gpu=8.7 jetpack=6.0 python=3.10 torch=2.4.0a0+3bcc3cddb5.nv24.7",
       "keep 2.4.0a0+3bcc3cddb5.nv24.7 wheel jetson"},
      {"gpu=8.7 jetpack=5.1.2 python=3.8 torch=2.1.0a0+41361538.nv23.6",
       "keep 2.1.0a0+41361538.nv23.6 wheel jetson"},
      {"gpu=7.2 jetpack=5.1.1 python=3.8 torch=2.0.0+nv23.5", "keep 2.0.0+nv23.5 wheel jetson"},
      {"gpu=8.7 jetpack=6.2 python=3.10 torch=2.5.0a0+b465a5843b",
       "keep 2.5.0a0+b465a5843b wheel jetson"},
      // another line's: its CUDA and Python are not there
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.1.0a0+41361538.nv23.6",
       "reinstall 2.5.0a0+b465a5843b wheel jetson"},
      // a hash that no row has says nothing
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.6.0a0+1234567abc", "ask"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  const auto newer = "gpu=8.7 jetpack=6.0 python=3.10 torch=2.5.0a0+b465a5843b.nv24.9";
  EXPECT_TRUE(says(answer_to(newer, knowledge).caveats, "solve.caveat.jetson-newer"));
}

// The plain version is that of NVIDIA's wheels of JetPack 4, of the community's builds and of
// PyPI's CPU builds: never "without CUDA" for certain.
TEST(Jetson, PlainVersions) {
  check({
      {"gpu=Jetson_Nano jetpack=4.6.1 python=3.6 torch=1.10.0", "keep 1.10.0 wheel jetson"},
      {"gpu=Jetson_AGX_Xavier jetpack=4.6.1 python=3.6 torch=1.9.0", "keep 1.9.0 wheel jetson"},
      {"gpu=8.7 jetpack=6.2 python=3.10 torch=2.8.0", "ask"},
      {"gpu=8.7 jetpack=6.2 python=3.10 torch=2.9.1", "ask"},
      {"gpu=Jetson_AGX_Thor jetpack=7.0 python=3.12 torch=2.9.1", "ask"},
      // no Jetson build has this number: PyPI's CPU build
      {"gpu=8.7 jetpack=6.1 python=3.10 torch=2.1.0", "reinstall 2.5.0a0+b465a5843b wheel jetson"},
  });
  const Knowledge knowledge = Knowledge::embedded();
  EXPECT_TRUE(
      says(answer_to("gpu=Jetson_Nano jetpack=4.6.1 python=3.6 torch=1.10.0", knowledge).caveats,
           "solve.caveat.jetson-plain"));
}

TEST(Jetson, WheelsOfAnotherPython) {
  check({
      {"gpu=5.3 jetpack=4.6.1 python=3.8",
       "change-python 1.11.0a0+bfe5ad28 wheel jetson python 3.6"},
      {"gpu=8.7 jetpack=5.1.2 python=3.10", "change-python 2.1.0a0 wheel jetson python 3.8"},
      {"gpu=8.7 jetpack=6.1 python=3.12",
       "change-python 2.5.0a0+b465a5843b wheel jetson python 3.10"},
      {"gpu=8.7 jetpack=5.1.2 python=3.8", "install 2.1.0a0 wheel jetson"},
      // JetPack 6.2 has images only, which bring their own
      {"gpu=8.7 jetpack=6.2 python=3.12", "install 2.8.0a0+5228986c39 container jetson"},
      // of one version the newest release, not the greatest hash: 24.07 after 24.06
      {"gpu=8.7 jetpack=6.0 python=3.10", "install 2.4.0a0+3bcc3cddb5 wheel jetson"},
  });
}

TEST(Jetson, BoardsThatNeverHadTheJetPack) {
  const Knowledge knowledge = Knowledge::embedded();
  const struct {
    const char* request;
    const char* conflict;
  } cases[] = {
      {"gpu=Jetson_AGX_Xavier jetpack=6.2 python=3.10",
       "gpu Jetson AGX Xavier; jetpack 6.2; change jetpack"},
      {"gpu=Jetson_Xavier_NX jetpack=6.1 python=3.10",
       "gpu Jetson Xavier NX; jetpack 6.1; change jetpack"},
      {"gpu=Jetson_AGX_Thor jetpack=6.2 python=3.10",
       "gpu Jetson AGX Thor; jetpack 6.2; change jetpack"},
      {"gpu=Jetson_Nano jetpack=5.1.2 python=3.8",
       "gpu Jetson Nano; jetpack 5.1.2; change jetpack"},
      {"gpu=Jetson_AGX_Orin jetpack=4.6.1 python=3.6",
       "gpu Jetson AGX Orin; jetpack 4.6.1; change jetpack"},
      // JetPack 7 is Thor's in every row that names one board
      {"gpu=Jetson_AGX_Orin jetpack=7.0 python=3.12",
       "gpu Jetson AGX Orin; jetpack 7.0; change jetpack"},
      {"gpu=Jetson_AGX_Orin jetpack=7.1 python=3.12",
       "gpu Jetson AGX Orin; jetpack 7.1; change jetpack"},
      // these do exist
      {"gpu=Jetson_AGX_Xavier jetpack=5.1.3 python=3.8", ""},
      {"gpu=Jetson_AGX_Orin jetpack=6.2.1 python=3.10", ""},
      {"gpu=Jetson_Nano jetpack=4.6.4 python=3.6", ""},
      {"gpu=Jetson_AGX_Thor jetpack=7.1 python=3.12", ""},
  };
  for (const auto& c : cases) {
    const Answer answer = answer_to(c.request, knowledge);
    EXPECT_EQ(conflict_of(answer), c.conflict) << c.request;
    EXPECT_EQ(answer.verdict == PlanVerdict::ask, answer.conflict.has_value()) << c.request;
  }
}

// torch/jetpack.csv ends with 5.1.5, 6.2.1 and 7.1.
TEST(Jetson, AJetPackThatNobodyKnowsIsAskedFor) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* words :
       {"gpu=8.7 jetpack=5.9 python=3.8", "gpu=11.0 jetpack=7.2 python=3.12",
        "gpu=11.0 jetpack=7.9 python=3.12", "gpu=11.0 jetpack=8.0 python=3.12"}) {
    const Answer answer = answer_to(words, knowledge);
    EXPECT_EQ(answer.verdict, PlanVerdict::ask) << words;
    EXPECT_FALSE(answer.choice) << words;
    EXPECT_EQ(answer.questions.size(), 1u) << words;
  }
}

TEST(Jetson, AWishThatNobodyServes) {
  const Knowledge knowledge = Knowledge::embedded();
  const Answer answer =
      answer_to("gpu=Jetson_AGX_Orin jetpack=6.1 python=3.10 want=2.9.1", knowledge);
  EXPECT_EQ(summary(answer), "install 2.5.0a0+b465a5843b wheel jetson");
  EXPECT_EQ(conflict_of(answer), "torch ==2.9.1; gpu Jetson AGX Orin; jetpack 6.1; change torch");
  bool community = false;
  for (const Choice& other : answer.alternatives)
    community = community || (other.torch == "2.9.1" && other.when.key == "solve.when.community");
  EXPECT_TRUE(community);
  const Answer wished =
      answer_to("gpu=Jetson_AGX_Orin jetpack=6.0 python=3.10 want=2.3.0a0", knowledge);
  EXPECT_EQ(summary(wished), "install 2.3.0a0+6ddf5cf85e wheel jetson");
  EXPECT_FALSE(wished.conflict);
  const Answer there = answer_to(
      "gpu=8.7 jetpack=6.1 python=3.10 want=2.9.1 torch=2.5.0a0+b465a5843b.nv24.9", knowledge);
  EXPECT_EQ(there.verdict, PlanVerdict::keep);
  EXPECT_TRUE(there.conflict);
}

}  // namespace
}  // namespace kernelfit
