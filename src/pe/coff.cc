// SPDX-License-Identifier: Apache-2.0
#include "pe/coff.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace kernelfit {
namespace {

// The largest objects (one section per function, /bigobj) have some 100,000.
constexpr std::uint64_t kMaxSections = 262'144;
constexpr std::size_t kMaxProblems = 16, kMaxName = 200;
constexpr std::uint32_t kUninitialized = 0x80;  // IMAGE_SCN_CNT_UNINITIALIZED_DATA: not in the file
constexpr std::uint16_t kAmd64 = 0x8664, kArm64 = 0xaa64, kI386 = 0x14c;

// ANON_OBJECT_HEADER_BIGOBJ of winnt.h: what cl /bigobj writes.
struct BigHeader {
  le16 zero, ffff, version, machine;
  le32 time;
  unsigned char class_id[16];
  le32 data_size, flags, metadata_size, metadata_at, sections, symbols_at, symbols;
};
static_assert(sizeof(BigHeader) == 56);
constexpr std::array<unsigned char, 16> kBigClass = {
    0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b, 0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8};

std::string at_offset(std::uint64_t offset) {
  return "offset " + std::to_string(offset) + ": ";
}

void add_problem(PeFile& pe, std::string text) {
  if (pe.problems.size() < kMaxProblems) pe.problems.push_back(std::move(text));
}

// "//" and base 64 (LLVM, where a decimal offset would not fit), or "/" and decimal digits.
std::optional<std::uint64_t> string_offset(std::string_view name) {
  if (!name.starts_with("//")) {
    auto value = parse_int(name.substr(1));
    if (!value || *value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
  }
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint64_t value = 0;
  for (const char c : name.substr(2)) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value * 64 + digit;
  }
  return value;
}

// A name of the string table behind the symbols, whose first four bytes are its size.
std::optional<std::string> long_name(const RandomAccess& file, const CoffTable& table,
                                     std::uint64_t offset) {
  if (table.symbols_at == 0) return std::nullopt;
  const std::uint64_t strings_at = table.symbols_at + table.symbols * table.symbol_size;
  auto size = read_at<le32>(file, strings_at);
  if (!size || offset < 4 || offset >= *size) return std::nullopt;
  const std::uint64_t at = strings_at + offset;
  const std::uint64_t left = std::min<std::uint64_t>(*size - offset, kMaxName);
  if (at >= file.size()) return std::nullopt;
  std::string text(static_cast<std::size_t>(std::min(left, file.size() - at)), '\0');
  if (!file.read(at, std::as_writable_bytes(std::span(text)))) return std::nullopt;
  return text.substr(0, text.find('\0'));
}

std::string name_of(const RandomAccess& file, const CoffTable& table, const CoffSection& row,
                    std::uint64_t row_at, PeFile& pe) {
  const std::string_view raw(reinterpret_cast<const char*>(row.name), sizeof(row.name));
  std::string name(raw.substr(0, raw.find('\0')));
  if (name.size() < 2 || name[0] != '/') return name;
  auto offset = string_offset(name);
  auto found = offset ? long_name(file, table, *offset) : std::nullopt;
  if (found) return *found;
  add_problem(pe, at_offset(row_at) + "section name " + printable(name) + " is in no string table");
  return name;
}

// What of the section is in the file. An image's VirtualSize ends it: behind are zeros that pad.
PeSection section_of(const CoffSection& row, bool image) {
  PeSection section;
  section.offset = row.raw_at;
  section.size_bytes = row.raw_size;
  section.virtual_address = row.virtual_address;
  section.flags = row.flags;
  if (image && row.virtual_size != 0) {
    section.size_bytes = std::min<std::uint64_t>(row.virtual_size, row.raw_size);
  }
  if (row.raw_at == 0 || (!image && (row.flags & kUninitialized) != 0)) section.size_bytes = 0;
  return section;
}

void clamp(PeSection& section, std::uint64_t file_size, PeFile& pe) {
  const std::uint64_t left = section.offset > file_size ? 0 : file_size - section.offset;
  if (section.size_bytes <= left) return;
  add_problem(pe, at_offset(section.offset) + "section " + printable(section.name) + " of " +
                      std::to_string(section.size_bytes) +
                      " bytes reaches past the end of the file");
  section.size_bytes = left;
}

Result<PeFile> read_object(const RandomAccess& file, std::uint16_t machine,
                           const CoffTable& table) {
  PeFile pe;
  pe.machine = machine;
  pe.is_object = true;
  KF_TRY(auto rows, read_coff_sections(file, table, false, pe));
  return pe;
}

tl::unexpected<Error> no_object(std::uint64_t at, const std::string& why) {
  return error(ErrorKind::malformed, at_offset(at) + "not a COFF object: " + why);
}

Result<PeFile> parse_big_object(const RandomAccess& file) {
  KF_TRY(auto header, read_at<BigHeader>(file, 0));
  if (header.version < 2) return no_object(4, "an import or another short record");
  if (!std::equal(kBigClass.begin(), kBigClass.end(), header.class_id)) {
    return error(ErrorKind::unsupported,
                 "offset 12: an object for link-time code generation (cl /GL) is not read");
  }
  CoffTable table{sizeof(BigHeader), header.sections, header.symbols_at, header.symbols, 20};
  return read_object(file, header.machine, table);
}

}  // namespace

Result<std::vector<CoffSection>> read_coff_sections(const RandomAccess& file,
                                                    const CoffTable& table, bool image,
                                                    PeFile& pe) {
  if (table.count > kMaxSections) {
    return error(ErrorKind::unsupported,
                 at_offset(table.at) + std::to_string(table.count) + " sections are too many");
  }
  if (table.at > file.size() || table.count > (file.size() - table.at) / sizeof(CoffSection)) {
    return error(ErrorKind::truncated,
                 at_offset(table.at) + "section table is past the end of the file");
  }
  std::vector<CoffSection> rows(static_cast<std::size_t>(table.count));
  if (Status status = file.read(table.at, std::as_writable_bytes(std::span(rows))); !status) {
    return tl::unexpected(std::move(status.error()).in("section table"));
  }
  pe.sections.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PeSection section = section_of(rows[i], image);
    section.name = name_of(file, table, rows[i], table.at + i * sizeof(CoffSection), pe);
    clamp(section, file.size(), pe);
    pe.sections.push_back(std::move(section));
  }
  return rows;
}

Result<PeFile> parse_coff_object(const RandomAccess& file) {
  auto header = read_at<CoffHeader>(file, 0);
  if (!header) return no_object(0, "too short");
  if (header->machine == 0 && header->sections == 0xffff) return parse_big_object(file);
  if (header->machine == kI386) {
    return error(ErrorKind::unsupported, "offset 0: a 32-bit object is not read");
  }
  if (header->machine != kAmd64 && header->machine != kArm64) {
    return no_object(0, "unknown machine " + std::to_string(header->machine));
  }
  if (header->optional_size != 0) return no_object(16, "it has an optional header");
  CoffTable table{sizeof(CoffHeader), header->sections, header->symbols_at, header->symbols, 18};
  return read_object(file, header->machine, table);
}

}  // namespace kernelfit
