// SPDX-License-Identifier: Apache-2.0
// How nvidia-smi writes a value, in CSV and XML alike.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "version/version.h"

namespace kernelfit {

// The text, or nothing for its many ways to say nothing: "N/A", "[N/A]", "[Not Supported]",
// "[Unknown Error]", "[GPU is lost]", "Insufficient Permissions", "Requested functionality has been
// deprecated", "None", "".
std::optional<std::string_view> smi_value(std::string_view text);

// What a sick card has in the place of its values: "GPU is lost", "GPU requires reset", in CSV with
// brackets; empty for any other value.
std::string_view smi_trouble(std::string_view text);

// "24576 MiB", or "24576" with --format=nounits -> 24576
std::optional<std::int64_t> smi_mib(std::string_view text);

// "610.57.04", and "610.57.04 [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]";
// empty for "Deprecated, see "KMD version" instead".
DottedVersion smi_version(std::string_view text);

std::optional<bool> smi_enabled(std::string_view text);  // "Enabled", "Disabled"
std::string smi_license(std::string_view text);          // "Licensed (Expiry: N/A)" -> "Licensed"

}  // namespace kernelfit
