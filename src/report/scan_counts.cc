// SPDX-License-Identifier: Apache-2.0
// Images by architecture, as the reports show them.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/scan.h"

namespace kernelfit {
namespace {

ImageCount& counter(std::vector<ImageCount>& counts, const GpuArch& arch) {
  const auto at = std::ranges::lower_bound(counts, arch, {}, &ImageCount::arch);
  if (at != counts.end() && at->arch == arch) return *at;
  return *counts.insert(at, {arch, 0, 0, 0});
}

// Counts of kernels hold only while every image was decoded.
void add_image(std::vector<ImageCount>& counts, const GpuArch& arch,
               const std::optional<std::int64_t>& kernels) {
  ImageCount& count = counter(counts, arch);
  ++count.images;
  if (!kernels) {
    count.kernels.reset();
    count.empty.reset();
    return;
  }
  if (count.kernels) *count.kernels += *kernels;
  if (count.empty && *kernels == 0) ++*count.empty;
}

std::vector<ImageCount>& counts_for(ScanCounts& counts, const GpuArch& arch, bool apart) {
  switch (arch.kind) {
    case GpuArch::Kind::sass: return apart ? counts.relocatable_sass : counts.sass;
    case GpuArch::Kind::ptx: return apart ? counts.relocatable_ptx : counts.ptx;
    case GpuArch::Kind::lto: break;
  }
  return counts.lto;
}

void add_compression(std::string& words, std::string_view one) {
  if (contains_word(words, one)) return;
  if (!words.empty()) words += ' ';
  words += one;
}

}  // namespace

void ScanCounts::add(const FileScan& file) {
  const bool linked = file.kind != "elf-object" && file.kind != "coff-object";
  for (const auto& container : file.containers) {
    const bool apart = linked && container.section == "__nv_relfatbin";
    for (const auto& image : container.images) {
      add_image(counts_for(*this, image.entry.arch, apart), image.entry.arch, image.kernels);
      add_compression(compression, image.entry.compression);
      ptx_isa = std::max(ptx_isa, image.entry.ptx_isa);
    }
  }
  for (const auto& cubin : file.bare) add_image(bare, cubin.arch, cubin.kernels);
  for (const auto& [target, isa] : file.ptx_texts) {
    add_image(ptx, target, static_cast<std::int64_t>(file.kernel_names.at(target).size()));
    ptx_isa = std::max(ptx_isa, isa);
  }
}

ScanCounts count_images(const FileScan& file) {
  ScanCounts counts;
  counts.add(file);
  return counts;
}

}  // namespace kernelfit
