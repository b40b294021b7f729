// SPDX-License-Identifier: Apache-2.0
#include "archive/archive.h"
#include "archive/tar_header.h"

namespace kernelfit {

using namespace std::string_view_literals;

ArchiveKind sniff_archive(Bytes first_bytes) {
  const std::string_view text = as_text(first_bytes);
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) return ArchiveKind::zip;
  if (text.starts_with("!<arch>\n"sv)) return ArchiveKind::ar;
  if (text.starts_with("!<thin>\n"sv)) return ArchiveKind::thin_ar;
  if (is_tar_header(first_bytes)) return ArchiveKind::tar;
  return ArchiveKind::none;
}

}  // namespace kernelfit
