// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/exit_status.h"

namespace kernelfit::cli {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Variable lookup(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    auto it = variables.find(name);
    if (it == variables.end()) return {};
    return it->second;
  };
}

Args args_with(std::map<std::string, std::vector<std::string>, std::less<>> flags) {
  Args args;
  args.flags = std::move(flags);
  return args;
}

Console terminal() {
  Console console;
  console.is_terminal = true;
  return console;
}

// docs/contract.md 1: --lang > KERNELFIT_LANG > LANGUAGE > LC_ALL > LC_MESSAGES > LANG
TEST(Settings, LanguageInThisOrder) {
  static const struct {
    Variables variables;
    const char* language;
  } kCases[] = {
      {{}, "en"},
      {{{"LANG", "zh_CN.UTF-8"}}, "zh"},
      {{{"LANG", "zh_CN.UTF-8"}, {"LC_MESSAGES", "en_US.UTF-8"}}, "en"},
      {{{"LC_MESSAGES", "en_US.UTF-8"}, {"LC_ALL", "zh_TW.UTF-8"}}, "zh"},
      {{{"LC_ALL", "zh_CN.UTF-8"}, {"LANGUAGE", "en"}}, "en"},
      {{{"LANGUAGE", "en"}, {"KERNELFIT_LANG", "zh"}}, "zh"},
      {{{"LANG", "C.UTF-8"}}, "en"},
      {{{"LANG", "de_DE.UTF-8"}}, "en"},
      // what is written is UTF-8: garbage on a terminal of another charset
      {{{"LANG", "zh_CN.GBK"}}, "en"},
      {{{"LANG", "zh_CN.GB18030"}, {"LANGUAGE", "zh_CN"}}, "en"},
      {{{"LANG", "zh_CN.GBK"}, {"KERNELFIT_LANG", "zh"}}, "zh"},
      {{{"LANG", "zh_CN.GBK"}, {"LC_ALL", "zh_CN.utf8"}}, "zh"},
      {{{"LANG", "zh_CN"}}, "zh"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(language_for({}, lookup(c.variables), {}), c.language);
    EXPECT_EQ(language_for(args_with({{"lang", {"zh"}}}), lookup(c.variables), {}), "zh");
  }
}

// docs/contract.md 1, colour
TEST(Settings, ColourInThisOrder) {
  static const struct {
    const char* flag;
    Variables variables;
    bool is_terminal, color;
  } kCases[] = {
      {"", {}, true, true},
      {"", {}, false, false},
      {"", {{"TERM", "dumb"}}, true, false},
      {"", {{"TERM", "xterm"}}, true, true},
      {"", {{"CLICOLOR", "0"}}, true, false},
      {"", {{"CLICOLOR_FORCE", "1"}}, false, true},
      {"", {{"CLICOLOR_FORCE", "0"}}, false, false},
      {"", {{"FORCE_COLOR", "1"}, {"CLICOLOR", "0"}}, false, true},
      {"", {{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}, true, false},
      {"", {{"NO_COLOR", ""}}, true, true},
      {"always", {{"NO_COLOR", "1"}}, false, true},
      {"never", {{"FORCE_COLOR", "1"}}, true, false},
      {"auto", {{"NO_COLOR", "1"}}, true, false},
  };
  for (const auto& c : kCases) {
    Console console;
    console.is_terminal = c.is_terminal;
    Args args = *c.flag == 0 ? Args{} : args_with({{"color", {c.flag}}});
    EXPECT_EQ(color_for(args, lookup(c.variables), console), c.color) << c.flag;
  }
}

TEST(Settings, AFileGetsNoColour) {
  EXPECT_FALSE(color_for(args_with({{"output", {"report.txt"}}}), lookup({}), terminal()));
}

TEST(Settings, JsonNeverHasColour) {
  Args args = args_with({{"json", {}}, {"color", {"always"}}});
  Style style = style_for(args, lookup({}), terminal());
  EXPECT_EQ(style.format, Format::json);
  EXPECT_FALSE(style.color);
}

TEST(Settings, UnicodeFollowsTheLocale) {
  EXPECT_TRUE(unicode_for(lookup({{"LANG", "en_US.UTF-8"}}), {}));
  EXPECT_TRUE(unicode_for(lookup({{"LANG", "zh_CN.utf8"}}), {}));
  EXPECT_FALSE(unicode_for(lookup({{"LANG", "C"}}), {}));
  EXPECT_FALSE(unicode_for(lookup({{"LANG", "en_US.UTF-8"}, {"LC_ALL", "C"}}), {}));
  EXPECT_FALSE(unicode_for(lookup({}), {}));
}

TEST(Settings, WidthIsKeptWithinReason) {
  auto columns = [](Variables variables, int seen, bool is_terminal) {
    Console console;
    console.columns = seen;
    console.is_terminal = is_terminal;
    return style_for({}, lookup(std::move(variables)), console).columns;
  };
  EXPECT_EQ(columns({}, 0, true), 80);
  EXPECT_EQ(columns({}, 80, true), 80);
  EXPECT_EQ(columns({}, 200, true), 120);
  EXPECT_EQ(columns({}, 0, false), 120);
  EXPECT_EQ(columns({{"COLUMNS", "90"}}, 120, true), 90);
  EXPECT_EQ(columns({{"COLUMNS", "nonsense"}}, 100, true), 100);
}

// docs/contract.md 2
TEST(ExitStatus, TheFirstThatCountsOfSeveral) {
  EXPECT_EQ(first_that_counts({0, 3, 1}), 1);
  EXPECT_EQ(first_that_counts({3, 0}), 3);
  EXPECT_EQ(first_that_counts({1, 2, 70}), 70);
  EXPECT_EQ(first_that_counts({130, 70}), 130);
  EXPECT_EQ(first_that_counts({}), 0);
}

TEST(ExitStatus, OfAPlan) {
  EXPECT_EQ(plan_status(PlanVerdict::install), 0);
  EXPECT_EQ(plan_status(PlanVerdict::reinstall), 0);
  EXPECT_EQ(plan_status(PlanVerdict::keep), 0);
  EXPECT_EQ(plan_status(PlanVerdict::update_driver), 1);
  EXPECT_EQ(plan_status(PlanVerdict::change_python), 1);
  EXPECT_EQ(plan_status(PlanVerdict::fix_component), 1);
  EXPECT_EQ(plan_status(PlanVerdict::no_build), 1);
  EXPECT_EQ(plan_status(PlanVerdict::ask), 3);
}

}  // namespace
}  // namespace kernelfit::cli
