// SPDX-License-Identifier: Apache-2.0
// The pages of a package index: PEP 503 (links), PEP 691 (JSON), a flat listing of a mirror. Text
// from a server that may say anything: only the names of files, their sizes and whether they were
// withdrawn are taken, as many as a real index has.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct IndexFile {
  std::string name;                   // "torch-2.6.0+cu124-cp312-cp312-linux_x86_64.whl"
  std::optional<std::uint64_t> size;  // PEP 700
  bool yanked = false;                // PEP 592
  bool metadata = false;              // PEP 658, 714: its METADATA lies beside it
};

// JSON where it begins with a brace. Empty: neither, or a page without files.
std::vector<IndexFile> parse_index_page(std::string_view text);

}  // namespace kernelfit
