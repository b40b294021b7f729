// SPDX-License-Identifier: Apache-2.0
// One card is told by several sources: sysfs, /proc, NVML, nvidia-smi. They are brought together by
// the bus address.
#pragma once
#include <string>
#include <vector>

#include "machine/machine.h"
#include "nvidia/smi.h"

namespace kernelfit {

// The card at `address` ("0000:01:00.0"), added where it is new.
Gpu& gpu_at(Machine& machine, const std::string& address, const std::string& source);

// Adds what the driver says of its cards. A card that answers [N/A] for its address is the one
// inside a Jetson's chip, or is told apart by UUID or index.
void merge_gpus(Machine& machine, const std::vector<SmiGpu>& gpus, const std::string& source);

// By the driver's index, then by bus address; those the driver does not know come last.
void sort_gpus(Machine& machine);

}  // namespace kernelfit
