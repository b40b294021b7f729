// SPDX-License-Identifier: Apache-2.0
#include "paste/words.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace kernelfit {
namespace {

bool is_word(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || byte >= 0x80;
}

void unique(AnyOf& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

// Of several branches one matches: the rarest words of each, in one list.
Needs any_of(const std::vector<Needs>& branches) {
  Needs out;
  AnyOf words;
  bool worded = true, phrased = true;
  for (const auto& branch : branches) {
    const AnyOf* some = rarest(branch.words);
    if (some != nullptr) words.insert(words.end(), some->begin(), some->end());
    out.phrase.insert(out.phrase.end(), branch.phrase.begin(), branch.phrase.end());
    worded = worded && some != nullptr;
    phrased = phrased && !branch.phrase.empty();
  }
  unique(words);
  unique(out.phrase);
  if (worded) out.words = {std::move(words)};
  if (!phrased) out.phrase.clear();
  return out;
}

void append(Needs& to, const Needs& more) {
  to.words.insert(to.words.end(), more.words.begin(), more.words.end());
  if (shortest(to.phrase) < shortest(more.phrase)) to.phrase = more.phrase;
}

// What stands before, and then one of the branches. Branches of one word each are one list; else
// each branch is an alternative of its own, while there are few.
void add(std::vector<Needs>& out, std::vector<Needs> branches) {
  constexpr std::size_t kMostAlternatives = 24;
  const bool single = branches.size() > 1 &&
                      std::all_of(branches.begin(), branches.end(),
                                  [](const Needs& branch) { return branch.words.size() == 1; });
  if (single || out.size() * branches.size() > kMostAlternatives) branches = {any_of(branches)};
  if (branches.size() == 1) {
    for (auto& one : out) append(one, branches.front());
    return;
  }
  std::vector<Needs> product;
  product.reserve(out.size() * branches.size());
  for (const auto& before : out) {
    for (const auto& branch : branches) {
      product.push_back(before);
      append(product.back(), branch);
    }
  }
  out = std::move(product);
}

// What one element of a pattern says: a character, or what a group needs, or nothing.
struct Atom {
  std::string literal;
  std::vector<Needs> branches;  // of a group
};

class Parser {
 public:
  explicit Parser(std::string_view pattern) : rest_(pattern) {}

  std::vector<Needs> alternatives() {
    std::vector<Needs> out;
    do {
      for (auto& one : sequence()) out.push_back(std::move(one));
    } while (take("|"));
    return out;
  }
  // Everything was read and understood.
  bool complete() const { return rest_.empty() && !strange_; }

 private:
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char next() {
    if (rest_.empty()) {
      strange_ = true;
      return '\0';
    }
    char out = rest_.front();
    rest_.remove_prefix(1);
    return out;
  }

  std::vector<Needs> sequence();
  Atom atom();
  Atom escape();
  Atom character_class();
  Atom group();
  std::string character();
  int least();

  std::string_view rest_;
  int depth_ = 0;
  bool strange_ = false;
};

// Characters that stand side by side. Quotes and brackets are written in other ways by a keyboard
// or a web page; a phrase ends there.
void close(std::string& run, std::vector<Needs>& out) {
  Needs needs;
  for (std::size_t at = 0; at < run.size();) {
    std::size_t end = at;
    while (end < run.size() && is_word(run[end])) ++end;
    if (end - at >= kShortestWord) needs.words.push_back({run.substr(at, end - at)});
    at = std::max(end, at + 1);
  }
  for (std::size_t at = 0; at < run.size();) {
    const std::size_t end = std::min(run.find_first_of("'\"`<>&", at), run.size());
    const auto phrase = trim(std::string_view(run).substr(at, end - at));
    if (phrase.size() > shortest(needs.phrase)) needs.phrase = {std::string(phrase)};
    at = end + 1;
  }
  run.clear();
  if (!needs.words.empty() || !needs.phrase.empty()) add(out, {std::move(needs)});
}

std::vector<Needs> Parser::sequence() {
  std::vector<Needs> out = {{}};
  std::string run;
  while (!strange_ && !rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
    Atom one = atom();
    const std::string_view behind = rest_;
    const int count = least();
    const bool repeated = behind.size() != rest_.size();
    if (count > 0) run += one.literal;
    if (repeated || one.literal.empty()) close(run, out);
    const bool needs = !one.branches.empty();
    if (count > 0 && needs) add(out, std::move(one.branches));
  }
  close(run, out);
  return out;
}

// How often the element before must stand there at least, 0 or 1: ? * + {2,5}, lazy or not.
int Parser::least() {
  int out = 1;
  if (take("?") || take("*")) {
    out = 0;
  } else if (take("+")) {
    out = 1;
  } else if (rest_.starts_with('{')) {
    const auto end = rest_.find('}');
    const auto inside = rest_.substr(1, end == std::string_view::npos ? 0 : end - 1);
    if (inside.empty() || inside.find_first_not_of("0123456789,") != std::string_view::npos) {
      return 1;
    }
    out = inside.starts_with('0') || inside.starts_with(',') ? 0 : 1;
    rest_.remove_prefix(end + 1);
  } else {
    return 1;
  }
  take("?");
  return out;
}

Atom Parser::atom() {
  if (take("\\")) return escape();
  if (take("[")) return character_class();
  if (take("(")) return group();
  if (take("^") || take("$") || take(".")) return {};
  return {lower(character())};
}

// One code point of UTF-8.
std::string Parser::character() {
  std::string out(1, next());
  while (!rest_.empty() && (static_cast<unsigned char>(rest_.front()) & 0xC0) == 0x80) {
    out += next();
  }
  return out;
}

Atom Parser::escape() {
  const char c = next();
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  if (!letter) return {std::string(1, c)};
  strange_ = strange_ || std::string_view("dDsSwWbBAzntrfv").find(c) == std::string_view::npos;
  return {};
}

// "[Tt]" is a letter; any other class is none.
Atom Parser::character_class() {
  std::string inside;
  for (bool first = true;; first = false) {
    if (take("[:")) {
      const auto end = rest_.find(":]");
      if (end == std::string_view::npos) strange_ = true;
      rest_.remove_prefix(std::min(rest_.size(), end == std::string_view::npos ? end : end + 2));
      inside += "..";
    }
    const char c = next();
    if (strange_ || (c == ']' && !first)) break;
    if (first && c == '^' && take("]")) inside += ']';
    inside += c;
    if (c == '\\') inside += next();
  }
  const std::string folded = lower(inside);
  const bool one_letter = folded.size() == 2 && folded[0] == folded[1] && is_word(folded[0]);
  return one_letter ? Atom{folded.substr(0, 1)} : Atom{};
}

// ( (?: (?P<name> (?i: (?i)
Atom Parser::group() {
  constexpr int kDeepest = 50;
  if (++depth_ > kDeepest) strange_ = true;
  if (take("?P<") || take("?<")) {
    while (!strange_ && next() != '>') {
    }
  } else if (take("?")) {
    char flag = next();
    while (!strange_ && flag != ':' && flag != ')') flag = next();
    if (flag == ')') {
      --depth_;
      return {};
    }
  }
  if (strange_) return {};
  Atom out{{}, alternatives()};
  strange_ = strange_ || !take(")");
  --depth_;
  return out;
}

}  // namespace

std::size_t shortest(const AnyOf& texts) {
  std::size_t out = texts.empty() ? 0 : texts.front().size();
  for (const auto& text : texts) out = std::min(out, text.size());
  return out;
}

const AnyOf* rarest(const std::vector<AnyOf>& any) {
  const AnyOf* best = nullptr;
  for (const auto& one : any) {
    const bool better = best == nullptr || shortest(one) > shortest(*best) ||
                        (shortest(one) == shortest(*best) && one.size() < best->size());
    if (better) best = &one;
  }
  return best;
}

std::vector<Needs> needs_of(std::string_view pattern) {
  Parser parser(pattern);
  std::vector<Needs> out = parser.alternatives();
  return parser.complete() ? out : std::vector<Needs>{{}};
}

}  // namespace kernelfit
