// SPDX-License-Identifier: Apache-2.0
#include "fatbin/cubin.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::uint16_t kCudaMachine = 190, kRelocatable = 1;
constexpr std::uint8_t kAbi7Os = 0x33, kAbi8Os = 0x41;
constexpr std::uint32_t kSymbolTable = 2, kNote = 7;
constexpr std::uint8_t kFunction = 2, kKernelEntry = 0x10;
constexpr std::uint32_t kCuInfo = 0x3e8, kToolInfo = 0x7d0;  // note types
constexpr std::uint16_t kCuInfoNote = 2;                     // the first word of .note.nv.cuinfo

// ELF-64 Object File Format 1.5, figures 3, 8, 14.
struct Header {
  std::uint8_t ident[16];
  le16 type, machine;
  le32 version;
  le64 entry, program_headers_at, sections_at;
  le32 flags;
  le16 header_bytes, program_header_bytes, program_headers, section_bytes, sections, names_index;
};
static_assert(sizeof(Header) == 64);
struct Section {
  le32 name, type;
  le64 flags, address, offset, size_bytes;
  le32 link, info;
  le64 alignment, entry_bytes;
};
static_assert(sizeof(Section) == 64);
struct Symbol {
  le32 name;
  std::uint8_t info, other;
  le16 section;
  le64 value, size_bytes;
};
static_assert(sizeof(Symbol) == 24);
struct NoteHeader {
  le32 name_bytes, content_bytes, type;
};

struct CubinFile {
  Bytes bytes;
  Header header;
  std::vector<Section> sections;
};

Result<CubinFile> read_sections(Bytes bytes, const Header& header) {
  CubinFile file{bytes, header, {}};
  if (header.sections != 0 && header.section_bytes != sizeof(Section)) {
    return error(ErrorKind::malformed, "e_shentsize " + std::to_string(header.section_bytes));
  }
  const std::uint64_t size = std::uint64_t{header.sections} * sizeof(Section);
  KF_TRY(Bytes table, slice(bytes, header.sections_at, size));
  for (std::size_t i = 0; i < header.sections; ++i) {
    file.sections.push_back(read_at<Section>(table, i * sizeof(Section)).value());
  }
  return file;
}

Result<std::string_view> text_at(Bytes strings, std::uint64_t offset) {
  if (offset >= strings.size()) return error(ErrorKind::malformed, "name past the string table");
  const std::string_view rest = as_text(strings.subspan(offset));
  const std::size_t end = rest.find('\0');
  if (end == rest.npos) return error(ErrorKind::truncated, "name without an end");
  return rest.substr(0, end);
}

Status add_kernels(const CubinFile& file, const Section& table, std::vector<std::string>& out) {
  if (table.link >= file.sections.size()) {
    return error(ErrorKind::malformed, "sh_link of the symbol table");
  }
  const Section& names = file.sections[table.link];
  KF_TRY(Bytes strings, slice(file.bytes, names.offset, names.size_bytes));
  KF_TRY(Bytes symbols, slice(file.bytes, table.offset, table.size_bytes));
  // Names may share their ends, no more: symbols that all name the same kilobyte are a bomb.
  std::uint64_t room = 4 * strings.size();
  for (std::uint64_t at = 0; at + sizeof(Symbol) <= symbols.size(); at += sizeof(Symbol)) {
    const Symbol symbol = read_at<Symbol>(symbols, at).value();
    if ((symbol.info & 0xf) != kFunction || !(symbol.other & kKernelEntry)) continue;
    KF_TRY(std::string_view name, text_at(strings, symbol.name));
    if (name.size() > room) return error(ErrorKind::unsupported, "names that are too long");
    room -= name.size();
    out.emplace_back(name);
  }
  return {};
}

// Notes of one section: {name size, content size, type}, name, content, each padded to 4.
template <typename Visit>
void each_note(Bytes notes, const Visit& visit) {
  const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  for (std::uint64_t at = 0;;) {
    const auto header = read_at<NoteHeader>(notes, at);
    if (!header) return;
    const std::uint64_t content_at = at + sizeof(NoteHeader) + padded(header->name_bytes);
    const auto content = slice(notes, content_at, header->content_bytes);
    if (!content) return;
    visit(header->type, *content);
    at = content_at + padded(header->content_bytes);
  }
}

// "… -arch sm_100f -m 64": the suffix of an ABI 8 cubin stands nowhere else.
std::optional<GpuArch> arch_in_options(std::string_view text) {
  const std::size_t at = text.find("-arch sm_");
  if (at == text.npos) return std::nullopt;
  const std::string_view word = text.substr(at + 6);
  return GpuArch::parse(word.substr(0, word.find_first_of(std::string_view(" \0", 2))));
}

void read_note(std::uint32_t type, Bytes content, Cubin& cubin) {
  if (type == kCuInfo) {  // u16 2, u16 virtual architecture, u32 toolkit: 130
    const auto kind = read_at<le16>(content, 0);
    const auto toolkit = read_at<le32>(content, 4);
    // .note.nv.cuver has the same type, and begins with 1.
    if (!kind || *kind != kCuInfoNote) return;
    if (toolkit && *toolkit >= 10 && *toolkit < 10'000) {
      cubin.toolkit = dotted(std::to_string(*toolkit / 10) + "." + std::to_string(*toolkit % 10));
    }
  } else if (type == kToolInfo) {
    const auto arch = arch_in_options(as_text(content));
    if (arch && arch->number == cubin.arch.number) cubin.arch.suffix = arch->suffix;
  }
}

void read_notes(const CubinFile& file, Cubin& cubin) {
  for (const Section& section : file.sections) {
    if (section.type != kNote) continue;
    const auto notes = slice(file.bytes, section.offset, section.size_bytes);
    if (!notes) continue;
    each_note(*notes, [&](std::uint32_t type, Bytes content) { read_note(type, content, cubin); });
  }
}

// The first architecture of CUDA was sm_10.
Result<Cubin> checked(const Cubin& cubin) {
  if (cubin.arch.number >= 10) return cubin;
  return error(ErrorKind::malformed,
               "architecture " + std::to_string(cubin.arch.number) + " is not known");
}

Result<Cubin> read_header(const Header& header) {
  Cubin cubin;
  const std::uint32_t flags = header.flags;
  cubin.arch.kind = GpuArch::Kind::sass;
  cubin.relocatable = header.type == kRelocatable;
  if (header.ident[7] == kAbi8Os) {
    cubin.abi = 8;
    cubin.arch.number = static_cast<int>(flags >> 8 & 0xff);
    cubin.debug = (flags & 0x08000000) != 0;
    return checked(cubin);
  }
  if (header.ident[7] != kAbi7Os) {
    return error(ErrorKind::unsupported, "EI_OSABI " + std::to_string(header.ident[7]));
  }
  cubin.abi = 7;
  cubin.arch.number = static_cast<int>(flags & 0xff);
  // Set in some relocatable cubins of sm_50 to sm_61 as well, which have no variants.
  if ((flags & 0x800) && cubin.arch.number >= 90) cubin.arch.suffix = 'a';
  const std::uint32_t version = header.version;
  if (version >= 10 && version < 10'000) {
    cubin.toolkit = dotted(std::to_string(version / 10) + "." + std::to_string(version % 10));
  }
  return checked(cubin);
}

}  // namespace

bool looks_like_cubin(Bytes first_bytes) {
  if (first_bytes.size() < sizeof(Header)) return false;
  const auto header = read_at<Header>(first_bytes, 0).value();
  return as_text(first_bytes.first(4)) ==
             "\x7f"
             "ELF" &&
         header.ident[4] == 2 && header.ident[5] == 1 && header.machine == kCudaMachine;
}

Result<Cubin> parse_cubin(Bytes bytes, CubinDetail detail) {
  if (!looks_like_cubin(bytes)) return error(ErrorKind::malformed, "offset 0: not a cubin");
  const auto header = read_at<Header>(bytes, 0).value();
  KF_TRY(Cubin cubin, read_header(header));
  auto file = read_sections(bytes, header);
  if (!file) {
    if (detail == CubinDetail::kernels)
      return tl::unexpected(std::move(file.error()).in("e_shoff"));
    return cubin;
  }
  read_notes(*file, cubin);
  if (detail == CubinDetail::header) return cubin;
  for (const Section& section : file->sections) {
    if (section.type != kSymbolTable) continue;
    if (Status status = add_kernels(*file, section, cubin.kernels); !status) {
      return tl::unexpected(std::move(status.error()).in("symbol table"));
    }
  }
  std::ranges::sort(cubin.kernels);
  return cubin;
}

Result<std::uint64_t> cubin_size(Bytes front) {
  KF_TRY(Header header, read_at<Header>(front, 0));
  const std::uint64_t sections = std::uint64_t{header.sections} * header.section_bytes;
  const std::uint64_t programs =
      std::uint64_t{header.program_headers} * header.program_header_bytes;
  const std::uint64_t sections_at = header.sections_at, programs_at = header.program_headers_at;
  if (sections == 0 || sections_at < sizeof(Header) ||
      sections_at > std::numeric_limits<std::uint64_t>::max() - sections ||
      programs_at > std::numeric_limits<std::uint64_t>::max() - programs) {
    return error(ErrorKind::malformed, "e_shoff of a cubin");
  }
  return std::max(sections_at + sections, programs_at + programs);
}

}  // namespace kernelfit
