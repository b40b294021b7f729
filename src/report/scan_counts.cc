// SPDX-License-Identifier: Apache-2.0
// Images by architecture, as the reports show them.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/scan.h"

namespace kernelfit {
namespace {

void add_compression(std::string& words, std::string_view one) {
  if (one.empty() || contains_word(words, one)) return;
  if (!words.empty()) words += ' ';
  words += one;
}

ImageCount& counter(std::vector<ImageCount>& counts, const GpuArch& arch) {
  const auto at = std::ranges::lower_bound(counts, arch, {}, &ImageCount::arch);
  if (at != counts.end() && at->arch == arch) return *at;
  return *counts.insert(at, {arch, 0, 0, 0, {}});
}

// Counts of kernels hold only while every image was decoded.
void add_image(std::vector<ImageCount>& counts, const GpuArch& arch,
               const std::optional<std::int64_t>& kernels, std::string_view compression) {
  ImageCount& count = counter(counts, arch);
  ++count.images;
  add_compression(count.compression, compression);
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

bool is_linked(const FileScan& file) {
  return file.kind != "elf-object" && file.kind != "coff-object";
}

bool is_hidden_section(const FileScan& file, std::string_view section) {
  if (file.kind == "fatbin") return false;
  return section != ".nv_fatbin" && section != ".nv_fatb" && section != "__nv_relfatbin";
}

std::string_view folder_of(const FileScan& file) {
  return parent_path(file.member.empty() ? file.path : file.member);
}

// The libraries that hold torch's own kernels; the linear algebra of a later one is its own build.
bool holds_torchs_code(const FileScan& file) {
  const std::string name = lower(member_name(file));
  const std::string_view base = base_name(name);
  const bool named = base.starts_with("libtorch_cuda.") || base.starts_with("torch_cuda.") ||
                     base.starts_with("libtorch.") || base.starts_with("libtorch_cuda_cu.");
  return named && !file.containers.empty();
}

std::vector<GpuArch> sorted_archs(std::vector<GpuArch> archs) {
  std::erase_if(archs, [](const auto& arch) { return arch.kind == GpuArch::Kind::lto; });
  std::ranges::sort(archs);
  return archs;
}

}  // namespace

bool is_apart(const FileScan& file, const ScannedContainer& container) {
  return is_linked(file) && container.section == "__nv_relfatbin";
}

void ScanCounts::add(const ScannedContainer& container, bool apart, const Selection& selection) {
  ++containers;
  for (const auto& image : container.images) {
    if (!selection.takes(image.entry.arch)) continue;
    add_image(counts_for(*this, image.entry.arch, apart), image.entry.arch, image.kernels,
              image.entry.compression);
    add_compression(compression, image.entry.compression);
    ptx_isa = std::max(ptx_isa, image.entry.ptx_isa);
  }
}

void ScanCounts::add(const FileScan& file, const Selection& selection) {
  for (const auto& container : file.containers) {
    add(container, is_apart(file, container), selection);
  }
  for (const auto& cubin : file.bare) {
    if (selection.takes(cubin.arch)) add_image(bare, cubin.arch, cubin.kernels, {});
  }
  for (const auto& [target, isa] : file.ptx_texts) {
    if (!selection.takes(target)) continue;
    const auto names = file.kernel_names.find(target);
    const std::size_t kernels = names == file.kernel_names.end() ? 0 : names->second.size();
    add_image(ptx, target, static_cast<std::int64_t>(kernels), {});
    ptx_isa = std::max(ptx_isa, isa);
  }
}

std::int64_t ScanCounts::images() const {
  std::int64_t sum = 0;
  for (const auto* list : {&sass, &ptx, &lto, &relocatable_sass, &relocatable_ptx, &bare}) {
    for (const auto& count : *list) sum += count.images;
  }
  return sum;
}

ScanCounts count_images(const FileScan& file, const Selection& selection) {
  ScanCounts counts;
  counts.add(file, selection);
  return counts;
}

std::vector<SectionCounts> count_sections(const FileScan& file, const Selection& selection) {
  std::vector<SectionCounts> out;
  for (const auto& container : file.containers) {
    auto at = std::ranges::find(out, container.section, &SectionCounts::section);
    if (at == out.end()) {
      out.push_back({container.section, is_hidden_section(file, container.section), {}});
      at = out.end() - 1;
    }
    at->counts.add(container, is_apart(file, container), selection);
  }
  std::ranges::stable_sort(out, {}, &SectionCounts::hidden);
  return out;
}

bool is_stub(const SectionCounts& section, const FileScan& file) {
  constexpr std::uint64_t kSmall = 8192;  // as judge/code.cc has it
  if (section.hidden || section.counts.images() != 1 || section.counts.sass.size() != 1)
    return false;
  if (section.counts.sass[0].kernels) return *section.counts.sass[0].kernels == 0;
  const auto lone = std::ranges::find(file.containers, section.section, &ScannedContainer::section);
  const bool small = lone->images.size() == 1 && lone->images[0].entry.code_bytes < kSmall;
  return small && file.containers.size() > 1;
}

std::vector<TorchClaim> torch_claims(const ScanReport& scan) {
  std::vector<TorchClaim> out;
  for (const auto& file : scan.files) {
    if (file.torch_arch_flags.empty()) continue;
    TorchClaim claim;
    claim.claims = &file;
    claim.claimed = sorted_archs(parse_arch_list(file.torch_arch_flags));
    std::vector<BinaryImages> binaries;
    for (const auto& other : scan.files) {
      const bool beside = other.path == file.path || file.member.empty();
      if (!beside || folder_of(other) != folder_of(file) || !holds_torchs_code(other)) continue;
      claim.library = &other;
      binaries.push_back(binary_images(other));
    }
    // Any capability will do: the library's own set is wanted, not a verdict.
    if (claim.library)
      claim.held = sorted_archs(code_for(binaries, CodeRule{{8, 0}, false, false, {}}).archs);
    out.push_back(std::move(claim));
  }
  return out;
}

}  // namespace kernelfit
