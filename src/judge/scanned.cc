// SPDX-License-Identifier: Apache-2.0
// What a scanned file says of its toolkit.
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "judge/driver.h"
#include "report/scan_json.h"

namespace kernelfit::report {
namespace {

// "libcudart.so.12" → 12, "libcublasLt.so.11" → 11, "cudart64_110.dll" → 11.0.
DottedVersion cuda_in(std::string_view library) {
  const std::string name = lower(library);
  for (std::string_view prefix : {"libcudart.so.", "libcublas.so.", "libcublaslt.so."}) {
    if (name.starts_with(prefix)) return dotted(name.substr(prefix.size()));
  }
  const std::string_view windows = "cudart64_";
  if (!name.starts_with(windows)) return {};
  const auto number = parse_int(name.substr(windows.size(), name.find('.') - windows.size()));
  if (!number) return {};
  if (*number < 100) return dotted(std::to_string(*number));
  return dotted(std::to_string(*number / 10) + "." + std::to_string(*number % 10));
}

}  // namespace

DottedVersion toolkit_of(const FileScan& file) {
  DottedVersion newest = file.toolkit;
  for (const auto& cubin : file.bare) newest = std::max(newest, cubin.toolkit);
  if (!newest.empty()) return newest;
  for (const auto& library : file.needs ? file.needs->needed : file.imports) {
    newest = std::max(newest, cuda_in(library));
  }
  return newest;
}

DottedVersion minimum_driver(const DottedVersion& cuda, const Knowledge& knowledge) {
  if (cuda.empty()) return {};
  return driver_needed(cuda, "", false, {}, DriverOs::linux, knowledge).minimum;
}

}  // namespace kernelfit::report
