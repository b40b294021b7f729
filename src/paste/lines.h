// SPDX-License-Identifier: Apache-2.0
// Bytes that come in pieces, as cleaned and numbered lines. What is held is one line, however long
// the text and however long its lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "paste/clean.h"

namespace kernelfit {

class LineReader {
 public:
  // Adds the lines that end in these bytes to `out`; fences of Markdown are left out.
  void feed(std::string_view bytes, std::vector<PasteLine>& out);
  void finish(std::vector<PasteLine>& out);
  int lines() const { return number_; }

 private:
  enum class Form { undecided, utf8, utf16_little, utf16_big };

  void decide(std::vector<PasteLine>& out);
  void decode(std::string_view bytes, std::vector<PasteLine>& out);
  void split_lines(std::string_view text, std::vector<PasteLine>& out);
  void append(std::string_view part);
  void end_line(std::vector<PasteLine>& out);

  Form form_ = Form::undecided;
  std::string held_;       // bytes before the form is known; after it half a character of UTF-16
  std::string line_;       // cut at kMaximumPasteLine
  bool open_ = false;      // a line has begun
  bool returned_ = false;  // it ended in \r so far: what follows is written over it
  int number_ = 0;
};

}  // namespace kernelfit
