// SPDX-License-Identifier: Apache-2.0
// What is installed already: which build it is, and how it stands to the cards.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "solve/fitter.h"

namespace kernelfit::solving {

struct InstalledTorch {
  PackageVersion version;
  std::string text;                 // "2.13.0+cu126"
  std::string build;                // "cu126", "cpu"; of the table where the version does not say
  const TorchBuild* row = nullptr;  // its own row of the table; null: not a published build
  bool inferred = false;            // judged by a neighbouring release's row
  bool known = false;               // false: neither its files nor the table say what it holds
  bool without_cuda = false;        // CPU, ROCm, XPU
  // A third party's build of the very same version: which of the two it is, its files tell.
  const TorchBuild* twin = nullptr;
  const JetsonTorch* jetson = nullptr;  // a build of NVIDIA's for Jetson
  bool read = false;                    // its files were read
  bool conda = false;
  // How it runs, as `candidates` would say: `build` points to `as`.
  std::shared_ptr<TorchBuild> as;
  Candidate fit;
};

// Nothing where no torch is installed.
std::optional<InstalledTorch> installed_torch(const Request& request, const Knowledge& knowledge,
                                              Fitter& fitter);

// A package beside a good torch that is not right: another release's, another CUDA's, without
// code for a card.
struct WrongComponent {
  std::string package, version;  // what is there
  std::string wanted;            // "0.29.1+cu126"; empty: not known, rebuild it
  Said why;
};
std::vector<WrongComponent> wrong_components(const Request& request, const InstalledTorch& torch,
                                             const Knowledge& knowledge);

}  // namespace kernelfit::solving
