// SPDX-License-Identifier: Apache-2.0
// The floors and ceilings of libraries by table (libraries/arch.csv).
#include <algorithm>

#include "base/text.h"
#include "judge/judge.h"

namespace kernelfit {
namespace {

constexpr ComputeCapability kNoCeiling = {99, 9};

// One word of the cuda column: "11.x", "11.8-12.6", ">=8", "<12", "11.6+", "10.2".
bool cuda_fits(std::string_view word, const DottedVersion& cuda) {
  auto number = [](std::string_view text) { return dotted(text); };
  auto here = cuda.first(2);
  if (word.ends_with(".x")) return number(word.substr(0, word.size() - 2)).major() == cuda.major();
  if (word.ends_with("+")) return here >= number(word.substr(0, word.size() - 1));
  if (word.starts_with(">=")) return here >= number(word.substr(2));
  if (word.starts_with("<")) return here < number(word.substr(1));
  auto dash = word.find('-');
  if (dash == std::string_view::npos) return here == number(word);
  return here >= number(word.substr(0, dash)) && here <= number(word.substr(dash + 1));
}

// An upper end holds for everything it is a beginning of: 8.7.0 for 8.7.0.84.
bool row_is_for_version(const LibraryArch& row, std::string_view version) {
  if (version.empty()) return row.version_max.empty();
  auto here = PackageVersion::parse(version), low = PackageVersion::parse(row.version_min),
       high = PackageVersion::parse(row.version_max);
  if (!here) return false;
  if (low && *here < *low) return false;
  return !high || *here <= *high || version.starts_with(std::string(row.version_max) + ".");
}

bool is_for_platform(const LibraryArch& row, std::string_view platform) {
  if (platform.empty() || row.platform.empty() || row.platform == platform) return true;
  return platform.starts_with(row.platform) && platform[row.platform.size()] == '-';
}

// Rows that another contradicts, and those nobody is sure of, decide nothing.
bool counts(const LibraryArch& row, std::string_view library, std::string_view version,
            std::string_view platform) {
  if (row.library != library || row.basis.note.starts_with("CONFLICT")) return false;
  if (row.basis.confidence == Confidence::low || !row_is_for_version(row, version)) return false;
  return is_for_platform(row, platform);
}

bool is_newer(const LibraryArch& a, const LibraryArch& b) {
  auto left = PackageVersion::parse(a.version_min), right = PackageVersion::parse(b.version_min);
  return left && (!right || *left > *right);
}

const CudaToolkit* toolkit_of(const DottedVersion& cuda, const Knowledge& knowledge) {
  for (const auto& toolkit : knowledge.toolkits()) {
    if (!cuda.empty() && toolkit.cuda == cuda.first(2)) return &toolkit;
  }
  return nullptr;
}

// cuBLAS holds what its toolkit compiles.
void follow_toolkit(std::optional<LibraryRange>& range, const CudaToolkit& toolkit) {
  if (toolkit.sass.empty()) return;
  auto by_number = [](const GpuArch& a, const GpuArch& b) { return a.number < b.number; };
  auto [low, high] = std::minmax_element(toolkit.sass.begin(), toolkit.sass.end(), by_number);
  if (!range) {
    range.emplace();
    range->minimum = low->capability(), range->basis = toolkit.basis;
  }
  range->maximum = high->capability();
  range->listed_only = false;
}

// A newer row for the same CUDA, or for any, says it again.
bool replaces(const LibraryArch& newer, const LibraryArch& row) {
  return (newer.cuda.empty() || newer.cuda == row.cuda) && is_newer(newer, row);
}

}  // namespace

bool row_is_for_cuda(const LibraryArch& row, const DottedVersion& cuda) {
  if (row.cuda.empty() || cuda.empty()) return true;
  auto words = split_words(row.cuda);
  return std::any_of(words.begin(), words.end(), [&](auto word) { return cuda_fits(word, cuda); });
}

const LibraryArch* library_row(std::string_view library, std::string_view version,
                               const DottedVersion& cuda, const Knowledge& knowledge,
                               std::string_view platform) {
  const LibraryArch* found = nullptr;
  for (const auto& row : knowledge.library_archs()) {
    if (!counts(row, library, version, platform) || !row_is_for_cuda(row, cuda)) continue;
    if (found == nullptr || is_newer(row, *found)) found = &row;
  }
  return found;
}

std::vector<const LibraryArch*> library_rows(std::string_view library, std::string_view version,
                                             std::string_view platform,
                                             const Knowledge& knowledge) {
  std::vector<const LibraryArch*> out;
  for (const auto& row : knowledge.library_archs()) {
    if (counts(row, library, version, platform)) out.push_back(&row);
  }
  const auto all = out;
  std::erase_if(out, [&](const LibraryArch* row) {
    return std::any_of(all.begin(), all.end(),
                       [&](const LibraryArch* other) { return replaces(*other, *row); });
  });
  return out;
}

std::string other_platforms(std::string_view library, std::string_view version,
                            std::string_view platform, const Knowledge& knowledge) {
  std::vector<std::string> out;
  for (const auto& row : knowledge.library_archs()) {
    if (!counts(row, library, version, {})) continue;
    if (is_for_platform(row, platform)) return {};
    if (std::find(out.begin(), out.end(), row.platform) == out.end()) {
      out.emplace_back(row.platform);
    }
  }
  return join(out, ", ");
}

// cc_max: "9.0"; "9.0?" is the newest that the source names, "any" that it ends nowhere (or there
// is PTX); an empty cell says nothing beyond the generation of the minimum.
LibraryRange range_of(const LibraryArch& row) {
  LibraryRange range{ComputeCapability::parse(row.capability_min).value_or(ComputeCapability{}),
                     kNoCeiling, row.basis};
  std::string_view maximum = row.capability_max;
  range.is_of_source = row.scope.starts_with("kernels") || row.scope.starts_with("source");
  range.ends = row.scope.starts_with("source");
  if (maximum == "any") return range;
  range.listed_only = maximum.empty() || maximum.ends_with('?');
  if (maximum.ends_with('?')) maximum.remove_suffix(1);
  range.maximum = ComputeCapability::parse(maximum).value_or(range.minimum);
  return range;
}

std::optional<LibraryRange> library_range(std::string_view library, std::string_view version,
                                          const DottedVersion& cuda, const Knowledge& knowledge) {
  std::optional<LibraryRange> range;
  if (const auto* row = library_row(library, version, cuda, knowledge)) {
    range = range_of(*row);
  }
  const auto* toolkit = library == "cublas" ? toolkit_of(cuda, knowledge) : nullptr;
  if (toolkit != nullptr) follow_toolkit(range, *toolkit);
  return range;
}

Verdict range_verdict(const LibraryRange& range, ComputeCapability capability) {
  if (capability < range.minimum) {
    return range.is_of_source ? Verdict::no_code : Verdict::library_too_new;
  }
  if (capability.major <= range.maximum.major) return Verdict::native;
  return range.listed_only ? Verdict::unknown : Verdict::no_code;
}

}  // namespace kernelfit
