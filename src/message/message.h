// SPDX-License-Identifier: Apache-2.0
// The message catalogue: every sentence people read, by key, in every language of data/messages/.
//
//   Catalogue zh = load_catalogue("zh");
//   zh("doctor.all-fits")                        -> "都合适。……"
//   zh("doctor.driver", {{"version", "580.95"}}) -> "驱动 580.95"
//
// A catalogue file is lines of `key: text`; `\n` in a text is a line break. A language is one file:
// adding data/messages/fr.txt adds French. Tests see to it that all files hold the same keys and
// placeholders.
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

  // Views into `text`, which outlives the catalogue.
  static Result<Catalogue> parse(std::string_view text, std::string language);

 private:
  std::string language_;
  std::unordered_map<std::string_view, std::string_view> texts_;
};

std::vector<std::string> languages();            // of the embedded data, sorted: "en", "zh"
Catalogue load_catalogue(std::string_view language);  // embedded; English where there is no such file

// The language for `--lang`, KERNELFIT_LANG, LANGUAGE, LC_ALL, LC_MESSAGES, LANG in this order: the
// first that is set decides ("zh_CN.UTF-8" and "zh" are Chinese); English where none is known.
std::string choose_language(const std::vector<std::string>& candidates);

}  // namespace kernelfit
