// SPDX-License-Identifier: Apache-2.0
// What no driver can do on one host, and which card a reason names.
#include "solve/host_conflict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "message/message.h"
#include "solve/request_for_tests.h"

namespace kernelfit {
namespace {

std::string value_of(const Said& said, std::string_view name) {
  for (const auto& [key, value] : said.values) {
    if (key == name) return value;
  }
  return "";
}

// "gpu-proprietary GeForce GTX 1080 Ti, gpu-open GeForce RTX 5090, …; change gpu"
std::string text_of(const std::optional<Conflict>& conflict) {
  if (!conflict) return "";
  std::string out;
  for (const Conflict::Part& part : conflict->parts)
    out += part.because.key.substr(std::string("solve.conflict.").size()) + " " + part.value + ", ";
  return out + "change " + conflict->change;
}

TEST(HostConflict, WhatNoDriverServes) {
  struct Case {
    const char* why;
    const char* request;
    const char* conflict;
  };
  const Case cases[] = {
      {"docs/compatibility.md 3: Blackwell needs the open module, Pascal has only the proprietary "
       "one",
       "gpu=10de:1b06 gpu=10de:2b85",
       "gpu-proprietary GeForce GTX 1080 Ti, gpu-open GeForce RTX 5090, os-one-module linux, "
       "change gpu"},
      {"Volta beside B200", "gpu=10de:1db6 gpu=B200",
       "gpu-proprietary Tesla V100-PCIE-32GB, gpu-open B200, os-one-module linux, change gpu"},
      {"on Windows only branches matter: R580 serves both",
       "gpu=10de:1b06 gpu=10de:2b85 os=windows", ""},
      {"Turing takes either module", "gpu=2080_Ti gpu=5090", ""},
      {"Pascal and Turing share the proprietary one", "gpu=1080_Ti gpu=2080_Ti", ""},
      {"branches: Kepler ends at R470, Ada begins at R520", "gpu=10de:102d gpu=10de:2684",
       "gpu-branch-last Tesla K80, gpu-branch-first GeForce RTX 4090, change gpu"},
      {"and on Windows", "gpu=10de:102d gpu=10de:2684 os=windows",
       "gpu-branch-last Tesla K80, gpu-branch-first GeForce RTX 4090, change gpu"},
      {"a Kepler notebook on Windows ends at R418, Ampere begins at R455",
       "gpu=920M gpu=10de:2206 os=windows",
       "gpu-branch-last GeForce 920M, gpu-branch-first GeForce RTX 3080, change gpu"},
      {"on Linux it ends at R470", "gpu=920M gpu=10de:2206", ""},
      {"libraries/arch.csv, WSL2 CUDA: Kepler is out", "gpu=10de:102d os=wsl",
       "gpu-wsl Tesla K80, os-wsl wsl, change os"},
      {"and it alone is named", "gpu=10de:2206 gpu=10de:1287 os=wsl",
       "gpu-wsl GeForce GT 730, os-wsl wsl, change os"},
      {"Maxwell is reported to work", "gpu=GTX_960M os=wsl", ""},
      {"Pascal is named", "gpu=1080_Ti os=wsl", ""},
  };
  const Knowledge knowledge = Knowledge::embedded();
  for (const Case& c : cases) {
    const Request request = request_of(c.request, knowledge);
    EXPECT_EQ(text_of(host_conflict(request, knowledge)), c.conflict) << c.why;
  }
}

TEST(HostConflict, Wsl) {
  const Knowledge knowledge = Knowledge::embedded();
  const auto answer = [&](std::string_view words) {
    return solve(request_of(words, knowledge), knowledge);
  };
  const Answer kepler = answer("gpu=10de:102d os=wsl driver=475.14 python=3.10");
  EXPECT_EQ(kepler.verdict, PlanVerdict::no_build);
  EXPECT_EQ(text_of(kepler.conflict), "gpu-wsl Tesla K80, os-wsl wsl, change os");
  EXPECT_EQ(kepler.conflict->advice.key, "solve.conflict.change.os-wsl");
  EXPECT_EQ(kepler.why.front().key, "solve.why.no-wsl");
  const auto caveat = [](const Answer& one) {
    return std::any_of(one.caveats.begin(), one.caveats.end(),
                       [](const Said& said) { return said.key == "solve.caveat.wsl-reported"; });
  };
  EXPECT_TRUE(caveat(answer("gpu=GTX_960M os=wsl driver=560.94 python=3.12")));
  EXPECT_FALSE(caveat(answer("gpu=1080_Ti os=wsl driver=560.94 python=3.12")));
  EXPECT_FALSE(caveat(answer("gpu=GTX_960M os=linux driver=550.163.01 python=3.12")));
  // Installed torch does not change that.
  EXPECT_EQ(answer("gpu=10de:102d os=wsl driver=475.14 python=3.10 torch=2.0.1+cu118").verdict,
            PlanVerdict::no_build);
}

// Of a sentence: why or avoid, by its key; what it calls the cards.
std::string named(const Answer& answer, std::string_view key) {
  for (const auto* said : {&answer.why, &answer.avoid}) {
    for (const Said& one : *said) {
      if (one.key == key) return value_of(one, "gpu");
    }
  }
  return "(not said)";
}

TEST(HostConflict, ReasonsNameTheCause) {
  struct Case {
    const char* why;
    const char* request;
    const char* key;
    const char* gpu;
  };
  const char* kK80 = "gpu=10de:102d gpu=10de:20b0 driver=550.163.01 python=3.10";
  const Case cases[] = {
      {"R550 serves Ampere (driver_branches: to 9.0)", kK80, "solve.why.driver-too-new",
       "Tesla K80"},
      {"and so do later ones", kK80, "solve.avoid.latest-driver", "Tesla K80"},
      {"2.15.0 cu132 begins at 7.5", "gpu=10de:1db6 gpu=10de:1eb8 driver=580.95.05 python=3.12",
       "solve.avoid.newer-torch", "Tesla V100-PCIE-32GB"},
      {"", "gpu=10de:2684 gpu=K620 driver=580.95.05 python=3.12", "solve.avoid.newer-torch",
       "Quadro K620"},
      {"R535 knows Ada, not Blackwell", "gpu=10de:2684 gpu=10de:2b85 driver=535.183.01 python=3.12",
       "solve.why.driver-too-old", "GeForce RTX 5090"},
      {"no card is to blame: 470 is below the floor of CUDA 12",
       "gpu=10de:2206 driver=470.256.02 python=3.14", "solve.why.driver-too-old", "(not said)"},
      {"cu130 of 2.13.0 begins at 7.5",
       "gpu=10de:1b06 gpu=10de:1eb8 driver=580.95.05 python=3.12 torch=2.13.0+cu130",
       "solve.why.installed-no-code", "GeForce GTX 1080 Ti"},
      {"3.0 never had a build", "gpu=10de:1180 gpu=10de:102d driver=470.256.02 python=3.10",
       "solve.why.no-code-ever", "GeForce GTX 680"},
  };
  const Knowledge knowledge = Knowledge::embedded();
  for (const Case& c : cases) {
    const Answer answer = solve(request_of(c.request, knowledge), knowledge);
    EXPECT_EQ(named(answer, c.key), c.gpu) << c.request << "\n" << c.key << ": " << c.why;
  }
}

TEST(HostConflict, KeplerNotebooksOnWindows) {
  const Knowledge knowledge = Knowledge::embedded();
  for (const char* driver : {"none", "531.79", "427.45"}) {
    const std::string words = std::string("gpu=GeForce_920M os=windows python=3.7 driver=");
    const Answer answer = solve(request_of(words + driver, knowledge), knowledge);
    ASSERT_TRUE(answer.after_driver) << driver;
    EXPECT_EQ(answer.after_driver->text(), "425.31") << driver;  // claims.csv
  }
}

}  // namespace
}  // namespace kernelfit
