// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "archive/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  const BufferAccess file(std::as_bytes(std::span(data, size)));
  auto directory = read_ar_directory(file);
  AccessStream stream(file);
  std::size_t count = 0;
  (void)walk_ar(stream, [&](const ArchiveMember& member, ByteStream& content) {
    if (!safe_member_name(member.name)) std::abort();
    if (++count % 2 == 0) (void)read_all(content, std::size_t{1} << 24);
    return true;
  });
  if (!directory) return 0;
  for (const auto& member : directory->members) {
    if (!directory->thin && (member.data_offset > size || member.size_bytes > size)) std::abort();
  }
  if (!directory->thin && count != directory->members.size()) std::abort();
  return 0;
}
