// SPDX-License-Identifier: Apache-2.0
#include "scan/parts.h"

#include <algorithm>

namespace kernelfit {
namespace {

constexpr std::uint64_t kElfExecutable = 4;          // SHF_EXECINSTR
constexpr std::uint32_t kPeExecutable = 0x20000000;  // IMAGE_SCN_MEM_EXECUTE

// A program of Windows keeps 8 letters of a section's name.
std::string whole_name(const std::string& cut) {
  for (const char* name : {".nv_fatbin", "__nv_relfatbin", ".nvFatBinSegment"}) {
    if (cut.size() >= 7 && std::string_view(name).substr(0, 8).starts_with(cut)) return name;
  }
  return cut;
}

}  // namespace

bool holds_containers(std::string_view name) {
  return name == ".nv_fatbin" || name == "__nv_relfatbin";
}

std::vector<BinaryPart> parts_of(const ElfFile& elf) {
  std::vector<BinaryPart> parts;
  parts.reserve(elf.sections.size());
  for (const auto& section : elf.sections) {
    parts.push_back({section.name, section.offset, section.size_bytes,
                     (section.flags & kElfExecutable) != 0, section.no_bits});
  }
  return parts;
}

std::vector<BinaryPart> parts_of(const PeFile& pe) {
  std::vector<BinaryPart> parts;
  parts.reserve(pe.sections.size());
  for (const auto& section : pe.sections) {
    parts.push_back({whole_name(section.name), section.offset, section.size_bytes,
                     (section.flags & kPeExecutable) != 0, false});
  }
  return parts;
}

std::vector<BinaryPart> disjoint(std::vector<BinaryPart> parts, bool* overlap) {
  std::ranges::stable_sort(parts, {}, &BinaryPart::offset);
  std::uint64_t covered = 0;
  std::vector<BinaryPart> out;
  for (BinaryPart& part : parts) {
    const std::uint64_t end = part.end();
    const std::uint64_t taken = std::min(std::max(covered, part.offset), end) - part.offset;
    if (taken > 0 && overlap) *overlap = true;
    if (taken > 0 && taken == part.size_bytes) continue;
    part.offset += taken;
    part.size_bytes -= taken;
    covered = std::max(covered, end);
    out.push_back(std::move(part));
  }
  return out;
}

std::vector<BinaryPart> named(const std::vector<BinaryPart>& parts, std::string_view name) {
  std::vector<BinaryPart> out;
  std::ranges::copy_if(parts, std::back_inserter(out),
                       [&](const BinaryPart& part) { return part.name == name; });
  return out;
}

std::vector<Range> without(std::uint64_t from, std::uint64_t to, std::vector<BinaryPart> parts) {
  std::ranges::sort(parts, {}, &BinaryPart::offset);
  std::vector<Range> out;
  for (const BinaryPart& part : parts) {
    if (part.offset > from) out.push_back({from, std::min(to, part.offset)});
    const std::uint64_t size = std::min(part.size_bytes, to - std::min(to, part.offset));
    from = std::max(from, part.offset + size);
    if (from >= to) return out;
  }
  if (from < to) out.push_back({from, to});
  return out;
}

}  // namespace kernelfit
