// SPDX-License-Identifier: Apache-2.0
#include "pyenv/index_page.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

// PEP 503 and 592; download.pytorch.org writes %2B, Aliyun's flat page &#43;.
TEST(IndexPage, ReadsLinks) {
  const auto files = parse_index_page(
      "<!DOCTYPE html>\n<html><body><h1>Links</h1>\n"
      "<a href=\"/whl/cu126/torch-2.6.0%2Bcu126-cp312-cp312-linux_x86_64.whl#sha256=1\" "
      "data-dist-info-metadata=\"sha256=2\">torch</a><br/>\n"
      "<A  HREF='torch-2.5.1&#43;cu126-cp39-cp39-win_amd64.whl' data-yanked>x</A>"
      "<a href=\"../\">up</a><abbr href=\"a.whl\">no link</abbr>");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "torch-2.6.0+cu126-cp312-cp312-linux_x86_64.whl");
  EXPECT_TRUE(files[0].metadata);
  EXPECT_FALSE(files[0].yanked);
  EXPECT_FALSE(files[0].size);
  EXPECT_EQ(files[1].name, "torch-2.5.1+cu126-cp39-cp39-win_amd64.whl");
  EXPECT_TRUE(files[1].yanked);
}

// PEP 691 and 700.
TEST(IndexPage, ReadsJson) {
  const auto files = parse_index_page(
      R"({"meta": {"api-version": "1.1"}, "name": "torch", "files": [
        {"filename": "torch-2.6.0-cp312-cp312-manylinux1_x86_64.whl", "url": "https://a", "hashes": {},
         "size": 766715424, "yanked": false, "core-metadata": {"sha256": "1"}},
        {"filename": "torch-2.0.0.tar.gz", "url": "https://b", "hashes": {}, "yanked": "broken"}]})");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].size, 766715424u);
  EXPECT_TRUE(files[0].metadata);
  EXPECT_FALSE(files[0].yanked);
  EXPECT_TRUE(files[1].yanked);
}

TEST(IndexPage, SurvivesWhatIsNone) {
  for (const char* text :
       {"", "<", "<a", "<a ", "<a href", "<a href=", "<a href='", "<a href=\"x.whl", "{", "{}",
        "{\"files\": 3}", "{\"files\": [1, {\"filename\": 2}]}", "<a href=\"a/\x01%0a.txt\">",
        "<a href=\"%\"><a href=\"%2\">", "no page"})
    EXPECT_LE(parse_index_page(text).size(), 1u) << text;
  std::string links;
  for (int i = 0; i < 100'000; ++i) links += "<a href=x.whl>";
  EXPECT_EQ(parse_index_page(links).size(), 50'000u);
}

}  // namespace
}  // namespace kernelfit
