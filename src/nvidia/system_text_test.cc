// SPDX-License-Identifier: Apache-2.0
#include "nvidia/system_text.h"

#include <gtest/gtest.h>

#include "nvidia/fixture_for_tests.h"

namespace kernelfit {
namespace {

TEST(SystemText, ReadsTheLoadersCache) {
  std::vector<LoaderEntry> wsl = parse_ldconfig(fixture("wsl/ldconfig-p_cuda11.txt"));
  ASSERT_EQ(wsl.size(), 6U);
  EXPECT_EQ(wsl[3].name, "libcuda.so.1");
  EXPECT_EQ(wsl[3].path, "/usr/lib/wsl/lib/libcuda.so.1");
  EXPECT_EQ(wsl[3].abi, "x86-64");
  std::vector<LoaderEntry> narrow =
      parse_ldconfig("\tlibcuda.so.1 (libc6) => /usr/lib/i386-linux-gnu/libcuda.so.1\n");
  ASSERT_EQ(narrow.size(), 1U);
  EXPECT_EQ(narrow[0].abi, "");
  EXPECT_EQ(parse_ldconfig(fixture("ldconfig/cudnn8_targets-dir.txt")).size(), 6U);
}

TEST(SystemText, TellsContainersByTheirControlGroup) {
  EXPECT_EQ(parse_cgroup_container(fixture("container/proc-cgroup_docker-v1.txt")), "docker");
  EXPECT_EQ(parse_cgroup_container(fixture("container/proc-cgroup_bare-machine-v2.txt")), "");
  EXPECT_EQ(parse_cgroup_container(
                "0::/kubepods.slice/kubepods-besteffort.slice/cri-containerd-1.scope\n"),
            "kubernetes");
  EXPECT_EQ(parse_cgroup_container("0::/machine.slice/libpod-1.scope/container\n"), "podman");
}

TEST(SystemText, ReadsVersions) {
  EXPECT_EQ(parse_os_release(
                "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(find_glibc_banner(
                "\1\1GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36.\n")
                ->text(),
            "2.36");
  EXPECT_EQ(find_glibc_banner("GNU C Library stable release version 2.12, by Roland"),
            std::nullopt);
  EXPECT_EQ(driver_version_of_file("libcuda.so.535.183.01")->text(), "535.183.01");
  EXPECT_EQ(driver_version_of_file("libcuda.so.1"), std::nullopt);
  EXPECT_EQ(driver_version_of_file("libcuda.so.1.1"), std::nullopt);
  EXPECT_EQ(driver_version_of_file("libcuda.so"), std::nullopt);
  EXPECT_EQ(parse_cuda_version_json(
                "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"12.4.20240408\"}}")
                ->first(2)
                .text(),
            "12.4");
  EXPECT_EQ(parse_cuda_version_txt("CUDA Version 10.2.89\n")->text(), "10.2.89");
  EXPECT_EQ(parse_cuda_header("/* x */\n#define CUDA_VERSION 12040\n")->text(), "12.4");
  EXPECT_EQ(parse_cudnn_header(
                "#define CUDNN_MAJOR 8\n#define CUDNN_MINOR 9\n#define CUDNN_PATCHLEVEL 7\n")
                ->text(),
            "8.9.7");
  EXPECT_EQ(cuda_version_of_number(13000)->text(), "13.0");
  EXPECT_EQ(cuda_version_of_number(0), std::nullopt);
}

}  // namespace
}  // namespace kernelfit
