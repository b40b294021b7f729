// SPDX-License-Identifier: Apache-2.0
#include "scan/binary.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "elf/elf_dynamic.h"
#include "elf/elf_file.h"
#include "fatbin/cubin.h"
#include "fatbin/fatbin.h"
#include "fatbin/hip_bundle.h"
#include "fatbin/ptx.h"
#include "host/file_access.h"
#include "pe/pe_file.h"
#include "scan/binary_steps.h"
#include "scan/collector.h"
#include "scan/hop.h"
#include "scan/parts.h"
#include "scan/torch_flags.h"

namespace kernelfit {
namespace {

constexpr std::size_t kFront = 4096;
constexpr std::uint64_t kMaxText = std::uint64_t{64} << 20;

// Behind what is there: that its bytes are not whole.
void move_to(std::vector<std::string>& problems, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(problems));
}

std::string elf_kind(std::uint16_t type) {
  if (type == 1) return "elf-object";
  return type == 2 ? "elf-executable" : "elf-shared";
}

std::string cpu_of_elf(std::uint16_t machine) {
  constexpr std::uint16_t kX86 = 62, kArm = 183;
  if (machine == kX86) return "x86_64";
  return machine == kArm ? "aarch64" : "";
}

std::string cpu_of_pe(std::uint16_t machine) {
  constexpr std::uint16_t kX86 = 0x8664, kArm = 0xaa64;
  if (machine == kX86) return "x86_64";
  return machine == kArm ? "aarch64" : "";
}

std::string pe_kind(const PeFile& pe) {
  if (pe.is_object) return "coff-object";
  return pe.is_dll ? "pe-dll" : "pe-executable";
}

void hop(const RandomAccess& access, const BinaryPart& part, std::vector<std::uint64_t> pointers,
         FileScan& file) {
  if (part.no_bits) {
    return add_problem(file, part.offset, part.name + " is not in this file (NOBITS)");
  }
  FatbinListing listing =
      hop_containers(access, part.offset, part.size_bytes, part.name, std::move(pointers));
  // Zeros up to the end are padding elsewhere; a section of nothing else has lost its content.
  if (part.size_bytes > 0 && listing.containers.empty() && listing.problems.empty()) {
    add_problem(file, part.offset, part.name + " holds no container, only zeros");
  }
  for (auto& container : listing.containers) {
    ScannedContainer scanned{std::move(container.section), container.offset, {}};
    scanned.images.reserve(container.entries.size());
    for (auto& entry : container.entries)
      scanned.images.push_back({std::move(entry), std::nullopt});
    file.containers.push_back(std::move(scanned));
  }
  for (const auto& problem : listing.problems) add_problem(file, problem);
}

// The named sections, one after the other; what two claim is read once.
void hop_sections(const RandomAccess& access, const std::vector<BinaryPart>& parts,
                  std::vector<std::uint64_t> pointers, FileScan& file) {
  std::vector<BinaryPart> sections;
  std::ranges::copy_if(parts, std::back_inserter(sections),
                       [](const BinaryPart& part) { return holds_containers(part.name); });
  bool overlap = false;
  sections = disjoint(std::move(sections), &overlap);
  if (overlap) {
    add_problem(file, "section header table: several sections of GPU code claim the same bytes");
  }
  for (const BinaryPart& part : sections) {
    if (is_full(file)) return add_problem(file, part.offset, kTooManyImages);
    const bool registered = part.name == ".nv_fatbin";
    hop(access, part, registered ? std::exchange(pointers, {}) : std::vector<std::uint64_t>(), file);
  }
}

// What lies where a NOBITS section claims to begin is none of it, up to the next section.
void leave_out_no_bits(const std::vector<BinaryPart>& parts, std::vector<BinaryPart>& left_out) {
  std::vector<std::uint64_t> begins;
  for (const BinaryPart& part : parts) begins.push_back(part.offset);
  std::ranges::sort(begins);
  for (BinaryPart& part : left_out) {
    if (!part.no_bits) continue;
    const auto next = std::ranges::upper_bound(begins, part.offset);
    const std::uint64_t end =
        next == begins.end() ? std::numeric_limits<std::uint64_t>::max() : *next;
    part.size_bytes = holds_containers(part.name) ? end - part.offset : 0;
  }
}

Status search(const RandomAccess& access, std::uint64_t from, std::uint64_t to,
              Collector& collector) {
  const FileAccess* file = as_file(access);
  if (!file) return scan_access(access, from, to, collector);
  return scan_access(access, from, to, collector, {},
                     [file](std::uint64_t at) { return file->next_data(at); });
}

// Everything that is neither program code nor hopped over already.
void search_rest(const RandomAccess& access, const std::vector<BinaryPart>& parts,
                 const ScanOptions& options, FileScan& file) {
  std::vector<BinaryPart> left_out;
  for (const BinaryPart& part : parts) {
    if (holds_containers(part.name) || part.executable) left_out.push_back(part);
  }
  leave_out_no_bits(parts, left_out);
  Collector collector(file, options, false);
  constexpr std::uint64_t kHeader = 64;  // the file's own magic
  for (const Range& range : without(kHeader, access.size(), std::move(left_out))) {
    if (options.cancelled && *options.cancelled) return;
    if (Status status = search(access, range.from, range.to, collector); !status) {
      add_problem(file, range.from, status.error().text());
    }
  }
  name_sections(parts, file);
}

void scan_parts(const RandomAccess& access, const std::vector<BinaryPart>& parts,
                const ScanOptions& options, FileScan& file) {
  Wrappers wrappers = read_wrappers(access, parts);
  file.linked_from_relocatable = wrappers.device_linked;
  hop_sections(access, parts, std::move(wrappers.pointers), file);
  const bool nothing_read = file.containers.empty() && !file.problems.empty();
  if (!options.sections_only || nothing_read) search_rest(access, parts, options, file);
  std::ranges::stable_sort(file.containers, {}, &ScannedContainer::offset);
}

// Constants of torch's libraries: .rodata, .rdata.
void read_torch_flags(const RandomAccess& access, const std::vector<BinaryPart>& parts,
                      FileScan& file) {
  if (!may_claim_archs(file)) return;
  std::vector<BinaryPart> constants = named(parts, ".rodata");
  std::ranges::copy(named(parts, ".rdata"), std::back_inserter(constants));
  for (const BinaryPart& part : disjoint(std::move(constants))) {
    if (part.no_bits) continue;
    AccessStream stream(access, part.offset, part.size_bytes);
    file.torch_arch_flags = find_torch_flags(stream, has_only_compiler_flags(file));
    if (!file.torch_arch_flags.empty()) return;
  }
}

bool packed(const RandomAccess& access) {
  std::byte front[512] = {};
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(access.size(), sizeof front));
  if (!access.read(0, std::span(front).first(count))) return false;
  return as_text(Bytes(front).first(count)).find("UPX!") != std::string_view::npos;
}

void describe_elf(const RandomAccess& access, FileScan& file, std::vector<BinaryPart>& parts) {
  auto elf = parse_elf(access);
  if (elf) {
    file.kind = elf_kind(elf->type);
    file.cpu_arch = cpu_of_elf(elf->machine);
    move_to(file.problems, std::move(elf->problems));
    parts = parts_of(*elf);
  } else {
    file.kind = "elf-shared";
    file.problems.push_back(elf.error().text());
  }
  if (packed(access)) file.problems.emplace_back("offset 0: packed with UPX, nothing can be read");
  if (auto needs = parse_elf_needs(access)) file.needs = std::move(*needs);
}

void describe_pe(const RandomAccess& access, FileScan& file, std::vector<BinaryPart>& parts) {
  std::byte first[2] = {};
  const bool program = access.read(0, first) && looks_like_pe(first);
  auto pe = program ? parse_pe(access) : parse_coff_object(access);
  file.kind = program ? "pe-dll" : "coff-object";
  if (pe) {
    file.kind = pe_kind(*pe);
    file.cpu_arch = cpu_of_pe(pe->machine);
    move_to(file.problems, std::move(pe->problems));
    file.imports = std::move(pe->imports);
    parts = parts_of(*pe);
  } else {
    file.problems.push_back(pe.error().text());
  }
}

void scan_program(const RandomAccess& access, BinaryKind kind, const ScanOptions& options,
                  FileScan& file) {
  const std::vector<BinaryPart> parts = describe_binary(access, kind, file);
  scan_parts(access, parts, options, file);
  read_torch_flags(access, parts, file);
}

Result<std::vector<std::byte>> whole(const RandomAccess& access, std::uint64_t limit) {
  if (access.size() > limit) {
    return error(ErrorKind::unsupported, std::to_string(access.size()) + " bytes");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(access.size()));
  if (Status status = access.read(0, bytes); !status) return tl::unexpected(status.error());
  return bytes;
}

void scan_cubin(const RandomAccess& access, const ScanOptions& options, FileScan& file) {
  file.kind = "cubin";
  auto bytes = whole(access, kMaxText * 4);
  if (!bytes) return file.problems.push_back(bytes.error().text());
  auto cubin = parse_cubin(*bytes, CubinDetail::kernels);
  if (!cubin) {
    file.problems.push_back(cubin.error().text());
    cubin = parse_cubin(*bytes, CubinDetail::header);
    if (!cubin) return;
    file.bare.push_back({cubin->arch, 0, cubin->toolkit, std::nullopt, cubin->relocatable});
    return;
  }
  file.bare.push_back({cubin->arch, 0, cubin->toolkit,
                       static_cast<std::int64_t>(cubin->kernels.size()), cubin->relocatable});
  pass_on(file, cubin->arch, 0, *bytes, options);
  file.kernel_names[cubin->arch] = std::move(cubin->kernels);
}

void scan_ptx(const RandomAccess& access, const ScanOptions& options, FileScan& file) {
  file.kind = "ptx";
  auto bytes = whole(access, kMaxText);
  if (!bytes) return file.problems.push_back(bytes.error().text());
  auto ptx = parse_ptx(as_text(*bytes));
  if (!ptx) return file.problems.push_back(ptx.error().text());
  file.ptx_texts.emplace_back(ptx->target, ptx->isa);
  pass_on(file, ptx->target, 0, *bytes, options);
  file.kernel_names[ptx->target] = std::move(ptx->kernels);
}

void scan_other(const RandomAccess& access, BinaryKind kind, const ScanOptions& options,
                FileScan& file) {
  file.kind = kind == BinaryKind::fatbin ? "fatbin" : "data";
  if (kind == BinaryKind::fatbin)
    return hop(access, {"", 0, access.size(), false, false}, {}, file);
  Collector collector(file, options, false);
  if (Status status = search(access, 0, access.size(), collector); !status) {
    add_problem(file, 0, status.error().text());
  }
}

// A COFF object has no magic: a machine that CUDA has hosts on, sections, no optional header.
bool looks_like_object(Bytes bytes) {
  const auto machine = read_at<le16>(bytes, 0), sections = read_at<le16>(bytes, 2);
  const auto optional_header = read_at<le16>(bytes, 16);
  if (!optional_header || *sections == 0 || *optional_header != 0) return false;
  return *machine == 0x8664 || *machine == 0xaa64;
}

}  // namespace

BinaryKind sniff_binary(Bytes bytes) {
  if (looks_like_cubin(bytes)) return BinaryKind::cubin;
  if (looks_like_elf(bytes)) return BinaryKind::elf;
  if (looks_like_pe(bytes) || looks_like_object(bytes)) return BinaryKind::pe;
  if (looks_like_fatbin(bytes)) return BinaryKind::fatbin;
  if (looks_like_hip_bundle(bytes)) return BinaryKind::hip;
  return looks_like_ptx(bytes) ? BinaryKind::ptx : BinaryKind::none;
}

std::vector<BinaryPart> describe_binary(const RandomAccess& access, BinaryKind kind,
                                        FileScan& file) {
  std::vector<BinaryPart> parts;
  if (kind == BinaryKind::elf) describe_elf(access, file, parts);
  if (kind == BinaryKind::pe) describe_pe(access, file, parts);
  return parts;
}

Wrappers read_wrappers(const RandomAccess& access, const std::vector<BinaryPart>& parts) {
  struct Wrapper {
    le32 magic, version;
    le64 container, linked;
  };
  constexpr std::uint32_t kWrapper = 0x466243B1;
  constexpr std::uint64_t kMaxWrappers = 100'000;
  Wrappers out;
  for (const BinaryPart& part : disjoint(named(parts, ".nvFatBinSegment"))) {
    const std::uint64_t count =
        std::min(part.size_bytes / sizeof(Wrapper), kMaxWrappers - out.pointers.size());
    std::vector<std::byte> raw(static_cast<std::size_t>(count * sizeof(Wrapper)));
    if (!access.read(part.offset, raw)) continue;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto wrapper = read_at<Wrapper>(Bytes(raw), i * sizeof(Wrapper)).value();
      if (wrapper.magic != kWrapper) continue;
      if (wrapper.container != 0) out.pointers.push_back(wrapper.container);
      if (wrapper.version == 2) out.device_linked = true;
    }
  }
  return out;
}

void name_sections(const std::vector<BinaryPart>& parts, FileScan& file) {
  const std::vector<BinaryPart> sorted = disjoint(parts);
  for (auto& container : file.containers) {
    if (!container.section.empty()) continue;
    auto part = std::ranges::upper_bound(sorted, container.offset, {}, &BinaryPart::offset);
    while (part != sorted.begin() && (--part)->size_bytes == 0) {
    }
    if (part == sorted.end() || container.offset < part->offset) continue;
    if (container.offset < part->end()) container.section = part->name;
  }
}

void scan_binary_into(const RandomAccess& access, const ScanOptions& options, FileScan& file) {
  file.size_bytes = access.size();
  std::vector<std::byte> front(
      static_cast<std::size_t>(std::min<std::uint64_t>(access.size(), kFront)));
  if (Status status = access.read(0, front); !status) {
    file.kind = "unreadable";
    file.unreadable = true;
    file.problems.push_back(status.error().text());
    return;
  }
  BinaryKind kind = sniff_binary(front);
  if (kind == BinaryKind::none && begins_with_comment(front)) {
    front.resize(static_cast<std::size_t>(std::min<std::uint64_t>(access.size(), kPtxHead)));
    if (access.read(0, front)) kind = sniff_binary(front);
  }
  switch (kind) {
    case BinaryKind::elf:
    case BinaryKind::pe: scan_program(access, kind, options, file); break;
    case BinaryKind::cubin: scan_cubin(access, options, file); break;
    case BinaryKind::ptx: scan_ptx(access, options, file); break;
    default: scan_other(access, kind, options, file); break;
  }
  read_toolkit(access, file);
  options.in_order ? read_images_in_order(access, options, file)
                   : read_images(access, options, file);
  sort_kernel_names(file);
}

FileScan scan_binary(const RandomAccess& access, const ScanOptions& options) {
  FileScan file;
  scan_binary_into(access, options, file);
  return file;
}

}  // namespace kernelfit
