// SPDX-License-Identifier: Apache-2.0
// What an environment's packages say about each other: pairs, builds, majors, doubles.
#pragma once
#include "diagnose/facts.h"

namespace kernelfit {

// "env.torch.version", "env.torchvision.pair", "env.nvidia_doubles", "env.count.torch", …
void set_packages(Facts& facts, const Situation& situation, const Environment& environment);

// "2.13.0" of "2.13.0+cu126"; as it is where it is no version.
std::string public_version(const std::string& version);

// The CUDA major of a package's name: 12 of "nvidia-nccl-cu12"; 0 where it names none.
int cuda_major_of(std::string_view package);

}  // namespace kernelfit
