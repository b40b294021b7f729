// SPDX-License-Identifier: Apache-2.0
// A binary that runs past. Its containers are found as they come, before its section table, which
// stands at the end; then the table tells whether they are what a file on disk would give. Where
// they are not (a fault in a section, code that looks like a container), the stream is had again
// and read as a file.
#include <algorithm>
#include <iterator>
#include <limits>

#include "elf/elf_dynamic.h"
#include "elf/elf_file.h"
#include "pe/pe_file.h"
#include "scan/binary.h"
#include "scan/binary_steps.h"
#include "scan/collector.h"
#include "scan/reread.h"
#include "scan/sparse_copy.h"
#include "scan/torch_flags.h"

namespace kernelfit {
namespace {

// Linkers align containers to 16.
constexpr std::uint64_t kPadding = 16;
constexpr std::size_t kUsualSections = 64;
// Of a stream that cannot be had again, as much of the front as the names of torch's own library
// need; of one that can, that is looked up.
constexpr std::size_t kLargeFront = std::size_t{32} << 20;

void look_at_tables(const RandomAccess& access) {
  FileScan unused;
  std::byte front[64] = {};
  if (!access.read(0, front)) return;
  const BinaryKind kind = sniff_binary(front);
  const auto parts = describe_binary(access, kind, unused);
  if (std::ranges::any_of(parts,
                          [](const BinaryPart& part) { return part.name == "__nv_relfatbin"; })) {
    (void)read_wrappers(access, parts);
  }
}

std::uint64_t end_of(const ScannedContainer& container) {
  constexpr std::uint64_t kHeader = 16;
  if (container.images.empty()) return container.offset + kHeader;
  const FatbinEntry& last = container.images.back().entry;
  const std::uint64_t size = last.payload_offset + last.stored_bytes - container.offset;
  return container.offset + (size + 7) / 8 * 8;
}

// Containers one behind the other from the section's begin to its end: what a hop would find.
bool is_filled(const BinaryPart& section, const std::vector<ScannedContainer>& containers) {
  std::uint64_t at = section.offset;
  auto next = std::ranges::lower_bound(containers, at, {}, &ScannedContainer::offset);
  for (; next != containers.end() && next->offset < section.end(); ++next) {
    const std::uint64_t slack = at == section.offset ? 1 : kPadding;
    if (next->offset < at || next->offset - at >= slack) return false;
    at = end_of(*next);
  }
  if (at == section.offset && section.size_bytes > 0) return false;
  return at <= section.end() && section.end() - at < kPadding;
}

bool is_within(const std::vector<BinaryPart>& parts, std::uint64_t offset) {
  return std::ranges::any_of(
      parts, [&](const BinaryPart& part) { return offset >= part.offset && offset < part.end(); });
}

// Whether the sections say nothing else than what was found on the way.
bool is_as_on_disk(const std::vector<BinaryPart>& parts, const FileScan& file) {
  std::vector<BinaryPart> sections, code;
  bool overlap = false;
  for (const BinaryPart& part : parts) {
    if (holds_containers(part.name)) sections.push_back(part);
    if (part.executable && part.size_bytes > 0) code.push_back(part);
  }
  if (std::ranges::any_of(sections, &BinaryPart::no_bits)) return false;
  sections = disjoint(std::move(sections), &overlap);
  code = disjoint(std::move(code), &overlap);
  if (overlap || code.size() > kUsualSections || sections.size() > kUsualSections) return false;
  const auto in_code = [&](const auto& found) { return is_within(code, found.offset); };
  const auto in_section = [&](const auto& found) { return is_within(sections, found.offset); };
  if (std::ranges::any_of(file.containers, in_code)) return false;
  if (std::ranges::any_of(file.bare, in_code)) return false;
  if (std::ranges::any_of(file.bare, in_section)) return false;
  return std::ranges::all_of(
      sections, [&](const BinaryPart& section) { return is_filled(section, file.containers); });
}

// --sections.
void keep_sections_only(const std::vector<BinaryPart>& parts, FileScan& file) {
  std::erase_if(file.containers, [](const ScannedContainer& container) {
    return !holds_containers(container.section);
  });
  const bool named = std::ranges::any_of(
      parts, [](const BinaryPart& part) { return holds_containers(part.name); });
  file.bare.clear();
  file.hip_targets.clear();
  if (!named) file.toolkit = {};
}

bool is_one_thing(BinaryKind kind) {
  return kind == BinaryKind::cubin || kind == BinaryKind::ptx;
}

// Everything anew, by the rules of a file.
void scan_again(const RereadAccess& access, const ScanOptions& options, std::size_t told,
                FileScan& file) {
  FileScan again;
  file.problems.resize(told);
  again.problems = std::move(file.problems);
  again.path = std::move(file.path);
  again.member = std::move(file.member);
  again.layer = std::move(file.layer);
  ScanOptions in_order = options;
  in_order.in_order = true;
  scan_binary_into(access, in_order, again);
  file = std::move(again);
}

// What is written to disk must be right at once: where the stream can be had again, then.
ScanOptions listing_of(const ScanOptions& options, bool reopens) {
  ScanOptions listing = options;
  if (reopens && options.on_image) {
    listing.on_image = {};
    listing.kernels = false;
  }
  return listing;
}

bool has_relocatable(const std::vector<BinaryPart>& parts) {
  return std::ranges::any_of(parts,
                             [](const BinaryPart& part) { return part.name == "__nv_relfatbin"; });
}

}  // namespace

void scan_stream_into(ByteStream& stream, std::uint64_t size_bytes, const Reopen& reopen,
                      const ScanOptions& options, FileScan& file) {
  const std::size_t told = file.problems.size();
  SparseCopy copy(size_bytes, look_at_tables, reopen ? SparseCopy::kFront : kLargeFront);
  TorchFlagsFinder flags(has_only_compiler_flags(file));
  TorchFlagsFinder* finder = may_claim_archs(file) ? &flags : nullptr;
  CopyingStream copying(stream, copy, finder);
  const ScanOptions listing = listing_of(options, reopen != nullptr);
  Collector collector(file, listing, true);
  const Status whole = scan_stream(copying, size_bytes, collector);
  if (!whole) file.problems.push_back(whole.error().text());
  file.size_bytes = copying.bytes_read();
  copy.ends_at(file.size_bytes);
  const BinaryKind kind = sniff_binary(copy.front());
  const bool again = reopen && whole;
  const RereadAccess reread(copy, reopen);
  const RandomAccess& access = again ? static_cast<const RandomAccess&>(reread) : copy;
  const bool faulty = file.problems.size() > told;
  if (again && (faulty || is_one_thing(kind))) return scan_again(reread, options, told, file);

  file.kind = kind == BinaryKind::fatbin ? "fatbin" : "data";
  const std::size_t read = file.problems.size();
  std::vector<BinaryPart> parts = describe_binary(access, kind, file);
  if (!whole) file.problems.resize(read);  // its tables are behind the cut, which was told
  if (has_relocatable(parts))
    file.linked_from_relocatable = read_wrappers(access, parts).device_linked;
  if (!again && copy.missed() && file.problems.size() == told) {
    add_problem(file, "what it needs stands where this archive cannot be read again; not known");
  }
  if (kind == BinaryKind::fatbin) parts = {{".nv_fatbin", 0, file.size_bytes, false, false}};
  if (!is_as_on_disk(parts, file)) {
    if (again) return scan_again(reread, options, told, file);
    if (!faulty) {
      add_problem(file, "its sections of GPU code hold something else than containers");
    }
  }
  if (kind != BinaryKind::fatbin) name_sections(parts, file);
  if (options.sections_only && kind != BinaryKind::fatbin) keep_sections_only(parts, file);
  file.torch_arch_flags = flags.found();
  if (again && options.on_image) read_images_in_order(access, options, file);
  sort_kernel_names(file);
}

}  // namespace kernelfit
