// SPDX-License-Identifier: Apache-2.0
#include "knowledge/knowledge.h"

#include <gtest/gtest.h>

#include "knowledge/probe_rows.h"

namespace kernelfit {
namespace {

TEST(Knowledge, EveryTableLoadsWholly) {
  auto known = Knowledge::embedded();
  EXPECT_EQ(known.torch_releases().size(), 54u);
  EXPECT_EQ(known.torch_builds().size(), 978u);
  EXPECT_EQ(known.table("torch/observed_arch_lists.csv").rows(), 183u);
  EXPECT_EQ(known.install_commands().size(), 1068u);
  EXPECT_EQ(known.python_torch().size(), 735u);
  EXPECT_EQ(known.driver_minimums().size(), 75u);
  EXPECT_EQ(known.toolkits().size(), 33u);
  EXPECT_EQ(known.driver_branches().size(), 40u);
  EXPECT_EQ(known.products().size(), 1008u);
  EXPECT_EQ(known.pci_rows().size(), 2241u);
  EXPECT_GE(known.library_archs().size(), 98u);  // of the day this test was written; rows may come
  EXPECT_EQ(known.table("torch/ngc_images.csv").rows(), 265u);
  EXPECT_EQ(known.jetson_torch().size(), 52u);
  EXPECT_EQ(known.capability_ranges().size(), 246u);
  std::vector<std::string> problems;
  EXPECT_GE(jetpack_rows(known, problems).size(), 35u);
  EXPECT_GE(package_rows(known, problems).size(), 105u);
  EXPECT_EQ(problems, std::vector<std::string>{});
  EXPECT_EQ(known.table("error_signatures.csv").rows(), 28u);
  EXPECT_EQ(known.table("claims.csv").rows(), 9u);
  EXPECT_EQ(known.problems(), std::vector<std::string>{});
  EXPECT_EQ(known.date(), "2026-11-30");
}

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kBranchHead =
    "branch,windows_versions,max_cuda,max_ptx_isa,architectures,cc_min,cc_max,status,first_release,"
    "last_linux,last_windows,eol,open_kernel_modules,source,confidence,note\n";

TEST(WithFiles, AFileReplacesItsTableAndOnlyThat) {
  std::string text = std::string(kBranchHead) +
                     "700,700-702,14.0,10.0,Rubin,10.7,10.7,LTS,2027,700.10,700.20,,required,mine,"
                     "low,\n";
  auto known = Knowledge::with_files(Files{{"cuda/driver_branches.csv", text}});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->driver_branches().size(), 1u);
  EXPECT_EQ(known->driver_branches()[0].branch, 700);
  EXPECT_EQ(known->driver_branches()[0].last_linux, "700.10");
  EXPECT_EQ(known->torch_builds().size(), 978u);
  EXPECT_EQ(known->problems(), std::vector<std::string>{});
}

TEST(WithFiles, BadRowsAreLeftOutAndSaid) {
  std::string text = std::string(kBranchHead) +
                     "700,700,14.0,10.0,Rubin,10.7,10.7,LTS,,700.10,,,,,low,\n"       // no source
                     "701,701,x,10.0,Rubin,10.7,10.7,LTS,,700.10,,,,mine,low,\n"      // no version
                     "702,702,14.0,10.0,Rubin,10.7,10.7,LTS,,700.10,,,,mine,sure,\n"  // no word
                     "703,703,14.0,10.0,Rubin,10.7,10.7,LTS,,700.10,,,,mine,high,\n";
  auto known = Knowledge::with_files(Files{{"cuda/driver_branches.csv", text}});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->driver_branches().size(), 1u);
  EXPECT_EQ(known->driver_branches()[0].branch, 703);
  const std::vector<std::string> expected = {
      "cuda/driver_branches.csv: line 2: source does not read",
      "cuda/driver_branches.csv: line 3: max_cuda does not read",
      "cuda/driver_branches.csv: line 4: confidence does not read"};
  EXPECT_EQ(known->problems(), expected);
}

TEST(WithFiles, RowsForTheProbesAreSaidToo) {
  auto known = Knowledge::with_files(
      Files{{"torch/jetpack.csv", "l4t,jetpack,source,confidence,note\n36.5,6.3,mine,sure,\n"}});
  ASSERT_TRUE(known);
  EXPECT_EQ(known->problems(),
            std::vector<std::string>{"torch/jetpack.csv: line 2: confidence does not read"});
}

TEST(WithFiles, ATableThatIsNoTableIsSaid) {
  auto known = Knowledge::with_files(
      Files{{"cuda/toolkits.csv", "cuda,sass\n\"open"}, {"gpus/products.csv", "name\nx\n"}});
  ASSERT_TRUE(known);
  EXPECT_TRUE(known->toolkits().empty());
  EXPECT_TRUE(known->products().empty());
  EXPECT_GE(known->problems().size(), 2u);
  EXPECT_FALSE(Knowledge::with_files(Files{{"knowledge.toml", "date = "}}));
  auto dated = Knowledge::with_files(Files{{"knowledge.toml", "date = \"2027-01-01\""}});
  ASSERT_TRUE(dated);
  EXPECT_EQ(dated->date(), "2027-01-01");
}

TEST(WithFiles, AFolderWithoutKnowledgeIsRefused) {
  for (const Files& files : {Files{}, Files{{"README.md", "x"}, {"bnb/lib.so", "y"}}}) {
    auto known = Knowledge::with_files(files);
    ASSERT_FALSE(known);
    EXPECT_TRUE(known.error().text().starts_with("holds no knowledge")) << known.error().text();
  }
}

TEST(WithFiles, AnEmptyTableAndAnyBrokenTableAreSaid) {
  auto empty = Knowledge::with_files(Files{{"torch/builds.csv", ""}});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->problems(), std::vector<std::string>{"torch/builds.csv: holds no rows"});
  // A table that has no struct of its own is read at once too.
  auto claims = Knowledge::with_files(Files{{"claims.csv", "a,b\n1,2\n\n1,2,3\n"}});
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->problems(),
            std::vector<std::string>{"claims.csv: line 4: 3 cells, the header has 2"});
}

TEST(WithFiles, FoldersList) {
  auto known = Knowledge::with_files(Files{{"rules/zz-mine.md", "x"}});
  auto rules = known->files_under("rules");
  EXPECT_EQ(rules.back(), "rules/zz-mine.md");
  EXPECT_EQ(known->file("rules/zz-mine.md"), "x");
  EXPECT_EQ(known->file("rules/none.md"), "");
  auto gpus = known->files_under("gpus");
  EXPECT_EQ(gpus, (std::vector<std::string_view>{"gpus/pci_ids.csv", "gpus/products.csv",
                                                 "gpus/tegra.csv"}));
}

}  // namespace
}  // namespace kernelfit
