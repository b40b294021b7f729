// SPDX-License-Identifier: Apache-2.0
// Names that every file system can hold: a recording made on Linux has /sys/…/0000:01:00.0, which
// NTFS refuses. `:` and its like are written as %3A; both forms are read.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

std::string encode_file_name(std::string_view name);
std::string decode_file_name(std::string_view name);

}  // namespace kernelfit
