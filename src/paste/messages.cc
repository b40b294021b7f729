// SPDX-License-Identifier: Apache-2.0
#include "paste/messages.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaximumJoined = 1200;  // bytes of what follows

struct Pattern {
  std::string id;
  std::unique_ptr<re2::RE2> expression;
  std::vector<std::pair<int, std::string>> groups;  // index, name
};

RE2::Options options() {
  RE2::Options out;
  out.set_log_errors(false);
  out.set_max_mem(std::int64_t{8} << 20);
  return out;
}

// A line as it stands, and with what follows: by a space, and glued, as a terminal breaks words.
struct Window {
  std::string text;
  std::size_t own = 0;  // bytes of the line itself
};

Window joined(const std::vector<PasteLine>& lines, std::size_t at, std::string_view glue) {
  Window out{lines[at].text, lines[at].text.size()};
  for (std::size_t k = 1; k < kJoinedLines && at + k < lines.size(); ++k) {
    std::string_view next = lines[at + k].text;
    if (!glue.empty()) next = trim(next);
    if (next.empty()) break;
    if (out.text.size() - out.own + next.size() > kMaximumJoined) break;
    if (!out.text.empty()) out.text += glue;
    out.text += next;
  }
  return out;
}

}  // namespace

struct MessagePatterns::Compiled {
  std::vector<Pattern> patterns;
  std::unique_ptr<re2::RE2::Set> all;
  std::vector<std::string> problems;
  Once once = Once::by_id;

  void add(const std::string& id, std::string_view pattern);
  void match(const Window& window, int line, bool whole, std::set<std::string>& seen,
             std::vector<LogEvent>& out) const;
};

void MessagePatterns::Compiled::add(const std::string& id, std::string_view pattern) {
  re2::StringPiece piece(pattern.data(), pattern.size());
  auto expression = std::make_unique<re2::RE2>(piece, options());
  std::string problem;
  if (!expression->ok() || all->Add(piece, &problem) < 0) {
    problems.push_back(id + ": " + expression->error() + problem);
    return;
  }
  Pattern out{id, std::move(expression), {}};
  for (const auto& [index, name] : out.expression->CapturingGroupNames()) {
    out.groups.emplace_back(index, name);
  }
  patterns.push_back(std::move(out));
}

void MessagePatterns::Compiled::match(const Window& window, int line, bool whole,
                                      std::set<std::string>& seen,
                                      std::vector<LogEvent>& out) const {
  std::vector<int> hits;
  re2::StringPiece text(window.text);
  if (!all->Match(text, &hits)) return;
  std::sort(hits.begin(), hits.end());
  for (int hit : hits) {
    const Pattern& pattern = patterns[static_cast<std::size_t>(hit)];
    std::string key = once == Once::by_id ? pattern.id : std::to_string(hit);
    if (seen.contains(key)) continue;
    int count = pattern.expression->NumberOfCapturingGroups() + 1;
    std::vector<re2::StringPiece> parts(static_cast<std::size_t>(count));
    if (!pattern.expression->Match(text, 0, text.size(), RE2::UNANCHORED, parts.data(), count)) {
      continue;
    }
    // What begins on a later line is found there, with that line's number.
    auto begin = static_cast<std::size_t>(parts[0].data() - window.text.data());
    if (!whole && begin >= window.own) continue;
    LogEvent event{pattern.id, std::string(window.text, 0, window.own), line, {}};
    if (!whole)
      event.text =
          std::string(trim(std::string_view(window.text).substr(0, begin + parts[0].size())));
    for (const auto& [index, name] : pattern.groups) {
      const auto& part = parts[static_cast<std::size_t>(index)];
      if (!part.empty()) event.fields.emplace(name, std::string(trim({part.data(), part.size()})));
    }
    seen.insert(std::move(key));
    out.push_back(std::move(event));
  }
}

MessagePatterns::MessagePatterns(const Knowledge& knowledge, std::string_view path, Once once)
    : compiled_(std::make_unique<Compiled>()) {
  RE2::Options of_all = options();
  of_all.set_max_mem(std::int64_t{32} << 20);
  compiled_->all = std::make_unique<re2::RE2::Set>(of_all, RE2::UNANCHORED);
  compiled_->once = once;
  const Csv& table = knowledge.table(path);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    compiled_->add(std::string(table.cell(row, "id")), table.cell(row, "pattern"));
  }
  compiled_->all->Compile();
}

MessagePatterns::~MessagePatterns() = default;

const std::vector<std::string>& MessagePatterns::problems() const {
  return compiled_->problems;
}

std::vector<LogEvent> MessagePatterns::find(const std::vector<PasteLine>& lines,
                                            std::size_t count) const {
  std::vector<LogEvent> out;
  if (compiled_->patterns.empty()) return out;
  // What the lines that follow say by themselves is theirs.
  std::vector<std::set<std::string>> whole(lines.size() + kJoinedLines);
  std::vector<std::vector<LogEvent>> events(lines.size());
  const std::size_t looked_at = std::min(lines.size(), count + kJoinedLines - 1);
  for (std::size_t at = 0; at < looked_at; ++at) {
    if (lines[at].text.empty()) continue;
    const Window alone{lines[at].text, lines[at].text.size()};
    compiled_->match(alone, lines[at].number, true, whole[at], events[at]);
  }
  for (std::size_t at = 0; at < std::min(lines.size(), count); ++at) {
    out.insert(out.end(), events[at].begin(), events[at].end());
    if (lines[at].text.empty()) continue;
    std::set<std::string> seen;
    for (std::size_t k = 0; k < kJoinedLines; ++k) seen.merge(std::set(whole[at + k]));
    const int number = lines[at].number;
    compiled_->match(joined(lines, at, " "), number, false, seen, out);
    bool full = lines[at].text.size() >= 60 && !lines[at].text.ends_with('.');
    if (full) compiled_->match(joined(lines, at, ""), number, false, seen, out);
  }
  return out;
}

}  // namespace kernelfit
