// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "base/plain_toml.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Json, WritesWhatItWasGiven) {
  Json json = Json::object();
  json["schema"] = "kernelfit.doctor/1";
  json["gpus"].push("a");
  json["gpus"].push(2);
  json["empty"] = Json::object();
  json["none"] = nullptr;
  json["real"] = 12.5;
  json["list"].push(Json::object());
  EXPECT_EQ(json.dump(),
            "{\n"
            "  \"schema\": \"kernelfit.doctor/1\",\n"
            "  \"gpus\": [\"a\", 2],\n"
            "  \"empty\": {},\n"
            "  \"none\": null,\n"
            "  \"real\": 12.5,\n"
            "  \"list\": [\n"
            "    {}\n"
            "  ]\n"
            "}\n");
  EXPECT_EQ(json.dump_compact(),
            R"({"schema":"kernelfit.doctor/1","gpus":["a",2],"empty":{},"none":null,"real":12.5,)"
            R"("list":[{}]})");
}

// Whatever a file said, the report stays JSON.
TEST(Json, StringsAreMadeSafe) {
  struct {
    std::string raw;
    const char* written;
  } cases[] = {{"a\"b\\c", R"("a\"b\\c")"},
               {"line\nend\t", R"("line\nend\t")"},
               {"\x1b[31m", R"("\u001b[31m")"},
               {std::string("a\0b", 3), R"("a\u0000b")"},
               {"\xc2\x9b\x7f", R"("\u009b\u007f")"},
               {"\xe2\x80\xae", R"("\u202e")"},
               {"\xf3\xa0\x81\x81", R"("\udb40\udc41")"},
               {"\xff", "\"\xEF\xBF\xBD\""},
               {"显卡", "\"显卡\""}};
  for (const auto& c : cases) {
    EXPECT_EQ(Json(c.raw).dump_compact(), c.written);
    auto read = parse_json(Json(c.raw).dump());
    ASSERT_TRUE(read);
    if (c.raw == "\xff") continue;
    EXPECT_EQ(read->string(), c.raw);  // nothing is lost
  }
}

TEST(Json, ReadsInTheOrderOfTheText) {
  auto json = parse_json(R"({"z": 1, "a": [true, null, "x", -3, 1.5, 18446744073709551615]})");
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_EQ(json->members()[0].first, "z");
  const auto& items = json->at("a").items();
  ASSERT_EQ(items.size(), 6u);
  EXPECT_TRUE(items[0].boolean());
  EXPECT_TRUE(items[1].is_null());
  EXPECT_EQ(items[2].string(), "x");
  EXPECT_EQ(items[3].integer(), -3);
  EXPECT_EQ(items[4].real(), 1.5);
  EXPECT_TRUE(items[5].is_real());  // does not fit into 64 bits with a sign
  EXPECT_EQ(items[5].real(), 18446744073709551615.0);
}

TEST(Json, WhatIsNotThereReadsAsEmpty) {
  auto json = parse_json(R"({"number": 1})");
  EXPECT_TRUE(json->at("x").at("y").items().empty());
  EXPECT_EQ(json->at("number").string(), "");
  EXPECT_EQ(json->at("x").integer(7), 7);
  EXPECT_TRUE(json->at("number").strings().empty());
}

TEST(Json, RefusesBrokenText) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "{} x", "\"\xff\"", "NaN"}) {
    EXPECT_FALSE(parse_json(text)) << text;
  }
}

TEST(Json, NestingIsLimited) {
  std::string deep(60, '['), too_deep(1'000'000, '[');
  EXPECT_TRUE(parse_json(deep + std::string(60, ']')));
  EXPECT_FALSE(parse_json(too_deep));
  EXPECT_FALSE(parse_json(too_deep + std::string(1'000'000, ']')));
  EXPECT_TRUE(parse_json("\"" + too_deep + "\""));
}

TEST(Toml, IsReadIntoTheSameValue) {
  auto toml = parse_toml(R"(
name = "x"
since = 2026-11-30
ratio = 0.5
flags = [true, 1]
[facts]
"driver.version" = "535"
[[command]]
argv = ["a", "b"]
)");
  ASSERT_TRUE(toml) << toml.error().text();
  EXPECT_EQ(toml->at("name").string(), "x");
  EXPECT_EQ(toml->at("since").string(), "2026-11-30");
  EXPECT_EQ(toml->at("ratio").real(), 0.5);
  EXPECT_EQ(toml->at("facts").at("driver.version").string(), "535");
  EXPECT_EQ(toml->at("command").items()[0].at("argv").strings(),
            (std::vector<std::string>{"a", "b"}));
}

// What rules are written in is read without toml++, as the same value.
TEST(PlainToml, IsWhatTomlPlusPlusReads) {
  const char* kPlain[] = {
      "",
      "# a comment\n\n",
      "b = \"x\"\na = [\"y\", [\"z\\\"\\\\\\n\\t\"],]  # why\n",
      "rank = 50\nlow = -7\nyes = true\nno = false\nnone = []\n",
      "a = 1\n[[fix]]\nid = \"one\"\n[[fix]]\nid = \"two\"\n[more]\nx = [\n  1,\n  2 # two\n]\n",
      "[\"13.0 is R580\"]\n\"a key\" = \"b\"\n[x]\n",
  };
  for (const char* text : kPlain) {
    auto plain = read_plain_toml(text);
    auto whole = read_any_toml(text);
    ASSERT_TRUE(plain && whole) << text;
    EXPECT_EQ(plain->dump(), whole->dump()) << text;
  }
}

TEST(PlainToml, LeavesTheRest) {
  for (const char* text : {"a = 2026-11-30",
                           "a.b = 1",
                           "[a.b]",
                           "a = 'x'",
                           "a = 1.5",
                           "a = \"\"\"x\"\"\"",
                           "a = 0x1",
                           "a = 1_000",
                           "a = \"\\u0041\"",
                           "a = {b = 1}",
                           "a = \"\xc3\xa9\"",
                           "a = 1\na = 2",
                           "[a]\n[a]",
                           "a = 1\n[[a]]",
                           "a = \"x",
                           "a = truex",
                           "a = [1 2]",
                           "a",
                           "a = 01",
                           "a = 9999999999999999999",
                           "[[a]",
                           "a = 1 b = 2",
                           "a = \"x\ty\"",
                           "a = 1\r\n"}) {
    EXPECT_FALSE(read_plain_toml(text)) << text;
  }
}

TEST(Toml, SaysWhichLineIsWrong) {
  auto toml = parse_toml("a = 1\nb =\n");
  ASSERT_FALSE(toml);
  EXPECT_TRUE(toml.error().text().starts_with("line 2: ")) << toml.error().text();
}

// toml++ has no limit of its own in every version; the stack has.
TEST(Toml, NestingIsLimited) {
  EXPECT_FALSE(parse_toml("a = " + std::string(100'000, '[')));
  std::string inner = "1";
  for (int i = 0; i < 100; ++i) inner.insert(0, "[").append("]");
  EXPECT_FALSE(parse_toml("a = " + inner));
  std::string dotted = "a";
  for (int i = 0; i < 100; ++i) dotted += ".a";
  EXPECT_FALSE(parse_toml(dotted + " = 1"));
}

}  // namespace
}  // namespace kernelfit
