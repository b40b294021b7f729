// SPDX-License-Identifier: Apache-2.0
// From header to header over the containers of a section. One read tells where the next header
// lies, so a disk is waited for thousands of times: where the file is not in memory, many
// containers are read at once, from the places that the program registers them at. For this room
// only.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "fatbin/fatbin.h"

namespace kernelfit {

// `pointers`: addresses of containers of this section, of the file's fat-binary wrappers, in any
// order; may be empty or wrong.
FatbinListing hop_containers(const RandomAccess& access, std::uint64_t offset, std::uint64_t size,
                             std::string_view section, std::vector<std::uint64_t> pointers);

}  // namespace kernelfit
