// SPDX-License-Identifier: Apache-2.0
#include "paste/messages.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "paste/pattern_index.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaximumJoined = 1200;  // bytes of what follows

struct Pattern {
  std::string id;
  std::size_t number = 0;  // of the id, or of the row: once in a line
  std::string_view text;
  std::unique_ptr<re2::RE2> expression;             // once it is needed
  std::vector<std::pair<int, std::string>> groups;  // index, name
  int found = 0;

  const re2::RE2& compiled();
};

RE2::Options options() {
  RE2::Options out;
  out.set_log_errors(false);
  out.set_max_mem(std::int64_t{8} << 20);
  return out;
}

const re2::RE2& Pattern::compiled() {
  if (expression) return *expression;
  expression = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), options());
  for (const auto& [index, name] : expression->CapturingGroupNames()) {
    groups.emplace_back(index, name);
  }
  return *expression;
}

// A line as it stands, and with what follows: by a space, and glued, as a terminal breaks words.
struct Window {
  std::string text;
  std::size_t own = 0;    // bytes of the line itself
  std::size_t lines = 1;  // all that were joined

  bool alone() const { return lines == 1; }
};

Window joined(const std::vector<PasteLine>& lines, std::size_t at, std::string_view glue) {
  Window out{lines[at].text, lines[at].text.size(), 1};
  for (std::size_t k = 1; k < kJoinedLines && at + k < lines.size(); ++k) {
    std::string_view next = lines[at + k].text;
    if (!glue.empty()) next = trim(next);
    if (next.empty()) break;
    if (out.text.size() - out.own + next.size() > kMaximumJoined) break;
    if (!out.text.empty()) out.text += glue;
    out.text += next;
    ++out.lines;
  }
  return out;
}

// Where a word may be that was broken between two lines.
std::string seam(std::string_view line, std::string_view next) {
  constexpr std::size_t kLongestWord = 48;
  return std::string(line.substr(line.size() - std::min(line.size(), kLongestWord))) +
         std::string(next.substr(0, kLongestWord));
}

// What a text said already, by Pattern::number.
using Said = std::vector<std::size_t>;

bool has(const Said& said, std::size_t number) {
  return std::find(said.begin(), said.end(), number) != said.end();
}

}  // namespace

struct MessagePatterns::Rows {
  std::vector<Pattern> patterns;
  std::unique_ptr<PatternIndex> index;
  bool joins_wordless = false;  // a fact without a word stands in one line

  void match(const Window& window, const PatternIndex::Words& words, int line, Said& said,
             std::vector<LogEvent>& out);
};

// What begins on a later line is found there, with that line's number.
void MessagePatterns::Rows::match(const Window& window, const PatternIndex::Words& words, int line,
                                  Said& said, std::vector<LogEvent>& out) {
  const re2::StringPiece text(window.text);
  for (std::size_t row : index->possible(words, window.alone() || joins_wordless)) {
    Pattern& pattern = patterns[row];
    if (has(said, pattern.number)) continue;
    const re2::RE2& expression = pattern.compiled();
    if (!expression.ok()) continue;
    int count = expression.NumberOfCapturingGroups() + 1;
    std::vector<re2::StringPiece> parts(static_cast<std::size_t>(count));
    if (!expression.Match(text, 0, text.size(), RE2::UNANCHORED, parts.data(), count)) continue;
    auto begin = static_cast<std::size_t>(parts[0].data() - window.text.data());
    if (!window.alone() && begin >= window.own) continue;
    std::string_view own(window.text);
    own = window.alone() ? own : trim(own.substr(0, begin + parts[0].size()));
    LogEvent event{pattern.id, std::string(own), line, {}};
    for (const auto& [index_of, name] : pattern.groups) {
      const auto& part = parts[static_cast<std::size_t>(index_of)];
      if (!part.empty()) event.fields.emplace(name, std::string(trim({part.data(), part.size()})));
    }
    ++pattern.found;
    said.push_back(pattern.number);
    out.push_back(std::move(event));
  }
}

MessagePatterns::MessagePatterns(const Knowledge& knowledge, std::string_view path, Once once)
    : rows_(std::make_unique<Rows>()) {
  const Csv& table = knowledge.table(path);
  std::vector<std::string_view> patterns;
  std::map<std::string_view, std::size_t> first;  // row of an id
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view id = table.cell(row, "id");
    const std::size_t number = once == Once::by_id ? first.emplace(id, row).first->second : row;
    patterns.push_back(table.cell(row, "pattern"));
    rows_->patterns.push_back({std::string(id), number, patterns.back(), {}, {}, 0});
  }
  rows_->index = std::make_unique<PatternIndex>(patterns);
  rows_->joins_wordless = once == Once::by_id;
}

MessagePatterns::~MessagePatterns() = default;

std::size_t MessagePatterns::rows() const {
  return rows_->patterns.size();
}
std::string_view MessagePatterns::id(std::size_t row) const {
  return rows_->patterns[row].id;
}
std::string_view MessagePatterns::pattern(std::size_t row) const {
  return rows_->patterns[row].text;
}
int MessagePatterns::found(std::size_t row) const {
  return rows_->patterns[row].found;
}

bool MessagePatterns::matches(std::size_t row, const std::string& line) {
  return re2::RE2::PartialMatch(line, rows_->patterns[row].compiled());
}

std::vector<std::string> MessagePatterns::problems() {
  std::vector<std::string> out;
  for (auto& pattern : rows_->patterns) {
    if (!pattern.compiled().ok()) out.push_back(pattern.id + ": " + pattern.compiled().error());
  }
  return out;
}

std::vector<LogEvent> MessagePatterns::find(const std::vector<PasteLine>& lines,
                                            std::size_t count) {
  std::vector<LogEvent> out;
  count = std::min(lines.size(), count);
  // What the lines that follow say by themselves is theirs.
  const std::size_t looked_at = std::min(lines.size(), count + kJoinedLines - 1);
  std::vector<PatternIndex::Words> words(looked_at);
  std::vector<Said> alone(looked_at + kJoinedLines);
  std::vector<std::vector<LogEvent>> events(looked_at);
  for (std::size_t at = 0; at < looked_at; ++at) {
    if (lines[at].text.empty()) continue;
    words[at] = rows_->index->words_in(lines[at].text);
    const Window window{lines[at].text, lines[at].text.size(), 1};
    rows_->match(window, words[at], lines[at].number, alone[at], events[at]);
  }
  for (std::size_t at = 0; at < count; ++at) {
    std::move(events[at].begin(), events[at].end(), std::back_inserter(out));
    if (lines[at].text.empty()) continue;
    Said said;
    for (std::size_t k = 0; k < kJoinedLines; ++k) {
      said.insert(said.end(), alone[at + k].begin(), alone[at + k].end());
    }
    const Window spaced = joined(lines, at, " ");
    if (spaced.alone()) continue;
    PatternIndex::Words all = words[at];
    for (std::size_t k = 1; k < spaced.lines; ++k) all.add(words[at + k]);
    rows_->match(spaced, all, lines[at].number, said, out);
    const bool full = lines[at].text.size() >= 60 && !lines[at].text.ends_with('.');
    if (!full) continue;
    for (std::size_t k = 1; k < spaced.lines; ++k) {
      all.add(rows_->index->words_in(seam(lines[at + k - 1].text, lines[at + k].text)));
    }
    rows_->match(joined(lines, at, ""), all, lines[at].number, said, out);
  }
  return out;
}

}  // namespace kernelfit
