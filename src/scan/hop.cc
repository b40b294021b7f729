// SPDX-License-Identifier: Apache-2.0
#include "scan/hop.h"

#include <algorithm>
#include <iterator>

#include "host/file_access.h"
#include "scan/threads.h"

namespace kernelfit {
namespace {

// As many as a disk answers at once; more threads only cost.
constexpr int kAtOnce = 32;
constexpr std::size_t kWorthIt = 16;  // containers

// Some places of the section; one that is not there is enough.
bool must_wait(const FileAccess& file, std::uint64_t offset, std::uint64_t size) {
  for (std::uint64_t part = 0; part < 4; ++part) {
    if (!file.in_memory(offset + size / 4 * part)) return true;
  }
  return false;
}

// Where the containers begin, and the end. The first of them stands at the section's begin, which
// tells addresses from offsets.
std::vector<std::uint64_t> starts_of(std::uint64_t offset, std::uint64_t size,
                                     std::vector<std::uint64_t> pointers) {
  std::ranges::sort(pointers);
  pointers.erase(std::unique(pointers.begin(), pointers.end()), pointers.end());
  const std::uint64_t first = pointers.front();
  std::erase_if(pointers, [&](std::uint64_t at) { return at - first >= size; });
  for (std::uint64_t& at : pointers) at = offset + (at - first);
  pointers.push_back(offset + size);
  return pointers;
}

FatbinListing joined(std::vector<FatbinListing> parts) {
  FatbinListing out;
  for (FatbinListing& part : parts) {
    std::ranges::move(part.containers, std::back_inserter(out.containers));
    std::ranges::move(part.problems, std::back_inserter(out.problems));
  }
  return out;
}

FatbinListing hop_at_once(const RandomAccess& access, std::string_view section,
                          const std::vector<std::uint64_t>& starts) {
  std::vector<FatbinListing> parts(starts.size() - 1);
  in_parallel(parts.size(), kAtOnce, [&](std::size_t i, std::size_t) {
    parts[i] = list_containers(access, starts[i], starts[i + 1] - starts[i], section);
  });
  return joined(std::move(parts));
}

}  // namespace

FatbinListing hop_containers(const RandomAccess& access, std::uint64_t offset, std::uint64_t size,
                             std::string_view section, std::vector<std::uint64_t> pointers) {
  const FileAccess* file = as_file(access);
  if (!file || pointers.size() < kWorthIt || !must_wait(*file, offset, size)) {
    return list_containers(access, offset, size, section);
  }
  file->expect_far_apart(true);
  FatbinListing listing =
      hop_at_once(access, section, starts_of(offset, size, std::move(pointers)));
  // A pointer that is none, or a file with a fault: in order, then. What was read is in memory now.
  if (!listing.problems.empty()) listing = list_containers(access, offset, size, section);
  file->expect_far_apart(false);
  return listing;
}

}  // namespace kernelfit
