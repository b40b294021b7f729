// SPDX-License-Identifier: Apache-2.0
#include "pe/pe_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "pe/coff.h"

namespace kernelfit {
namespace {

constexpr std::uint64_t kNewHeaderAt = 0x3c;  // e_lfanew
constexpr std::uint16_t kPe32 = 0x10b, kPe32Plus = 0x20b, kDll = 0x2000;
constexpr std::uint16_t kDirectoriesAt = 112;  // in a PE32+ optional header
constexpr std::uint32_t kImports = 1, kDelayImports = 13;
constexpr std::size_t kMaxImports = 4096, kMaxImportName = 260;

struct Directory {
  le32 address, size;
};
struct ImportRow {  // IMAGE_IMPORT_DESCRIPTOR
  le32 lookup, time, forwarder, name, addresses;
};
struct DelayRow {  // IMAGE_DELAYLOAD_DESCRIPTOR
  le32 attributes, name, module, addresses, names, bound, unload, time;
};
static_assert(sizeof(ImportRow) == 20 && sizeof(DelayRow) == 32);

// Where the loader puts what lies in the file: headers at their own offset, sections at theirs.
std::optional<std::uint64_t> offset_of(const PeFile& pe, const std::vector<CoffSection>& rows,
                                       std::uint32_t address) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t begin = rows[i].virtual_address;
    if (address < begin || address - begin >= rows[i].raw_size) continue;
    return pe.sections[i].offset + (address - begin);
  }
  return std::nullopt;
}

class ImportReader {
 public:
  ImportReader(const RandomAccess& file, PeFile& pe, const std::vector<CoffSection>& rows)
      : file_(file), pe_(pe), rows_(rows) {}

  template <typename Row>
  void read(std::uint32_t address, std::uint64_t directory_at, const char* what) {
    auto offset = offset_of(pe_, rows_, address);
    if (!offset) return problem(directory_at, std::string(what) + " are in no section");
    for (std::uint64_t at = *offset;; at += sizeof(Row)) {
      auto row = read_at<Row>(file_, at);
      if (!row) return problem(at, std::string(what) + " are cut");
      if (row->name == 0) return;
      if (pe_.imports.size() >= kMaxImports) return problem(at, "too many imports");
      if (!add(row->name)) return problem(at, std::string(what) + ": a name cannot be read");
    }
  }

 private:
  bool add(std::uint32_t address) {
    auto offset = offset_of(pe_, rows_, address);
    if (!offset || *offset > file_.size()) return false;
    std::array<std::byte, kMaxImportName> raw;
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(raw.size(), file_.size() - *offset));
    if (!file_.read(*offset, std::span(raw).first(size))) return false;
    const std::string_view text = as_text(std::span(raw).first(size));
    const std::size_t end = text.find('\0');
    if (end == 0 || end == std::string_view::npos) return false;
    pe_.imports.emplace_back(text.substr(0, end));
    return true;
  }
  void problem(std::uint64_t offset, const std::string& text) {
    pe_.problems.push_back("offset " + std::to_string(offset) + ": " + text);
  }
  const RandomAccess& file_;
  PeFile& pe_;
  const std::vector<CoffSection>& rows_;
};

void read_imports(const RandomAccess& file, std::uint64_t optional_at, std::uint16_t optional_size,
                  const std::vector<CoffSection>& rows, PeFile& pe) {
  auto count = read_at<le32>(file, optional_at + kDirectoriesAt - 4);
  ImportReader reader(file, pe, rows);
  for (const std::uint32_t index : {kImports, kDelayImports}) {
    const std::uint64_t in_header = kDirectoriesAt + index * sizeof(Directory);
    if (!count || index >= *count || in_header + sizeof(Directory) > optional_size) continue;
    auto directory = read_at<Directory>(file, optional_at + in_header);
    if (!directory || directory->address == 0) continue;
    if (index == kImports) {
      reader.read<ImportRow>(directory->address, optional_at + in_header, "imports");
    } else {
      reader.read<DelayRow>(directory->address, optional_at + in_header, "delay-loaded imports");
    }
  }
}

Status check_magic(const RandomAccess& file, std::uint64_t optional_at) {
  auto magic = read_at<le16>(file, optional_at);
  if (!magic) return tl::unexpected(std::move(magic.error()).in("optional header"));
  const std::string where = "offset " + std::to_string(optional_at) + ": ";
  if (*magic == kPe32) {
    return error(ErrorKind::unsupported, where + "a 32-bit program (PE32) is not read");
  }
  if (*magic == kPe32Plus) return {};
  return error(ErrorKind::malformed,
               where + "optional header of unknown kind " + std::to_string(*magic));
}

// Behind the program for DOS and the signature.
Result<std::uint64_t> find_coff_header(const RandomAccess& file) {
  KF_TRY(auto dos, read_at<le16>(file, 0));
  if (dos != 0x5a4d) return error(ErrorKind::malformed, "offset 0: not a Windows program");
  auto pe_at = read_at<le32>(file, kNewHeaderAt);
  if (!pe_at) return tl::unexpected(std::move(pe_at.error()).in("e_lfanew"));
  auto signature = read_at<le32>(file, *pe_at);
  if (!signature) return tl::unexpected(std::move(signature.error()).in("PE signature"));
  if (*signature == 0x4550) return std::uint64_t{*pe_at} + 4;
  return error(ErrorKind::malformed,
               "offset " + std::to_string(*pe_at) + ": no PE signature (a DOS program?)");
}

}  // namespace

bool looks_like_pe(Bytes first_bytes) {
  return as_text(first_bytes).starts_with("MZ");
}

Result<PeFile> parse_pe(const RandomAccess& file) {
  KF_TRY(const std::uint64_t header_at, find_coff_header(file));
  auto header = read_at<CoffHeader>(file, header_at);
  if (!header) return tl::unexpected(std::move(header.error()).in("COFF header"));
  const std::uint64_t optional_at = header_at + sizeof(CoffHeader);
  if (Status status = check_magic(file, optional_at); !status) {
    return tl::unexpected(std::move(status.error()));
  }
  const CoffTable table{optional_at + header->optional_size, header->sections, header->symbols_at,
                        header->symbols, 18};
  PeFile pe;
  pe.machine = header->machine;
  pe.is_dll = (header->flags & kDll) != 0;
  KF_TRY(auto rows, read_coff_sections(file, table, true, pe));
  read_imports(file, optional_at, header->optional_size, rows, pe);
  return pe;
}

}  // namespace kernelfit
