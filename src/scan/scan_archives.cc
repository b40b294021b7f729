// SPDX-License-Identifier: Apache-2.0
// The members of zip, tar and ar, each to who reads it.
#include <algorithm>
#include <functional>
#include <string>
#include <unordered_set>

#include "base/borrowed_stream.h"
#include "base/owned_access.h"
#include "base/text.h"
#include "scan/not_read.h"
#include "scan/scanner.h"

namespace kernelfit {
namespace {

// Names that were there before; a few of them are told.
class RepeatedNames {
 public:
  bool tells(const std::string& name) {
    constexpr int kMost = 16;
    return !seen_.insert(std::hash<std::string>()(name)).second && ++told_ <= kMost;
  }

 private:
  std::unordered_set<std::size_t> seen_;
  int told_ = 0;
};

// PEX and zipapp have a line before the zip, others a program. What is looked at of every file of
// a folder is the end record alone, where it has no comment.
bool may_end_as_zip(const RandomAccess& access, bool thorough) {
  constexpr std::uint64_t kEndRecord = 22;
  if (access.size() <= kEndRecord) return false;
  if (thorough) return true;
  std::byte end[4] = {};
  return access.read(access.size() - kEndRecord, end) && as_text(end) == "PK\5\6";
}

bool is_conda_part(const ZipMember& member) {
  return member.name.starts_with("pkg-");
}

}  // namespace

void Scanner::zip(const std::shared_ptr<const RandomAccess>& access, const Place& place) {
  const auto directory = read_zip_directory(*access);
  if (!directory) return unreadable(place, directory.error().text());
  zip_members(access, *directory, place);
}

// A zip that begins with something else. Of a program the part before it is still to be read:
// then false, and `access` is that part.
bool Scanner::zip_behind(std::shared_ptr<const RandomAccess>& access, Bytes front, BinaryKind kind,
                         const Place& place) {
  const bool script = is_script(front);
  const bool program = kind == BinaryKind::elf || kind == BinaryKind::pe;
  if (!script && !program && !place.named) return false;
  if (!may_end_as_zip(*access, script || place.named)) return false;
  const auto directory = read_zip_directory(*access);
  if (!directory || directory->members.empty()) return false;
  zip_members(access, *directory, place);
  const auto first = std::ranges::min(directory->members, {}, &ZipMember::offset);
  access = std::make_shared<OwningWindow>(access, 0, first.offset);
  return !program;
}

void Scanner::zip_members(const std::shared_ptr<const RandomAccess>& access,
                          const ZipDirectory& directory, const Place& place) {
  for (const auto& text : directory.problems) problem(place, text);
  for (const auto& text : directory.remarks) remark(place, text);
  if (place.name().ends_with(".conda") && std::ranges::none_of(directory.members, is_conda_part)) {
    problem(place, "not read: it holds no pkg-….tar.zst, where a conda package has its files");
  }
  for (const auto& member : directory.members) {
    if (is_text_name(member.name)) continue;
    if (member.size_bytes == 0 && may_be_empty(member.name)) continue;
    jobs_.add(
        [this, access, member, place] { zip_member(access, member, place.inside(member.name)); });
  }
}

void Scanner::zip_member(const std::shared_ptr<const RandomAccess>& file, const ZipMember& member,
                         const Place& place) {
  if (cancelled() || (place.budget && place.budget->spent())) return;  // of which one line was told
  if (options_.progress) options_.progress(place.path);
  if (member.method_number == 0 && !member.encrypted) {
    auto window = open_stored(*file, member);
    if (!window) return unreadable(place, window.error().text());
    // The window looks into `file`, which lives as long as the pointer that is kept beside it.
    std::shared_ptr<RandomAccess> shared(window->release(), [file](RandomAccess* p) { delete p; });
    Place checked = place;
    if (Status sum = check_stored(*shared, member); !sum) checked.fault = sum.error().text();
    return access(shared, checked);
  }
  auto opened = open_member(*file, member);
  if (!opened) return unreadable(place, opened.error().text());
  const auto again = [&]() -> std::unique_ptr<ByteStream> {
    auto more = open_member(*file, member);
    static const BufferAccess nothing{Bytes()};
    if (!more) return std::make_unique<AccessStream>(nothing);
    return budgeted(std::move(*more), place.budget);
  };
  stream(budgeted(std::move(*opened), place.budget), member.size_bytes, place, again);
}

void Scanner::ar(const std::shared_ptr<const RandomAccess>& file, const Place& place) {
  auto directory = read_ar_directory(*file);
  if (!directory) return unreadable(place, directory.error().text());
  for (const auto& text : directory->problems) problem(place, text);
  if (directory->thin) return thin_ar(*directory, place);
  for (const auto& member : directory->members) {
    if (cancelled()) return;
    access(std::make_shared<OwningWindow>(file, member.data_offset, member.size_bytes),
           place.inside(member.name));
  }
}

// Its members are files of their own, and each counts once, whoever names it.
void Scanner::thin_ar(const ArDirectory& directory, const Place& place) {
  if (!place.on_disk) {
    return problem(place, "a thin archive; its members are files beside it, which are not here");
  }
  Place beside = place;
  beside.named = false;
  ++beside.depth;
  const auto self = host_.file_info(place.path);
  if (self) beside.thin_around.emplace_back(self->device, self->inode);
  for (const auto& member : directory.members) {
    if (cancelled()) return;
    const bool rooted = member.name.starts_with('/');
    beside.path = rooted ? member.name : join_path(parent_path(place.path), member.name);
    beside_thin_ar(beside, place, member.name);
  }
}

void Scanner::beside_thin_ar(const Place& beside, const Place& archive, const std::string& name) {
  const auto info = host_.file_info(beside.path);
  if (!info || info->kind != FileKind::regular) {
    return unreadable(beside, info ? "not a regular file" : info.error().message);
  }
  const FileId id(info->device, info->inode);
  if (info->inode != 0 && std::ranges::count(beside.thin_around, id) > 0) {
    return problem(archive,
                   "member '" + printable(name) + "' names the archive in a ring; left out");
  }
  if (first_time(*info)) file(beside);
}

void Scanner::tar(ByteStream& content, const Place& place) {
  RepeatedNames names;
  const auto problems = walk_tar(content, [&](const ArchiveMember& member, ByteStream& bytes) {
    if (cancelled()) return false;
    if (member.type != 'f' || member.size_bytes == 0 || is_text_name(member.name)) return true;
    if (names.tells(member.name)) {
      remark(place, "offset " + std::to_string(member.offset) + ": member '" +
                        printable(member.name) + "' is there again; tar keeps the last");
    }
    stream(std::make_unique<BorrowedStream>(bytes), member.size_bytes, place.inside(member.name));
    return true;
  });
  for (const auto& text : problems) problem(place, text);
}

}  // namespace kernelfit
