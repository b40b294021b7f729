// SPDX-License-Identifier: Apache-2.0
// From the containers of one file to the sets of architectures in it.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "scan/scan.h"

namespace kernelfit {
namespace {

// An image that is known to hold no kernel serves nobody.
bool counts(const ScannedImage& image) {
  return !image.kernels || *image.kernels > 0;
}

std::vector<GpuArch> archs_of(const ScannedContainer& container) {
  std::set<GpuArch> archs;
  for (const auto& image : container.images) {
    if (counts(image)) archs.insert(image.entry.arch);
  }
  return {archs.begin(), archs.end()};
}

void add_to(ContainerGroup& group, const ScannedContainer& container) {
  ++group.containers;
  for (const auto& image : container.images) {
    if (!counts(image)) continue;
    ++group.images;
    group.code_bytes += static_cast<std::int64_t>(image.entry.code_bytes);
  }
}

// "none" only where nothing is compressed: raw and LZ4 side by side is what nvcc writes by default.
std::string compression_of(const FileScan& file) {
  std::set<std::string> seen;
  for (const auto& container : file.containers) {
    for (const auto& image : container.images) seen.insert(image.entry.compression);
  }
  if (seen.size() > 1) seen.erase("none");
  return join({seen.begin(), seen.end()}, " ");
}

// A lone small image proves nothing in a library, where nvcc leaves stubs (judge/code.h). One that
// is known to hold kernels, or that is a file of its own, does.
constexpr std::int64_t kNoStub = std::int64_t{8} << 10;
bool proves_itself(const FileScan& file, const ScannedContainer& container) {
  if (file.kind == "fatbin") return true;
  return std::ranges::any_of(container.images,
                             [](const auto& image) { return image.kernels.value_or(0) > 0; });
}

// Relocatable code of a library whose link left the device's out: nothing registers it.
bool is_unlinked(const FileScan& file, const ScannedContainer& container) {
  return container.section == "__nv_relfatbin" && !file.linked_from_relocatable;
}

ContainerGroup bare_group(const GpuArch& arch, bool relocatable = false) {
  ContainerGroup group;
  group.relocatable = relocatable;
  group.archs = {arch};
  group.containers = group.images = 1;
  group.code_bytes = kNoStub;
  return group;
}

}  // namespace

BinaryImages binary_images(const FileScan& file) {
  std::map<std::pair<std::string, std::vector<GpuArch>>, ContainerGroup> groups;
  BinaryImages out;
  out.file = file.path;
  for (const auto& container : file.containers) {
    std::vector<GpuArch> archs = archs_of(container);
    if (archs.empty() || is_unlinked(file, container)) continue;
    ContainerGroup& group = groups[{container.section, archs}];
    group.section = container.section;
    group.archs = std::move(archs);
    group.relocatable = container.section == "__nv_relfatbin";
    add_to(group, container);
    if (proves_itself(file, container)) group.code_bytes = std::max(group.code_bytes, kNoStub);
    for (const auto& image : container.images) {
      out.ptx_isa = std::max(out.ptx_isa, image.entry.ptx_isa);
    }
  }
  for (auto& [key, group] : groups) out.groups.push_back(std::move(group));
  for (const auto& bare : file.bare) out.groups.push_back(bare_group(bare.arch, bare.relocatable));
  for (const auto& [target, isa] : file.ptx_texts) {
    out.groups.push_back(bare_group(target));
    out.ptx_isa = std::max(out.ptx_isa, isa);
  }
  std::ranges::stable_sort(out.groups, std::ranges::greater(), &ContainerGroup::containers);
  out.compression = compression_of(file);
  out.problems = file.problems;
  return out;
}

}  // namespace kernelfit
