// SPDX-License-Identifier: Apache-2.0
// tests/wheel_tags_oracle_test.py asks `packaging` the same questions, thousands of them.
#include "pyenv/wheel_tags.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

WheelTarget target(const char* python, const char* os = "linux", const char* cpu_arch = "x86_64",
                   const char* glibc = "2.35") {
  WheelTarget out;
  if (*python != 0) out.python = dotted(python);
  out.os = os;
  out.cpu_arch = cpu_arch;
  if (*glibc != 0) out.glibc = dotted(glibc);
  return out;
}

WheelTag tag(const char* text) {
  return parse_wheel_tags(text).value().at(0);
}

// Names of the indexes.
struct {
  const char* file;
  const char* name;
  const char* version;
  const char* build;
  std::size_t tags;
  const char* variant;
} constexpr kNames[] = {
    {"torch-2.13.0+cu126-cp312-cp312-manylinux_2_28_x86_64.whl", "torch", "2.13.0+cu126", "", 1,
     ""},
    {"https://index.example/whl/cu118/torch-2.1.0%2Bcu118-cp310-cp310-linux_x86_64.whl#sha256=ab",
     "torch", "2.1.0+cu118", "", 1, ""},
    {"nvidia_cublas_cu12-12.6.4.1-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
     "nvidia_cublas_cu12", "12.6.4.1", "", 2, ""},
    {"six-1.16.0-py2.py3-none-any.whl", "six", "1.16.0", "", 2, ""},
    {"torch-1.0-1-cp37-cp37m-win_amd64.whl", "torch", "1.0", "1", 1, ""},
    {"torch-2.9.0-cp312-cp312-linux_x86_64-cu129.whl", "torch", "2.9.0", "", 1, "cu129"},
    {"torch-2.9.0-2_x-cp312-cp312-linux_x86_64-null.whl", "torch", "2.9.0", "2_x", 1, "null"},
};

TEST(WheelName, ReadsRealNames) {
  for (const auto& c : kNames) {
    SCOPED_TRACE(c.file);
    auto wheel = parse_wheel_name(c.file);
    ASSERT_TRUE(wheel) << wheel.error().text();
    EXPECT_EQ(wheel->name, c.name);
    EXPECT_EQ(wheel->version, c.version);
    EXPECT_EQ(wheel->build, c.build);
    EXPECT_EQ(wheel->tags.size(), c.tags);
    EXPECT_EQ(wheel->variant, c.variant);
  }
}

TEST(WheelName, RefusesOthers) {
  for (const char* name :
       {"", "torch.whl", "torch-2.1.0.tar.gz", "torch-2.1.0-cp310-cp310.whl",
        "torch-x-cp310-cp310-linux_x86_64.whl", "torch-2.1.0-cp310-cp310-linux_x86_64-BAD.whl",
        "torch-2.1.0-1-cp310-cp310-linux_x86_64-a-b.whl", "-2.1.0-cp310-cp310-linux_x86_64.whl",
        "torch-2.1.0-cp310..-cp310-linux_x86_64.whl"}) {
    EXPECT_FALSE(parse_wheel_name(name)) << name;
  }
}

struct {
  const char* tag;
  WheelTarget target;
  const char* why;  // "": fits
} const kFits[] = {
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.12"), ""},
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.11"), "python"},
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.12", "linux", "x86_64", "2.17"), "glibc"},
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.12", "linux", "aarch64"), "cpu_arch"},
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.12", "windows"), "os"},
    {"cp312-cp312-manylinux_2_28_x86_64", target("3.12", "wsl"), ""},
    {"cp312-cp312-win_amd64", target("3.12", "windows"), ""},
    {"cp312-cp312-win_amd64", target("3.12", "windows", "amd64"), ""},
    {"cp312-cp312-win_arm64", target("3.12", "windows", "aarch64"), ""},
    {"cp312-cp312-win_amd64", target("3.12"), "os"},
    {"cp38-abi3-manylinux2014_x86_64", target("3.12"), ""},
    {"cp38-abi3-manylinux2014_x86_64", target("3.7"), "python"},
    {"py3-none-any", target("3.12", "windows"), ""},
    {"py3-none-manylinux_2_27_aarch64", target("3.12", "linux", "aarch64"), ""},
    {"py310-none-any", target("3.12"), ""},
    {"py313-none-any", target("3.12"), "python"},
    {"cp27-cp27mu-manylinux1_x86_64", target("2.7"), ""},
    {"cp37-cp37m-linux_x86_64", target("3.7"), ""},
    {"cp310-cp310-linux_x86_64", target("3.10"), ""},
    {"cp313-cp313t-manylinux_2_28_x86_64", target("3.13"), "abi"},
    {"cp312-cp312-musllinux_1_2_x86_64", target("3.12"), "os"},
    {"cp312-cp312-macosx_11_0_arm64", target("3.12"), "os"},
    {"pp310-pypy310_pp73-manylinux2014_x86_64", target("3.10"), "python"},
};

TEST(WheelTags, FitAsThePepsSay) {
  for (const auto& c : kFits) {
    SCOPED_TRACE(c.tag);
    EXPECT_EQ(tag_fits(tag(c.tag), c.target), std::string_view(c.why).empty());
    EXPECT_EQ(why_unfit({tag(c.tag)}, c.target), c.why);
  }
}

TEST(WheelTags, SayWhatComesNearest) {
  std::vector<WheelTag> tags = {tag("cp311-cp311-win_amd64"),
                                tag("cp312-cp312-manylinux_2_28_x86_64")};
  EXPECT_EQ(why_unfit(tags, target("3.12", "linux", "x86_64", "2.17")), "glibc");
  EXPECT_EQ(why_unfit(tags, target("3.12")), "");
  EXPECT_EQ(why_unfit(tags, target("3.14")), "python");
}

TEST(WheelTags, TakeAnEmptyPythonOrGlibcForAny) {
  EXPECT_TRUE(tag_fits(tag("cp39-cp39-manylinux_2_28_x86_64"), target("", "linux", "x86_64", "")));
  EXPECT_FALSE(tag_fits(tag("cp313-cp313t-linux_x86_64"), target("")));
}

TEST(WheelTags, KnowFreeThreadedMuslAndPypy) {
  WheelTarget free_threaded = target("3.13");
  free_threaded.free_threaded = true;
  EXPECT_TRUE(tag_fits(tag("cp313-cp313t-manylinux_2_28_x86_64"), free_threaded));
  EXPECT_FALSE(tag_fits(tag("cp313-cp313-manylinux_2_28_x86_64"), free_threaded));
  EXPECT_FALSE(tag_fits(tag("cp38-abi3-manylinux_2_28_x86_64"), free_threaded));
  EXPECT_TRUE(tag_fits(tag("py3-none-any"), free_threaded));
  WheelTarget musl = target("3.12");
  musl.musl = true;
  musl.musl_version = dotted("1.2");
  EXPECT_TRUE(tag_fits(tag("cp312-cp312-musllinux_1_1_x86_64"), musl));
  EXPECT_FALSE(tag_fits(tag("cp312-cp312-manylinux_2_17_x86_64"), musl));
  WheelTarget pypy = target("3.10");
  pypy.implementation = "pp";
  EXPECT_TRUE(tag_fits(tag("pp310-pypy310_pp73-manylinux2014_x86_64"), pypy));
  EXPECT_FALSE(tag_fits(tag("cp310-cp310-manylinux2014_x86_64"), pypy));
}

TEST(WheelTags, KnowTheirGlibc) {
  EXPECT_EQ(glibc_of_tag("manylinux_2_28_x86_64")->text(), "2.28");
  EXPECT_EQ(glibc_of_tag("manylinux2014_aarch64")->text(), "2.17");
  EXPECT_EQ(glibc_of_tag("manylinux1_x86_64")->text(), "2.5");
  EXPECT_FALSE(glibc_of_tag("linux_x86_64"));
  EXPECT_FALSE(glibc_of_tag("win_amd64"));
  EXPECT_FALSE(glibc_of_tag("manylinux_2_x86_64"));
}

// Whatever the list of supported tags holds fits, for every kind of target.
TEST(WheelTags, ListWhatFits) {
  for (const char* python : {"2.7", "3.6", "3.8", "3.12", "3.14"}) {
    for (const char* os : {"linux", "windows", "wsl"}) {
      for (const char* arch : {"x86_64", "aarch64"}) {
        const WheelTarget here = target(python, os, arch);
        const auto tags = compatible_tags(here);
        EXPECT_GT(tags.size(), 10u);
        for (const auto& each : tags) {
          EXPECT_TRUE(tag_fits(each, here)) << each.text() << " on " << python << " " << os;
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernelfit
