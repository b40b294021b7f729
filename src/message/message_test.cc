// SPDX-License-Identifier: Apache-2.0
#include "message/message.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Catalogue, FillsAText) {
  Catalogue catalogue("en");
  ASSERT_TRUE(
      catalogue.add("# a comment\n\nroom.driver: driver {version}: {{old}\r\n"
                    "  room.two :  first\\nsecond\n"));
  EXPECT_EQ(catalogue("room.driver", {{"version", "580.95"}}), "driver 580.95: {old}");
  EXPECT_EQ(catalogue("room.two"), "first\nsecond");
  EXPECT_EQ(catalogue("room.none"), "<room.none>");
  EXPECT_TRUE(catalogue.has("room.two"));
  EXPECT_EQ(catalogue.raw("room.two"), "first\\nsecond");
  EXPECT_EQ(catalogue.keys(), (std::vector<std::string_view>{"room.driver", "room.two"}));
}

// C:\new is a folder, not a line break.
TEST(Catalogue, AValueKeepsItsBackslashes) {
  Catalogue catalogue("en");
  ASSERT_TRUE(catalogue.add("room.path: in {path}"));
  EXPECT_EQ(catalogue("room.path", {{"path", "C:\\new{path}"}}), "in C:\\new{path}");
}

TEST(Catalogue, SaysWhichLineIsWrong) {
  struct {
    const char *text, *says;
  } cases[] = {{"a: b\nno colon here", "line 2"},
               {"a: b\na: c", "line 2: key is there already"},
               {": text", "line 1: not a key"},
               {"two words: text", "line 1: not a key"}};
  for (const auto& c : cases) {
    Catalogue catalogue("en");
    auto status = catalogue.add(c.text);
    ASSERT_FALSE(status) << c.text;
    EXPECT_NE(status.error().text().find(c.says), std::string::npos) << status.error().text();
  }
}

// ecosystem: --lang > KERNELFIT_LANG > LANGUAGE > LC_ALL > LC_MESSAGES > LANG.
TEST(Language, TheFirstThatIsSetDecides) {
  struct {
    std::vector<std::string> candidates;
    const char* chosen;
  } cases[] = {
      {{"zh"}, "zh"},
      {{"", "", "", "zh_CN.UTF-8"}, "zh"},
      {{"", "", "zh_TW:en", "en_US.UTF-8"}, "zh"},
      {{"", "", "fr:zh_CN", "en_US.UTF-8"}, "zh"},
      {{"en", "zh"}, "en"},
      {{"", "zh-Hans", "en_US.UTF-8"}, "zh"},
      {{"ZH_cn"}, "zh"},
      {{"C.UTF-8", "zh_CN"}, "en"},
      {{"de_DE.UTF-8"}, "en"},
      {{"zhx"}, "en"},
      {{"", "", ""}, "en"},
      {{}, "en"},
  };
  for (const auto& c : cases) EXPECT_EQ(choose_language(c.candidates), c.chosen);
}

TEST(Language, UnknownOnesAreEnglish) {
  EXPECT_EQ(load_catalogue("xx").language(), "en");
  EXPECT_EQ(load_catalogue("zh").language(), "zh");
}

}  // namespace
}  // namespace kernelfit
