// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.h"

#include <gtest/gtest.h>

namespace kernelfit::cli {
namespace {

TEST(Wish, UnderstandsEveryForm) {
  static const struct {
    const char *word, *version, *build;
  } kCases[] = {
      {"torch", "", ""},
      {"torch==2.13.0", "==2.13.0", ""},
      {"torch==2.13.0+cu126", "==2.13.0", "cu126"},
      {"torch+cu126", "", "cu126"},
      {"torch>=2.1,<2.4", ">=2.1,<2.4", ""},
      {"torch == 2.15.*", "== 2.15.*", ""},
  };
  for (const auto& c : kCases) {
    Wish wish;
    EXPECT_FALSE(add_wish(c.word, wish)) << c.word;
    EXPECT_EQ(wish.version.text(), c.version) << c.word;
    EXPECT_EQ(wish.build, c.build) << c.word;
    EXPECT_TRUE(wish.also.empty()) << c.word;
  }
}

TEST(Wish, OtherPackagesGoBesideIt) {
  Wish wish;
  EXPECT_FALSE(add_wish("torchmetrics", wish));
  EXPECT_FALSE(add_wish("xformers==0.0.30", wish));
  EXPECT_EQ(wish.also, (std::vector<std::string>{"torchmetrics", "xformers==0.0.30"}));
  EXPECT_TRUE(wish.version.empty());
}

TEST(Wish, WhatIsNoWishIsAProblem) {
  for (const char* word : {"torch==", "torch=2.1", "torch==2.1+", "torch>>2"}) {
    Wish wish;
    EXPECT_TRUE(add_wish(word, wish)) << word;
  }
}

// PEP 508, and what pip takes besides.
TEST(Wish, OnlyWhatPipWouldTakeIsAPackage) {
  for (const char* word :
       {"numpy", "pandas[excel,html]>=2.1,<3", "ruamel.yaml", "a-b_c==1.0.*", "./dist/x.whl",
        "git+https://github.com/a/b.git@main", "flash-attn @ https://example.org/x.whl"}) {
    Wish wish;
    EXPECT_FALSE(add_wish(word, wish)) << word;
    EXPECT_EQ(wish.also.size(), 1u) << word;
  }
  for (const char* word : {"foo bar;rm -rf /", "-x", "a b", "numpy>=", "é", "\x01\x02", "$(id)",
                           "numpy[", "./a b", "https://x/\x1b[31m"}) {
    Wish wish;
    EXPECT_TRUE(add_wish(word, wish)) << word;
    EXPECT_TRUE(wish.also.empty()) << word;
  }
}

TEST(Requirements, AreThePackagesAlone) {
  EXPECT_EQ(parse_requirements("# ours\n"
                               "--index-url https://download.pytorch.org/whl/cu126\n"
                               "torch==2.13.0 ; python_version >= \"3.10\"  # GPU\n"
                               "\n"
                               "numpy>=1.26 # plain\r\n"
                               "xformers==0.0.30 --hash=sha256:00\n"
                               "-r other.txt\n"),
            (std::vector<RequirementLine>{
                {3, "torch==2.13.0"}, {5, "numpy>=1.26"}, {6, "xformers==0.0.30"}}));
}

}  // namespace
}  // namespace kernelfit::cli
