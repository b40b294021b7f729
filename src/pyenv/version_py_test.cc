// SPDX-License-Identifier: Apache-2.0
#include "pyenv/version_py.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/pyenv/torch_version/" + name);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// Real files of all eras; the name says what each is.
struct {
  const char* file;
  const char* version;
  const char* cuda;  // "": None
  const char* local_build;
} constexpr kReal[] = {
    {"1.8.0a0+1a92802_old-form.py.txt", "1.8.0a0+1a92802", "11.1", ""},
    {"2.10.0a0+gite67e3d9_source-build.py.txt", "2.10.0a0+gite67e3d9", "13.0", ""},
    {"2.11.0.dev20260111+cu130_nightly.py.txt", "2.11.0.dev20260111+cu130", "13.0", "cu130"},
    {"2.14.1+cpu_rocm-key.py.txt", "2.14.1+cpu", "", "cpu"},
    {"2.2.0+cpu.py.txt", "2.2.0+cpu", "", "cpu"},
    {"2.4.0+cu121.py.txt", "2.4.0+cu121", "12.1", "cu121"},
    {"2.4.1+cu118.py.txt", "2.4.1+cu118", "11.8", "cu118"},
    {"2.7.1-700_repackaged.py.txt", "2.7.1-700", "12.9", ""},
};

TEST(VersionPy, ReadsRealFiles) {
  for (const auto& c : kReal) {
    SCOPED_TRACE(c.file);
    auto said = parse_version_py(load(c.file));
    ASSERT_TRUE(said) << said.error().text();
    EXPECT_EQ(said->version, c.version);
    EXPECT_TRUE(said->has_cuda);
    EXPECT_EQ(said->cuda ? said->cuda->text() : "", c.cuda);
    auto version = PackageVersion::parse(said->version);
    ASSERT_TRUE(version);
    EXPECT_EQ(build_of_local_version(version->local()), c.local_build);
  }
}

// torchvision 0.16's version.py asks an extension module: there is no constant to read.
TEST(VersionPy, LeavesCodeAlone) {
  auto said = parse_version_py(
      "__version__ = '0.16.0+cu118'\n"
      "git_version = '4433680aa57439ed684f9854fac3443b76e03c03'\n"
      "from torchvision.extension import _check_cuda_version\n"
      "if _check_cuda_version() > 0:\n"
      "    cuda = _check_cuda_version()\n");
  ASSERT_TRUE(said);
  EXPECT_EQ(said->version, "0.16.0+cu118");
  EXPECT_FALSE(said->has_cuda);
}

TEST(VersionPy, ReadsHipAndOldCuda) {
  auto rocm = parse_version_py("__version__ = '2.5.1+rocm6.2'\ncuda = None\nhip = '6.2.41133'\n");
  ASSERT_TRUE(rocm);
  EXPECT_TRUE(rocm->has_cuda);
  EXPECT_FALSE(rocm->cuda);
  EXPECT_EQ(rocm->hip, "6.2.41133");
  auto old = parse_version_py("__version__ = '0.4.1'\r\ndebug = False\r\ncuda = '9.0.176'\r\n");
  ASSERT_TRUE(old);
  EXPECT_EQ(pip_build_of_cuda(*old->cuda), "cu90");
  EXPECT_EQ(conda_build_of_cuda(*old->cuda), "cuda9.0");
}

TEST(VersionPy, RefusesWhatHasNoVersion) {
  for (const char* text : {"", "\n\n", "__version__ = None\n", "__version__ = get()\n",
                           "  __version__ = '1.0'\n", "__version__ = '1.0\n", "=\n=='\n"}) {
    EXPECT_FALSE(parse_version_py(text)) << text;
  }
}

TEST(VersionPy, NamesBuilds) {
  struct {
    const char* local;
    const char* build;
  } constexpr kCases[] = {{"cu126", "cu126"},
                          {"cpu", "cpu"},
                          {"cu118.post1", "cu118"},
                          {"rocm6.2", "rocm6.2"},
                          {"gite67e3d9", ""},
                          {"1a92802", ""},
                          {"872d972e41.nv24.08", ""},
                          {"cpu.cxx11.abi", "cpu"},
                          {"", ""},
                          {"cu12torch2.7cxx11abitrue", ""},
                          {"customgit", ""}};
  for (const auto& c : kCases) EXPECT_EQ(build_of_local_version(c.local), c.build) << c.local;

  EXPECT_EQ(cuda_of_build("cu126")->text(), "12.6");
  EXPECT_EQ(cuda_of_build("cu92")->text(), "9.2");
  EXPECT_EQ(cuda_of_build("cu100")->text(), "10.0");
  EXPECT_EQ(cuda_of_build("cuda12.9")->text(), "12.9");
  EXPECT_FALSE(cuda_of_build("cpu"));
  EXPECT_FALSE(cuda_of_build("cu"));
  EXPECT_FALSE(cuda_of_build("rocm6.2"));
}

}  // namespace
}  // namespace kernelfit
