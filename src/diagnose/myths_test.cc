// SPDX-License-Identifier: Apache-2.0
// docs/myths.md holds every claim of claims.csv, and points to rules that are there.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "diagnose/rule.h"

namespace kernelfit {
namespace {

std::string read_myths() {
  std::ifstream file(std::string(KF_TESTS_DIR) + "/../docs/myths.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Myths, HoldEveryClaimOfTheTable) {
  const Knowledge known = Knowledge::embedded();
  const Csv& claims = known.table("claims.csv");
  const std::string text = read_myths();
  ASSERT_GT(claims.rows(), 5U);
  for (std::size_t row = 0; row < claims.rows(); ++row) {
    const std::string claim(claims.cell(row, "claim"));
    EXPECT_NE(text.find(claim), std::string::npos) << claim;
  }
}

TEST(Myths, NameRulesThatAreThere) {
  std::vector<std::string> problems;
  std::set<std::string> codes;
  for (const auto& rule : load_rules(Knowledge::embedded(), problems)) codes.insert(rule.code);
  const std::string text = read_myths();
  std::size_t named = 0;
  for (auto at = text.find("KF"); at != text.npos; at = text.find("KF", at + 1), ++named) {
    EXPECT_TRUE(codes.contains(text.substr(at, 6))) << text.substr(at, 6);
  }
  EXPECT_GT(named, 15U);
}

}  // namespace
}  // namespace kernelfit
