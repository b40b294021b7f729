// SPDX-License-Identifier: Apache-2.0
#include "paste/clean.h"

#include <array>
#include <utility>

#include "base/text.h"

namespace kernelfit {
namespace {

// ------------------------------------------------------- what comes off

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// ESC [ … letter, ESC ] … BEL, and the same colours where only "[31m" was left of them.
std::string without_colors(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x1B && i + 1 < text.size()) {
      bool title = text[i + 1] == ']';
      std::size_t end = i + 2;
      while (end < text.size() && (title ? text[end] != '\a' : !(text[end] >= '@'))) ++end;
      i = end;
    } else if (c == '\t') {
      out += ' ';
    } else if (c >= 0x20 && c != 0x7F) {
      out += text[i];
    }
  }
  return out;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kEntities = {{
    {"&lt;", "<"},
    {"&gt;", ">"},
    {"&quot;", "\""},
    {"&#39;", "'"},
    {"&#x27;", "'"},
    {"&apos;", "'"},
    {"&nbsp;", " "},
    {"&#34;", "\""},
    {"&#96;", "`"},
    {"&amp;", "&"},
}};

// Marks as other keyboards and word processors write them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kMarks = {{
    {"\u00a0", " "},
    {"\u3000", " "},
    {"\u2018", "'"},
    {"\u2019", "'"},
    {"\u201c", "\""},
    {"\u201d", "\""},
    {"\u2013", "-"},
    {"\u2014", "-"},
    {"\u2026", "..."},
    {"\u3002", "."},
    {"\u3001", ","},
    {"\u300c", "\""},
    {"\u300d", "\""},
    {"\u2502", "|"},
    {"\u2503", "|"},
    {"\u200b", ""},
    {"\ufeff", ""},
}};

// U+FF01 … U+FF5E are ASCII in full width: EF BC 81 … EF BD 9E.
std::string half_width(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
    };
    unsigned code = at(0) == 0xEF ? ((at(1) & 0x3F) << 6) | (at(2) & 0x3F) | 0xF000 : 0;
    if (code >= 0xFF01 && code <= 0xFF5E) {
      out += static_cast<char>(code - 0xFEE0);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string plain_marks(std::string text) {
  bool wide = false;
  for (char c : text) wide = wide || static_cast<unsigned char>(c) >= 0x80;
  if (wide) {
    for (auto [from, to] : kMarks) text = replace_all(std::move(text), from, to);
    text = half_width(text);
  }
  if (text.find('&') == std::string::npos) return text;
  for (auto [from, to] : kEntities) text = replace_all(std::move(text), from, to);
  return text;
}

// "> " of a mail, but not ">>> " of Python.
std::string_view without_quotes(std::string_view text) {
  for (;;) {
    auto at = text.find_first_not_of(' ');
    if (at == std::string_view::npos || text[at] != '>') return text;
    auto rest = text.substr(at + 1);
    if (rest.starts_with('>')) {
      bool prompt = rest.starts_with(">>") || rest.starts_with("> >");
      if (prompt) return text;
    } else if (!rest.empty() && !rest.starts_with(' ')) {
      return text;
    }
    text = rest.starts_with(' ') ? rest.substr(1) : rest;
  }
}

// -------------------------------------------------------- log prefixes

// A run of digits and the marks of dates and times that holds a time ("12:04:31") or a whole date.
std::size_t time_length(std::string_view text) {
  std::size_t end = 0;
  int colons = 0, dashes = 0, digits = 0;
  for (; end < text.size(); ++end) {
    char c = text[end];
    bool inner = end > 0 && (c == ':' || c == '-' || c == '.' || c == ',' || c == '/' || c == '+' ||
                             c == 'T' || c == 'Z');
    bool gap = c == ' ' && end > 0 && end + 2 < text.size() && is_digit(text[end + 1]) &&
               is_digit(text[end + 2]) && dashes >= 2 && colons == 0;
    if (!is_digit(c) && !inner && !gap) break;
    digits += is_digit(c) ? 1 : 0;
    colons += c == ':' ? 1 : 0;
    dashes += c == '-' || c == '/' ? 1 : 0;
  }
  bool date = dashes >= 2 && digits >= 6, time = colons >= 1 && digits >= 4;
  while (end > 0 && text[end - 1] == ':') --end;
  return date || (time && colons >= 2) ? end : 0;
}

constexpr std::array<std::string_view, 12> kMonths = {
    "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "};

// "Nov 30 22:09:09 host kernel: " keeps what follows the time: "kernel:" is a word the readers
// know.
std::size_t syslog_length(std::string_view text) {
  for (auto month : kMonths) {
    if (!text.starts_with(month)) continue;
    auto at = text.find_first_not_of(' ', 4);
    if (at == std::string_view::npos || !is_digit(text[at])) return 0;
    at = text.find(' ', at);
    if (at == std::string_view::npos) return 0;
    auto time = time_length(text.substr(at + 1));
    return time == 0 ? 0 : at + 1 + time;
  }
  return 0;
}

constexpr std::array<std::string_view, 12> kLevels = {"INFO",    "WARNING",  "WARN",   "ERROR",
                                                      "DEBUG",   "CRITICAL", "FATAL",  "error",
                                                      "warning", "info",     "stderr", "stdout"};

// "[12.345678] ", "[2024-06-18 19:45:55,713] ", "[rank0]: ", "[1/2] ", "[ERROR] ", "(Worker pid=1)
// "
std::size_t bracket_length(std::string_view text) {
  char open = text.empty() ? ' ' : text[0];
  if (open != '[' && open != '(') return 0;
  auto close = text.find(open == '[' ? ']' : ')');
  if (close == std::string_view::npos || close > 80) return 0;
  auto inside = trim(text.substr(1, close - 1));
  bool number = open == '[' && !inside.empty() &&
                inside.find_first_not_of("0123456789. ") == std::string_view::npos &&
                contains(inside, ".");
  bool level = false;
  for (auto one : kLevels) level = level || inside == one;
  bool worker = contains(inside, "pid=") || inside.starts_with("rank") ||
                contains(inside, "Worker") || contains(inside, "ip=");
  bool time = time_length(inside) == inside.size() && !inside.empty();
  if (!number && !level && !worker && !time && syslog_length(inside) == 0) return 0;
  ++close;
  return close < text.size() && text[close] == ':' ? close + 1 : close;
}

// "ERROR 06-18 19:45:55 worker.py:12] " of vLLM, "E0618 19:45:55.123456 1 file.cc:12] " of glog.
std::size_t level_length(std::string_view text) {
  for (auto level : kLevels) {
    if (!text.starts_with(level)) continue;
    auto rest = text.substr(level.size());
    if (rest.starts_with(' ') && rest.size() > 8 && is_digit(rest[1]) && is_digit(rest[2]) &&
        rest[3] == '-') {
      auto close = rest.find("] ");
      return close != std::string_view::npos && close < 90 ? level.size() + close + 2 : 0;
    }
  }
  bool glog = text.size() > 22 &&
              std::string_view("IWEF").find(text[0]) != std::string_view::npos &&
              is_digit(text[1]) && is_digit(text[4]) && text[5] == ' ';
  auto close = text.find("] ");
  return glog && close != std::string_view::npos && close < 100 ? close + 2 : 0;
}

std::string_view without_prefixes(std::string_view text) {
  for (int i = 0; i < 6; ++i) {
    auto rest = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    std::size_t length = bracket_length(rest);
    if (length == 0) length = syslog_length(rest);
    if (length == 0) length = time_length(rest);
    if (length == 0) length = level_length(rest);
    if (length == 0) return text;
    text = rest.substr(length);
    auto at = text.find_first_not_of(" |");
    text = text.substr(std::min(at, text.size()));
    if (text.starts_with(": ")) text.remove_prefix(2);
  }
  return text;
}

}  // namespace

std::string clean_line(std::string_view raw, bool prefixes) {
  raw = raw.substr(0, kMaximumPasteLine);
  // What a progress bar wrote over is gone from the screen as well.
  while (raw.ends_with('\r')) raw.remove_suffix(1);
  if (auto over = raw.rfind('\r'); over != std::string_view::npos) raw.remove_prefix(over + 1);
  std::string text = plain_marks(printable(without_colors(raw)));
  std::string_view rest = without_quotes(text);
  if (prefixes) rest = without_prefixes(rest);
  auto end = rest.find_last_not_of(' ');
  return std::string(rest.substr(0, end == std::string_view::npos ? 0 : end + 1));
}

}  // namespace kernelfit
