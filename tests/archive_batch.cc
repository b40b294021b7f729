// SPDX-License-Identifier: Apache-2.0
// Prints what src/archive, src/codec, src/pe and src/elf/elf_dynamic read in files, for the tests
// that ask zipfile, tarfile, ar, objdump and readelf the same:
//
//   archive_batch list|needs|pe FILE…
//   file FILE
//   member TYPE SIZE CRC32 NAME [TAB LINK]
//   problem TEXT
//   section OFFSET SIZE NAME, import NAME
//   needed NAME, soname NAME, path DIRECTORY, version FILE VERSION, floor FAMILY VERSION
#include <array>
#include <iostream>

#include "archive/archive.h"
#include "codec/codec.h"
#include "elf/elf_dynamic.h"
#include "host/host.h"
#include "pe/pe_file.h"

namespace {

using namespace kernelfit;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 36;

void print_problem(const std::string& text) {
  std::cout << "problem " << text << '\n';
}

void print_member(const ArchiveMember& member, ByteStream& content) {
  static std::array<std::byte, 1 << 18> piece;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  for (;;) {
    auto got = content.read(piece);
    if (!got) print_problem(member.name + ": " + got.error().text());
    if (!got || *got == 0) break;
    size += *got;
    crc = crc32_update(crc, Bytes(piece).first(*got));
  }
  std::cout << "member " << member.type << ' ' << size << ' ' << crc << ' ' << member.name;
  if (!member.link_target.empty()) std::cout << '\t' << member.link_target;
  std::cout << '\n';
  if (size != member.size_bytes) print_problem(member.name + ": not of the size it says");
}

Status list_zip(const RandomAccess& file) {
  KF_TRY(ZipDirectory directory, read_zip_directory(file));
  for (const auto& member : directory.members) {
    auto content = open_member(file, member);
    if (content) print_member(member, **content);
    if (!content) print_problem(content.error().text());
  }
  for (const auto& problem : directory.problems) print_problem(problem);
  return {};
}

Status list_ar(const RandomAccess& file) {
  KF_TRY(ArDirectory directory, read_ar_directory(file));
  for (const auto& member : directory.members) {
    AccessStream content(file, member.data_offset, directory.thin ? 0 : member.size_bytes);
    if (directory.thin) std::cout << "member f 0 0 " << member.name << '\n';
    if (!directory.thin) print_member(member, content);
  }
  for (const auto& problem : directory.problems) print_problem(problem);
  return {};
}

Status list_tar(const RandomAccess& file, Codec codec) {
  auto stream = decode(codec, std::make_unique<AccessStream>(file), kLimit);
  const auto visit = [](const ArchiveMember& member, ByteStream& content) {
    print_member(member, content);
    return true;
  };
  for (const auto& problem : walk_tar(*stream, visit)) print_problem(problem);
  return {};
}

Status list(const RandomAccess& file) {
  std::array<std::byte, 512> first{};
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(512, file.size()));
  if (Status status = file.read(0, std::span(first).first(size)); !status) return status;
  const Bytes bytes = Bytes(first).first(size);
  switch (sniff_archive(bytes)) {
    case ArchiveKind::ar:
    case ArchiveKind::thin_ar: return list_ar(file);
    case ArchiveKind::tar: return list_tar(file, Codec::stored);
    case ArchiveKind::zip: return list_zip(file);
    case ArchiveKind::none: break;
  }
  const Codec codec = sniff_codec(bytes);
  return codec == Codec::stored ? list_zip(file) : list_tar(file, codec);
}

Status needs(const RandomAccess& file) {
  KF_TRY(ElfNeeds needs, parse_elf_needs(file));
  if (!needs.soname.empty()) std::cout << "soname " << needs.soname << '\n';
  for (const auto& name : needs.needed) std::cout << "needed " << name << '\n';
  for (const auto& path : needs.run_paths) std::cout << "path " << path << '\n';
  for (const auto& version : needs.versions) std::cout << "version " << version << '\n';
  for (const auto& [family, floor] :
       {std::pair{"GLIBC", needs.glibc}, {"GLIBCXX", needs.glibcxx}, {"CXXABI", needs.cxxabi}}) {
    if (!floor.empty()) std::cout << "floor " << family << ' ' << floor.text() << '\n';
  }
  for (const auto& problem : needs.problems) print_problem(problem);
  return {};
}

Status pe(const RandomAccess& file) {
  auto pe = parse_pe(file);
  if (!pe) pe = parse_coff_object(file);
  if (!pe) return tl::unexpected(pe.error());
  for (const auto& section : pe->sections) {
    std::cout << "section " << section.offset << ' ' << section.size_bytes << ' ' << section.name
              << '\n';
  }
  for (const auto& name : pe->imports) std::cout << "import " << name << '\n';
  for (const auto& problem : pe->problems) print_problem(problem);
  return {};
}

Status run(std::string_view what, const RandomAccess& file) {
  if (what == "needs") return needs(file);
  return what == "pe" ? pe(file) : list(file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<Host> host = real_host();
  const std::string_view what = argc > 1 ? argv[1] : "";
  for (int i = 2; i < argc; ++i) {
    std::cout << "file " << argv[i] << '\n';
    auto file = host->open_file(argv[i]);
    Status status = file ? run(what, **file) : tl::unexpected(file.error());
    if (!status) print_problem(status.error().text());
  }
  return 0;
}
