// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Csv, ReadsRowsAndCells) {
  auto csv = Csv::parse(
      "cuda,driver,note\r\n12.6,560.28.03,\"a, b\"\n\n13.0,580.65.06,\n"
      "x,\"say \"\"no\"\"\",\"two\nlines\"");
  ASSERT_TRUE(csv) << csv.error().text();
  EXPECT_EQ(csv->rows(), 3u);
  EXPECT_EQ(csv->cell(0, "driver"), "560.28.03");
  EXPECT_EQ(csv->cell(0, "note"), "a, b");
  EXPECT_EQ(csv->cell(1, "note"), "");
  EXPECT_EQ(csv->cell(2, "driver"), "say \"no\"");
  EXPECT_EQ(csv->cell(2, "note"), "two\nlines");
  EXPECT_EQ(csv->cell(0, "none"), "");
  EXPECT_EQ(csv->column("none"), -1);
  EXPECT_EQ(csv->column("note"), 2);
}

TEST(Csv, ACopyKeepsItsCells) {
  auto csv = Csv::parse("a\n\"x\"\"y\"\n");
  Csv moved = std::move(*csv);
  EXPECT_EQ(moved.cell(0, 0), "x\"y");
}

TEST(Csv, NamesTheLineThatIsWrong) {
  struct {
    const char *text, *says;
  } cases[] = {{"a,b\n1,2\n3\n", "line 3: 1 cells, the header has 2"},
               {"a,b\n\"1\n2\",3\n4,5,6\n", "line 4: 3 cells"},
               {"a\n\"open", "line 2: open quote"},
               {"a,b\n\"x\"y,2\n", "line 2: text after a closing quote"}};
  for (const auto& c : cases) {
    auto csv = Csv::parse(c.text);
    ASSERT_FALSE(csv) << c.text;
    EXPECT_NE(csv.error().text().find(c.says), std::string::npos) << csv.error().text();
  }
}

TEST(Csv, OddEnds) {
  EXPECT_EQ(Csv::parse("")->rows(), 0u);
  EXPECT_EQ(Csv::parse("a,b")->rows(), 0u);
  EXPECT_EQ(Csv::parse("a,b\n1,")->cell(0, "b"), "");
  EXPECT_EQ(Csv::parse("a,b\n,2\n")->cell(0, "a"), "");
  EXPECT_EQ(Csv::parse("a,b\n1,\"\"\n")->cell(0, "b"), "");
  EXPECT_EQ(Csv::parse("a\r\n1\r\n")->cell(0, "a"), "1");
}

}  // namespace
}  // namespace kernelfit
