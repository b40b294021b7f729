// SPDX-License-Identifier: Apache-2.0
#include "pyenv/metadata.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/text.h"
#include "pyenv/requirement.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/pyenv/dist_info/" + name);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Pth, AddsFoldersAndNoCode) {
  const std::vector<std::string> folders = {"/home/user/pytorch", "./x-1.0-py3.8.egg"};
  EXPECT_EQ(
      parse_pth("\xef\xbb\xbf/home/user/pytorch\r\n# note\n\nimport sys; x = 1\n./x-1.0-py3.8.egg"),
      folders);
  EXPECT_TRUE(parse_pth("import\t_virtualenv").empty());
}

TEST(DirectUrls, NameAPath) {
  EXPECT_EQ(path_of_file_url("file:///home/user/my%20src"), "/home/user/my src");
  EXPECT_EQ(path_of_file_url("file:///C:/src/torch"), "C:\\src\\torch");
  EXPECT_EQ(path_of_file_url("https://github.com/pytorch/pytorch.git"), "");
}

TEST(Metadata, ReadsRealRequirements) {
  const std::string text =
      "Metadata-Version: 2.1\nName: torch\nVersion: 2.6.0.dev20241222+cu126\n" +
      load("torch_2.6.0.dev20241222+cu126_METADATA-requires.txt") +
      "\nRequires-Dist: not of the header\n";
  auto metadata = parse_metadata(text);
  ASSERT_TRUE(metadata) << metadata.error().text();
  EXPECT_EQ(metadata->name, "torch");
  EXPECT_EQ(metadata->version, "2.6.0.dev20241222+cu126");
  ASSERT_EQ(metadata->requires_dist.size(), 18u);
  auto cudnn = parse_requirement(metadata->requires_dist[10]);
  ASSERT_TRUE(cudnn);
  EXPECT_EQ(cudnn->name, "nvidia-cudnn-cu12");
  EXPECT_EQ(cudnn->specifier, "==9.5.1.17");
  EXPECT_EQ(cudnn->marker, "platform_system == \"Linux\" and platform_machine == \"x86_64\"");
}

// `pip show` writes the same form.
TEST(Metadata, ReadsPipShow) {
  auto metadata = parse_metadata(load("pip-show_torch-2.1.2+cu121.txt"));
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->version, "2.1.2+cu121");
}

TEST(Metadata, JoinsFoldedLinesAndReadsAnyEnding) {
  auto metadata = parse_metadata(
      "\xef\xbb\xbfName: Flash_Attn\r\nVersion: 2.8.3\r\nRequires-Python: >=3.9\r\n"
      "Requires-Dist: nvidia-cublas-cu12==12.6.4.1;\r\n   platform_system == \"Linux\"\r\n"
      "Author: J\xfcrgen\r\n\r\nVersion: 9\r\n");
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->name, "Flash_Attn");
  EXPECT_EQ(metadata->version, "2.8.3");
  EXPECT_EQ(metadata->requires_python, ">=3.9");
  ASSERT_EQ(metadata->requires_dist.size(), 1u);
  EXPECT_EQ(metadata->requires_dist[0],
            "nvidia-cublas-cu12==12.6.4.1; platform_system == \"Linux\"");
}

TEST(Metadata, RefusesWhatSaysNothing) {
  EXPECT_EQ(parse_metadata("").error().text(), "there is no Name");
  EXPECT_EQ(parse_metadata("Name: torch\n").error().text(), "there is no Version");
  EXPECT_FALSE(parse_metadata("\n\nName: torch\nVersion: 1\n"));
  EXPECT_FALSE(parse_metadata(std::string(1 << 20, 'x')));
}

TEST(Metadata, IsNotSlowOnLongLines) {
  std::string folded = "Name: a\nVersion: 1\nDescription: x\n";
  for (int i = 0; i < 100'000; ++i) folded += "        |line\n";
  ASSERT_TRUE(parse_metadata(folded));
}

TEST(DistFolder, ReadsNames) {
  struct {
    const char* text;
    const char* name;
    const char* version;
    bool egg;
  } constexpr kCases[] = {
      {"torch-2.1.0+cu118.dist-info", "torch", "2.1.0+cu118", false},
      {"nvidia_cublas_cu12-12.6.4.1.dist-info", "nvidia_cublas_cu12", "12.6.4.1", false},
      {"torch-1.0.0-py3.6.egg-info", "torch", "1.0.0", true},
      {"torch.egg-info", "torch", "", true},
  };
  for (const auto& c : kCases) {
    auto folder = parse_dist_folder(c.text);
    ASSERT_TRUE(folder) << c.text;
    EXPECT_EQ(folder->name, c.name);
    EXPECT_EQ(folder->version, c.version);
    EXPECT_EQ(folder->is_egg, c.egg);
  }
  for (const char* text :
       {"torch", "torch.dist-info", ".dist-info", "-1.dist-info", "x.egg-link"}) {
    EXPECT_FALSE(parse_dist_folder(text)) << text;
  }
}

TEST(Installer, IsOneWord) {
  EXPECT_EQ(parse_installer("pip\n"), "pip");
  EXPECT_EQ(parse_installer("uv"), "uv");
  EXPECT_EQ(parse_installer("poetry 1.8.3\n"), "poetry");
  EXPECT_EQ(parse_installer("\n\n"), "");
}

TEST(DirectUrl, SaysWhereItCameFrom) {
  auto url = parse_direct_url(
      "{\"dir_info\": {\"editable\": true}, \"url\": \"file:///home/user/pytorch\"}");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->editable);
  auto git = parse_direct_url(
      "{\"url\": \"https://example.org/x.git\", \"vcs_info\": {\"vcs\": \"git\", \"commit_id\": "
      "\"a\"}}");
  ASSERT_TRUE(git);
  EXPECT_EQ(git->vcs, "git");
  EXPECT_FALSE(parse_direct_url("{}"));
}

}  // namespace
}  // namespace kernelfit
