// SPDX-License-Identifier: Apache-2.0
#include "pyenv/conda.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxEnvironments = 500;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view leading_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  while (end > 0 && text[end - 1] == '.') --end;
  return text.substr(0, end);
}

// "11.8" stays; "118" is 11.8, "92" is 9.2, "310" (Python) is 3.10; "11" and "12" are majors.
std::optional<DottedVersion> undotted(std::string_view digits, std::size_t major_digits) {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  if (contains(digits, ".")) {
    auto version = DottedVersion::parse(digits);
    return version ? std::optional(version->first(2)) : std::nullopt;
  }
  if (digits.size() <= major_digits) return DottedVersion::parse(digits);
  return DottedVersion::parse(std::string(digits.substr(0, major_digits)) + "." +
                              std::string(digits.substr(major_digits)));
}

std::optional<DottedVersion> cuda_number(std::string_view digits) {
  const bool one_digit_major = digits.size() == 2 && digits[0] >= '6';  // 80, 90, 92
  return undotted(digits, one_digit_major ? 1 : 2);
}

// A word of a build string begins behind a _ or where letters follow digits: cuda102py310h…
void read_word(std::string_view word, CondaBuild& build) {
  auto behind = [&](std::string_view prefix) -> std::string_view {
    return word.starts_with(prefix) ? leading_number(word.substr(prefix.size()))
                                    : std::string_view();
  };
  if (auto digits = behind("cudnn"); !digits.empty()) build.cudnn = DottedVersion::parse(digits);
  for (std::string_view prefix : {"cuda", "cu"}) {
    if (auto digits = behind(prefix); !digits.empty()) build.cuda = cuda_number(digits);
  }
  if (auto digits = behind("py"); !digits.empty()) build.python = undotted(digits, 1);
  if (word == "cpu") build.cpu = true;
}

// Walks the top level of a JSON object that may be cut off, string by string.
class JsonHead {
 public:
  explicit JsonHead(std::string_view text) : text_(text) {}

  // The string value of a top-level key; nothing where the text ends before it.
  std::string_view find(std::string_view key) {
    std::string_view last;
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (c != '"') continue;
      const std::string_view word = take_string();
      const bool is_key = at_ < text_.size() && next_is_colon();
      if (depth == 1 && !is_key && last == key) return word;
      if (depth == 1) last = is_key ? word : std::string_view();
    }
    return {};
  }

 private:
  std::string_view take_string() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = std::min(at_, text_.size());
    at_ = end + (end < text_.size() ? 1 : 0);
    return text_.substr(start, end - start);
  }
  bool next_is_colon() const {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    return next != std::string_view::npos && text_[next] == ':';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Mirrors keep the path: https://mirrors.example/anaconda/cloud/conda-forge/linux-64
bool is_subdir(std::string_view part) {
  return part == "noarch" || part.starts_with("linux-") || part.starts_with("win-") ||
         part.starts_with("osx-");
}

}  // namespace

Result<CondaRecord> parse_conda_record(std::string_view text) {
  KF_TRY(Json json, parse_json(text));
  CondaRecord out;
  out.name = json.at("name").string();
  out.version = json.at("version").string();
  out.build = json.at("build").string();
  if (out.build.empty()) out.build = json.at("build_string").string();
  std::string_view channel = json.at("channel").string();
  out.channel = conda_channel_name(channel.empty() ? json.at("url").string() : channel);
  out.depends = json.at("depends").strings();
  if (out.name.empty()) return error(ErrorKind::malformed, "there is no name");
  if (out.version.empty()) return error(ErrorKind::malformed, "there is no version");
  return out;
}

Result<std::string> parse_conda_channel(std::string_view head) {
  if (!trim(head).starts_with('{')) return error(ErrorKind::malformed, "not a JSON object");
  const std::string_view channel = JsonHead(head).find("channel");
  return conda_channel_name(channel.empty() ? JsonHead(head).find("url") : channel);
}

CondaBuild parse_conda_build(std::string_view text) {
  CondaBuild build;
  for (std::string_view part : split(text, '_')) {
    while (!part.empty() && !part.starts_with('h')) {  // h30b5a27 is a hash
      std::size_t end = 0;
      while (end < part.size() && !is_digit(part[end])) ++end;
      while (end < part.size() && (is_digit(part[end]) || part[end] == '.')) ++end;
      read_word(part.substr(0, end), build);
      part.remove_prefix(end);
    }
  }
  return build;
}

std::string conda_channel_name(std::string_view channel) {
  const std::size_t scheme = channel.find("://");
  if (scheme == std::string_view::npos) return printable(trim(channel));
  std::vector<std::string_view> parts = split(channel.substr(scheme + 3), '/');
  parts.erase(parts.begin());  // the host
  std::vector<std::string_view> kept;
  for (std::size_t i = 0; i < parts.size() && !is_subdir(parts[i]); ++i) {
    if (parts[i] == "t" && i + 1 < parts.size()) {
      ++i;  // https://host/t/<token>/channel
    } else if (!parts[i].empty()) {
      kept.push_back(parts[i]);
    }
  }
  if (kept.empty()) return {};
  std::string name = printable(kept.back());
  const std::string_view above = kept.size() > 1 ? kept[kept.size() - 2] : std::string_view();
  if (above == "pkgs") return "pkgs/" + name;
  if (above != "label" || kept.size() < 3) return name;
  return printable(kept[kept.size() - 3]) + "/label/" + name;
}

std::optional<CondaFileName> parse_conda_file_name(std::string_view file_name) {
  constexpr std::string_view kSuffix = ".json";
  if (!file_name.ends_with(kSuffix)) return std::nullopt;
  file_name.remove_suffix(kSuffix.size());
  const std::size_t build = file_name.rfind('-');
  if (build == std::string_view::npos || build == 0) return std::nullopt;
  const std::size_t version = file_name.rfind('-', build - 1);
  if (version == std::string_view::npos || version == 0) return std::nullopt;
  return CondaFileName{std::string(file_name.substr(0, version)),
                       std::string(file_name.substr(version + 1, build - version - 1)),
                       std::string(file_name.substr(build + 1))};
}

std::vector<std::string> parse_conda_environments(std::string_view text) {
  std::vector<std::string> prefixes;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    if (line.empty() || prefixes.size() >= kMaxEnvironments) continue;
    prefixes.emplace_back(line);
  }
  return prefixes;
}

}  // namespace kernelfit
