// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <gtest/gtest.h>

namespace kernelfit::cli {
namespace {

using Strings = std::vector<std::string>;

std::string problem_of(const Strings& arguments) {
  auto line = parse_command_line(arguments);
  return line.problem ? line.problem->key : std::string();
}
std::string value_in(const Said& said, const std::string& name) {
  for (const auto& [key, value] : said.values) {
    if (key == name) return value;
  }
  return {};
}

TEST(CommandLine, NothingIsDoctor) {
  auto line = parse_command_line({});
  EXPECT_FALSE(line.problem);
  EXPECT_EQ(line.args.command->name, "doctor");
  EXPECT_FALSE(line.args.named);
}

TEST(CommandLine, FlagsMayStandBeforeAndAfterTheCommand) {
  for (const Strings& arguments :
       {Strings{"plan", "torch==2.13.0", "--gpu", "GT 730", "--lang", "zh"},
        Strings{"--lang=zh", "--gpu", "GT 730", "plan", "torch==2.13.0"}}) {
    auto line = parse_command_line(arguments);
    ASSERT_FALSE(line.problem);
    EXPECT_EQ(line.args.command->name, "plan");
    EXPECT_EQ(line.args.words, Strings{"torch==2.13.0"});
    EXPECT_EQ(line.args.values("gpu"), Strings{"GT 730"});
    EXPECT_EQ(line.args.value("lang"), "zh");
  }
}

TEST(CommandLine, ARepeatableFlagKeepsAllItsValues) {
  auto line = parse_command_line({"doctor", "--gpu", "RTX 3090", "--gpu", "GTX 1060"});
  ASSERT_FALSE(line.problem);
  EXPECT_EQ(line.args.values("gpu"), (Strings{"RTX 3090", "GTX 1060"}));
  EXPECT_TRUE(line.args.words.empty());
}

TEST(CommandLine, AValueTakesNoFurtherWord) {
  auto line = parse_command_line({"plan", "--gpu", "8.6", "torch"});
  ASSERT_FALSE(line.problem);
  EXPECT_EQ(line.args.words, Strings{"torch"});
}

TEST(CommandLine, SwitchesHaveNoValue) {
  auto line = parse_command_line({"--json", "-v"});
  ASSERT_FALSE(line.problem);
  EXPECT_TRUE(line.args.has("json"));
  EXPECT_TRUE(line.args.has("verbose"));
  EXPECT_FALSE(line.args.has("quiet"));
}

TEST(CommandLine, WhatIsWrongIsSaid) {
  static const struct {
    Strings arguments;
    const char* problem;
  } kCases[] = {
      {{"doctr"}, "cli.error.unknown-command-near"},
      {{"frobnicate"}, "cli.error.unknown-command"},
      {{"--qiet"}, "cli.error.unknown-flag-near"},
      {{"--frobnicate"}, "cli.error.unknown-flag"},
      {{"--frobnicate=3"}, "cli.error.unknown-flag"},
      {{"plan", "--gpu"}, "cli.error.needs-value"},
      {{"plan", "--gpu", ""}, "cli.error.needs-value"},
      {{"--format", "yaml"}, "cli.error.choice"},
      {{"--os", "linux", "--os", "wsl"}, "cli.error.once"},
      {{"torch", "--gpu", "8.6"}, "cli.error.not-here"},
      {{"plan", "--steps"}, "cli.error.not-here"},
      {{"record", "x", "--json"}, "cli.error.not-here"},
      {{"--version=3"}, "cli.error.no-value"},
      {{"doctor", "--json=yes"}, "cli.error.no-value"},
      {{"doctor", "--json", "--format", "markdown"}, "cli.error.contradict"},
      {{"doctor", "--format=markdown", "--json"}, "cli.error.contradict"},
      {{"doctor", "--format", "json", "--json"}, ""},
      {{"doctor", "--list"}, ""},
      {{"plan", "torch>=2.1,<2.4", "xformers"}, ""},
      {{"torch", "--matrix", "--format", "markdown"}, ""},
  };
  for (const auto& c : kCases) EXPECT_EQ(problem_of(c.arguments), c.problem) << c.arguments[0];
}

TEST(CommandLine, TheNearestNameIsSuggested) {
  auto line = parse_command_line({"doctr"});
  EXPECT_EQ(value_in(*line.problem, "nearest"), "doctor");
  line = parse_command_line({"plan", "--pyhton", "3.11"});
  EXPECT_EQ(value_in(*line.problem, "nearest"), "--python");
}

TEST(CommandLine, AfterTwoDashesAllAreWords) {
  auto line = parse_command_line({"doctor", "--", "--json"});
  ASSERT_FALSE(line.problem);
  EXPECT_EQ(line.args.words, Strings{"--json"});
  EXPECT_FALSE(line.args.has("json"));
}

TEST(CommandLine, FromTheProgramOnNothingIsAnOption) {
  const struct {
    Strings arguments, program;
  } kCases[] = {
      {{"run", "python", "-m", "x", "--json"}, {"python", "-m", "x", "--json"}},
      {{"run", "--", "--odd"}, {"--odd"}},
      {{"--lang", "zh", "run", "-o", "run", "cat", "--", "a"}, {"cat", "--", "a"}},
      {{"run", "--json", "--", "--", "x"}, {"--", "x"}},
      {{"run", "run"}, {"run"}},
      {{"explain", "--run", "make", "-j"}, {"make", "-j"}},
      {{"explain", "--lang=zh", "--run", "--", "make"}, {"make"}},
      {{"run"}, {}},
      {{"explain", "--", "run"}, {}},
      {{"plan", "run", "torch"}, {}},
  };
  for (const auto& c : kCases) {
    const auto line = parse_command_line(c.arguments);
    EXPECT_EQ(line.args.program, c.program) << c.arguments[0];
    EXPECT_FALSE(line.problem) << c.arguments[0];
  }
  EXPECT_EQ(parse_command_line({"explain", "--run", "x"}).args.command->name, "run");
  EXPECT_EQ(problem_of({"run", "--gpu", "8.6", "x"}), "cli.error.not-here");
}

TEST(Nearest, IsEmptyWhereNothingIsNear) {
  EXPECT_EQ(nearest("plna", {"plan", "gpu"}), "plan");
  EXPECT_EQ(nearest("x", {"plan", "gpu"}), "");
  EXPECT_EQ(nearest("something", {"plan", "gpu"}), "");
}

}  // namespace
}  // namespace kernelfit::cli
