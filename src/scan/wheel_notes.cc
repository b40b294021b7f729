// SPDX-License-Identifier: Apache-2.0
#include "scan/wheel_notes.h"

#include <algorithm>
#include <map>

#include "archive/archive.h"
#include "base/csv.h"
#include "base/text.h"
#include "pyenv/metadata.h"
#include "pyenv/version_py.h"
#include "pyenv/wheel_tags.h"

namespace kernelfit {
namespace {

constexpr std::string_view kVersionPy = "torch/version.py";

// "METADATA" of "torch-2.15.0.dist-info/METADATA"; of a folder further down, nothing.
std::string_view dist_info_file(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || !name.substr(0, slash).ends_with(".dist-info")) return {};
  return name.substr(slash + 1);
}

void note_metadata(std::string_view text, RemoteScan& about) {
  const auto metadata = parse_metadata(text);
  if (!metadata) return;
  about.name = printable(metadata->name);
  about.version = printable(metadata->version);
  about.requires_python = printable(metadata->requires_python);
  for (const auto& line : metadata->requires_dist) about.requires_dist.push_back(printable(line));
}

void note_tags(std::string_view text, RemoteScan& about) {
  for (std::string_view line : lines_of(text)) {
    const auto tag = line_value(line, "Tag:");
    if (tag && !tag->empty()) about.tags.push_back(printable(*tag));
  }
}

void note_record(std::string_view text, RemoteScan& about) {
  const std::vector<RemoteScan::Member> record = members_by_record(text);
  std::map<std::string_view, std::string_view> hashes;
  for (const auto& member : record) hashes[member.name] = member.hash;
  for (auto& member : about.members) {
    const auto at = hashes.find(member.name);
    if (at != hashes.end()) member.hash = at->second;
  }
}

void note_version_py(std::string_view text, RemoteScan& about) {
  const auto version = parse_version_py(text);
  if (!version) return;
  about.torch_version = printable(version->version);
  if (version->cuda) about.torch_cuda = version->cuda->text();
  about.torch_hip = printable(version->hip);
}

}  // namespace

// "torch/lib/libtorch.so,sha256=…,12345", without a header; of itself it says no size.
std::vector<RemoteScan::Member> members_by_record(std::string_view text) {
  const std::string with_header = "name,hash,size\n" + std::string(text);
  const auto table = Csv::parse(with_header);
  std::vector<RemoteScan::Member> out;
  if (!table) return out;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const auto size = parse_int(table->cell(row, 2));
    const std::string_view name = table->cell(row, 0);
    if (!safe_member_name(name)) return {};
    const std::int64_t bytes = std::max<std::int64_t>(size.value_or(0), 0);
    out.push_back(
        {printable(name), static_cast<std::uint64_t>(bytes), {}, printable(table->cell(row, 1))});
  }
  return out;
}

bool is_wheel_note(std::string_view name) {
  const std::string_view file = dist_info_file(name);
  return file == "METADATA" || file == "WHEEL" || file == "RECORD" || name == kVersionPy;
}

void note(std::string_view name, std::string_view text, RemoteScan& about) {
  const std::string_view file = dist_info_file(name);
  if (file == "METADATA") note_metadata(text, about);
  if (file == "WHEEL") note_tags(text, about);
  if (file == "RECORD") note_record(text, about);
  if (name == kVersionPy) note_version_py(text, about);
}

void note_file_name(std::string_view name, RemoteScan& about) {
  const auto wheel = parse_wheel_name(name);
  if (!wheel) return;
  if (about.name.empty()) {
    about.name = printable(wheel->name);
    about.version = printable(wheel->version);
  }
  if (!about.tags.empty()) return;
  for (const auto& tag : wheel->tags) about.tags.push_back(printable(tag.text()));
}

void note_members(const ZipDirectory& directory, RemoteScan& about) {
  for (const auto& member : directory.members) {
    about.members.push_back({printable(member.name), member.size_bytes, member.packed_bytes, {}});
  }
}

}  // namespace kernelfit
