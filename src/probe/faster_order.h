// SPDX-License-Identifier: Apache-2.0
// CUDA counts cards from the fastest to the slowest (CUDA C++ Programming Guide, "CUDA Environment
// Variables": FASTEST_FIRST, the default) and does not tell how it measures. Where one chip is of a
// newer generation and no smaller class, no way to measure puts it second; else nothing is claimed.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace kernelfit {

// Every card of chip `a` ("GA102") is faster than every card of chip `b` ("GP106").
bool is_faster_chip(std::string_view a, std::string_view b);

// Brings cards that are in bus order into CUDA's; cards of one name stay in bus order. Returns how
// many places from the front are certain.
std::size_t sort_by_speed(std::vector<Gpu*>& gpus,
                          const std::function<std::string(const Gpu&)>& chip_of);

}  // namespace kernelfit
