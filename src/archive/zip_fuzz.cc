// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "archive/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  const BufferAccess file(std::as_bytes(std::span(data, size)));
  ArchiveLimits limits;
  limits.members = 1000;
  limits.unpacked_bytes = std::uint64_t{1} << 20;
  const auto visit = [](const ZipMember& member, ByteStream& content) {
    if (!safe_member_name(member.name)) std::abort();
    if (member.size_bytes % 2 == 0) (void)read_all(content, std::size_t{1} << 20);
    return true;
  };
  AccessStream stream(file), again(file);
  (void)walk_zip(stream, nullptr, visit, limits);
  if (const auto ends = read_zip_ends(file, 100, limits)) {
    for (const auto& member : ends->members) {
      if (!safe_member_name(member.name)) std::abort();
      (void)open_member(file, member, limits);
    }
  }
  auto directory = read_zip_directory(file, limits);
  if (!directory) return 0;
  (void)walk_zip(again, &*directory, visit, limits);
  std::uint64_t packed = 0;
  for (const auto& member : directory->members) {
    if (!safe_member_name(member.name)) std::abort();
    packed += member.packed_bytes;
    (void)open_stored(file, member);
    auto content = open_member(file, member, limits);
    if (content) (void)read_all(**content, std::size_t{1} << 20);
  }
  if (packed > size) std::abort();  // members overlap
  return 0;
}
