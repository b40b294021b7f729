// SPDX-License-Identifier: Apache-2.0
#include "knowledge/knowledge.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(known.products().size(), 821u);
  EXPECT_EQ(known.pci_rows().size(), 1994u);
  EXPECT_EQ(known.library_archs().size(), 96u);
  EXPECT_EQ(known.table("torch/ngc_images.csv").rows(), 265u);
  EXPECT_EQ(known.jetson_torch().size(), 52u);
  EXPECT_EQ(known.capability_ranges().size(), 246u);
  EXPECT_EQ(known.table("error_signatures.csv").rows(), 28u);
  EXPECT_EQ(known.table("claims.csv").rows(), 9u);
  EXPECT_EQ(known.problems(), std::vector<std::string>{});
  EXPECT_EQ(known.date(), "2026-11-30");
}

}  // namespace
}  // namespace kernelfit
