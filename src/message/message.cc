// SPDX-License-Identifier: Apache-2.0
#include "message/message.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/visible.h"

namespace kernelfit {
namespace {

constexpr std::string_view kFolder = "messages/";

// "messages/en/judge.txt" -> "en"; nothing for other files.
std::string_view language_of(std::string_view path) {
  if (!path.starts_with(kFolder) || !path.ends_with(".txt")) return {};
  path.remove_prefix(kFolder.size());
  auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool knows(std::string_view language) {
  auto files = embedded_files();
  return std::any_of(files.begin(), files.end(),
                     [&](const auto& file) { return language_of(file.path) == language; });
}

// "zh_CN.UTF-8" -> "zh", "C.UTF-8" -> "c"
std::string primary_language(std::string_view locale) {
  return lower(locale.substr(0, locale.find_first_of("_-.@")));
}

}  // namespace

std::string Catalogue::operator()(std::string_view key, const Fill& values) const {
  auto it = texts_.find(key);
  if (it == texts_.end()) return "<" + std::string(key) + ">";
  // Before filling, so that a path in a value (C:\new) keeps its backslash.
  return fill_visible(replace_all(std::string(it->second), "\\n", "\n"), values);
}

std::vector<std::string_view> Catalogue::keys() const {
  std::vector<std::string_view> out;
  for (const auto& [key, text] : texts_) out.push_back(key);
  std::sort(out.begin(), out.end());
  return out;
}

std::string_view Catalogue::raw(std::string_view key) const {
  auto it = texts_.find(key);
  return it == texts_.end() ? std::string_view() : it->second;
}

Status Catalogue::add(std::string_view text) {
  std::size_t number = 0;
  for (auto line : lines_of(text)) {
    ++number;
    line = trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    auto wrong = [&](const char* what) {
      return error(ErrorKind::malformed, "line " + std::to_string(number) + ": " + what);
    };
    auto colon = line.find(':');
    if (colon == std::string_view::npos) return wrong("no colon");
    auto key = trim(line.substr(0, colon));
    if (key.empty() || contains(key, " ")) return wrong("not a key");
    if (!texts_.emplace(key, trim(line.substr(colon + 1))).second)
      return wrong("key is there already");
  }
  return {};
}

std::vector<std::string> languages() {
  std::vector<std::string> out;
  for (const auto& file : embedded_files()) {
    auto language = language_of(file.path);
    if (!language.empty() && (out.empty() || out.back() != language)) out.emplace_back(language);
  }
  return out;
}

Catalogue load_catalogue(std::string_view language) {
  Catalogue out(knows(language) ? std::string(language) : "en");
  for (const auto& file : embedded_files()) {
    if (language_of(file.path) != out.language()) continue;
    // A file that is wrong keeps its good lines; message_laws_test refuses it before a release.
    Status status = out.add(file.text);
    (void)status;
  }
  return out;
}

std::string choose_language(const std::vector<std::string>& candidates) {
  for (const auto& candidate : candidates) {
    if (candidate.empty()) continue;
    // LANGUAGE is a list: "zh_CN:en_GB".
    for (auto locale : split(candidate, ':')) {
      std::string language = primary_language(locale);
      if (!language.empty() && knows(language)) return language;
    }
    return "en";
  }
  return "en";
}

}  // namespace kernelfit
