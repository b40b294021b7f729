// SPDX-License-Identifier: Apache-2.0
#include "diagnose/condition.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

Facts sample() {
  Facts facts;
  facts.set_known("driver.version", "535.183.01");
  facts.set_known("card.capability", "8.9");
  facts.set_known("card.label", "GeForce RTX 4090");
  facts.set_known("torch.version", "2.13.0+cu126");
  facts.set_known("system.secure_boot", "yes");
  facts.set_known("driver.module_loaded", "no");
  facts.set_known("variables.empty", "");
  facts.set_absent("driver.package");
  facts.set_unknown("driver.flavor");
  return facts;
}

Truth ask(const char* text) {
  auto condition = Condition::parse(text);
  EXPECT_TRUE(condition) << text << ": " << (condition ? "" : condition.error().text());
  return condition ? condition->evaluate(sample()) : Truth::unknown;
}

constexpr struct {
  const char* text;
  Truth truth;
} kCases[] = {
    {"", Truth::yes},
    // Versions by their numbers, not by their letters.
    {"driver.version < '550'", Truth::yes},
    {"driver.version >= 535.183.01", Truth::yes},
    {"driver.version < 9", Truth::no},
    {"card.capability < '10.3'", Truth::yes},
    {"card.capability == 8.9", Truth::yes},
    {"card.capability == '8.90'", Truth::no},
    {"torch.version > '2.13.0'", Truth::yes},
    {"torch.version < '2.14.0'", Truth::yes},
    {"card.label < 5", Truth::unknown},  // no order between a name and a number
    // Text.
    {"card.label == \"GeForce RTX 4090\"", Truth::yes},
    {"card.label contains 'RTX'", Truth::yes},
    {"card.label contains 'GTX'", Truth::no},
    {"driver.module_loaded in ('yes', 'maybe')", Truth::no},
    {"driver.module_loaded in ('yes', 'no')", Truth::yes},
    {"variables.empty == ''", Truth::yes},
    {"variables.empty exists", Truth::yes},
    // Truth of a name alone.
    {"system.secure_boot", Truth::yes},
    {"driver.module_loaded", Truth::no},
    {"not driver.module_loaded", Truth::yes},
    {"driver.package", Truth::no},
    {"driver.flavor", Truth::unknown},
    // Absent is something one can ask for, and nothing to compare with.
    {"driver.package is absent", Truth::yes},
    {"driver.package exists", Truth::no},
    {"driver.package == 'apt'", Truth::no},
    {"driver.package != 'apt'", Truth::yes},
    {"driver.package < 5", Truth::unknown},
    {"driver.package contains 'apt'", Truth::no},
    // Unknown makes nothing true and nothing false.
    {"driver.flavor == 'open'", Truth::unknown},
    {"driver.flavor != 'open'", Truth::unknown},
    {"not driver.flavor == 'open'", Truth::unknown},
    {"driver.flavor is absent", Truth::unknown},
    {"driver.flavor exists", Truth::unknown},
    {"driver.flavor is unknown", Truth::yes},
    {"driver.flavor is known", Truth::no},
    {"never.heard.of == 'x'", Truth::unknown},
    {"driver.flavor in ('open')", Truth::unknown},
    {"driver.module_loaded in (driver.flavor, 'no')", Truth::yes},
    {"driver.module_loaded in (driver.flavor, 'yes')", Truth::unknown},
    // Three-valued and, or; and binds closer; not binds closest.
    {"system.secure_boot or driver.flavor == 'open'", Truth::yes},
    {"system.secure_boot and driver.flavor == 'open'", Truth::unknown},
    {"driver.module_loaded and driver.flavor == 'open'", Truth::no},
    {"driver.module_loaded or driver.flavor == 'open'", Truth::unknown},
    {"system.secure_boot or driver.module_loaded and driver.module_loaded", Truth::yes},
    {"(system.secure_boot or driver.module_loaded) and driver.module_loaded", Truth::no},
    {"not driver.module_loaded and not driver.package", Truth::yes},
    {"not (system.secure_boot and driver.module_loaded)", Truth::yes},
    {"not card.label contains 'GTX'", Truth::yes},
    {"driver.version == driver.version", Truth::yes},
};

TEST(Condition, IsYesNoOrNotKnown) {
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ask(c.text), c.truth);
  }
}

TEST(Condition, RefusesWhatIsNotOne) {
  for (const char* text :
       {"and", "driver.version <", "driver.version < '5", "(driver.version", "driver.version)",
        "'x'", "driver.version is maybe", "a b", "a in 'x'", "a in ('x'", "a in ()", "not",
        "a == b == c", "a & b", "5 < 6 7", "'x' is known"}) {
    EXPECT_FALSE(Condition::parse(text)) << text;
  }
  EXPECT_FALSE(Condition::parse(std::string(100, '(') + "a" + std::string(100, ')')));
  EXPECT_FALSE(Condition::parse(std::string(5000, 'a')));
}

TEST(Condition, ErrorsNameThePlace) {
  auto condition = Condition::parse("driver.version = 5");
  ASSERT_FALSE(condition);
  EXPECT_EQ(condition.error().text(), "at 15: more than one condition, found `=`");
}

TEST(Condition, NamesWhatItAsksFor) {
  auto condition = Condition::parse("b.x == a.y or not (b.x exists) and c.z in ('1', d.w)");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->names(), (std::vector<std::string>{"a.y", "b.x", "c.z", "d.w"}));
}

TEST(Condition, WantsWhatItDoesNotAskToBeAway) {
  auto condition =
      Condition::parse("(b.x == '1' or a.y exists) and not (d.w exists) and c.z is absent");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->wanted(), (std::vector<std::string>{"a.y", "b.x"}));
  EXPECT_TRUE(Condition::parse("")->wanted().empty());
}

}  // namespace
}  // namespace kernelfit
