// SPDX-License-Identifier: Apache-2.0
#include "report/scan.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

using Names = std::vector<std::string>;

TEST(Demangled, AsPeopleWriteThem) {
  EXPECT_EQ(demangled({"_Z4vaddPKfi", "_Z6kernelIfEvT_", "vadd", "_Zzz", ""}),
            (Names{"vadd(float const*, int)", "void kernel<float>(float)", "vadd", "_Zzz", ""}));
  EXPECT_EQ(demangled(Names()), Names());
}

// f(a<int, int>, a<the first, the first>, a<the second, the second>, …): each parameter is twice
// as long as the one before it.
std::string doubling(int times) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string out = "_Z1f1aIiiE", before = "S0_";
  for (int i = 1; i <= times; ++i) {
    out += "S_I" + before + before + "E";
    before = "S";
    if (i >= 36) before += kDigits[static_cast<std::size_t>(i / 36)];
    before += kDigits[static_cast<std::size_t>(i % 36)];
    before += '_';
  }
  return out;
}

TEST(Demangled, ANameThatStandsForAnEndlessOneStaysAsItIs) {
  EXPECT_EQ(demangled({doubling(1)}), Names{"f(a<int, int>, a<a<int, int>, a<int, int> >)"});
  const std::string long_one = doubling(16), endless = doubling(24);
  EXPECT_EQ(demangled({"_Z4vaddPKfi", long_one, endless, "_Z4vsubPKfi"}),
            (Names{"vadd(float const*, int)", long_one, endless, "vsub(float const*, int)"}));
}

FileScan two_sections(std::uint64_t stub_bytes, std::optional<std::int64_t> kernels) {
  FileScan file;
  file.kind = "elf-shared";
  for (const char* section : {".nv_fatbin", ".ldata", ".ldata"}) {
    file.containers.push_back({section, 0, {}});
    ScannedImage image;
    image.entry.arch = GpuArch::parse("sm_75").value();
    image.entry.code_bytes = file.containers.size() == 1 ? stub_bytes : 100'000;
    image.entry.compression = file.containers.size() == 1 ? "none" : "zstd";
    image.kernels = kernels;
    file.containers.back().images.push_back(image);
  }
  return file;
}

// docs/fatbin.md: the only image in cuFFT's .nv_fatbin has no kernel, all others lie in .ldata.
TEST(Sections, StubsAndHiddenContainersAreToldApart) {
  FileScan file = two_sections(2'000, {});
  const auto sections = count_sections(file);
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_FALSE(sections[0].hidden);
  EXPECT_TRUE(is_stub(sections[0], file));
  EXPECT_TRUE(sections[1].hidden);
  EXPECT_EQ(sections[1].counts.containers, 2);
  EXPECT_FALSE(is_stub(sections[1], file));
  file = two_sections(2'000, 1);
  EXPECT_FALSE(is_stub(count_sections(file)[0], file));
  file = two_sections(100'000, {});
  EXPECT_FALSE(is_stub(count_sections(file)[0], file));
}

TEST(Sections, SelectionsNarrowWhatIsCounted) {
  const FileScan file = two_sections(2'000, {});
  Selection selection;
  selection.archs = {ArchChoice::parse("8.0").value()};
  EXPECT_EQ(count_images(file, selection).images(), 0);
  EXPECT_EQ(count_images(file).images(), 3);
}

// What torch 2.15.0 says and holds is the same; the linear algebra is another library.
TEST(TorchClaims, BesideTheLibraryOfTheSameFolder) {
  ScanReport scan;
  FileScan cuda = two_sections(100'000, {});
  cuda.path = "/a/torch/lib/libtorch_cuda.so";
  FileScan other = cuda;
  other.path = "/b/torch/lib/libtorch_cuda.so";
  FileScan python;
  python.path = "/a/torch/lib/libtorch_python.so";
  python.torch_arch_flags = "sm_75 sm_80";
  scan.files = {cuda, python, other};
  const auto claims = torch_claims(scan);
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].library, &scan.files[0]);
  EXPECT_EQ(arch_list_text(claims[0].held), "sm_75");
  EXPECT_TRUE(claims[0].differs());
  scan.files[1].torch_arch_flags = "sm_75";
  EXPECT_FALSE(torch_claims(scan)[0].differs());
}

}  // namespace
}  // namespace kernelfit
