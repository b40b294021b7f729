// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "probe/environments.h"

namespace kernelfit {

Result<std::string> read_head(const Host& host, std::string_view path, std::size_t limit_bytes) {
  KF_TRY(std::unique_ptr<RandomAccess> file, host.open_file(path));
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), limit_bytes)),
                   '\0');
  if (Status status = file->read(0, std::as_writable_bytes(std::span(text))); !status) {
    return tl::unexpected(status.error());
  }
  return text;
}

const DirEntry* Site::entry(std::string_view name) const {
  auto found = std::ranges::lower_bound(entries, name, {}, &DirEntry::name);
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

}  // namespace kernelfit
