// SPDX-License-Identifier: Apache-2.0
#include "fatbin/ptx.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kHead = kPtxHead;  // within which `.version` and `.target` stand

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%';
}

// Goes through the text word by word; comments and strings are left out. Directives are words that
// begin with a dot.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (text_.substr(at_, 2) == "//") {
        skip_to("\n");
      } else if (text_.substr(at_, 2) == "/*") {
        skip_to("*/");
      } else if (c == '"') {
        ++at_;
        skip_to("\"");
      } else if (c == '.' || is_name(c)) {
        return word();
      } else {
        ++at_;
      }
    }
    return {};
  }
  std::size_t line() const {
    return 1 + static_cast<std::size_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

 private:
  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (text_[at_] == '.' || is_name(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == text_.npos ? text_.size() : found + end.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view without_padding(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return text;
}

std::optional<GpuArch> target_of(std::string_view word) {
  std::string name(word);
  if (name.rfind("sm_", 0) == 0) name = "compute_" + name.substr(3);
  auto arch = GpuArch::parse(name);
  return arch && arch->kind == GpuArch::Kind::ptx ? arch : std::nullopt;
}

constexpr std::string_view kEntry = ".entry";

// Word by word.
std::vector<std::string> kernels_by_words(std::string_view text) {
  std::vector<std::string> out;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == kEntry) out.emplace_back(words.next());
  }
  return out;
}

// A comment over several lines can hold anything.
bool has_long_comment(std::string_view text) {
  for (std::size_t at = text.find('*'); at != text.npos; at = text.find('*', at + 1)) {
    if (at > 0 && text[at - 1] == '/') return true;
  }
  return false;
}

// What stands on the line before `at`, in a text without long comments: nothing but directives?
bool only_directives_before(std::string_view text, std::size_t at) {
  while (at > 0 && text[at - 1] != '\n') {
    const char c = text[--at];
    if (c != '.' && c != ' ' && c != '\t' && !is_name(c)) return false;
  }
  return true;
}

// By its last letter, which is rare in PTX: dots and e's are everywhere.
std::size_t find_entry(std::string_view text, std::size_t from) {
  constexpr std::size_t kBefore = kEntry.size() - 1;
  for (std::size_t at = text.find('y', from); at != text.npos; at = text.find('y', at + 1)) {
    if (at >= kBefore && text.substr(at - kBefore, kEntry.size()) == kEntry) return at - kBefore;
  }
  return text.npos;
}

// Texts have megabytes: only the places of ".entry" are looked at closely, where no comment and no
// string can deceive.
std::vector<std::string> kernels_of(std::string_view text) {
  if (has_long_comment(text)) return kernels_by_words(text);
  std::vector<std::string> out;
  for (std::size_t at = find_entry(text, 0); at != text.npos;) {
    const std::size_t end = at + kEntry.size();
    const bool whole_word = (at == 0 || !(is_name(text[at - 1]) || text[at - 1] == '.')) &&
                            (end == text.size() || !(is_name(text[end]) || text[end] == '.'));
    if (!only_directives_before(text, at)) return kernels_by_words(text);
    if (whole_word) out.emplace_back(Words(text.substr(end)).next());
    at = find_entry(text, end);
  }
  return out;
}

}  // namespace

bool looks_like_ptx(Bytes first_bytes) {
  const std::string_view text = as_text(first_bytes.first(std::min(first_bytes.size(), kHead)));
  return Words(text).next() == ".version";
}

bool begins_with_comment(Bytes first_bytes) {
  const std::string_view text = as_text(first_bytes);
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == text.npos) return false;
  const std::string_view mark = text.substr(at, 2);
  return (mark == "//" || mark == "/*") && Words(text).next().empty();
}

Result<Ptx> parse_ptx(std::string_view text) {
  text = without_padding(text);
  Words words(text.substr(0, kHead));
  Ptx ptx;
  if (words.next() != ".version") return error(ErrorKind::malformed, "line 1: no .version");
  ptx.isa = dotted(words.next());
  const std::size_t line = words.line();
  if (words.next() != ".target") {
    return error(ErrorKind::malformed, "line " + std::to_string(line) + ": no .target behind it");
  }
  const std::string_view word = words.next();
  const auto target = target_of(word);
  if (!target) {
    return error(ErrorKind::malformed,
                 "line " + std::to_string(words.line()) + ": target " + printable(word));
  }
  ptx.target = *target;
  ptx.kernels = kernels_of(text);
  std::ranges::sort(ptx.kernels);
  const auto twice = std::ranges::unique(ptx.kernels);  // declared, and then defined
  ptx.kernels.erase(twice.begin(), twice.end());
  return ptx;
}

}  // namespace kernelfit
