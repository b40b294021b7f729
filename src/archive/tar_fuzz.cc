// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "archive/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  const BufferAccess file(std::as_bytes(std::span(data, size)));
  AccessStream stream(file);
  ArchiveLimits limits;
  limits.bomb_bytes = 1 << 20;
  std::uint64_t seen = 0;
  int count = 0;
  (void)walk_tar(
      stream,
      [&](const ArchiveMember& member, ByteStream& content) {
        if (!safe_member_name(member.name)) std::abort();
        if (++count % 3 == 0) return true;  // left unread
        auto all = count % 3 == 1 ? content.skip(1000) : Result<std::uint64_t>(0);
        if (all) seen += *all;
        if (auto rest = read_all(content, std::size_t{1} << 24)) seen += rest->size();
        return true;
      },
      limits);
  if (seen > limits.bomb_bytes + (limits.bomb_ratio + 2) * size) std::abort();
  return 0;
}
