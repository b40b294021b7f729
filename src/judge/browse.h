// SPDX-License-Identifier: Apache-2.0
// What the knowledge says about a card, a torch release, or all of them: the pages of `kernelfit
// gpu` and `kernelfit torch`. Pure; report turns them into text.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/card.h"
#include "judge/driver.h"
#include "judge/first_branch.h"
#include "judge/verdict.h"

namespace kernelfit {

// The first and the last torch of one channel and platform that have code for a capability.
// Builds of low confidence take no part.
struct TorchSpan {
  std::string channel, platform;                       // "pip", "linux-x86_64"
  Verdict via = Verdict::native;                       // native (SASS) or ptx_jit
  std::string first_torch, last_torch;                 // "1.8.0", "2.15.0"
  std::vector<std::string> first_builds, last_builds;  // "cu111"
};
// By channel, platform, via. `sbsa_tegra_rule`: see Card.
std::vector<TorchSpan> torch_spans(ComputeCapability capability, bool sbsa_tegra_rule,
                                   const Knowledge& knowledge);

// One chip of a card.
struct CardPage {
  Card card;  // without variants
  // Products of this chip with this name; of a capability alone: every product that has it.
  std::vector<std::string> names;
  std::vector<std::string> pci_ids;             // "10de:1287", with the subsystem where it decides
  std::vector<std::string> memory_gb;           // "2", "4"
  std::string year, form;                       // "2014", "geforce-desktop"; may be empty
  std::vector<std::string> other_capabilities;  // of the same name: "2.1", "3.0"
  FirstBranch first_branch;
  std::string first_driver_linux, last_driver_linux;  // "455.23"… may be empty: not known
  std::string last_driver_windows;      // both last ones are empty where current drivers serve
  std::string jetpack;                  // Tegra: "JetPack 5.1 (L4T 35)"
  DottedVersion first_cuda, last_cuda;  // toolkits that compile for it; last empty: the newest
  std::string module_flavor;            // "open", "proprietary", ""
  // Of a Tegra: wheels for aarch64, and with platform "JetPack 6.1" what was built for the board.
  std::vector<TorchSpan> torch;
  std::vector<std::string> sources;  // ids
  Confidence confidence = Confidence::low;
};
// One page per chip; several for an ambiguous name.
std::vector<CardPage> card_pages(const Card& card, const Knowledge& knowledge);

// A build of a release.
struct BuildPage {
  const TorchBuild* build = nullptr;
  DriverNeed driver_linux, driver_windows;  // of the toolkit alone, no card considered
};
struct TorchPage {
  const TorchRelease* release = nullptr;  // never null
  std::vector<BuildPage> builds;          // by platform, channel, build; CUDA and CPU builds
  std::vector<std::string> pythons;       // "3.10" … of any of its builds
};
// "2.13.0", "2.13" (its newest patch), "2.13.0+cu126" (only these builds) or "" (the newest
// release). Nothing where there is no such one.
std::optional<TorchPage> torch_page(std::string_view version, const Knowledge& knowledge);

// The compatibility matrix of one platform and channel: a row per release, newest first, a column
// per capability; a cell holds the builds with code for it ("cu126 cu128"; empty: none). PTX of a
// CUDA whose libraries do not know the card does not count.
struct MatrixRow {
  std::string torch, date, python;  // "3.10 to 3.14"
  std::vector<std::string> builds;  // CUDA builds, lowest CUDA first
  // Beside Matrix::capabilities: builds with machine code, and those that run by PTX alone.
  std::vector<std::vector<std::string>> runs, by_ptx;
};
struct Matrix {
  std::string channel, platform;
  std::vector<ComputeCapability> capabilities;  // discrete parts, 3.5 to 12.1
  std::vector<MatrixRow> rows;
};
Matrix torch_matrix(std::string_view channel, std::string_view platform,
                    const Knowledge& knowledge);

}  // namespace kernelfit
