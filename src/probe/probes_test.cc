// SPDX-License-Identifier: Apache-2.0
// The probes on machines laid out file by file. The texts are of the forms that src/nvidia shows.
#include <algorithm>
#include <chrono>

#include "nvidia/fixture_for_tests.h"
#include "probe/helper_limit.h"
#include "probe/nvml_child.h"
#include "probe/recorded_folder_for_tests.h"

namespace kernelfit {
namespace {

const std::vector<std::string> kQuery = {
    "nvidia-smi",
    "--query-gpu=index,name,compute_cap,pci.bus_id,driver_version,memory.total,uuid,"
    "mig.mode.current,compute_mode",
    "--format=csv"};
const std::vector<std::string> kXml = {"nvidia-smi", "-q", "-x"};
constexpr const char* kHeader =
    "index, name, compute_cap, pci.bus_id, driver_version, memory.total [MiB], uuid, "
    "mig.mode.current, compute_mode\n";

TEST(Probes, EachHasAnIdAndAMessage) {
  for (const Probe& probe : probes()) {
    EXPECT_EQ(std::string(probe.what), "probe." + std::string(probe.id));
    EXPECT_NE(probe.run, nullptr);
  }
}

TEST(Probes, AnEmptyMachineIsUnknownNotBroken) {
  Machine machine = RecordedFolder().inspect();
  EXPECT_TRUE(machine.gpus.empty());
  EXPECT_FALSE(machine.driver.version.has());
  EXPECT_FALSE(machine.driver.nvml.has());
}

TEST(PciProbe, TellsGpusFromTheirOtherFunctions) {
  Machine machine =
      RecordedFolder()
          .file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
          .file("/proc/modules", "nouveau 2433024 0 - Live 0x0\n")
          .card("0000:01:00.0", "0x1287", "nouveau")
          .file("/sys/bus/pci/devices/0000:01:00.0/subsystem_vendor", "0x1043\n")
          .file("/sys/bus/pci/devices/0000:01:00.0/subsystem_device", "0x8576\n")
          .file("/sys/bus/pci/devices/0000:01:00.0/current_link_speed", "5.0 GT/s PCIe\n")
          .file("/sys/bus/pci/devices/0000:01:00.0/current_link_width", "8\n")
          .card("0000:01:00.1", "0x0e0f", "snd_hda_intel", "0x040300")
          .card("0000:02:00.0", "0x2204", "vfio-pci", "0x030200")
          .file("/sys/bus/pci/devices/0000:02:00.0/removable", "removable\n")
          .card("0000:00:02.0", "0x3e98", "i915", "0x030000", "0x8086")
          .card("0000:05:00.0", "0x2000", "ast", "0x030000", "0x1a03")
          .inspect();
  ASSERT_EQ(machine.gpus.size(), 2U);
  EXPECT_EQ(machine.gpus[0].pci_id.value_or({}).text(), "10de:1287");
  EXPECT_EQ(machine.gpus[0].pci_id.value_or({}).subvendor, 0x1043);
  EXPECT_EQ(machine.gpus[0].bound_driver.value_or(""), "nouveau");
  EXPECT_EQ(machine.gpus[0].link.value_or(""), "5.0 GT/s x8");
  EXPECT_FALSE(machine.gpus[0].external);
  EXPECT_EQ(machine.gpus[1].bound_driver.value_or(""), "vfio-pci");
  EXPECT_TRUE(machine.gpus[1].external);
  ASSERT_EQ(machine.other_gpus.size(), 1U);
  EXPECT_EQ(machine.other_gpus[0].vendor, "Intel");
  EXPECT_EQ(machine.driver.other_module.value_or(""), "nouveau");
  EXPECT_TRUE(machine.driver.module_loaded.is(false));
  EXPECT_TRUE(machine.driver.version.is_absent());
  EXPECT_TRUE(machine.driver.nvml.is_unknown());
}

TEST(PciProbe, AsksLspciWhereSysfsIsClosed) {
  Machine machine =
      RecordedFolder()
          .file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
          .command({"lspci", "-nnk", "-d", "10de:"}, fixture("lspci/rtx3060_nnk_nvidia.txt"))
          .inspect();
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_EQ(machine.gpus[0].pci_id.value_or({}).text(), "10de:2504");
  EXPECT_EQ(machine.gpus[0].pci_address.value_or(""), "0000:07:00.0");
  EXPECT_EQ(machine.gpus[0].bound_driver.value_or(""), "nvidia");
}

TEST(NvmlProbe, FallsBackToNvidiaSmiAndMergesByAddress) {
  Machine machine =
      RecordedFolder()
          .loaded("590.44.01")
          .card("0000:09:00.0", "0x2204", "nvidia")
          .command(kQuery,
                   std::string(kHeader) +
                       "0, NVIDIA GeForce RTX 3090, 8.6, 00000000:09:00.0, 590.44.01, "
                       "24576 MiB, GPU-00000000-0000-0000-0000-000000000001, [N/A], Default\n")
          .command(kXml, fixture("smi_xml/rtx3090_590.44.01.xml"))
          .inspect();
  ASSERT_EQ(machine.gpus.size(), 1U);
  const Gpu& gpu = machine.gpus[0];
  EXPECT_EQ(gpu.index, 0);
  EXPECT_EQ(gpu.name.value_or(""), "GeForce RTX 3090");
  EXPECT_EQ(gpu.compute_capability.value_or({}).text(), "8.6");
  EXPECT_EQ(gpu.memory_mib.value_or(0), 24576);
  EXPECT_TRUE(gpu.mig.is_absent());
  EXPECT_TRUE(gpu.vgpu_license.is_absent());
  EXPECT_TRUE(gpu.visible.is(true));
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.driver.version.value_or({}).text(), "590.44.01");
  EXPECT_EQ(machine.driver.version.source(), "/proc/driver/nvidia/version");
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "13.1");
  EXPECT_EQ(machine.driver.flavor.value_or(""), "proprietary");
}

TEST(NvmlProbe, AnOldNvidiaSmiKnowsNoComputeCap) {
  Machine machine = RecordedFolder()
                        .loaded("440.59")
                        .card("0000:20:00.0", "0x1287", "nvidia")
                        .command(kQuery, fixture("smi_query/compute_cap-not-a-field.txt"), 2)
                        .command(kXml, fixture("smi_xml/gt730-kepler_440.59.xml"))
                        .inspect();
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_EQ(machine.gpus[0].name.value_or(""), "GeForce GT 730");
  EXPECT_TRUE(machine.gpus[0].compute_capability.is_unknown());
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "10.2");
}

TEST(NvmlProbe, TellsWhatNvidiaSmiFailsWith) {
  Machine mismatch = RecordedFolder()
                         .loaded("550.54.14")
                         .command(kQuery, fixture("smi_error/driver-library-mismatch_595.txt"), 18)
                         .inspect();
  EXPECT_EQ(mismatch.driver.nvml.value_or(""), "version-mismatch");
  EXPECT_TRUE(mismatch.problems.empty());
  Machine hanging = RecordedFolder().loaded("550.54.14").command(kQuery, "", 137, true).inspect();
  EXPECT_EQ(hanging.driver.nvml.value_or(""), "timed-out");
  ASSERT_EQ(hanging.problems.size(), 1U);
  EXPECT_EQ(hanging.problems[0], "nvidia-smi did not answer in 5 s");
}

TEST(NvmlProbe, SaysHowNvidiaSmiFailed) {
  auto problems = [](const std::string& out, int status) {
    return RecordedFolder().loaded("550.54.14").command(kQuery, out, status).inspect().problems;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(problems("", 255), Lines{"nvidia-smi failed (exit status 255)"});
  EXPECT_EQ(problems("Segmentation fault\n", 139),
            Lines{"nvidia-smi failed (exit status 139): Segmentation fault"});
  EXPECT_EQ(problems("lorem ipsum\n", 0),
            Lines{"nvidia-smi gave no answer that can be read: lorem ipsum"});
}

TEST(NvmlProbe, ALostCardIsSaidAndTheOtherStands) {
  Machine machine =
      RecordedFolder()
          .loaded("535.183.01")
          .command(
              kQuery,
              std::string(kHeader) +
                  "0, [GPU is lost], [GPU is lost], 00000000:01:00.0, 535.183.01, [GPU is lost], "
                  "[GPU is lost], [GPU is lost], [GPU is lost]\n"
                  "1, NVIDIA T4, 7.5, 00000000:02:00.0, 535.183.01, 15360 MiB, GPU-1, [N/A], "
                  "Default\n")
          .inspect();
  EXPECT_EQ(machine.driver.nvml.value_or(""), "gpu-lost");
  ASSERT_EQ(machine.gpus.size(), 2U);
  EXPECT_FALSE(machine.gpus[0].name.has());
  EXPECT_EQ(machine.gpus[1].name.value_or(""), "T4");
  EXPECT_EQ(machine.problems, std::vector<std::string>{"nvidia-smi, index 0: GPU is lost"});
}

TEST(NvmlProbe, AnNvidiaSmiThatMayNotRunIsThere) {
  Machine machine = RecordedFolder()
                        .loaded("550.54.14")
                        .toml("[[command]]\nargv = [\"nvidia-smi\", \"" + kQuery[1] +
                              "\", \"--format=csv\"]\nerror = \"denied\"")
                        .inspect();
  EXPECT_EQ(machine.problems, std::vector<std::string>{"nvidia-smi: permission denied"});
  EXPECT_TRUE(machine.driver.nvml.is_unknown());
}

TEST(NvmlChildAnswer, TheLastLineThatCanBeReadCounts) {
  auto cut = parse_nvml_child(
      "{\"nvml\":{\"state\":\"ok\",\"driver_version\":\"550.54.14\"}}\n"
      "{\"nvml\":{\"state\":\"ok\",\"driver_ver");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->nvml.answer.driver.text(), "550.54.14");
  EXPECT_EQ(cut->libcuda.state, "");
  auto whole = parse_nvml_child(
      "libcuda says hello\n{\"nvml\":{\"state\":\"ok\"}}\n"
      "{\"nvml\":{\"state\":\"ok\"},\"libcuda\":{\"state\":\"ok\",\"cuda_version\":12040}}\n");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->libcuda.cuda_max.text(), "12.4");
  EXPECT_FALSE(parse_nvml_child("Segmentation fault\n"));
}

// dkms, modinfo and ldconfig hang: 5 s and 1 s, then no more are started.
TEST(HelperLimit, HangingProgramsShareOneLimit) {
  RecordedFolder folder;
  folder.loaded("550.54.14").card("0000:01:00.0", "0x2204", "nvidia");
  folder.command({"dkms", "status"}, "", 137, true).command({"dmesg"}, "", 137, true);
  folder.command({"modinfo", "nvidia"}, "", 137, true).command({"ldconfig", "-p"}, "", 137, true);
  folder.command({"kernelfit", "__nvml"},
                 "{\"nvml\": {\"state\": \"ok\", \"driver_version\": \"550.54.14\"}}");
  Machine machine = folder.inspect();
  EXPECT_EQ(machine.driver.nvml.value_or(""), "ok");  // the child has a limit of its own
  EXPECT_EQ(machine.driver.package.reason(), "dpkg-query was not asked: other programs took 6 s");
  ASSERT_GE(machine.problems.size(), 4U);
  EXPECT_EQ(machine.problems[0], "dkms did not answer in 5 s");
  EXPECT_EQ(machine.problems[1], "modinfo did not answer in 1 s");
  EXPECT_EQ(std::ranges::count(machine.problems, "ldconfig was not asked: other programs took 6 s"),
            1);
}

// A question about another machine asks some probes only; the limit is the same.
TEST(HelperLimit, HoldsWhereSomeProbesAreAsked) {
  RecordedFolder folder;
  folder.loaded("550.54.14").card("0000:01:00.0", "0x2204", "nvidia");
  folder.command({"dkms", "status"}, "", 137, true);
  folder.command({"modinfo", "nvidia"}, "", 137, true).command({"dmesg"}, "", 137, true);
  Machine machine = folder.inspect(
      {}, [](std::string_view id) { return id == "system" || id == "pci" || id == "module"; });
  EXPECT_EQ(machine.problems, (std::vector<std::string>{"dkms did not answer in 5 s",
                                                        "modinfo did not answer in 1 s"}));
  EXPECT_EQ(machine.gpus.size(), 1U);
  EXPECT_TRUE(machine.driver.kernel_log.is_unknown());
}

TEST(HelperLimit, TheSecondHangCostsASecondOrLess) {
  std::unique_ptr<Host> host = real_host();
  HelperLimit limited(*host);
  auto run = [&](int milliseconds) {
    auto start = std::chrono::steady_clock::now();
    auto result = limited.run(
        {.argv = {"sleep", "30"}, .timeout = std::chrono::milliseconds(milliseconds), .env = {}});
    EXPECT_TRUE(result && result->timed_out);
    return std::chrono::steady_clock::now() - start;
  };
  run(200);
  EXPECT_LT(run(5000), std::chrono::seconds(4));
}

TEST(NvmlProbe, ReadsTheChildsAnswer) {
  const std::string answer =
      "{\"nvml\": {\"state\": \"ok\", \"library\": "
      "\"/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.535.54.03\", "
      "\"driver_version\": \"535.54.03\", \"cuda_version\": 12020, \"gpus\": [{\"index\": 0, "
      "\"name\": \"NVIDIA A100-SXM4-80GB\", \"pci_bus_id\": \"00000000:01:00.0\", "
      "\"compute_capability\": \"8.0\", \"memory_mib\": 81920, \"mig\": true, \"mig_instances\": "
      "4}]}, "
      "\"libcuda\": {\"state\": \"ok\", \"cuda_version\": 12020}}";
  Machine machine =
      RecordedFolder().loaded("535.54.03").command({"kernelfit", "__nvml"}, answer).inspect();
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_TRUE(machine.gpus[0].mig.is(true));
  EXPECT_EQ(machine.gpus[0].mig_instances.value_or(0), 4);
  EXPECT_EQ(machine.driver.cuda_max.value_or({}).text(), "12.2");
  Machine crashed =
      RecordedFolder().loaded("535.54.03").command({"kernelfit", "__nvml"}, "", 139).inspect();
  EXPECT_EQ(crashed.driver.nvml.value_or(""), "crashed");
}

TEST(ModuleProbe, AnUnreadableVersionIsUnknownNotAbsent) {
  Machine machine = RecordedFolder()
                        .file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
                        .file("/proc/modules", "nvidia 56713216 71 nvidia_uvm, Live 0x0\n")
                        .denied("/proc/driver/nvidia/version")
                        .inspect();
  EXPECT_TRUE(machine.driver.version.is_unknown());
  EXPECT_TRUE(machine.driver.module_loaded.is(true));
  ASSERT_EQ(machine.problems.size(), 1U);
  EXPECT_NE(machine.problems[0].find("/proc/driver/nvidia/version"), std::string::npos);
}

TEST(ModuleProbe, FindsTheModuleOfTheRunningKernel) {
  auto machine_with = [](const std::string& dep) {
    return RecordedFolder()
        .file("/proc/sys/kernel/osrelease", "5.15.0-30-generic\n")
        .file("/proc/modules", "ext4 1 0 - Live 0x0\n")
        .card("0000:01:00.0", "0x2230", "")
        .file("/lib/modules/5.15.0-30-generic/modules.dep", dep)
        .command({"modinfo", "nvidia"}, fixture("modules/modinfo_510.73.05_closed-dkms.txt"))
        .command({"dkms", "status"}, "nvidia, 510.73.05, 5.15.0-30-generic, x86_64: installed\n")
        .inspect();
  };
  Machine built = machine_with("updates/dkms/nvidia.ko.zst:\nupdates/dkms/nvidia-drm.ko.zst: x\n");
  EXPECT_EQ(built.driver.module_on_disk.value_or({}).text(), "510.73.05");
  EXPECT_EQ(built.driver.flavor.value_or(""), "proprietary");
  EXPECT_EQ(built.driver.dkms.value_or(""), "installed");
  EXPECT_TRUE(built.gpus.at(0).bound_driver.is_absent());
  Machine none = machine_with("kernel/drivers/video/fbdev/nvidia/nvidiafb.ko:\n");
  EXPECT_TRUE(none.driver.module_on_disk.is_absent());
}

TEST(ModuleProbe, DkmsOfAnotherKernelIsOnlyAdded) {
  Machine machine =
      RecordedFolder()
          .file("/proc/sys/kernel/osrelease", "6.8.0-90-generic\n")
          .file("/proc/modules", "ext4 1 0 - Live 0x0\n")
          .card("0000:01:00.0", "0x2230", "")
          .file("/lib/modules/6.8.0-90-generic/modules.dep", "a.ko:\n")
          .command({"dkms", "status"}, fixture("dkms/status_slash-form_580.105.08.txt"))
          .inspect();
  EXPECT_EQ(machine.driver.dkms.value_or(""), "added");
  EXPECT_TRUE(machine.driver.module_on_disk.is_absent());
}

Machine with_libcuda(RecordedFolder& folder) {
  return folder.loaded("535.183.01")
      .file("/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01", "")
      .link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.535.183.01")
      .command({"ldconfig", "-p"},
               "\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcuda.so.1\n"
               "\tlibcuda.so.1 (libc6) => /usr/lib/i386-linux-gnu/libcuda.so.1\n")
      .inspect();
}

TEST(LibcudaProbe, TellsTheDriversOwn) {
  RecordedFolder folder;
  Machine machine = with_libcuda(folder);
  EXPECT_EQ(machine.driver.library_path.value_or(""), "/usr/lib/x86_64-linux-gnu/libcuda.so.1");
  EXPECT_EQ(machine.driver.library_version.value_or({}).text(), "535.183.01");
  EXPECT_TRUE(machine.driver.library_problem.is_absent());
}

TEST(LibcudaProbe, TellsStubsForeignAndCompat) {
  static constexpr struct {
    const char *folder, *file, *problem;
  } kCases[] = {
      {"/usr/local/cuda-12.1/lib64/stubs", "libcuda.so", "stub"},
      {"/usr/local/cuda/lib64/stubs", "libcuda.so.1", "stub"},
      {"/usr/local/cuda-12.4/compat", "libcuda.so.1", "compat"},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.folder);
    RecordedFolder folder;
    folder.env("LD_LIBRARY_PATH", test.folder).file(std::string(test.folder) + "/" + test.file, "");
    EXPECT_EQ(with_libcuda(folder).driver.library_problem.value_or(""), test.problem);
  }
  RecordedFolder folder;
  folder.env("LD_LIBRARY_PATH", "/opt/old")
      .file("/opt/old/libcuda.so.470.82.01", "")
      .link("/opt/old/libcuda.so.1", "libcuda.so.470.82.01");
  Machine machine = with_libcuda(folder);
  EXPECT_EQ(machine.driver.library_problem.value_or(""), "foreign");
  EXPECT_EQ(machine.driver.library_version.value_or({}).text(), "470.82.01");
}

TEST(LibcudaProbe, AnUpdateWithoutARestartIsNoForeignLibrary) {
  Machine machine = RecordedFolder()
                        .loaded("535.161.07")
                        .file("/usr/lib/x86_64-linux-gnu/libcuda.so.535.171.04", "")
                        .link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.535.171.04")
                        .inspect();
  EXPECT_EQ(machine.driver.library_version.value_or({}).text(), "535.171.04");
  EXPECT_TRUE(machine.driver.library_problem.is_absent());
}

TEST(WslProbe, TellsALinuxDriverInside) {
  RecordedFolder good;
  Machine machine = good.file("/proc/sys/kernel/osrelease", "5.15.133.1-microsoft-standard-WSL2\n")
                        .file("/proc/sys/kernel/arch", "x86_64\n")
                        .file("/usr/lib/wsl/lib/libcuda.so.1", "")
                        .inspect();
  EXPECT_EQ(machine.system.os.value_or(""), "wsl");
  EXPECT_EQ(machine.system.wsl_kernel.value_or(""), "5.15.133.1");
  EXPECT_TRUE(machine.system.wsl_driver_library.is(true));
  EXPECT_TRUE(machine.system.wsl_linux_driver.is_absent());
  EXPECT_TRUE(machine.driver.module_loaded.is_absent());
  RecordedFolder bad;
  machine = bad.file("/proc/sys/kernel/osrelease", "5.15.133.1-microsoft-standard-WSL2\n")
                .file("/usr/lib/wsl/lib/libcuda.so.1", "")
                .command({"dpkg-query", "-W", "-f", "${Package} ${Version}\\n", "nvidia-*",
                          "libnvidia-*", "nvidia-l4t-core"},
                         "nvidia-utils-510 510.108.03-0ubuntu0.22.04.1\n")
                .inspect();
  EXPECT_EQ(machine.system.wsl_linux_driver.value_or(""), "nvidia-utils-510");
}

TEST(ContainerProbe, TellsWhetherTheGpuWasGranted) {
  Machine without = RecordedFolder().file("/.dockerenv", "").loaded("535.183.06").inspect();
  EXPECT_EQ(without.system.container.value_or(""), "docker");
  EXPECT_EQ(without.system.container_gpu.value_or(""), "none");
  Machine with = RecordedFolder()
                     .file("/proc/self/cgroup", fixture("container/proc-cgroup_docker-v1.txt"))
                     .file("/dev/nvidiactl", "")
                     .file("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "")
                     .env("NVIDIA_DRIVER_CAPABILITIES", "utility")
                     .inspect();
  EXPECT_EQ(with.system.container.value_or(""), "docker");
  EXPECT_EQ(with.system.container_gpu.value_or(""), "granted");
  EXPECT_EQ(with.system.driver_capabilities.value_or(""), "utility");
  Machine bare =
      RecordedFolder()
          .file("/proc/self/cgroup", fixture("container/proc-cgroup_bare-machine-v2.txt"))
          .inspect();
  EXPECT_TRUE(bare.system.container.is_absent());
}

// Fedora with RPM Fusion's driver, Arch with its own: names and versions as their package lists
// show them.
TEST(DriverPackageProbe, AsksRpmAndReadsPacman) {
  RecordedFolder fedora;
  fedora.loaded("580.95.05").toml("[[listing]]\npath = \"/usr/lib/sysimage/rpm\"\ndirs = []");
  fedora.command({"rpm", "-qa", "--qf", "%{NAME} %{VERSION}-%{RELEASE}\\n", "*nvidia*"},
                 "nvidia-gpu-firmware 20251011-1.fc42\nakmod-nvidia 580.95.05-1.fc42\n"
                 "xorg-x11-drv-nvidia 580.95.05-1.fc42\n");
  Machine machine = fedora.inspect();
  EXPECT_EQ(machine.driver.package.value_or(""), "rpm xorg-x11-drv-nvidia 580.95.05-1.fc42");
  EXPECT_EQ(machine.driver.package.source(), "rpm");
  RecordedFolder arch;
  arch.loaded("580.95.05")
      .toml(
          "[[listing]]\npath = \"/var/lib/pacman/local\"\n"
          "dirs = [\"linux-6.17.4.arch2-1\", \"nvidia-open-580.95.05-8\", "
          "\"nvidia-utils-580.95.05-1\"]");
  EXPECT_EQ(arch.inspect().driver.package.value_or(""), "pacman nvidia-open 580.95.05-8");
  RecordedFolder none;
  none.loaded("580.95.05").toml("[[listing]]\npath = \"/var/lib/pacman/local\"\ndirs = []");
  EXPECT_TRUE(none.inspect().driver.package.is_absent());
  EXPECT_TRUE(RecordedFolder().loaded("580.95.05").inspect().driver.package.is_unknown());
}

TEST(JetsonProbe, FindsTheGpuInsideTheChip) {
  using namespace std::string_view_literals;
  Machine machine =
      RecordedFolder()
          .file("/proc/sys/kernel/osrelease", "5.15.148-tegra\n")
          .file("/proc/sys/kernel/arch", "aarch64\n")
          .file("/proc/modules", "nvgpu 2654208 24 - Live 0x0\n")
          .file("/etc/nv_tegra_release", fixture("jetson_tegra/nv_tegra_release_r36.4.3_orin.txt"))
          .file("/proc/device-tree/model", "NVIDIA Jetson AGX Orin Developer Kit\0"sv)
          .file("/proc/device-tree/compatible", "nvidia,p3737-0000+p3701-0005\0nvidia,tegra234\0"sv)
          .command(kQuery,
                   std::string(kHeader) +
                       "0, Orin (nvgpu), [N/A], [N/A], 540.4.0, [N/A], [N/A], [N/A], [N/A]\n")
          .inspect();
  EXPECT_EQ(machine.system.l4t.value_or(""), "36.4.3");
  EXPECT_EQ(machine.system.jetpack.value_or(""), "6.2");
  EXPECT_EQ(machine.system.device_model.value_or(""), "NVIDIA Jetson AGX Orin Developer Kit");
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_EQ(machine.gpus[0].name.value_or(""), "Orin");
  EXPECT_EQ(machine.gpus[0].index, 0);
  EXPECT_EQ(machine.gpus[0].compute_capability.value_or({}).text(), "8.7");
  EXPECT_TRUE(machine.driver.module_loaded.is(true));
}

TEST(SecureBootProbe, ReadsTheEfiVariable) {
  using namespace std::string_view_literals;
  Machine on = RecordedFolder()
                   .file(
                       "/sys/firmware/efi/efivars/"
                       "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
                       "\6\0\0\0\1"sv)
                   .inspect();
  EXPECT_TRUE(on.system.secure_boot.is(true));
  Machine mokutil =
      RecordedFolder().command({"mokutil", "--sb-state"}, "SecureBoot disabled\n").inspect();
  EXPECT_TRUE(mokutil.system.secure_boot.is(false));
  EXPECT_TRUE(RecordedFolder().inspect().system.secure_boot.is_unknown());
}

TEST(KernelLogProbe, ReadsFilesWhereDmesgIsRefused) {
  Machine machine =
      RecordedFolder()
          .card("0000:01:00.0", "0x1fbb", "vfio-pci")
          .command({"dmesg"}, "", 1)
          .file("/var/log/kern.log", fixture("kernel_log/bound-to-vfio-pci_no-devices-probed.txt"))
          .inspect();
  EXPECT_EQ(machine.driver.kernel_log.value_or(""), "/var/log/kern.log");
  ASSERT_EQ(machine.kernel_events.size(), 2U);
  EXPECT_EQ(machine.kernel_events[0].kind, "already-bound");
  Machine refused =
      RecordedFolder().card("0000:01:00.0", "0x1fbb", "").command({"dmesg"}, "", 1).inspect();
  EXPECT_TRUE(refused.driver.kernel_log.is_unknown());
}

TEST(ToolkitProbe, ReadsVersionsWithoutNvcc) {
  Machine machine =
      RecordedFolder()
          .file("/usr/local/cuda-12.4/version.json",
                "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"12.4.1\"}}")
          .file("/usr/local/cuda-12.4/bin/nvcc", "")
          .link("/usr/local/cuda", "cuda-12.4")
          .file("/usr/local/cuda-10.2/version.txt", "CUDA Version 10.2.89\n")
          .file("/usr/local/cuda-10.2/include/cudnn.h",
                "#define CUDNN_MAJOR 7\n#define CUDNN_MINOR 6\n#define CUDNN_PATCHLEVEL 5\n")
          .env("CUDA_HOME", "/usr/local/cuda-10.2")
          .env("PATH", "/usr/local/cuda/bin:/usr/bin")
          .inspect();
  ASSERT_EQ(machine.toolkits.size(), 2U);
  EXPECT_EQ(machine.toolkits[0].path, "/usr/local/cuda-10.2");
  EXPECT_EQ(machine.toolkits[0].version.value_or({}).text(), "10.2.89");
  EXPECT_EQ(machine.toolkits[0].cudnn.value_or({}).text(), "7.6.5");
  EXPECT_TRUE(machine.toolkits[0].is_cuda_home);
  EXPECT_FALSE(machine.toolkits[0].on_path);
  EXPECT_EQ(machine.toolkits[1].path, "/usr/local/cuda-12.4");
  EXPECT_TRUE(machine.toolkits[1].on_path);
}

// The real cuda.h of 13.0: 1.1 MB, its version at byte 14324. Only the head is read.
TEST(ToolkitProbe, ReadsTheHeadOfAHeader) {
  RecordedFolder host;
  std::string header(14324, '\n');
  header += "#define CUDA_VERSION 13000\n";
  header.resize(std::size_t{5} << 20, ' ');
  Machine machine = host.file("/usr/local/cuda-13.0/include/cuda.h", header)
                        .file("/usr/local/cuda-13.0/bin/nvcc", "")
                        .inspect();
  ASSERT_EQ(machine.toolkits.size(), 1U);
  EXPECT_EQ(machine.toolkits[0].version.source(), "/usr/local/cuda-13.0/include/cuda.h");
  EXPECT_EQ(machine.toolkits[0].version.value_or({}).text(), "13.0");
}

TEST(FabricManagerProbe, LooksOnlyWhereThereIsASwitch) {
  RecordedFolder stopped;
  Machine machine = stopped.card("0000:07:00.0", "0x20b2", "nvidia", "0x030200")
                        .card("0000:c4:00.0", "0x1af1", "nvidia", "0x068000")
                        .file("/proc/1/comm", "systemd\n")
                        .inspect();
  EXPECT_EQ(machine.driver.fabric_manager.value_or(""), "stopped");
  EXPECT_EQ(machine.gpus.size(), 1U);
  RecordedFolder running;
  machine = running.card("0000:07:00.0", "0x20b2", "nvidia", "0x030200")
                .card("0000:c4:00.0", "0x1af1", "nvidia", "0x068000")
                .file("/proc/812/comm", "nv-fabricmanage\n")
                .inspect();
  EXPECT_EQ(machine.driver.fabric_manager.value_or(""), "running");
}

TEST(SlurmProbe, TellsAJobWithoutGpus) {
  Machine machine = RecordedFolder().env("SLURM_JOB_ID", "4711").inspect();
  EXPECT_EQ(machine.system.slurm_job.value_or(""), "4711");
  EXPECT_TRUE(machine.system.slurm_gpus.is_absent());
}

TEST(SystemProbe, ReadsNamesAndVersions) {
  Machine machine = RecordedFolder()
                        .file("/proc/sys/kernel/osrelease", "5.15.0-30-generic\n")
                        .file("/etc/os-release", "PRETTY_NAME=\"Ubuntu 20.04.6 LTS\"\n")
                        .file("/lib/x86_64-linux-gnu/libc-2.31.so", "")
                        .link("/lib/x86_64-linux-gnu/libc.so.6", "libc-2.31.so")
                        .file("/lib64/ld-linux-x86-64.so.2", "")
                        .inspect();
  EXPECT_EQ(machine.system.os.value_or(""), "linux");
  EXPECT_EQ(machine.system.os_name.value_or(""), "Ubuntu 20.04.6 LTS");
  EXPECT_EQ(machine.system.kernel.value_or(""), "5.15.0-30-generic");
  EXPECT_EQ(machine.system.glibc.value_or({}).text(), "2.31");
  EXPECT_EQ(machine.system.cpu_arch.value_or(""), "x86_64");
  Machine newer =
      RecordedFolder()
          .file("/lib/x86_64-linux-gnu/libc.so.6",
                "\x7f"
                "ELF GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release version 2.36.\n")
          .inspect();
  EXPECT_EQ(newer.system.glibc.value_or({}).text(), "2.36");
}

// gcompat's libc.so.6 does not make pip take manylinux wheels.
TEST(SystemProbe, AlpineHasNoGlibc) {
  const Machine machine = RecordedFolder()
                              .file("/proc/sys/kernel/osrelease", "6.6.32-0-lts\n")
                              .file("/etc/alpine-release", "3.20.3\n")
                              .file("/lib/libc.so.6", "GNU C Library stable release version 2.36")
                              .inspect();
  EXPECT_TRUE(machine.system.glibc.is_absent());
}

constexpr const char* kAdapters =
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}";
const std::string kBasicAdapter =
    "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968}\\0000\n"
    "    DriverDesc    REG_SZ    Microsoft Basic Display Adapter\n"
    "    MatchingDeviceId    REG_SZ    pci\\cc_0300\n";

ProbeOptions with_one_chip() {
  ProbeOptions options;
  options.chip_of = [](const Gpu& gpu) {
    return gpu.pci_id.has() && gpu.pci_id->device == 0x2504 ? "GA106" : "";
  };
  return options;
}

TEST(WindowsProbe, ACardWithoutItsDriverIsFoundOnTheBus) {
  const Machine machine =
      RecordedFolder("windows")
          .command({"reg", "query", kAdapters, "/s"}, kBasicAdapter)
          .command({"pnputil", "/enum-devices", "/connected"},
                   "Instance ID:     PCI\\VEN_10DE&DEV_2504&SUBSYS_397D1462&REV_A1\\4&1\n"
                   "Instance ID:     PCI\\VEN_10DE&DEV_228E&SUBSYS_397D1462&REV_A1\\4&2\n")
          .inspect(with_one_chip());
  ASSERT_EQ(machine.gpus.size(), 1U);
  EXPECT_EQ(machine.gpus[0].pci_id->text(), "10de:2504");
  EXPECT_TRUE(machine.driver.version.is_absent());
  EXPECT_TRUE(machine.system.pci_devices.is(2));
}

TEST(WindowsProbe, WhatNobodyTellsIsUnknown) {
  const Machine basic = RecordedFolder("windows")
                            .command({"reg", "query", kAdapters, "/s"}, kBasicAdapter)
                            .inspect(with_one_chip());
  EXPECT_TRUE(basic.gpus.empty());
  EXPECT_TRUE(basic.system.pci_devices.is_unknown());
  const Machine silent = RecordedFolder("windows").inspect(with_one_chip());
  EXPECT_TRUE(silent.system.pci_devices.is_unknown());
}

TEST(WindowsProbe, AnotherMakersAdapterIsToldByItsId) {
  const Machine machine = RecordedFolder("windows")
                              .command({"reg", "query", kAdapters, "/s"},
                                       "HKEY_LOCAL_MACHINE\\SYSTEM\\Class\\{4d36e968}\\0000\n"
                                       "    DriverDesc    REG_SZ    Intel(R) HD Graphics 4000\n"
                                       "    MatchingDeviceId    REG_SZ    PCI\\VEN_8086&DEV_0166\n")
                              .inspect(with_one_chip());
  EXPECT_TRUE(machine.gpus.empty());
  EXPECT_TRUE(machine.system.pci_devices.is(1));
}

TEST(SystemProbe, ReadsTheRealHostsGlibc) {
  Machine machine;
  probe_system(*real_host(), {}, machine);
  EXPECT_TRUE(machine.system.os.has());
  EXPECT_TRUE(machine.system.cpu_arch.has());
#ifdef __GLIBC__
  EXPECT_EQ(machine.system.glibc.value_or({}),
            dotted(std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__)));
#endif
}

}  // namespace
}  // namespace kernelfit
