// SPDX-License-Identifier: Apache-2.0
// The message catalogue: every sentence people read, by key, in every language of data/messages/.
// (Rules carry their own texts, in every language, in their own files: diagnose/rule.h.)
//
//   Catalogue zh = load_catalogue("zh");
//   zh("doctor.all-fits")                        -> "都合适。……"
//   zh("doctor.driver", {{"version", "580.95"}}) -> "驱动 580.95"
//
// A language is a folder, data/messages/en/, with one file per room that speaks (judge.txt, plan.txt,
// report.txt, …): lines of `key: text`, `#` starts a comment line, `\n` in a text is a line break.
// Adding data/messages/fr/ adds French. Tests see to it that all languages hold the same keys and the
// same placeholders.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace kernelfit {

class Catalogue {
 public:
  // A key that is not there gives the key in angle brackets, which a test refuses.
  std::string operator()(std::string_view key, const Fill& values = {}) const;
  bool has(std::string_view key) const { return texts_.contains(key); }
  const std::string& language() const { return language_; }
  std::vector<std::string_view> keys() const;  // sorted
  std::string_view raw(std::string_view key) const;

  // Adds the lines of one file; views into `text`, which outlives the catalogue. A key that is there
  // already, or a line without a colon, is an error that names the line.
  Status add(std::string_view text);
  explicit Catalogue(std::string language = "en") : language_(std::move(language)) {}

 private:
  std::string language_;
  std::unordered_map<std::string_view, std::string_view> texts_;
};

std::vector<std::string> languages();            // of the embedded data, sorted: "en", "zh"
Catalogue load_catalogue(std::string_view language);  // embedded; English where there is no such folder

// The language for `--lang`, KERNELFIT_LANG, LANGUAGE, LC_ALL, LC_MESSAGES, LANG in this order: the
// first that is set decides ("zh_CN.UTF-8" and "zh" are Chinese); English where none is known.
std::string choose_language(const std::vector<std::string>& candidates);

}  // namespace kernelfit
