// SPDX-License-Identifier: Apache-2.0
#include "judge/browse.h"

#include <gtest/gtest.h>

#include <map>

#include "base/text.h"

namespace kernelfit {
namespace {

// All rows of torch/cc_ranges.csv, which was derived apart from this program, are found again by
// the judge's rules from the high and medium rows of torch/builds.csv (the server-Arm exception
// off).
TEST(TorchSpans, ReproduceEveryCapabilityRange) {
  auto known = Knowledge::embedded();
  std::map<ComputeCapability, std::vector<TorchSpan>> found;
  std::size_t rows = 0;
  for (const auto& range : known.capability_ranges()) {
    auto [at, added] = found.try_emplace(range.capability);
    if (added) at->second = torch_spans(range.capability, false, known);
    const TorchSpan* span = nullptr;
    for (const auto& one : at->second) {
      bool same_via = (one.via == Verdict::native) == (range.via == "sass");
      if (one.channel == range.channel && one.platform == range.platform && same_via) span = &one;
    }
    ASSERT_NE(span, nullptr) << range.capability.text() << " " << range.channel << " "
                             << range.platform << " " << range.via;
    EXPECT_EQ(span->first_torch, range.first_torch) << range.capability.text();
    EXPECT_EQ(join(span->first_builds, " "), range.first_builds) << range.capability.text();
    EXPECT_EQ(span->last_torch, range.last_torch) << range.capability.text();
    EXPECT_EQ(join(span->last_builds, " "), range.last_builds) << range.capability.text();
    ++rows;
  }
  EXPECT_EQ(rows, 246u);
  std::size_t spans = 0;  // and none beyond them
  for (const auto& [capability, list] : found) spans += list.size();
  EXPECT_EQ(spans, 246u);
}

Card card_named(std::string_view text, const Knowledge& known) {
  auto gpu = gpu_from_text(text, known);
  EXPECT_TRUE(gpu) << text;
  return gpu ? identify(*gpu, known) : Card();
}

const TorchSpan* span_of(const CardPage& page, std::string_view channel,
                         std::string_view platform) {
  for (const auto& span : page.torch) {
    if (span.channel == channel && span.platform == platform && span.via == Verdict::native) {
      return &span;
    }
  }
  return nullptr;
}

// docs/voice.md, docs/knowledge.md: GK208 ran the official torch to 1.3.0 on Linux, 1.3.1 on
// Windows.
TEST(CardPages, Gt730HasThreeChips) {
  auto known = Knowledge::embedded();
  auto pages = card_pages(card_named("GT 730", known), known);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].card.chip, "GF108");
  EXPECT_EQ(pages[1].card.chip, "GK107");
  EXPECT_EQ(pages[2].card.chip, "GK208B");
  EXPECT_TRUE(pages[0].torch.empty());
  EXPECT_TRUE(pages[1].torch.empty());
  EXPECT_EQ(pages[0].last_driver_linux, "390.157");
  EXPECT_EQ(pages[2].last_driver_linux, "470.256.02");
  EXPECT_TRUE(contains(join(pages[2].pci_ids, " "), "10de:1287"));
  ASSERT_NE(span_of(pages[2], "pip", "linux-x86_64"), nullptr);
  EXPECT_EQ(span_of(pages[2], "pip", "linux-x86_64")->last_torch, "1.3.0");
  EXPECT_EQ(span_of(pages[2], "pip", "windows-x86_64")->last_torch, "1.3.1");
  EXPECT_EQ(pages[2].last_cuda.text(), "11.8");
}

TEST(CardPages, Gtx1080Ti) {
  auto known = Knowledge::embedded();
  auto pages = card_pages(card_named("1080 Ti", known), known);
  ASSERT_EQ(pages.size(), 1u);
  const auto& page = pages[0];
  EXPECT_EQ(page.memory_gb, std::vector<std::string>{"11"});
  EXPECT_EQ(page.last_driver_linux, "580.178.04");
  EXPECT_EQ(page.last_cuda.text(), "12.9");
  EXPECT_EQ(page.first_cuda.text(), "8.0");
  EXPECT_EQ(page.module_flavor, "proprietary");
  EXPECT_EQ(span_of(page, "pip", "linux-x86_64")->last_torch, "2.14.1");
  EXPECT_TRUE(contains(join(span_of(page, "pip", "linux-x86_64")->last_builds, " "), "cu126"));
  EXPECT_FALSE(page.sources.empty());
}

TEST(CardPages, CurrentCardsHaveNoLastDriver) {
  auto known = Knowledge::embedded();
  auto pages = card_pages(card_named("4090", known), known);
  EXPECT_EQ(pages[0].last_driver_linux, "");
  EXPECT_TRUE(pages[0].last_cuda.empty());
  EXPECT_EQ(pages[0].first_driver_linux, "520");
}

TEST(TorchPage, OneRelease) {
  auto known = Knowledge::embedded();
  auto page = torch_page("2.13", known);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->release->version.text(), "2.13.0");
  EXPECT_EQ(page->release->torchvision, "0.28.0");
  EXPECT_EQ(torch_page("", known)->release->version.text(), "2.15.0");
  EXPECT_EQ(torch_page("1.13", known)->release->version.text(), "1.13.1");
  EXPECT_FALSE(torch_page("3.0", known));
  for (const auto& build : page->builds) {
    if (build.build->build != "cu126" || build.build->platform != "linux-x86_64") continue;
    EXPECT_EQ(build.driver_linux.minimum.text(), "525.60.13");
    EXPECT_EQ(build.driver_windows.minimum.text(), "527.41");
  }
}

TEST(TorchMatrix, RowsAreReleasesNewestFirst) {
  auto known = Knowledge::embedded();
  auto matrix = torch_matrix("pip", "linux-x86_64", known);
  ASSERT_FALSE(matrix.rows.empty());
  EXPECT_EQ(matrix.rows.front().torch, "2.15.0");
  auto column = [&](const char* text) {
    for (std::size_t i = 0; i < matrix.capabilities.size(); ++i) {
      if (matrix.capabilities[i].text() == text) return i;
    }
    ADD_FAILURE() << text;
    return std::size_t{0};
  };
  const std::map<std::string, std::string> kPascal = {
      {"2.15.0", ""}, {"2.14.1", "cu126"}, {"2.11.0", "cu126"}};
  for (const auto& row : matrix.rows) {
    ASSERT_EQ(row.runs.size(), matrix.capabilities.size());
    std::string pascal = join(row.runs[column("6.1")], " "),
                kepler = join(row.runs[column("3.5")], " ");
    auto expected = kPascal.find(row.torch);
    if (expected != kPascal.end()) {
      EXPECT_EQ(pascal, expected->second) << row.torch;
    }
    EXPECT_EQ(kepler.empty(), PackageVersion::parse(row.torch) > PackageVersion::parse("1.3.0"))
        << row.torch;
  }
}

// torch/jetson.csv: JetPack 4 has NVIDIA's wheels up to 1.11; a board's processor is no x86_64.
TEST(CardPages, AJetsonListsWhatWasBuiltForItsJetPack) {
  auto known = Knowledge::embedded();
  const auto nano = card_pages(card_named("Jetson Nano", known), known);
  ASSERT_EQ(nano.size(), 1U);
  const TorchSpan* jetpack4 = span_of(nano[0], "jetson", "JetPack 4.x");
  ASSERT_NE(jetpack4, nullptr);
  EXPECT_EQ(jetpack4->first_torch, "1.9.0");
  EXPECT_EQ(jetpack4->last_torch, "1.10.0");
  const auto orin = card_pages(card_named("Jetson AGX Orin", known), known);
  EXPECT_NE(span_of(orin[0], "jetson", "JetPack 6.1"), nullptr);
  for (const auto* page : {&nano[0], &orin[0]}) {
    for (const auto& span : page->torch) {
      EXPECT_TRUE(span.platform.starts_with("JetPack") || span.platform == "linux-aarch64");
    }
  }
}

const std::vector<std::string>* cell(const Matrix& matrix, std::string_view torch,
                                     std::string_view capability, bool by_ptx) {
  for (std::size_t i = 0; i < matrix.capabilities.size(); ++i) {
    if (matrix.capabilities[i].text() != capability) continue;
    for (const auto& row : matrix.rows) {
      if (row.torch == torch) return by_ptx ? &row.by_ptx[i] : &row.runs[i];
    }
  }
  return nullptr;
}

// cuda/card_floor.csv: Blackwell wants CUDA 12.8, whatever PTX an old wheel holds.
TEST(TorchMatrix, PtxOfACudaThatDoesNotKnowTheCardIsNone) {
  auto known = Knowledge::embedded();
  const Matrix matrix = torch_matrix("pip", "linux-x86_64", known);
  for (const char* torch : {"1.5.1", "2.0.1"}) {
    for (bool by_ptx : {false, true}) {
      ASSERT_NE(cell(matrix, torch, "12.0", by_ptx), nullptr) << torch;
      EXPECT_TRUE(cell(matrix, torch, "12.0", by_ptx)->empty()) << torch;
    }
  }
  EXPECT_FALSE(cell(matrix, "2.7.1", "12.0", false)->empty());
}

TEST(TorchPages, OfOneBuild) {
  auto known = Knowledge::embedded();
  const auto page = torch_page("2.7.1+cu128", known);
  ASSERT_TRUE(page);
  EXPECT_FALSE(page->builds.empty());
  for (const auto& one : page->builds) EXPECT_EQ(one.build->build, "cu128");
  EXPECT_FALSE(torch_page("2.7.1+cu101", known));
  EXPECT_FALSE(torch_page("2.7.1+", known));
}

}  // namespace
}  // namespace kernelfit
