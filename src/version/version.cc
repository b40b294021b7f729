// SPDX-License-Identifier: Apache-2.0
#include "version/version.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {

std::optional<DottedVersion> DottedVersion::parse(std::string_view text) {
  text = trim(text);
  DottedVersion out;
  for (auto part : split(text, '.')) {
    if (part.empty() || part.size() > 9) return {};
    auto number = parse_int(part);
    if (!number || *number < 0 || part[0] == '-') return {};
    out.parts_.push_back(static_cast<int>(*number));
  }
  if (out.parts_.size() > 6) return {};
  out.text_ = text;
  return out;
}

DottedVersion dotted(std::string_view text) {
  return DottedVersion::parse(text).value_or(DottedVersion());
}

DottedVersion DottedVersion::first(std::size_t count) const {
  DottedVersion out;
  for (std::size_t i = 0; i < std::min(count, parts_.size()); ++i) {
    out.parts_.push_back(parts_[i]);
    out.text_ += (i > 0 ? "." : "") + std::to_string(parts_[i]);
  }
  return out;
}

std::strong_ordering operator<=>(const DottedVersion& a, const DottedVersion& b) {
  for (std::size_t i = 0; i < std::max(a.parts_.size(), b.parts_.size()); ++i) {
    if (auto order = a.part(i) <=> b.part(i); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

std::optional<ComputeCapability> ComputeCapability::parse(std::string_view text) {
  text = trim(text);
  for (std::string_view prefix : {"sm_", "compute_", "sm", "cc"}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  auto dot = text.find('.');
  if (dot != std::string_view::npos) {
    auto major = parse_int(text.substr(0, dot)), minor = parse_int(text.substr(dot + 1));
    if (!major || !minor || *major < 1 || *major > 99 || *minor < 0 || *minor > 9) return {};
    return ComputeCapability{static_cast<int>(*major), static_cast<int>(*minor)};
  }
  auto number = parse_int(text);
  if (!number || *number < 10 || *number > 999) return {};
  return from_number(static_cast<int>(*number));
}

std::optional<GpuArch> GpuArch::parse(std::string_view text) {
  GpuArch out;
  text = trim(text);
  auto take = [&](std::string_view prefix, Kind taken) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    out.kind = taken;
    return true;
  };
  if (!take("sm_", Kind::sass) && !take("compute_", Kind::ptx) && !take("lto_", Kind::lto))
    return {};
  if (!text.empty() && (text.back() == 'a' || text.back() == 'f')) {
    out.suffix = text.back();
    text.remove_suffix(1);
  }
  auto number = parse_int(text);
  if (!number || *number < 10 || *number > 999) return {};
  out.number = static_cast<int>(*number);
  return out;
}

std::string GpuArch::text() const {
  std::string out = kind == Kind::sass ? "sm_" : kind == Kind::ptx ? "compute_" : "lto_";
  out += std::to_string(number);
  if (suffix != 0) out += suffix;
  return out;
}

std::vector<GpuArch> parse_arch_list(std::string_view words) {
  std::vector<GpuArch> out;
  for (auto word : split_words(words)) {
    if (auto arch = GpuArch::parse(word)) out.push_back(*arch);
  }
  return out;
}

std::string arch_list_text(const std::vector<GpuArch>& archs) {
  std::vector<std::string> words;
  for (const auto& arch : archs) words.push_back(arch.text());
  return join(words, " ");
}

}  // namespace kernelfit
