// SPDX-License-Identifier: Apache-2.0
// From the containers of one file to the sets of architectures in it.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "elf/elf_file.h"
#include "fatbin/fatbin.h"
#include "probe/environments.h"

namespace kernelfit {
namespace {

std::vector<GpuArch> archs_of(const FatbinContainer& container) {
  std::set<GpuArch> archs;
  for (const auto& entry : container.entries) archs.insert(entry.arch);
  return {archs.begin(), archs.end()};
}

std::vector<ContainerGroup> group(const FatbinListing& listing) {
  std::map<std::pair<std::string, std::vector<GpuArch>>, ContainerGroup> groups;
  for (const auto& container : listing.containers) {
    if (container.entries.empty()) continue;
    std::vector<GpuArch> archs = archs_of(container);
    ContainerGroup& into = groups[{container.section, archs}];
    into.section = container.section;
    into.archs = std::move(archs);
    into.relocatable = container.section == "__nv_relfatbin";
    ++into.containers;
    for (const auto& entry : container.entries) {
      ++into.images;
      into.code_bytes += static_cast<std::int64_t>(entry.code_bytes);
    }
  }
  std::vector<ContainerGroup> out;
  out.reserve(groups.size());
  for (auto& [key, value] : groups) out.push_back(std::move(value));
  std::ranges::stable_sort(out, std::ranges::greater(), &ContainerGroup::containers);
  return out;
}

// "none" only where nothing is compressed: raw and LZ4 side by side is what nvcc writes by default.
std::string compression_of(const FatbinListing& listing) {
  std::set<std::string> seen;
  for (const auto& container : listing.containers) {
    for (const auto& entry : container.entries) seen.insert(entry.compression);
  }
  if (seen.size() > 1) seen.erase("none");
  return join({seen.begin(), seen.end()}, " ");
}

}  // namespace

Result<BinaryImages> read_binary_images(const Host& host, const std::string& path) {
  KF_TRY(std::unique_ptr<RandomAccess> file, host.open_file(path));
  // A bare fat binary can be listed, but no program can load it as a library.
  std::byte first[4] = {};
  if (Status status = file->read(0, first); !status || !looks_like_elf(first)) {
    return error(ErrorKind::malformed, path + ": offset 0: not an ELF file");
  }
  KF_TRY(FatbinListing listing, list_fatbins(*file));
  BinaryImages out;
  out.file = path;
  out.groups = group(listing);
  out.compression = compression_of(listing);
  out.problems = listing.problems;
  for (const auto& container : listing.containers) {
    for (const auto& entry : container.entries) {
      if (entry.ptx_isa > out.ptx_isa) out.ptx_isa = entry.ptx_isa;
    }
  }
  return out;
}

}  // namespace kernelfit
