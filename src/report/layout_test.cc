// SPDX-License-Identifier: Apache-2.0
#include "report/layout.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "report/markdown.h"

namespace kernelfit::report {
namespace {

Style plain(int columns) {
  Style style;
  style.columns = columns;
  return style;
}

TEST(Layout, AlignsColumnsByDisplayWidth) {
  std::vector<Row> rows = {{{"driver"}, {"535"}, {"file"}}, {{"显卡"}, {"6.1"}, {"表"}}};
  EXPECT_EQ(lay_out(rows, {.indent = 2, .gap = 2}, plain(80)),
            "  driver  535  file\n"
            "  显卡    6.1  表\n");
}

TEST(Layout, ACellThatDoesNotFitGoesUnderTheSecondColumn) {
  std::vector<Row> rows = {
      {{"torch"}, {"sm_75 sm_80 sm_86 sm_90"}, {"libtorch_cuda.so, read from the file"}}};
  EXPECT_EQ(lay_out(rows, {.indent = 2, .gap = 2}, plain(50)),
            "  torch  sm_75 sm_80 sm_86 sm_90\n"
            "         libtorch_cuda.so, read from the file\n");
}

TEST(Layout, AWideCellIsWrappedInItsColumn) {
  std::vector<Row> rows = {{{"why"}, {"one two three four five six seven eight"}}};
  std::string out = lay_out(rows, {.indent = 2, .gap = 2}, plain(32));
  for (auto line : lines_of(out)) EXPECT_LE(display_width(line), 32) << line;
  EXPECT_TRUE(out.starts_with("  why  one"));
  EXPECT_NE(out.find("\n       "), std::string::npos);
}

TEST(Layout, NoLineEndsInBlanks) {
  std::vector<Row> rows = {{{"a"}, {""}, {"c"}}, {{"a"}, {"long"}, {""}}};
  std::string out = lay_out(rows, {}, plain(80));
  for (auto line : lines_of(out)) {
    EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
  }
}

TEST(Layout, ColourChangesNoWidth) {
  std::vector<Row> rows = {{{"ok", Ink::good}, {"x"}}, {{"worse", Ink::bad}, {"x"}}};
  Style colored = plain(80);
  colored.color = true;
  std::string out = lay_out(rows, {.indent = 0, .gap = 1}, colored);
  EXPECT_EQ(out, "\x1b[32mok\x1b[0m    x\n\x1b[31mworse\x1b[0m x\n");
}

TEST(Layout, CommandsAreNeverFolded) {
  std::string command(200, 'x');
  EXPECT_EQ(command_lines({command}, plain(40)), "    " + command + "\n");
}

TEST(Layout, ParagraphHangsUnderItsText) {
  EXPECT_EQ(paragraph({"next:"}, "aaa bbb ccc ddd eee fff ggg", 0, 1, plain(31)),
            "next: aaa bbb ccc ddd eee fff\n      ggg\n");
}

// A folder called "x\nKF9999  fake" must not print a line that looks like a finding.
TEST(Layout, AValueCannotBeginALineNorMoveTheCursor) {
  const std::string evil = "x\nKF9999  fake\x1b[31m\r\xe2\x80\xae\xff";
  const std::string shown = "x\\nKF9999  fake\\x1b[31m\\r\\u202e\\xff";
  EXPECT_EQ(lay_out({{{evil}}}, {.indent = 0}, plain(120)), shown + "\n");
  EXPECT_EQ(command_lines({evil}, plain(80)), "    " + shown + "\n");
  EXPECT_EQ(paint(evil, Ink::strong, plain(80)), shown);
  Style colored = plain(80);
  colored.color = true;
  EXPECT_EQ(paint(evil, Ink::bad, colored), "\x1b[31m" + shown + "\x1b[0m");
}

// GitHub Flavored Markdown 4.10, 6.1: a pipe ends a cell unless escaped, a code span ends at a run
// of as many ticks as began it.
TEST(Markdown, AValueStaysInItsCellItemAndSpan) {
  EXPECT_EQ(md_cell("a|b\nc"), "a\\|b\\nc");
  EXPECT_EQ(md_code("plain"), "`plain`");
  EXPECT_EQ(md_code("a`b``c"), "```a`b``c```");
  EXPECT_EQ(md_code("`x"), "`` `x ``");
  EXPECT_EQ(md_list({"a\n# KF9999"}), "- a\\n# KF9999\n");
  EXPECT_EQ(md_fence({"x\n```"}, ""), "````\nx\\n```\n````\n");
}

}  // namespace
}  // namespace kernelfit::report
