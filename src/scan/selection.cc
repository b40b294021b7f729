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
