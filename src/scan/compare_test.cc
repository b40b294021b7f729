// SPDX-License-Identifier: Apache-2.0
#include "scan/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kernelfit {
namespace {

FileScan file(const std::string& path, const std::string& member, const std::string& archs) {
  FileScan out;
  out.path = path;
  out.member = member;
  out.containers.emplace_back();
  for (const auto& arch : parse_arch_list(archs)) {
    ScannedImage image;
    image.entry.arch = arch;
    out.containers.back().images.push_back(image);
    out.kernel_names[arch] = {"_Z4vaddPf"};
  }
  return out;
}

std::vector<FileChange> compare(const ScanReport& a, const ScanReport& b) {
  return compare_scans({a, "a"}, {b, "b"});
}

TEST(Compare, TheSameBuildDiffersInNothing) {
  ScanReport a, b;
  a.files = {file("a", "x/libx.so", "sm_75 compute_75")};
  b.files = {file("b", "x/libx.so", "sm_75 compute_75")};
  const auto changes = compare(a, b);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].differs());
}

TEST(Compare, ArchitecturesAndKernelsThatWentAndCame) {
  ScanReport a, b;
  a.files = {file("a", "libx.so", "sm_61 sm_75")};
  b.files = {file("b", "libx.so", "sm_75 sm_120")};
  b.files[0].kernel_names[GpuArch::parse("sm_75").value()] = {"_Z4vsubPf"};
  const auto changes = compare(a, b);
  ASSERT_EQ(changes.size(), 1u);
  ASSERT_EQ(changes[0].archs.size(), 2u);
  EXPECT_EQ(changes[0].archs[0].arch.text(), "sm_61");
  EXPECT_EQ(changes[0].archs[0].after, 0);
  EXPECT_EQ(changes[0].archs[1].arch.text(), "sm_120");
  EXPECT_EQ(changes[0].archs[1].before, 0);
  ASSERT_EQ(changes[0].kernels.size(), 3u);
  EXPECT_EQ(changes[0].kernels[1].gone, std::vector<std::string>{"_Z4vaddPf"});
  EXPECT_EQ(changes[0].kernels[1].came, std::vector<std::string>{"_Z4vsubPf"});
}

TEST(Compare, FilesThatWereNamedAreComparedWhateverTheirNames) {
  ScanReport a, b;
  a.files = {file("a", "", "sm_75")};
  b.files = {file("b", "", "sm_75")};
  EXPECT_EQ(compare(a, b).size(), 1u);
}

TEST(Compare, ALibraryOfTwoReleasesIsOne) {
  ScanReport a, b;
  a.files = {file("a", "nvidia/cublas/lib/libcublas.so.12", "sm_75"),
             file("a", "torch/_C.cpython-310-x86_64-linux-gnu.so", "sm_75")};
  b.files = {file("b", "nvidia/cu13/lib/libcublas.so.13.1", "sm_75"),
             file("b", "torch/_C.cpython-312-x86_64-linux-gnu.so", "sm_75")};
  const auto changes = compare(a, b);
  ASSERT_EQ(changes.size(), 2u);
  for (const auto& change : changes) EXPECT_FALSE(change.differs()) << change.name;
}

TEST(Compare, HashesOfRepairedWheelsAreNoNames) {
  ScanReport a, b;
  a.files = {file("a", "torchvision.libs/libnvjpeg.f00ca762.so.12", "sm_75"),
             file("a", "x.libs/libz-dead.so", "sm_75")};
  b.files = {file("b", "torchvision.libs/libnvjpeg.8dd2b5e6.so.12", "sm_75"),
             file("b", "x.libs/libz-beef.so", "sm_75")};
  const auto changes = compare(a, b);  // "dead" is no hash: it has four letters
  EXPECT_EQ(std::ranges::count_if(changes, &FileChange::differs), 2);
  EXPECT_EQ(changes.size(), 3u);
}

TEST(Compare, MembersOfOneNameArePairedWithTheirLike) {
  ScanReport a, b;
  a.files = {file("a", "x.o", "sm_75"), file("a", "x.o", "sm_80"), file("a", "x.o", "sm_90")};
  b.files = {file("b", "x.o", "sm_100"), file("b", "x.o", "sm_75"), file("b", "x.o", "sm_80")};
  EXPECT_EQ(std::ranges::count_if(compare(a, a), &FileChange::differs), 0);
  const auto changes = compare(a, b);
  ASSERT_EQ(changes.size(), 3u);
  ASSERT_EQ(std::ranges::count_if(changes, &FileChange::differs), 1);
  const auto changed = std::ranges::find_if(changes, &FileChange::differs);
  EXPECT_EQ(changed->archs.size(), 2u);  // sm_90 went, sm_100 came
}

TEST(Compare, TwoOfOneNameAreNotGuessedAt) {
  ScanReport a, b;
  a.files = {file("a", "x/lib1.so", "sm_75")};
  b.files = {file("b", "y/lib1.so", "sm_75"), file("b", "z/lib2.so", "sm_75")};
  EXPECT_EQ(compare(a, b).size(), 3u);
}

}  // namespace
}  // namespace kernelfit
