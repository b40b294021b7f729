// SPDX-License-Identifier: Apache-2.0
#include "scan/not_read.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"

namespace kernelfit {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::size_t at;
  std::string_view bytes, what;
};

constexpr Magic kMagics[] = {
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive"},
    {0, "Rar!\x1a\x07"sv, "a RAR archive"},
    {0, "\xed\xab\xee\xdb"sv, "an RPM package"},
    {0, "hsqs"sv, "a squashfs image"},
    {0, "sqsh"sv, "a squashfs image"},
    {0, "MSCF\0\0\0\0"sv, "a cabinet"},
    {0, "LZIP\1"sv, "an lzip file"},
    {0, "\x89LZO\0\r\n\x1a\n"sv, "an lzop file"},
    {0, "\x1f\x9d"sv, "a file of compress (.Z)"},
    {0, "070701"sv, "a cpio archive"},
    {0, "070702"sv, "a cpio archive"},
    {0, "070707"sv, "a cpio archive"},
    {0, "xar!"sv, "a xar archive"},
    {32, "SIF_MAGIC\0"sv, "an Apptainer image"},
};

// LZMA before xz has no magic: its first byte is nearly always this one, then the size of a
// dictionary, then that of the content, or none (as `file` and liblzma tell it).
bool looks_like_lzma(Bytes front) {
  constexpr std::uint64_t kNotSaid = ~std::uint64_t{0}, kMost = std::uint64_t{1} << 38;
  const auto dictionary = read_at<le32>(front, 1);
  const auto size = read_at<le64>(front, 5);
  if (!size || front[0] != std::byte{0x5d} || *dictionary < 4096) return false;
  return std::has_single_bit(std::uint32_t{*dictionary}) && (*size == kNotSaid || *size < kMost);
}

// A shell script with an archive behind it, as NVIDIA's .run files are.
bool unpacks_itself(std::string_view text) {
  return text.starts_with("#!") && text.find("Makeself") != text.npos;
}

std::string_view unread_kind(Bytes front) {
  const std::string_view text = as_text(front);
  for (const Magic& magic : kMagics) {
    if (text.size() > magic.at && text.substr(magic.at).starts_with(magic.bytes)) return magic.what;
  }
  if (looks_like_lzma(front)) return "an LZMA file";
  return unpacks_itself(text) ? "a script that unpacks itself" : "";
}

bool ends_in(std::string_view name, std::span<const std::string_view> endings) {
  const std::string low = lower(name);
  return std::ranges::any_of(endings, [&](auto ending) { return low.ends_with(ending); });
}

bool is_archive_name(std::string_view name) {
  static constexpr std::array kEndings = {".whl"sv, ".conda"sv,   ".deb"sv,     ".zip"sv,
                                          ".tar"sv, ".tgz"sv,     ".tar.gz"sv,  ".tar.xz"sv,
                                          ".txz"sv, ".tar.bz2"sv, ".tar.zst"sv, ".pex"sv};
  return ends_in(name, kEndings);
}

bool is_library_name(std::string_view name) {
  static constexpr std::array kEndings = {".so"sv,  ".dll"sv,   ".pyd"sv,
                                          ".lib"sv, ".cubin"sv, ".fatbin"sv};
  return ends_in(name, kEndings) || name.find(".so.") != name.npos;
}

}  // namespace

bool may_be_empty(std::string_view name) {
  return !is_archive_name(name) && !is_library_name(name);
}

bool is_script(Bytes front) {
  return as_text(front).starts_with("#!");
}

std::string why_not_read(std::string_view name, Bytes front, std::uint64_t size_bytes) {
  if (size_bytes == 0) return may_be_empty(name) ? "" : "not read: it is empty";
  if (const std::string_view kind = unread_kind(front); !kind.empty()) {
    return "not read: " + std::string(kind) + "; unpack it first";
  }
  const bool zeros = std::ranges::all_of(front, [](std::byte b) { return b == std::byte{0}; });
  return is_archive_name(name) && !zeros ? "not read: it is not what its name says" : "";
}

}  // namespace kernelfit
