// SPDX-License-Identifier: Apache-2.0
#include "plan/conda.h"

#include <gtest/gtest.h>

#include "plan/plan_for_tests.h"

namespace kernelfit {
namespace {

TEST(CondaCommands, Conda) {
  const Knowledge knowledge = Knowledge::embedded();
  struct {
    const char* request;
    const char* channel;
    const char* line;
  } cases[] = {
      // cuDNN 9.11 dropped what is older than 7.5
      {"gpu=5.0 driver=580.95.05 python=3.12 glibc=2.36", "conda-forge",
       "conda install -c conda-forge \"pytorch-gpu=2.13.0\" \"cuda-version=12.9\" \"cudnn<9.11\""},
      {"gpu=8.9 driver=550.163.01 python=3.12 glibc=2.36", "conda-forge",
       "conda install -c conda-forge \"pytorch-gpu=2.13.0\" \"cuda-version=12.9\""},
      {"gpu=3.7 driver=470.256.02 python=3.10 glibc=2.36", "conda-pytorch",
       "conda install -c pytorch -c nvidia \"pytorch==2.3.1\" \"torchvision==0.18.1\" "
       "\"torchaudio==2.3.1\" \"pytorch-cuda=11.8\""},
  };
  for (const auto& c : cases) {
    const Plan plan = plan_for(c.request, {}, knowledge);
    std::string found;
    for (std::size_t i = 0; i < plan.answer.alternatives.size(); ++i) {
      if (plan.answer.alternatives[i].channel == c.channel)
        found = plan.alternative_commands[i].front().lines.back();
    }
    EXPECT_EQ(found, c.line) << c.request;
  }
}

TEST(CondaCommands, CondaReplacesItsOwnTorch) {
  check({
      // case 097
      {"gpu=7.5 driver=410.104 python=3.7 torch=1.3.0+cuda10.1 conda=pytorch",
       "conda",
       {"conda install -c pytorch \"pytorch==1.3.0\" \"torchvision==0.4.1\" \"cudatoolkit=10.0\""}},
      // case 215
      {"gpu=6.1 driver=440.33.01 python=3.7 torch=1.4.0+cpu cpuonly=1.0 conda=pytorch",
       "conda",
       {"conda remove cpuonly",
        "conda install -c pytorch \"pytorch==1.4.0\" \"torchvision==0.5.0\" \"cudatoolkit=10.1\""}},
      {"gpu=8.6 driver=550.163.01 python=3.10 torch=2.1.0+cuda11.8 torchvision=0.15.2 "
       "conda=pytorch",
       "conda",
       {"conda install -c pytorch -c nvidia \"pytorch==2.1.0\" \"torchvision==0.16.0\" "
        "\"torchaudio==2.1.0\" \"pytorch-cuda=11.8\""}},
  });
}

}  // namespace
}  // namespace kernelfit
