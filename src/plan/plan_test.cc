// SPDX-License-Identifier: Apache-2.0
// The commands, word by word, for one question each; what pip and uv make of them is held to the
// real programs in tests/pip_truth_test.py.
#include "plan/plan.h"

#include <gtest/gtest.h>

#include "message/message.h"
#include "plan/plan_for_tests.h"

namespace kernelfit {
namespace {

TEST(Plan, AnIndexAndItsPairs) {
  check({
      // docs/knowledge.md: the pair of 2.14.1+cu126 is 0.29.1+cu126 from the same index
      {"gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36",
       "pip",
       {"python -m pip install \"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
        "\"torchaudio==2.11.0+cu126\" --index-url " +
        kIndex + "cu126"}},
      {"gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36",
       "uv",
       {"uv pip install \"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
        "\"torchaudio==2.11.0+cu126\" --default-index " +
        kIndex + "cu126"}},
      {"gpu=3.7 driver=470.256.02 python=3.10 glibc=2.36",
       "pip",
       {"python -m pip install \"torch==2.3.1+cu118\" \"torchvision==0.18.1+cu118\" "
        "\"torchaudio==2.3.1+cu118\" --index-url " +
        kIndex + "cu118"}},
  });
}

TEST(Plan, APageOfLinksBefore113) {
  check({
      {"gpu=8.6 driver=535.309.01 python=3.9 glibc=2.36 torch=1.10.1+cu102",
       "pip",
       {"python -m pip install \"torch==1.10.1+cu113\" \"torchvision==0.11.2+cu113\" "
        "\"torchaudio==0.10.1\" -f " +
        kIndex + "torch_stable.html"}},
      {"gpu=8.6 driver=535.309.01 python=3.9 glibc=2.36 torch=1.10.1+cu102",
       "uv",
       {"uv pip install \"torch==1.10.1+cu113\" \"torchvision==0.11.2+cu113\" "
        "\"torchaudio==0.10.1\" --find-links " +
        kIndex + "torch_stable.html"}},
      {"gpu=8.6 driver=535.309.01 python=3.9 want=1.12.1 build=cu116",
       "pip",
       {"python -m pip install \"torch==1.12.1+cu116\" \"torchvision==0.13.1+cu116\" "
        "\"torchaudio==0.12.1\" --extra-index-url " +
        kIndex + "cu116"}},
      {"gpu=3.5 driver=470.256.02 python=3.10 glibc=2.36",
       "pip",
       {"python -m pip install \"torch==1.13.1+cu117\" -f "
        "https://nelsonliu.me/files/pytorch/whl/torch_stable.html"}},
  });
}

// torch_stable.html holds 1.3.1 (cu101) and 1.3.1+cu92, which pip would take: the file is named.
TEST(Plan, AnUntaggedVersionOnAPageOfSeveralBuilds) {
  const std::string files = "https://download.pytorch.org/whl/cu101/";
  check({
      {"gpu=5.0 driver=475.14 os=windows python=3.7 want=1.3.1 build=cu101",
       "pip",
       {"python -m pip install " + files + "torch-1.3.1-cp37-cp37m-win_amd64.whl " + files +
        "torchvision-0.4.2-cp37-cp37m-win_amd64.whl"}},
  });
}

// The default index's plain form changes nothing over an installed torch: it is offered only where
// there is none, and beside the exact one.
TEST(Plan, TheDefaultIndex) {
  const std::string exact =
      "python -m pip install \"torch==2.15.0+cu132\" "
      "\"torchvision==0.29.2+cu132\" --index-url " +
      kIndex + "cu132";
  const std::string plain =
      "python -m pip install \"torch==2.15.0\" \"torchvision==0.29.2\" \"torchaudio==2.11.1\"";
  check({{"gpu=8.9 driver=580.95.05 python=3.12", "pip", {exact, plain}},
         {"gpu=8.9 driver=580.95.05 python=3.12 torch=2.6.0+cpu want=2.15.0", "pip", {exact}}});
  PlanOptions fresh;  // an environment that was looked into, and has no torch
  fresh.interpreter = "/home/a/.venv/bin/python";
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=8.9 driver=580.95.05 python=3.12", fresh, knowledge);
  EXPECT_EQ(plan.commands.front().lines.front(),
            "/home/a/.venv/bin/python -m pip install \"torch==2.15.0\" \"torchvision==0.29.2\" "
            "\"torchaudio==2.11.1\"");
}

TEST(Plan, TheEnvironmentsInterpreter) {
  PlanOptions options;
  options.interpreter = "/home/a b/.venv/bin/python";
  options.manager = "uv";
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=6.1 driver=580.95.05 python=3.12", options, knowledge);
  EXPECT_EQ(plan.commands.front().tool, "uv");
  EXPECT_TRUE(plan.commands.front().lines.front().starts_with(
      "uv pip install --python \"/home/a b/.venv/bin/python\" \"torch==2.14.1+cu126\""));
  PlanOptions windows;
  windows.interpreter = "C:\\Program Files\\Python312\\python.exe";
  const Plan other = plan_for("gpu=6.1 os=windows driver=582.41 python=3.12", windows, knowledge);
  EXPECT_EQ(other.commands.front().shell, "powershell");
  EXPECT_TRUE(other.commands.front().lines.front().starts_with(
      "& \"C:\\Program Files\\Python312\\python.exe\" -m pip install \"torch==2.14.1+cu126\""));
}

TEST(Plan, AnotherPython) {
  check({
      {"gpu=12.0 driver=580.95.05 python=3.8 glibc=2.36",
       "uv",
       {"uv venv --python 3.12 .venv-3.12",
        "uv pip install --python .venv-3.12 \"torch==2.15.0+cu132\" \"torchvision==0.29.2+cu132\" "
        "--default-index " +
            kIndex + "cu132",
        "uv venv --python 3.12 .venv-3.12",
        "uv pip install --python .venv-3.12 \"torch==2.15.0\" \"torchvision==0.29.2\" "
        "\"torchaudio==2.11.1\""}},
      {"gpu=10de:1287 os=windows driver=474.44 python=3.10",
       "pip",
       {"py -3.7 -m venv .venv-3.7", ".venv-3.7\\Scripts\\python -m pip install " + kIndex +
                                         "cu101/torch-1.3.1-cp37-cp37m-win_amd64.whl " + kIndex +
                                         "cu101/torchvision-0.4.2-cp37-cp37m-win_amd64.whl"}},
  });
}

TEST(Plan, OnlyTheComponent) {
  check({
      // install_commands.csv: torchaudio 0.12.1 has no tag of its own on that page.
      {"gpu=8.6 driver=560.35.03 python=3.8 torch=1.12.1+cu116 torchvision=0.13.1+cu116 "
       "torchaudio=0.12.1+cu102",
       "pip",
       {"python -m pip uninstall -y torchaudio",
        "python -m pip install \"torchaudio==0.12.1\" --extra-index-url " + kIndex + "cu116"}},
      {"gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126 torchvision=0.24.1+cpu",
       "pip",
       {"python -m pip install \"torchvision==0.24.1+cu126\" --index-url " + kIndex + "cu126"}},
  });
}

// torch/install_commands.csv: 2.9.1 goes with torchvision 0.24.1 and torchaudio 2.9.1; 2.14.1 of
// cu132 has its torchaudio on PyPI only.
TEST(Plan, AllPartsThatAreWrong) {
  check({
      {"gpu=8.6 driver=580.95.05 python=3.12 torch=2.9.1+cu128 torchvision=0.23.0 torchaudio=2.8.0",
       "pip",
       {"python -m pip install \"torchvision==0.24.1+cu128\" \"torchaudio==2.9.1+cu128\" "
        "--index-url " +
        kIndex + "cu128"}},
  });
}

TEST(Plan, DamagedFilesNeedForceAndNothingElse) {
  PlanOptions options;
  options.damaged = true;
  check(
      {
          {"gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126",
           "pip",
           {"python -m pip install --force-reinstall --no-deps \"torch==2.9.1+cu126\" "
            "--index-url " +
            kIndex + "cu126"}},
          {"gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126",
           "uv",
           {"uv pip install --reinstall-package torch \"torch==2.9.1+cu126\" --default-index " +
            kIndex + "cu126"}},
      },
      options);
  const Knowledge knowledge = Knowledge::embedded();
  const char* words = "gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126";
  EXPECT_TRUE(says(plan_for(words, options, knowledge).notes, "plan.note.damaged"));
  EXPECT_FALSE(says(plan_for(words, {}, knowledge).notes, "plan.note.damaged"));
}

// torch/ngc_images.csv: 2.14.0 is the newest image; torch/builds.csv: its default is cu130, and
// cu126 has no 12.0. R550 serves neither CUDA 13 nor the card: the driver comes first.
TEST(Plan, AContainerWhereTheSystemIsTooOld) {
  check({
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17",
       "docker",
       {"docker run --gpus all -it --rm pytorch/pytorch:2.14.0-cuda13.0-cudnn9-runtime"}},
      {"gpu=12.0 driver=550.163.01 python=3.12 glibc=2.17",
       "docker",
       {"docker run --gpus all -it --rm pytorch/pytorch:2.14.0-cuda13.0-cudnn9-runtime"}},
      {"gpu=8.6 driver=580.95.05 python=3.12 glibc=2.17", "docker", {}},
      {"gpu=12.0 driver=580.95.05 python=3.12 glibc=2.17 cpu=aarch64", "docker", {}},
  });
}

TEST(Plan, NothingToTypeWhereNothingIsToDo) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* words : {"gpu=8.9 driver=550.163.01 python=3.12 torch=2.9.1+cu126",
                            "gpu=GT_730 driver=470.256.02 python=3.10", "python=3.12"})
    EXPECT_TRUE(plan_for(words, {}, knowledge).commands.empty()) << words;
}

TEST(Plan, TheCpuBuildWhereNothingElseRuns) {
  check({
      {"gpu=10de:0f02 driver=390.157 python=3.8 glibc=2.36",
       "pip",
       {"python -m pip install \"torch==2.4.1+cpu\" \"torchvision==0.19.1+cpu\" "
        "\"torchaudio==2.4.1+cpu\" --index-url " +
        kIndex + "cpu"}},
  });
}

TEST(Plan, Mirrors) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* mirror;
    const char* first;  // the first pip line
    const char* note;
  } cases[] = {
      // a flat listing: for -f, beside a mirror of PyPI for the rest (data/mirrors.csv)
      {"aliyun",
       "python -m pip install \"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
       "\"torchaudio==2.11.0+cu126\" --index-url https://mirrors.aliyun.com/pypi/simple/ -f "
       "https://mirrors.aliyun.com/pytorch-wheels/cu126/",
       "plan.note.mirror-not-checked"},
      {"nju",
       "python -m pip install \"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
       "\"torchaudio==2.11.0+cu126\" --index-url https://mirrors.nju.edu.cn/pytorch/whl/cu126",
       "plan.note.mirror-not-checked"},
      // no wheels of the pytorch.org indexes: PyPI and conda only
      {"tuna",
       "python -m pip install \"torch==2.14.1+cu126\" \"torchvision==0.29.1+cu126\" "
       "\"torchaudio==2.11.0+cu126\" --index-url https://download.pytorch.org/whl/cu126",
       "plan.note.mirror-no-torch"},
  };
  for (const auto& c : cases) {
    PlanOptions options;
    options.mirror = c.mirror;
    const Plan plan =
        plan_for("gpu=6.1 driver=580.95.05 python=3.12 glibc=2.36", options, knowledge);
    EXPECT_EQ(plan.commands.front().lines.front(), c.first);
    EXPECT_TRUE(says(plan.notes, c.note)) << c.mirror;
  }
  PlanOptions tuna;
  tuna.mirror = "tuna";
  const Plan plan = plan_for("gpu=8.9 driver=580.95.05 python=3.12 glibc=2.36", tuna, knowledge);
  EXPECT_EQ(plan.commands.back().lines.back(),
            "uv pip install \"torch==2.15.0\" \"torchvision==0.29.2\" \"torchaudio==2.11.1\" "
            "--default-index https://pypi.tuna.tsinghua.edu.cn/simple");
  EXPECT_EQ(plan.alternative_commands.front().front().lines.front(),
            "conda install -c https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud/conda-forge "
            "\"pytorch-gpu=2.13.0\" \"cuda-version=13.0\"");
}

// previous-versions.md and cases 215, 239: these versions carry no CUDA in their name, so pip would
// take another build of them, or keep the one that is there.
TEST(Plan, AVersionThatDoesNotNameItsCuda) {
  check({
      {"gpu=6.1 driver=418.39 python=3.6 torch=1.1.0+cu100 torchvision=0.4.2",
       "pip",
       {"python -m pip install " + kIndex + "cu100/torchvision-0.3.0-cp36-cp36m-linux_x86_64.whl"}},
      {"gpu=6.1 driver=418.39 python=3.6 torch=1.1.0+cpu want=1.1.0 build=cu100",
       "pip",
       {"python -m pip uninstall -y torch",
        "python -m pip install " + kIndex + "cu100/torch-1.1.0-cp36-cp36m-linux_x86_64.whl " +
            kIndex + "cu100/torchvision-0.3.0-cp36-cp36m-linux_x86_64.whl"}},
      {"gpu=6.1 driver=440.33.01 python=3.7 torch=1.4.0+cpu torchvision=0.5.0+cpu",
       "pip",
       {"python -m pip uninstall -y torch torchvision",
        "python -m pip install \"torch==1.4.0\" \"torchvision==0.5.0\""}},
      {"gpu=6.1 driver=440.33.01 python=3.7 torch=1.4.0+cpu",
       "uv",
       {"uv pip uninstall torch", "uv pip install \"torch==1.4.0\" \"torchvision==0.5.0\""}},
      // PyPI's 1.7.1 is the CPU build on Windows
      {"gpu=7.5 os=windows driver=442.59 python=3.7 torch=1.7.1+cpu",
       "pip",
       {"python -m pip uninstall -y torch",
        "python -m pip install " + kIndex + "cu102/torch-1.7.1-cp37-cp37m-win_amd64.whl " + kIndex +
            "cu102/torchvision-0.8.2-cp37-cp37m-win_amd64.whl"}},
      {"gpu=7.5 os=windows driver=457.51 python=3.7 torch=1.7.1+cpu",
       "pip",
       {"python -m pip install \"torch==1.7.1+cu110\" \"torchvision==0.8.2+cu110\" "
        "\"torchaudio==0.7.2\" -f " +
        kIndex + "torch_stable.html"}},
  });
}

TEST(Plan, AThirdPartyIsNamedBesideItsCommands) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=3.5 driver=470.256.02 python=3.10 glibc=2.36", {}, knowledge);
  EXPECT_TRUE(says(plan.answer.caveats, "solve.caveat.third-party"));
  ASSERT_FALSE(plan.commands.empty());
  for (const CommandBlock& block : plan.commands) {
    EXPECT_EQ(block.when.key, "plan.when.third-party");
    EXPECT_EQ(block.when.values.front().second, "nelsonliu.me");
  }
  // as an alternative too
  const Plan other = plan_for("gpu=3.5 driver=470.256.02 python=3.7 glibc=2.36", {}, knowledge);
  for (std::size_t i = 0; i < other.answer.alternatives.size(); ++i) {
    if (!other.answer.alternatives[i].channel.starts_with("third-party")) continue;
    EXPECT_TRUE(says(other.answer.caveats, "solve.caveat.third-party"));
    EXPECT_EQ(other.alternative_commands[i].front().when.key, "plan.when.third-party");
  }
}

// The same version of two makers: pip calls the one satisfied by the other.
TEST(Plan, AThirdPartyUnderTheOfficialVersion) {
  const char* words = "gpu=3.5 driver=470.256.02 python=3.10 glibc=2.36 torch=1.13.1+cu117";
  check({
      {words,
       "pip",
       {"python -m pip uninstall -y torch",
        "python -m pip install \"torch==1.13.1+cu117\" -f "
        "https://nelsonliu.me/files/pytorch/whl/torch_stable.html"}},
  });
  const Knowledge knowledge = Knowledge::embedded();
  EXPECT_TRUE(says(plan_for(words, {}, knowledge).answer.caveats, "solve.caveat.which-of-two"));
}

TEST(Plan, WhatTheIndexHasAndPypiHasNot) {
  check({
      // torchaudio was released with torch, whatever its number
      {"gpu=9.0 driver=535.183.01 python=3.10 torch=2.0.1+cu117",
       "pip",
       {"python -m pip install \"torch==2.0.1+cu118\" \"torchvision==0.15.2+cu118\" "
        "\"torchaudio==2.0.2+cu118\" --index-url " +
        kIndex + "cu118"}},
      // PyPI has no torchvision 0.14.1 for 3.11
      {"gpu=8.6 driver=580.95.05 python=3.11 want=1.13.1",
       "pip",
       {"python -m pip install \"torch==1.13.1+cu117\" \"torchvision==0.14.1+cu117\" "
        "\"torchaudio==0.13.1\" --extra-index-url " +
        kIndex + "cu117"}},
      {"gpu=7.5 driver=525.147.05 python=2.7", "uv", {}},
  });
}

TEST(Plan, ACpuBuildThatWasAskedFor) {
  check({
      {"gpu=8.6 driver=580.95.05 python=3.12 want=2.13.0+cpu torch=2.13.0+cu130",
       "pip",
       {"python -m pip install \"torch==2.13.0+cpu\" \"torchvision==0.28.0+cpu\" "
        "\"torchaudio==2.11.0+cpu\" "
        "--index-url " +
        kIndex + "cpu"}},
      {"python=3.12 want=2.13.0+cpu torch=2.13.0+cpu", "pip", {}},
  });
}

TEST(Plan, Jetson) {
  const Knowledge knowledge = Knowledge::embedded();
  const Plan plan = plan_for("gpu=8.7 cpu=aarch64 jetpack=6.1 python=3.10", {}, knowledge);
  for (const CommandBlock& block : plan.commands) {
    for (const std::string& line : block.lines)
      EXPECT_EQ(line.find("download.pytorch.org"), std::string::npos) << line;
  }
  EXPECT_EQ(lines_of_tool(plan, "docker"),
            std::vector<std::string>{
                "sudo docker run --rm -it --runtime nvidia nvcr.io/nvidia/pytorch:24.09-py3-igpu"});
}

// A remark of a command is in every language.
TEST(Plan, SentencesExist) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const std::string& language : languages()) {
    const Catalogue say = load_catalogue(language);
    for (const char* words :
         {"gpu=12.0 driver=550.163.01 python=3.8", "gpu=6.1 driver=none os=windows python=3.12",
          "gpu=8.6 driver=none os=wsl python=3.12", "gpu=8.7 jetpack=6.1 python=3.10",
          "gpu=10de:0f02 driver=390.157 python=3.8", "gpu=3.7 driver=535.309.01 python=3.10"}) {
      PlanOptions options;
      options.mirror = "aliyun";
      const Plan plan = plan_for(words, options, knowledge);
      std::vector<Said> all = plan.notes;
      for (const CommandBlock& block : plan.commands) all.push_back(block.when);
      for (const Said& said : all)
        EXPECT_TRUE(said.key.empty() || say.has(said.key)) << said.key << " " << language;
    }
  }
}

// builds.csv: "wheel on the cu124 index carries no +cu suffix as far as known".
TEST(Plan, AWheelWithoutALocalVersion) {
  check({{"gpu=9.0 cpu=aarch64 driver=580.95.05 python=3.12 want=2.5.1",
          "pip",
          {"python -m pip install \"torch==2.5.1\" \"torchvision==0.20.1\" "
           "\"torchaudio==2.5.1\" --index-url " +
           kIndex + "cu124"}}});
}

}  // namespace
}  // namespace kernelfit
