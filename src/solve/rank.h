// SPDX-License-Identifier: Apache-2.0
// Which of the builds that fit is the better advice. The order is the project's policy, in one
// place; tests/solve_property_test.py states it a second time, in Python, apart from this code.
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "solve/solve.h"

namespace kernelfit::solving {

// 0: no code. Then PTX only (a slow first start), native without cuDNN code, native and whole;
// within each a row of low confidence counts less than any surer one.
int tier(const Candidate& candidate);
inline constexpr int kWhole = 6, kWholeLow = 5, kNoCudnn = 4, kPtx = 2;

// Lower is better: the official index, the pytorch conda channel, conda-forge, third parties.
int channel_rank(std::string_view channel);
bool is_official(std::string_view channel);
// Is a channel of the tables, "conda-pytorch", this channel of conda, "pytorch"?
bool is_conda_channel(std::string_view channel, std::string_view conda);

class Ranking {
 public:
  Ranking(std::string_view platform, const Knowledge& knowledge);
  // By tier, channel, newest release, the default index's build, highest CUDA, confidence. Where
  // the Python is free to change the release comes before the channel: nobody should go back to a
  // Python of 2019 for the sake of an official build of 2019.
  bool better(const Candidate& a, const Candidate& b, bool any_python) const;
  const Candidate* best(const std::vector<const Candidate*>& among, bool any_python) const;
  // What the default index carries for the release. Where that has no CUDA (Windows), the build
  // that Linux gets by default, if the release offers it for this platform in its own commands
  // (2.0.1+cu117 and 1.7.1 of CUDA 10.2 are not offered for Windows): else none.
  bool is_main_build(const TorchBuild& build) const;

 private:
  std::unordered_map<std::string_view, std::string_view> main_builds_;  // by release
};

}  // namespace kernelfit::solving
