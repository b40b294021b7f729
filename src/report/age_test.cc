// SPDX-License-Identifier: Apache-2.0
#include "report/age.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Age, DaysBetweenDates) {
  EXPECT_EQ(days_between("2026-11-30", "2026-11-30"), 0);
  EXPECT_EQ(days_between("2026-11-30", "2027-01-29"), 60);
  EXPECT_EQ(days_between("2024-02-28", "2024-03-01"), 2);  // a leap year
  EXPECT_EQ(days_between("2026-11-30", "2025-11-30"), -365);
  EXPECT_FALSE(days_between("2026-11-30", "soon"));
  EXPECT_FALSE(days_between("", "2026-11-30"));
}

// docs/contract.md 1: older than 60 days.
TEST(Age, IsSaidAfterSixtyDays) {
  const auto knowledge = Knowledge::with_files({{"knowledge.toml", "date = \"2026-11-30\"\n"}});
  ASSERT_TRUE(knowledge);
  ASSERT_EQ(knowledge->date(), "2026-11-30");
  EXPECT_TRUE(age_notes(*knowledge, "2027-01-29").empty());
  const auto notes = age_notes(*knowledge, "2027-01-30");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].values.front().second, "61");
  EXPECT_TRUE(age_notes(*knowledge, "").empty());
}

}  // namespace
}  // namespace kernelfit
