// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "base/visible.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace kernelfit {
namespace {

using Views = std::vector<std::string_view>;
using Strings = std::vector<std::string>;

TEST(Text, TrimsAndSplits) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(split("a,,b,", ','), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (Views{""}));
  EXPECT_EQ(split_words("  sm_50\tsm_60  "), (Views{"sm_50", "sm_60"}));
  EXPECT_EQ(lines_of("a\r\n\nb"), (Views{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\n"), (Views{"a"}));
  EXPECT_EQ(lines_of(""), (Views{}));
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Text, FindsAndReplaces) {
  EXPECT_EQ(lower("NVIDIA Ä"), "nvidia Ä");
  EXPECT_TRUE(contains_word("sm_50 sm_60", "sm_60"));
  EXPECT_FALSE(contains_word("sm_50 sm_60", "sm_6"));
  EXPECT_EQ(replace_all("aaa", "a", "aa"), "aaaaaa");
  EXPECT_EQ(replace_all("abc", "", "x"), "abc");
  EXPECT_EQ(line_value("a: 1\nModel: \t GeForce \nb: 2", "Model:"), "GeForce");
  EXPECT_FALSE(line_value("x Model: y", "Model:").has_value());
}

TEST(Text, NumbersAreWhole) {
  EXPECT_EQ(parse_int("-12"), -12);
  for (const char* text : {"", "1x", "x1", " 1", "1 ", "+1", "0x10", "9223372036854775808"}) {
    EXPECT_FALSE(parse_int(text).has_value()) << text;
  }
  EXPECT_EQ(parse_hex("0x10de"), 0x10deu);
  EXPECT_EQ(parse_hex("10DE"), 0x10deu);
  for (const char* text : {"", "0x", "10dg", "0x0x1"})
    EXPECT_FALSE(parse_hex(text).has_value()) << text;
}

TEST(Text, Fills) {
  struct {
    const char *pattern, *filled;
  } cases[] = {{"torch {torch} for {arch}", "torch 2.13.0 for {torch}"},
               {"{unknown} {torch", "{unknown} {torch"},
               {"{{torch}", "{torch}"},
               {"{}", "{}"},
               {"{{{torch}", "{2.13.0"},
               {"", ""}};
  // A value that looks like a placeholder is not filled again.
  for (const auto& c : cases)
    EXPECT_EQ(fill(c.pattern, {{"torch", "2.13.0"}, {"arch", "{torch}"}}), c.filled);
}

TEST(Text, ColumnsOfATerminal) {
  struct {
    const char* text;
    int columns;
  } cases[] = {{"driver", 6}, {"显卡", 4},        {"显卡 driver", 11}, {"e\xCC\x81", 1},
               {"✓", 1},      {"“”", 2},          {"，", 2},           {"\xff", 1},
               {"", 0},       {"\xEF\xBC\x88", 2}};
  for (const auto& c : cases) EXPECT_EQ(display_width(c.text), c.columns) << c.text;
  EXPECT_EQ(pad_right("显卡", 6), "显卡  ");
  EXPECT_EQ(pad_right("显卡", 2), "显卡");
}

TEST(Text, Wraps) {
  EXPECT_EQ(wrap("the driver is older than this", 12),
            (Strings{"the driver", "is older", "than this"}));
  EXPECT_EQ(wrap("one\ntwo", 12), (Strings{"one", "two"}));
  EXPECT_EQ(wrap("", 12), (Strings{""}));
  // A word that is too long stands alone, or is cut where it must be.
  auto lines = wrap("a 0123456789abcdef b", 8);
  for (const auto& line : lines) EXPECT_LE(display_width(line), 8) << line;
  EXPECT_EQ(join(lines, ""), "a0123456789abcdefb");
}

// Chinese breaks between characters, but no line begins with a full stop or a comma.
TEST(Text, WrapsChinese) {
  auto lines = wrap("驱动版本太旧，需要升级。显卡没有问题。", 14);
  std::string all;
  for (const auto& line : lines) {
    EXPECT_LE(display_width(line), 14) << line;
    for (const char* mark : {"，", "。"}) EXPECT_FALSE(line.starts_with(mark)) << line;
    all += line;
  }
  EXPECT_EQ(all, "驱动版本太旧，需要升级。显卡没有问题。");
}

TEST(Text, PrintableIsSafeForATerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\x07\r\x7f"), "a?[2Jb???");
  EXPECT_EQ(printable("tab\tline\n"), "tab\tline\n");
  EXPECT_EQ(printable("\xc3"), "\xEF\xBF\xBD");
  EXPECT_EQ(printable("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // an overlong slash
  EXPECT_EQ(printable("\xc2\x9b"), "?");                         // CSI as one character
  EXPECT_EQ(printable("中文"), "中文");
}

// Code points of the Unicode standard: CSI, right-to-left override, isolates, zero width space and
// joiner, byte order mark, line separator; a newline cannot begin a line of its own.
TEST(Text, VisibleSpellsOutWhatCannotBeSeen) {
  struct {
    const char *raw, *shown;
  } cases[] = {{"\x1b[31mRED\x1b]0;x\x07", "\\x1b[31mRED\\x1b]0;x\\x07"},
               {"a\r\nKF9999\tx\x7f", "a\\r\\nKF9999\\tx\\x7f"},
               {"\xc2\x9b", "\\u009b"},
               {"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f", "\\u202e\\u2066\\u200f"},
               {"\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf", "\\u200b\\u200d\\ufeff"},
               {"\xe2\x80\xa8", "\\u2028"},
               {"\xff\xc3", "\\xff\\xc3"},
               {"\xf3\xa0\x81\x81", "\\U000e0041"},
               {"显卡 — Ångström…", "显卡 — Ångström…"}};
  for (const auto& c : cases) {
    EXPECT_EQ(visible(c.raw), c.shown);
    EXPECT_EQ(visible(visible(c.raw)), c.shown);
  }
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible_lines("a\x1b\nb"), "a\\x1b\nb");
}

TEST(Text, AFilledValueStaysInItsLineAndInItsCode) {
  EXPECT_EQ(fill_visible("`plan --env {env}`: {env}", {{"env", "a`b\nc"}}),
            "`plan --env a\\x60b\\nc`: a`b\\nc");
}

TEST(Text, QuotesOnlyWhereNeeded) {
  struct {
    const char *word, *quoted;
  } cases[] = {{"torch==2.13.0+cu126", "torch==2.13.0+cu126"},
               {"https://download.pytorch.org/whl/cu126", "https://download.pytorch.org/whl/cu126"},
               {"cudnn<9.11", "\"cudnn<9.11\""},
               {"", "\"\""},
               {"a b", "\"a b\""},
               {"C:\\x y", "'C:\\x y'"},
               {"it's $HOME", "'it'\\''s $HOME'"}};
  for (const auto& c : cases) EXPECT_EQ(shell_quote(c.word), c.quoted);
}

// The shell is the oracle: it must read back the word that was quoted.
TEST(Text, TheShellReadsTheWordBack) {
  for (const char* word : {"a b",        "$HOME",
                           "`id`",       "\"",
                           "'",          "!x",
                           "\\",         "a;b",
                           "*",          "~",
                           "a\tb",       "&|<>()",
                           "#x",         "",
                           "a=b",        "torch>=2.1,<2.3",
                           "显卡",       "esc\x1b[31m'%s\\n",
                           "nl\nKF9999", "\xe2\x80\xae",
                           "bad\xff"}) {
    std::string command = "printf %s " + shell_quote(word), got;
    FILE* pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    for (int c; (c = std::fgetc(pipe)) != EOF;) got += static_cast<char>(c);
    pclose(pipe);
    EXPECT_EQ(got, word) << command;
  }
}

}  // namespace
}  // namespace kernelfit
