// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_dynamic.h"

#include <algorithm>
#include <optional>

#include "elf/block_access.h"
#include "elf/elf_file.h"

namespace kernelfit {
namespace {

// Real libraries have some 30 entries, 20 needs and 60 versions.
constexpr std::uint64_t kMaxEntries = 65'536;
constexpr std::size_t kMaxVersions = 4096, kMaxNeeds = 4096, kMaxProblems = 16;
// Run paths of TensorFlow have several KB.
constexpr std::uint64_t kUsualName = 256, kMaxName = 1024, kMaxPaths = 65'536;

constexpr std::uint32_t kLoad = 1, kDynamic = 2;  // p_type
constexpr std::uint16_t kCountElsewhere = 0xffff, kWeak = 2;

struct Ehdr {  // ELF-64 Object File Format, figure 2
  unsigned char ident[16];
  le16 type, machine;
  le32 version;
  le64 entry, phoff, shoff;
  le32 flags;
  le16 ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};
struct Phdr {  // figure 6
  le32 type, flags;
  le64 offset, address, physical, file_size, memory_size, align;
};
struct Dyn {  // figure 8
  le64 tag, value;
};
struct Verneed {
  le16 version, count;
  le32 file, first, next;
};
struct Vernaux {
  le32 hash;
  le16 flags, other;
  le32 name, next;
};
static_assert(sizeof(Ehdr) == 64 && sizeof(Phdr) == 56 && sizeof(Dyn) == 16);
static_assert(sizeof(Verneed) == 16 && sizeof(Vernaux) == 16);

// d_tag
constexpr std::uint64_t kNull = 0, kNeeded = 1, kStrings = 5, kStringsSize = 10, kSoname = 14,
                        kRpath = 15, kRunpath = 29, kVersions = 0x6ffffffe,
                        kVersionsCount = 0x6fffffff;

std::string at_offset(std::uint64_t offset) {
  return "offset " + std::to_string(offset) + ": ";
}

template <typename T>
Result<std::vector<T>> read_table(const RandomAccess& file, std::uint64_t offset,
                                  std::uint64_t count, const char* what) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) {
    return error(ErrorKind::truncated, at_offset(offset) + what + " is past the end of the file");
  }
  std::vector<T> rows(static_cast<std::size_t>(count));
  if (Status status = file.read(offset, std::as_writable_bytes(std::span(rows))); !status) {
    return tl::unexpected(std::move(status.error()).in(what));
  }
  return rows;
}

Result<std::vector<Phdr>> read_segments(const RandomAccess& file) {
  KF_TRY(auto header, read_at<Ehdr>(file, 0));
  if (!looks_like_elf(std::as_bytes(std::span(header.ident)))) {
    return error(ErrorKind::malformed, "offset 0: not an ELF file");
  }
  if (header.ident[4] != 2 || header.ident[5] != 1) {
    return error(ErrorKind::unsupported, "offset 4: only 64-bit little-endian ELF files are read");
  }
  if (header.phnum == 0 || header.phoff == 0) {
    return error(ErrorKind::not_found, "no program headers: an object, not a library");
  }
  if (header.phentsize != sizeof(Phdr) || header.phnum == kCountElsewhere) {
    return error(ErrorKind::unsupported, at_offset(54) + "program headers of " +
                                             std::to_string(header.phentsize) + " bytes");
  }
  return read_table<Phdr>(file, header.phoff, header.phnum, "program header table");
}

class NeedsReader {
 public:
  NeedsReader(const RandomAccess& file, std::vector<Phdr> segments)
      : file_(file), names_(file), segments_(std::move(segments)) {}

  Result<ElfNeeds> read() {
    KF_TRY(entries_, dynamic_section());
    const auto strings = offset_of(value(kStrings).value_or(0));
    if (!strings) return error(ErrorKind::malformed, "the dynamic section has no string table");
    strings_at_ = *strings;
    strings_size_ = std::min(value(kStringsSize).value_or(0), file_.size() - strings_at_);
    if (const auto soname = value(kSoname)) out_.soname = name(*soname);
    read_needed();
    read_run_paths();
    read_versions();
    return std::move(out_);
  }

 private:
  Result<std::vector<Dyn>> dynamic_section() {
    for (const Phdr& segment : segments_) {
      if (segment.type != kDynamic) continue;
      const std::uint64_t count = std::min(segment.file_size / sizeof(Dyn), kMaxEntries);
      KF_TRY(auto rows, read_table<Dyn>(file_, segment.offset, count, "dynamic section"));
      const auto end =
          std::find_if(rows.begin(), rows.end(), [](const Dyn& row) { return row.tag == kNull; });
      rows.erase(end, rows.end());
      return rows;
    }
    return error(ErrorKind::not_found, "no dynamic section: a static program");
  }

  std::optional<std::uint64_t> value(std::uint64_t tag) const {
    for (const Dyn& row : entries_) {
      if (row.tag == tag) return row.value;
    }
    return std::nullopt;
  }

  // Where in the file the loader finds an address.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    for (const Phdr& segment : segments_) {
      if (segment.type != kLoad || address < segment.address) continue;
      const std::uint64_t inside = address - segment.address;
      if (inside >= segment.file_size || segment.offset > file_.size() ||
          inside >= file_.size() - segment.offset) {
        continue;
      }
      return segment.offset + inside;
    }
    return std::nullopt;
  }

  // Empty, and a problem, where the name has no end within the string table.
  std::string name(std::uint64_t at, std::uint64_t most = kMaxName) {
    const std::uint64_t left = at < strings_size_ ? strings_size_ - at : 0;
    for (const std::uint64_t size : {std::min(left, kUsualName), std::min(left, most)}) {
      std::string text(static_cast<std::size_t>(size), '\0');
      if (!names_.read(strings_at_ + at, std::as_writable_bytes(std::span(text)))) break;
      const std::size_t end = text.find('\0');
      if (end != std::string::npos) return text.substr(0, end);
    }
    problem(at_offset(strings_at_) + "no name at " + std::to_string(at) + " of the string table");
    return {};
  }

  void read_needed() {
    for (const Dyn& row : entries_) {
      if (row.tag != kNeeded) continue;
      if (out_.needed.size() == kMaxNeeds) return problem("too many libraries are needed");
      if (std::string library = name(row.value); !library.empty()) {
        out_.needed.push_back(std::move(library));
      }
    }
  }

  // DT_RPATH counts only where there is no DT_RUNPATH (ld.so(8)).
  void read_run_paths() {
    auto at = value(kRunpath);
    if (!at) at = value(kRpath);
    if (!at) return;
    const std::string paths = name(*at, kMaxPaths);
    for (std::size_t start = 0; start <= paths.size() && !paths.empty();) {
      const std::size_t end = std::min(paths.find(':', start), paths.size());
      if (end > start) out_.run_paths.push_back(paths.substr(start, end - start));
      start = end + 1;
    }
  }

  void read_versions() {
    const auto address = value(kVersions);
    if (!address) return;
    auto at = offset_of(*address);
    if (!at) return problem("the versions asked for are in no segment");
    for (std::uint64_t left = value(kVersionsCount).value_or(0); left > 0; --left) {
      auto row = read_at<Verneed>(file_, *at);
      if (!row) return problem(at_offset(*at) + "the versions asked for are cut");
      if (!read_versions_of(name(row->file), *at + row->first, row->count)) return;
      if (row->next == 0) return;
      *at += row->next;
    }
  }

  bool read_versions_of(const std::string& library, std::uint64_t at, std::uint64_t count) {
    for (; count > 0; --count) {
      auto row = read_at<Vernaux>(file_, at);
      if (!row) problem(at_offset(at) + "the versions asked for are cut");
      if (row && out_.versions.size() == kMaxVersions) problem("too many versions are asked for");
      if (!row || out_.versions.size() == kMaxVersions) return false;
      const std::string version = name(row->name);
      std::string& line = out_.versions.emplace_back(library);
      line.append(" ").append(version);
      if ((row->flags & kWeak) == 0) raise_floors(version);
      if (row->next == 0) break;
      at += row->next;
    }
    return true;
  }

  void raise_floors(const std::string& version) {
    // Relative relocations in short form: the loader of glibc 2.36 is the first that reads them.
    if (version == "GLIBC_ABI_DT_RELR") raise(out_.glibc, "2.36");
    const std::size_t underscore = version.find('_');
    if (underscore == std::string::npos) return;
    const std::string_view family = std::string_view(version).substr(0, underscore);
    const std::string_view number = std::string_view(version).substr(underscore + 1);
    if (family == "GLIBC") raise(out_.glibc, number);
    if (family == "GLIBCXX") raise(out_.glibcxx, number);
    if (family == "CXXABI") raise(out_.cxxabi, number);
  }

  static void raise(DottedVersion& floor, std::string_view number) {
    auto version = DottedVersion::parse(number);
    if (version && (floor.empty() || floor < *version)) floor = *version;
  }

  void problem(std::string text) {
    if (out_.problems.size() < kMaxProblems) out_.problems.push_back(std::move(text));
  }

  BlockAccess file_, names_;  // two, for tables and names are read in turn
  std::vector<Phdr> segments_;
  std::vector<Dyn> entries_;
  std::uint64_t strings_at_ = 0, strings_size_ = 0;
  ElfNeeds out_;
};

}  // namespace

Result<ElfNeeds> parse_elf_needs(const RandomAccess& file) {
  KF_TRY(auto segments, read_segments(file));
  return NeedsReader(file, std::move(segments)).read();
}

}  // namespace kernelfit
