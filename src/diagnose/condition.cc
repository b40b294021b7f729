// SPDX-License-Identifier: Apache-2.0
#include "diagnose/condition.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr int kMaximumDepth = 32;
constexpr std::size_t kMaximumLength = 4000;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c) || c == '.' || c == '-';
}

struct Token {
  enum class Kind { end, name, literal, mark, bad };
  Kind kind = Kind::end;
  std::string text;
  std::size_t at = 0;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && trim(text_.substr(at_, 1)).empty()) ++at_;
    if (at_ >= text_.size()) return {Token::Kind::end, "", at_};
    char c = text_[at_];
    if (c == '\'' || c == '"') return quoted(c);
    if (is_digit(c)) return run(Token::Kind::literal);
    if (is_name_start(c)) return run(Token::Kind::name);
    return mark();
  }

 private:
  Token quoted(char quote) {
    std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return {Token::Kind::bad, "a quote that is not closed", at_};
    Token token{Token::Kind::literal, std::string(text_.substr(at_ + 1, end - at_ - 1)), at_};
    at_ = end + 1;
    return token;
  }
  Token run(Token::Kind kind) {
    std::size_t start = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    return {kind, std::string(text_.substr(start, at_ - start)), start};
  }
  Token mark() {
    for (std::string_view two : {"==", "!=", "<=", ">="}) {
      if (text_.substr(at_, 2) != two) continue;
      at_ += 2;
      return {Token::Kind::mark, std::string(two), at_ - 2};
    }
    char c = text_[at_++];
    bool good = c == '<' || c == '>' || c == '(' || c == ')' || c == ',';
    return {good ? Token::Kind::mark : Token::Kind::bad, std::string(1, c), at_ - 1};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_word(std::string_view text) {
  constexpr std::array<std::string_view, 10> kWords = {
      "and", "or", "not", "in", "contains", "is", "exists", "known", "absent", "unknown"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

// Versions where both are versions, else text; nothing where an order makes no sense.
std::optional<std::strong_ordering> order(const std::string& left, const std::string& right) {
  auto a = DottedVersion::parse(left), b = DottedVersion::parse(right);
  if (a && b) return *a <=> *b;
  auto c = PackageVersion::parse(left), d = PackageVersion::parse(right);
  if (c && d) return *c <=> *d;
  return {};
}
bool same(const std::string& left, const std::string& right) {
  auto ordered = order(left, right);
  return ordered ? *ordered == std::strong_ordering::equal : left == right;
}
Truth truth(bool value) {
  return value ? Truth::yes : Truth::no;
}

FactText resolve(const Condition::Operand& operand, const Facts& facts) {
  if (operand.is_name) return facts.at(operand.text);
  return {FactState::given, operand.text, {}};
}

Truth compare(const FactText& left, std::string_view op, const FactText& right) {
  bool equality = op == "==" || op == "!=";
  if (left.state == FactState::unknown || right.state == FactState::unknown) return Truth::unknown;
  // There is nothing to be equal to, and nothing to be smaller than.
  if (!left.has() || !right.has()) return equality ? truth(op == "!=") : Truth::unknown;
  if (equality) return truth(same(left.text, right.text) == (op == "=="));
  auto ordered = order(left.text, right.text);
  if (!ordered) return Truth::unknown;
  if (op == "<") return truth(*ordered < 0);
  if (op == "<=") return truth(*ordered <= 0);
  if (op == ">") return truth(*ordered > 0);
  return truth(*ordered >= 0);
}

Truth any_of(const FactText& left, const std::vector<Condition::Operand>& list,
             const Facts& facts) {
  Truth out = Truth::no;
  for (const auto& item : list) out = std::max(out, compare(left, "==", resolve(item, facts)));
  return out;
}

Truth holds(const FactText& left, const FactText& right) {
  if (left.state == FactState::unknown || right.state == FactState::unknown) return Truth::unknown;
  if (!left.has() || !right.has()) return Truth::no;
  return truth(contains(left.text, right.text));
}

}  // namespace

// Recursive descent: or, and, not, then one comparison.
class ConditionParser {
 public:
  explicit ConditionParser(std::string_view text) : lexer_(text) { advance(); }

  Result<Condition> whole() {
    KF_TRY(out_.root_, disjunction(0));
    if (token_.kind != Token::Kind::end) return here("more than one condition");
    return std::move(out_);
  }

 private:
  using Node = Condition::Node;
  using Kind = Condition::Node::Kind;

  Result<std::size_t> disjunction(int depth) { return chain("or", Kind::disjunction, depth); }
  Result<std::size_t> conjunction(int depth) { return chain("and", Kind::conjunction, depth); }

  Result<std::size_t> chain(std::string_view word, Kind kind, int depth) {
    bool outer = kind == Kind::disjunction;
    Node node;
    node.kind = kind;
    do {
      KF_TRY(std::size_t part, outer ? conjunction(depth) : negation(depth));
      node.parts.push_back(part);
    } while (take(word));
    if (node.parts.size() == 1) return node.parts.front();
    return add(std::move(node));
  }

  Result<std::size_t> negation(int depth) {
    if (depth > kMaximumDepth) return here("nested too deeply");
    if (take("not")) {
      KF_TRY(std::size_t part, negation(depth + 1));
      Node node;
      node.kind = Kind::negation;
      node.parts = {part};
      return add(std::move(node));
    }
    if (!take("(")) return comparison();
    KF_TRY(std::size_t part, disjunction(depth + 1));
    if (!take(")")) return here("expected )");
    return part;
  }

  Result<std::size_t> comparison() {
    Node node;
    KF_TRY(node.left, operand());
    if (take("exists")) return add(of(Kind::exists, std::move(node)));
    if (take("is")) return state(std::move(node));
    if (take("in")) return list(std::move(node));
    if (take("contains")) {
      KF_TRY(Condition::Operand right, operand());
      node.right = {right};
      return add(of(Kind::contains, std::move(node)));
    }
    for (std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(op)) continue;
      node.op = op;
      KF_TRY(Condition::Operand right, operand());
      node.right = {right};
      return add(of(Kind::compare, std::move(node)));
    }
    if (!node.left.is_name) return here("a value alone says nothing");
    return add(of(Kind::truth, std::move(node)));
  }

  Result<std::size_t> state(Node node) {
    if (!node.left.is_name) return here("expected a name before is");
    if (take("known")) return add(of(Kind::is_known, std::move(node)));
    if (take("absent")) return add(of(Kind::is_absent, std::move(node)));
    if (take("unknown")) return add(of(Kind::is_unknown, std::move(node)));
    return here("expected known, absent or unknown");
  }

  Result<std::size_t> list(Node node) {
    if (!take("(")) return here("expected ( after in");
    do {
      KF_TRY(Condition::Operand item, operand());
      node.right.push_back(item);
    } while (take(","));
    if (!take(")")) return here("expected )");
    return add(of(Kind::in, std::move(node)));
  }

  Result<Condition::Operand> operand() {
    bool name = token_.kind == Token::Kind::name && !is_word(token_.text);
    if (!name && token_.kind != Token::Kind::literal) return here("expected a name or a value");
    Condition::Operand out{name, token_.text};
    advance();
    return out;
  }

  static Node of(Kind kind, Node node) {
    node.kind = kind;
    return node;
  }
  std::size_t add(Node node) {
    out_.nodes_.push_back(std::move(node));
    return out_.nodes_.size() - 1;
  }
  bool take(std::string_view text) {
    bool fits = token_.kind == Token::Kind::name || token_.kind == Token::Kind::mark;
    if (!fits || token_.text != text) return false;
    advance();
    return true;
  }
  void advance() { token_ = lexer_.next(); }
  tl::unexpected<Error> here(std::string_view what) const {
    std::string found = token_.kind == Token::Kind::end ? "the end" : "`" + token_.text + "`";
    return error(ErrorKind::malformed,
                 "at " + std::to_string(token_.at) + ": " + std::string(what) + ", found " + found);
  }

  Lexer lexer_;
  Token token_;
  Condition out_;
};

Result<Condition> Condition::parse(std::string_view text) {
  if (text.size() > kMaximumLength) return error(ErrorKind::malformed, "too long");
  if (trim(text).empty()) return Condition();
  return ConditionParser(text).whole();
}

Truth Condition::evaluate(const Facts& facts) const {
  return nodes_.empty() ? Truth::yes : evaluate(root_, facts);
}

Truth Condition::evaluate(std::size_t index, const Facts& facts) const {
  const Node& node = nodes_[index];
  FactText left = resolve(node.left, facts);
  switch (node.kind) {
    case Node::Kind::always: return Truth::yes;
    case Node::Kind::truth:
      return left.state == FactState::unknown ? Truth::unknown
                                              : truth(left.has() && left.text == "yes");
    case Node::Kind::compare: return compare(left, node.op, resolve(node.right[0], facts));
    case Node::Kind::in: return any_of(left, node.right, facts);
    case Node::Kind::contains: return holds(left, resolve(node.right[0], facts));
    case Node::Kind::exists:
      return left.state == FactState::unknown ? Truth::unknown : truth(left.has());
    case Node::Kind::is_known: return truth(left.has());
    case Node::Kind::is_absent:
      return left.state == FactState::unknown ? Truth::unknown : truth(!left.has());
    case Node::Kind::is_unknown: return truth(left.state == FactState::unknown);
    case Node::Kind::conjunction: {
      Truth out = Truth::yes;
      for (std::size_t part : node.parts) out = std::min(out, evaluate(part, facts));
      return out;
    }
    case Node::Kind::disjunction: {
      Truth out = Truth::no;
      for (std::size_t part : node.parts) out = std::max(out, evaluate(part, facts));
      return out;
    }
    case Node::Kind::negation: {
      Truth part = evaluate(node.parts[0], facts);
      return part == Truth::unknown ? Truth::unknown : truth(part == Truth::no);
    }
  }
  return Truth::unknown;
}

namespace {

void sort_unique(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

std::vector<std::string> Condition::names() const {
  std::vector<std::string> out;
  for (const auto& node : nodes_) {
    if (node.left.is_name) out.push_back(node.left.text);
    for (const auto& right : node.right) {
      if (right.is_name) out.push_back(right.text);
    }
  }
  sort_unique(out);
  return out;
}

void Condition::add_wanted(std::size_t at, std::vector<std::string>& out) const {
  const Node& node = nodes_[at];
  switch (node.kind) {
    case Node::Kind::negation:
    case Node::Kind::is_absent:
    case Node::Kind::is_unknown: return;
    case Node::Kind::conjunction:
    case Node::Kind::disjunction:
      for (std::size_t part : node.parts) add_wanted(part, out);
      return;
    default:
      if (node.left.is_name) out.push_back(node.left.text);
  }
}

std::vector<std::string> Condition::wanted() const {
  std::vector<std::string> out;
  if (!nodes_.empty()) add_wanted(root_, out);
  sort_unique(out);
  return out;
}

}  // namespace kernelfit
