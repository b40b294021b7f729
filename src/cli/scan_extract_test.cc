// SPDX-License-Identifier: Apache-2.0
#include "cli/scan_extract.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace kernelfit::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

ScannedImage image(std::string_view arch, std::uint64_t offset = 16) {
  ScannedImage out;
  out.entry.arch = GpuArch::parse(arch).value();
  out.entry.offset = offset;
  return out;
}

FileScan member(const std::string& name) {
  FileScan file;
  file.path = "/x/evil.zip";
  file.member = name;
  return file;
}

TEST(ExtractName, SaysWhatItIs) {
  EXPECT_EQ(extract_name(member("torch/lib/libtorch_cuda.so"), image("sm_86", 4711), {}),
            "torch_lib_libtorch_cuda.so.4711.sm_86.cubin");
  EXPECT_EQ(extract_name(member("a.so"), image("compute_90a"), {}), "a.so.16.compute_90a.ptx");
  EXPECT_EQ(extract_name(member("a.so"), image("lto_80"), {}), "a.so.16.lto_80.ltoir");
}

TEST(ExtractName, PathsBelowWhatWasNamed) {
  FileScan file;
  file.path = "/env/lib/python3.12/site-packages/nvidia/libx.so";
  EXPECT_EQ(extract_name(file, image("sm_80"), {"/env/lib/python3.12/site-packages/"}),
            "nvidia_libx.so.16.sm_80.cubin");
  EXPECT_EQ(extract_name(file, image("sm_80"), {file.path}), "libx.so.16.sm_80.cubin");
}

TEST(ExtractName, LeadsNowhere) {
  const std::string odd[] = {"../../etc/passwd",
                             "/etc/passwd",
                             "C:\\Windows\\x",
                             "..",
                             ".",
                             "",
                             "a\nb",
                             "-rf",
                             ".bashrc",
                             "x\0y"s,
                             "\xe4\xb8\xad",
                             std::string(5000, 'a'),
                             "CON"};
  for (const auto& name : odd) {
    const std::string safe = extract_name(member(name), image("sm_80"), {});
    EXPECT_EQ(safe.find_first_of("/\\:\n\0"s), std::string::npos) << name;
    EXPECT_NE(safe[0], '.') << name;
    EXPECT_NE(safe[0], '-') << name;
    EXPECT_LE(safe.size(), 160u) << name;
    EXPECT_TRUE(safe.ends_with(".16.sm_80.cubin")) << name;
  }
}

TEST(ExtractContent, PtxEndsWithItsText) {
  EXPECT_EQ(as_text(extract_content(image("compute_80"), as_bytes("ret;\n}\n\0\0\0"s))),
            "ret;\n}\n");
  EXPECT_EQ(as_text(extract_content(image("sm_80"), as_bytes("code\0\0"s))), "code\0\0"s);
}

TEST(Extraction, TwoOfOneNameAreBothKept) {
  const auto path = fs::path(testing::TempDir()) / "kernelfit-extraction";
  fs::remove_all(path);
  Extraction extraction(OutputFolder::open(path.string()).value(), {});
  extraction.take(member("a/b.so"), image("sm_80"), as_bytes("one"));
  extraction.take(member("a_b.so"), image("sm_80"), as_bytes("two"));
  const Extracted done = extraction.result({}, {});
  EXPECT_EQ(done.written,
            (std::vector<std::string>{"2-a_b.so.16.sm_80.cubin", "a_b.so.16.sm_80.cubin"}));
  EXPECT_TRUE(done.problems.empty());
  extraction.take_back();
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace kernelfit::cli
