// SPDX-License-Identifier: Apache-2.0
#include "paste/lines.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace kernelfit {
namespace {

bool is_fence(std::string_view text) {
  auto bare = trim(text);
  return bare.starts_with("```") || bare.starts_with("~~~");
}

}  // namespace

void LineReader::feed(std::string_view text, std::vector<PasteLine>& out) {
  while (!text.empty()) {
    auto end = text.find('\n');
    append(text.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line(out);
    text.remove_prefix(end + 1);
  }
}

// What a progress bar wrote over is gone from the screen as well.
void LineReader::append(std::string_view part) {
  open_ = open_ || !part.empty();
  bool ends_returned = part.ends_with('\r');
  while (part.ends_with('\r')) part.remove_suffix(1);
  if (part.empty()) {
    returned_ = returned_ || ends_returned;
    return;
  }
  auto over = part.rfind('\r');
  if (returned_ || over != std::string_view::npos) line_.clear();
  if (over != std::string_view::npos) part.remove_prefix(over + 1);
  if (line_.size() < kMaximumPasteLine) line_ += part.substr(0, kMaximumPasteLine - line_.size());
  returned_ = ends_returned;
}

void LineReader::end_line(std::vector<PasteLine>& out) {
  if (number_ < std::numeric_limits<int>::max()) ++number_;
  std::string cleaned = clean_line(line_);
  if (!is_fence(cleaned)) out.push_back({number_, std::move(cleaned)});
  line_.clear();
  open_ = returned_ = false;
}

void LineReader::skip(int lines) {
  number_ += std::min(lines, std::numeric_limits<int>::max() - number_);
}

void LineReader::finish(std::vector<PasteLine>& out) {
  if (open_) end_line(out);
}

}  // namespace kernelfit
