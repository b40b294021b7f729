// SPDX-License-Identifier: Apache-2.0
#include "scan/selection.h"

#include <algorithm>

namespace kernelfit {

std::optional<ArchChoice> ArchChoice::parse(std::string_view text) {
  if (const auto arch = GpuArch::parse(text)) {
    ArchChoice choice{arch->number, arch->suffix, {}};
    if (arch->kind != GpuArch::Kind::sass) choice.kind = arch->kind;
    return choice;
  }
  const auto capability = ComputeCapability::parse(text);
  if (!capability) return {};
  return ArchChoice{capability->number(), {}, {}};
}

bool ArchChoice::takes(const GpuArch& arch) const {
  return arch.number == number && (!suffix || arch.suffix == *suffix) &&
         (!kind || arch.kind == *kind);
}

bool Selection::takes(const GpuArch& arch) const {
  const bool kind_fits = kinds.empty() || std::ranges::find(kinds, arch.kind) != kinds.end();
  return kind_fits && (archs.empty() || std::ranges::any_of(archs, [&](const auto& choice) {
                         return choice.takes(arch);
                       }));
}

bool Selection::takes(const FileScan& file) const {
  const std::string_view name = member_name(file);
  return members.empty() || std::ranges::any_of(members, [&](const std::string& glob) {
           return glob_matches(glob, name) || glob_matches(glob, base_name(name));
         });
}

namespace {

void keep_images(FileScan& file, const Selection& selection) {
  for (auto& container : file.containers) {
    std::erase_if(container.images,
                  [&](const auto& image) { return !selection.takes(image.entry.arch); });
  }
  std::erase_if(file.containers, [](const auto& container) { return container.images.empty(); });
  std::erase_if(file.bare, [&](const auto& cubin) { return !selection.takes(cubin.arch); });
  std::erase_if(file.ptx_texts, [&](const auto& text) { return !selection.takes(text.first); });
  std::erase_if(file.kernel_names,
                [&](const auto& names) { return !selection.takes(names.first); });
  file.hip_targets.clear();  // of AMD's: no --sm and no --kind is one
}

}  // namespace

void keep_selected(ScanReport& scan, const Selection& selection) {
  std::erase_if(scan.files, [&](const FileScan& file) { return !selection.takes(file); });
  if (!selection.of_images()) return;
  for (auto& file : scan.files) keep_images(file, selection);
}

std::vector<std::string> unmatched_members(const ScanReport& scan, const Selection& selection) {
  std::vector<std::string> out;
  for (const auto& glob : selection.members) {
    Selection one;
    one.members = {glob};
    const auto matches = [&](const FileScan& file) { return one.takes(file); };
    const auto is_listed = [&](const RemoteScan& remote) {
      return std::ranges::any_of(remote.members, [&](const auto& member) {
        FileScan named;
        named.member = member.name;
        return one.takes(named);
      });
    };
    if (std::ranges::any_of(scan.files, matches)) continue;
    if (std::ranges::any_of(scan.remote, is_listed)) continue;  // and was not read
    out.push_back(glob);
  }
  return out;
}

// The last star is the only place to go back to.
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, star = std::string_view::npos, star_text = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_text = i;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++star_text;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

std::string_view member_name(const FileScan& file) {
  return file.member.empty() ? base_name(file.path) : std::string_view(file.member);
}

}  // namespace kernelfit
