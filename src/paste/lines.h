// SPDX-License-Identifier: Apache-2.0
// Text that comes in pieces, as cleaned and numbered lines. What is held is one line, however long
// the text and however long its lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "paste/clean.h"

namespace kernelfit {

class LineReader {
 public:
  // Adds the lines that end in this text to `out`; fences of Markdown are left out.
  void feed(std::string_view text, std::vector<PasteLine>& out);
  void finish(std::vector<PasteLine>& out);
  // Lines that nobody asks for are counted; none may be open.
  void skip(int lines);
  int lines() const { return number_; }
  bool open() const { return open_; }  // a line has begun

 private:
  void append(std::string_view part);
  void end_line(std::vector<PasteLine>& out);

  std::string line_;  // cut at kMaximumPasteLine
  bool open_ = false;
  bool returned_ = false;  // it ended in \r so far: what follows is written over it
  int number_ = 0;
};

}  // namespace kernelfit
