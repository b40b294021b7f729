// SPDX-License-Identifier: Apache-2.0
#include "pyenv/requirement.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Requirement, TakesItApart) {
  struct {
    const char* text;
    const char* name;
    const char* specifier;
    const char* marker;
  } constexpr kCases[] = {
      {"sympy==1.13.1; python_version >= \"3.9\"", "sympy", "==1.13.1",
       "python_version >= \"3.9\""},
      {"filelock", "filelock", "", ""},
      {"torch (>=1.11)", "torch", ">=1.11", ""},
      {"jax[cuda12] >=0.4,<0.5", "jax", ">=0.4,<0.5", ""},
      {"Foo_Bar.baz ~= 1.0", "foo-bar-baz", "~= 1.0", ""},
      {"torch @ https://download.example/torch.whl", "torch", "", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.text);
    auto requirement = parse_requirement(c.text);
    ASSERT_TRUE(requirement);
    EXPECT_EQ(requirement->name, c.name);
    EXPECT_EQ(requirement->specifier, c.specifier);
    EXPECT_EQ(requirement->marker, c.marker);
  }
  EXPECT_FALSE(parse_requirement(""));
  EXPECT_FALSE(parse_requirement(">=1"));
  EXPECT_FALSE(parse_requirement("jax[cuda12"));
}

// PEP 508, "Examples" and its grammar.
TEST(Requirement, ReadsWhatThePepShows) {
  const auto extras = parse_requirement("name[quux, strange];python_version<'2.7' and x");
  ASSERT_TRUE(extras);
  EXPECT_EQ(extras->extras, (std::vector<std::string>{"quux", "strange"}));
  EXPECT_EQ(extras->marker, "python_version<'2.7' and x");
  const auto fred = parse_requirement("name [fred,bar] @ http://foo.com ; python_version=='2.7'");
  ASSERT_TRUE(fred);
  EXPECT_EQ(fred->url, "http://foo.com");
  EXPECT_EQ(fred->marker, "python_version=='2.7'");
  const auto url = parse_requirement("pip @ https://github.com/pypa/pip/a.zip;x#sha1=da9234ee");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->url, "https://github.com/pypa/pip/a.zip;x#sha1=da9234ee");
  const auto spaced = parse_requirement("torch [x] == 2.6.*");
  ASSERT_TRUE(spaced);
  EXPECT_EQ(spaced->specifier, "== 2.6.*");
}

TEST(Requirement, RefusesWhatPipRefuses) {
  for (const char* text : {"", ">=1", "jax[cuda12", "torch 2.6", "torch=2.6", "torch=>2", "a b",
                           "torch==", "torch (>=1", "torch;", "torch @", "torch[", "torch[a b]",
                           "torch @ https://a b", "-x", "_a", "a_", "\xC3\xA9", "torch==2.6 x"}) {
    EXPECT_FALSE(parse_requirement(text)) << text;
  }
}

}  // namespace
}  // namespace kernelfit
