// SPDX-License-Identifier: Apache-2.0
// The laws of the tables of flags and commands.
#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "message/message.h"

namespace kernelfit::cli {
namespace {

TEST(Flags, AreSortedAndUnique) {
  for (std::size_t i = 1; i < flags().size(); ++i) {
    EXPECT_LT(flags()[i - 1].name, flags()[i].name);
  }
}

TEST(Flags, LettersAreUnique) {
  std::set<char> letters;
  for (const auto& flag : flags()) {
    bool is_new = flag.letter == 0 || letters.insert(flag.letter).second;
    EXPECT_TRUE(is_new) << flag.name;
  }
}

TEST(Flags, AreLowerCaseWordsAndNeverArchAlone) {
  for (const auto& flag : flags()) {
    EXPECT_EQ(flag.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
    EXPECT_NE(flag.name, "arch");  // docs/contract.md 1
  }
}

TEST(Flags, AreTakenBySomeCommandAndListedInSomeGroup) {
  const std::set<std::string_view> groups = {"command", "what-if", "output", "other"};
  for (const auto& flag : flags()) {
    EXPECT_TRUE(groups.contains(flag.group)) << flag.name;
    bool taken = false;
    for (const auto& command : commands()) taken = taken || (flag.on & command.kinds) != 0;
    EXPECT_TRUE(taken) << flag.name;
  }
}

TEST(Flags, AreDocumentedInEveryLanguage) {
  for (const auto& language : languages()) {
    Catalogue say = load_catalogue(language);
    for (const auto& flag : flags()) {
      EXPECT_TRUE(say.has("cli.flag." + std::string(flag.name))) << language << " " << flag.name;
      EXPECT_TRUE(say.has("cli.help.group." + std::string(flag.group))) << language;
    }
  }
}

TEST(Flags, EveryDocumentedFlagExists) {
  Catalogue say = load_catalogue("en");
  for (auto key : say.keys()) {
    bool exists = !key.starts_with("cli.flag.") || find_flag(key.substr(9)) != nullptr;
    EXPECT_TRUE(exists) << key;
  }
}

TEST(Flags, LanguagesOfTheDataCanBeChosen) {
  for (const auto& language : languages()) {
    EXPECT_TRUE(contains_word(find_flag("lang")->choices, language)) << language;
  }
}

TEST(Commands, HaveUniqueNamesAndAreDocumentedInEveryLanguage) {
  std::set<std::string_view> names;
  for (const auto& command : commands()) {
    EXPECT_TRUE(names.insert(command.name).second);
    EXPECT_NE(command.run, nullptr);
    EXPECT_NE(command.kinds & kEvery, 0U);
    if (command.hidden) continue;
    for (const auto& language : languages()) {
      Catalogue say = load_catalogue(language);
      std::string key = "cli.command." + std::string(command.name);
      EXPECT_TRUE(say.has(key)) << language << " " << key;
      EXPECT_TRUE(say.has(key + ".text")) << language << " " << key;
    }
  }
}

// docs/contract.md 1: every command that judges takes the what-if flags.
TEST(Commands, ThatJudgeTakeWhatIf) {
  for (const char* name : {"doctor", "plan"}) {
    const Command* command = find_command(name);
    ASSERT_NE(command, nullptr);
    for (const char* flag : {"gpu", "driver", "os", "cpu-arch", "python", "glibc", "cuda",
                             "installed", "jetpack", "env", "host", "mirror", "knowledge"}) {
      ASSERT_NE(find_flag(flag), nullptr) << flag;
      EXPECT_NE(find_flag(flag)->on & command->kinds, 0U) << name << " --" << flag;
    }
  }
}

}  // namespace
}  // namespace kernelfit::cli
