// SPDX-License-Identifier: Apache-2.0
// The rows of data/paste/messages.csv (what a program said) and data/paste/facts.csv (what is told
// of a machine), found in pasted lines. A row is a pattern (RE2) with named groups; adding one
// touches no code.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "machine/machine.h"
#include "paste/clean.h"

namespace kernelfit {

inline constexpr std::size_t kJoinedLines = 4;

class MessagePatterns {
 public:
  // Of one id a line holds one message, but any number of facts.
  enum class Once { by_id, by_row };
  // A pattern is compiled when a line holds its words.
  MessagePatterns(const Knowledge& knowledge, std::string_view table, Once once);
  ~MessagePatterns();
  MessagePatterns(const MessagePatterns&) = delete;
  MessagePatterns& operator=(const MessagePatterns&) = delete;

  // What the first `count` lines say, in their order. A message that a terminal wrapped is tried
  // joined with the kJoinedLines - 1 that follow.
  std::vector<LogEvent> find(const std::vector<PasteLine>& lines, std::size_t count);

  // Rows in the order of the table.
  std::size_t rows() const;
  std::string_view id(std::size_t row) const;
  std::string_view pattern(std::size_t row) const;
  int found(std::size_t row) const;  // so far, by find()
  bool matches(std::size_t row, const std::string& line);

  // Compiles every pattern; a line for each that is none.
  std::vector<std::string> problems();

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
};

}  // namespace kernelfit
