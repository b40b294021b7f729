// SPDX-License-Identifier: Apache-2.0
#include "pyenv/metadata.h"

#include "base/json.h"
#include "base/text.h"
#include "pyenv/names.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxRequirements = 2000;
constexpr std::size_t kMaxValue = 4096;
constexpr std::size_t kMaxPthFolders = 64;

// Takes one header off the front of `text`, folded lines joined. False at the blank line or the
// end.
//   Requires-Dist: nvidia-cublas-cu12==12.6.4.1; platform_system == "Linux"
//        and platform_machine == "x86_64"
bool next_header(std::string_view& text, std::string_view& key, std::string& value) {
  auto take_line = [&text] {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  };
  if (text.empty()) return false;
  const std::string_view line = take_line();
  if (trim(line).empty()) return false;
  const std::size_t colon = line.find(':');
  key = colon == std::string_view::npos ? std::string_view() : trim(line.substr(0, colon));
  value = colon == std::string_view::npos ? "" : trim(line.substr(colon + 1).substr(0, kMaxValue));
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    const std::string_view folded = trim(take_line());
    if (value.size() + folded.size() < kMaxValue) value += " " + std::string(folded);
  }
  return true;
}

}  // namespace

Result<Metadata> parse_metadata(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Metadata out;
  std::string_view key;
  std::string value;
  while (next_header(text, key, value)) {
    const std::string lowered = lower(key);
    if (lowered == "name" && out.name.empty()) out.name = printable(value);
    if (lowered == "version" && out.version.empty()) out.version = printable(value);
    if (lowered == "requires-python") out.requires_python = printable(value);
    if (lowered == "requires-dist" && out.requires_dist.size() < kMaxRequirements) {
      out.requires_dist.push_back(printable(value));
    }
  }
  if (out.name.empty()) return error(ErrorKind::malformed, "there is no Name");
  if (out.version.empty()) return error(ErrorKind::malformed, "there is no Version");
  return out;
}

std::optional<DistFolder> parse_dist_folder(std::string_view file_name) {
  constexpr std::string_view kDist = ".dist-info", kEgg = ".egg-info";
  DistFolder out;
  if (file_name.ends_with(kDist)) {
    file_name.remove_suffix(kDist.size());
  } else if (file_name.ends_with(kEgg)) {
    file_name.remove_suffix(kEgg.size());
    out.is_egg = true;
  } else {
    return std::nullopt;
  }
  const auto parts = split(file_name, '-');
  if (parts[0].empty() || (!out.is_egg && parts.size() < 2)) return std::nullopt;
  out.name = parts[0];
  if (parts.size() > 1) out.version = parts[1];
  return out;
}

std::string parse_installer(std::string_view text) {
  const auto words = split_words(text);
  return words.empty() ? "" : lower(printable(words[0].substr(0, 40)));
}

std::vector<std::string> parse_pth(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string> folders;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    bool code = line.starts_with("import ") || line.starts_with("import\t");
    if (line.empty() || line.starts_with('#') || code ||
        contains(line, std::string_view("\0", 1))) {
      continue;
    }
    if (folders.size() < kMaxPthFolders) folders.emplace_back(line);
  }
  return folders;
}

std::string path_of_file_url(std::string_view url) {
  constexpr std::string_view kScheme = "file://";
  if (!url.starts_with(kScheme)) return {};
  std::string path;
  url.remove_prefix(kScheme.size());
  for (std::size_t i = 0; i < url.size(); ++i) {
    const auto code = url[i] == '%' ? parse_hex(url.substr(i + 1, 2)) : std::nullopt;
    path += code ? static_cast<char>(*code) : url[i];
    if (code) i += 2;
  }
  const bool drive = path.size() > 2 && path[0] == '/' && path[2] == ':';
  return drive ? replace_all(path.substr(1), "/", "\\") : path;
}

Result<DirectUrl> parse_direct_url(std::string_view text) {
  KF_TRY(Json json, parse_json(text));
  if (json.at("url").string().empty()) return error(ErrorKind::malformed, "there is no url");
  return DirectUrl{std::string(json.at("url").string()),
                   json.at("dir_info").at("editable").boolean(),
                   std::string(json.at("vcs_info").at("vcs").string())};
}

}  // namespace kernelfit
