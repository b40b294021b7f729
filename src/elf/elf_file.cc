// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"

#include <algorithm>

#include "elf/block_access.h"

namespace kernelfit {
namespace {

// A hostile file must not cost a gigabyte. Real libraries have fewer than 100 sections; the largest
// object files of compilers (one section per function) stay below 200,000.
constexpr std::uint64_t kMaxSections = 262'144;
constexpr std::uint64_t kMaxNameBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMaxProblems = 16;
constexpr std::size_t kMaxName = 200;

constexpr unsigned kClass32 = 1, kClass64 = 2, kLittleEndian = 1, kBigEndian = 2;
constexpr std::uint32_t kStringTable = 3, kNoBits = 8;
constexpr std::uint16_t kSeeSectionZero = 0xffff;  // SHN_XINDEX

struct Ident {
  unsigned char magic[4], file_class, data, version, rest[9];
};

// ELF-64 Object File Format, figure 2. `Word` is 4 bytes in 32-bit files, 8 in 64-bit ones.
template <typename Word>
struct Ehdr {
  Ident ident;
  le16 type, machine;
  le32 version;
  Word entry, phoff, shoff;
  le32 flags;
  le16 ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

// ELF-64 Object File Format, figure 3: both classes have the fields in the same order.
template <typename Word>
struct Shdr {
  le32 name, type;
  Word flags, addr, offset, size;
  le32 link, info;
  Word addralign, entsize;
};
static_assert(sizeof(Ehdr<le64>) == 64 && sizeof(Shdr<le64>) == 64);
static_assert(sizeof(Ehdr<le32>) == 52 && sizeof(Shdr<le32>) == 40);

struct Table {
  std::uint64_t offset = 0, count = 0, names_index = 0;
};

std::string at_offset(std::uint64_t offset) {
  return "offset " + std::to_string(offset) + ": ";
}

// Where the section headers are. A count of 0 and an index of 0xffff send the reader to section 0.
template <typename Word>
Result<Table> find_table(const RandomAccess& file, const Ehdr<Word>& header) {
  constexpr std::size_t kShoffAt = 24 + 2 * sizeof(Word);  // behind e_entry and e_phoff
  if (header.shoff == 0) {
    return error(ErrorKind::unsupported,
                 at_offset(kShoffAt) + "there is no section header table (e_shoff is 0)");
  }
  if (header.shentsize != sizeof(Shdr<Word>)) {
    return error(ErrorKind::malformed, at_offset(sizeof(Ehdr<Word>) - 6) + "e_shentsize is " +
                                           std::to_string(header.shentsize) + ", not " +
                                           std::to_string(sizeof(Shdr<Word>)));
  }
  Table table{header.shoff, header.shnum, header.shstrndx};
  if (table.count == 0 || table.names_index == kSeeSectionZero) {
    auto zero = read_at<Shdr<Word>>(file, table.offset);
    if (!zero) {
      return error(ErrorKind::truncated,
                   at_offset(table.offset) + "section header table is past the end of the file");
    }
    if (table.count == 0) table.count = zero->size;
    if (table.names_index == kSeeSectionZero) table.names_index = zero->link;
  }
  if (table.offset > file.size() ||
      table.count > (file.size() - table.offset) / sizeof(Shdr<Word>)) {
    return error(ErrorKind::truncated,
                 at_offset(table.offset) + "section header table is past the end of the file");
  }
  if (table.count > kMaxSections) {
    return error(ErrorKind::unsupported,
                 at_offset(table.offset) + std::to_string(table.count) + " sections are too many");
  }
  if (table.names_index >= table.count) {
    return error(ErrorKind::malformed, at_offset(sizeof(Ehdr<Word>) - 2) + "e_shstrndx " +
                                           std::to_string(table.names_index) + " is past the " +
                                           std::to_string(table.count) + " sections");
  }
  return table;
}

template <typename Word>
Result<std::vector<Shdr<Word>>> read_headers(const RandomAccess& file, const Table& table) {
  std::vector<Shdr<Word>> headers(table.count);
  auto into = std::as_writable_bytes(std::span(headers));
  if (Status status = file.read(table.offset, into); !status) {
    return tl::unexpected(std::move(status.error()).in("section header table"));
  }
  return headers;
}

template <typename Word>
Result<std::string> read_names(const RandomAccess& file, const Shdr<Word>& header,
                               std::uint64_t table_offset) {
  std::uint64_t offset = header.offset, size = header.size;
  // A download that ended early leaves zeros where the table should be.
  if (header.type != kStringTable && header.type != kNoBits) {
    return error(ErrorKind::malformed,
                 at_offset(table_offset) + "section header table has no section names");
  }
  if (header.type == kNoBits || offset > file.size() || size > file.size() - offset) {
    return error(ErrorKind::truncated,
                 at_offset(offset) + "section names are past the end of the file");
  }
  if (size > kMaxNameBytes) {
    return error(ErrorKind::unsupported,
                 at_offset(offset) + "section names of " + std::to_string(size) + " bytes");
  }
  std::string names(size, '\0');
  if (Status status = file.read(offset, std::as_writable_bytes(std::span(names))); !status) {
    return tl::unexpected(std::move(status.error()).in("section names"));
  }
  return names;
}

// The text up to the NUL, cut at kMaxName; empty where the offset is past the names.
std::string name_at(const std::string& names, std::uint64_t offset) {
  if (offset >= names.size()) return {};
  std::string_view rest = std::string_view(names).substr(offset, kMaxName);
  return std::string(rest.substr(0, rest.find('\0')));
}

void add_problem(ElfFile& elf, std::string text) {
  if (elf.problems.size() < kMaxProblems) elf.problems.push_back(std::move(text));
}

template <typename Word>
void add_section(ElfFile& elf, std::uint64_t file_size, const std::string& names,
                 const Shdr<Word>& header) {
  ElfSection section{
      name_at(names, header.name), header.type, header.flags, header.offset, header.size,
      header.type == kNoBits};
  if (section.no_bits) section.size_bytes = 0;
  const std::uint64_t left = section.offset > file_size ? 0 : file_size - section.offset;
  if (section.size_bytes > left) {
    add_problem(elf, at_offset(section.offset) + "section " + section.name + " of " +
                         std::to_string(section.size_bytes) +
                         " bytes reaches past the end of the file");
    section.size_bytes = left;
  }
  elf.sections.push_back(std::move(section));
}

template <typename Word>
Result<ElfFile> parse_class(const RandomAccess& file) {
  KF_TRY(auto header, read_at<Ehdr<Word>>(file, 0));
  KF_TRY(Table table, find_table<Word>(file, header));
  KF_TRY(auto headers, read_headers<Word>(file, table));
  KF_TRY(std::string names, read_names<Word>(file, headers[table.names_index], table.offset));
  ElfFile elf;
  elf.machine = header.machine;
  elf.type = header.type;
  elf.is_64_bit = sizeof(Word) == 8;
  elf.sections.reserve(headers.size());
  for (const auto& section : headers) add_section<Word>(elf, file.size(), names, section);
  return elf;
}

}  // namespace

bool looks_like_elf(Bytes first_bytes) {
  return first_bytes.size() >= 4 && as_text(first_bytes.first(4)) ==
                                        "\x7f"
                                        "ELF";
}

Result<ElfFile> parse_elf(const RandomAccess& raw) {
  BlockAccess file(raw);
  KF_TRY(Ident ident, read_at<Ident>(file, 0));
  if (!looks_like_elf(std::as_bytes(std::span(ident.magic)))) {
    return error(ErrorKind::malformed, "offset 0: not an ELF file");
  }
  if (ident.data == kBigEndian) {
    return error(ErrorKind::unsupported, "offset 5: big-endian ELF files are not read");
  }
  if (ident.data != kLittleEndian ||
      (ident.file_class != kClass32 && ident.file_class != kClass64)) {
    return error(ErrorKind::malformed, "offset 4: ELF class or byte order is not known");
  }
  return ident.file_class == kClass64 ? parse_class<le64>(file) : parse_class<le32>(file);
}

}  // namespace kernelfit
