// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "judge/coverage.h"
#include "message/message.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnown = Knowledge::embedded();
  return kKnown;
}

Library library(std::string name, std::string version) {
  Library out;
  out.name = std::move(name);
  out.version = std::move(version);
  auto local = PackageVersion::parse(out.version)->local();
  if (!local.empty()) out.build = Fact<std::string>::known(local, "test");
  if (local == "cpu") out.cuda = Fact<DottedVersion>::absent("version.py");
  return out;
}

Package package(std::string name, std::string version) {
  Package out;
  out.name = std::move(name);
  out.version = std::move(version);
  return out;
}

ContainerGroup group(const char* archs, std::int64_t containers) {
  ContainerGroup out;
  out.section = ".nv_fatbin";
  out.archs = parse_arch_list(archs);
  out.containers = containers;
  out.code_bytes = 1 << 20;
  return out;
}

BinaryImages binary(std::string file, std::vector<ContainerGroup> groups) {
  BinaryImages out;
  out.file = std::move(file);
  out.groups = std::move(groups);
  return out;
}

// A machine with one card and one environment that holds one torch.
struct Setting {
  Machine machine;

  Setting(std::string_view gpu, std::string_view driver, std::string_view torch) {
    machine.system.os = Fact<std::string>::known("linux", "test");
    machine.system.cpu_arch = Fact<std::string>::known("x86_64", "test");
    if (!gpu.empty()) machine.gpus.push_back(*gpu_from_text(gpu, known()));
    machine.driver.version = driver.empty() ? Fact<DottedVersion>::absent("test")
                                            : Fact<DottedVersion>::known(dotted(driver), "test");
    machine.environments.emplace_back();
    if (!torch.empty()) libraries().push_back(library("torch", std::string(torch)));
  }
  std::vector<Library>& libraries() { return machine.environments[0].libraries; }
  std::vector<Package>& packages() { return machine.environments[0].packages; }
  void os(const char* name) { machine.system.os = Fact<std::string>::known(name, "test"); }

  LibraryVerdict row(std::string_view name = "torch") const {
    for (auto& row : judge(machine, known()).verdicts) {
      if (row.library == name) return row;
    }
    LibraryVerdict none;
    none.reason.key = "none";
    return none;
  }
};

struct Case {
  const char* gpu;
  const char* driver;
  const char* torch;
  Verdict verdict;
  const char* reason;
};

TEST(Judge, TorchByTable) {
  const Case cases[] = {
      // docs/voice.md
      {"1080 Ti", "580.95.05", "2.13.0+cu130", Verdict::no_code, "no-code-older-card"},
      {"1080 Ti", "580.95.05", "2.7.1+cu126", Verdict::native, "native-compatible"},
      {"4090", "570.133.07", "2.10.0+cu128", Verdict::native, "native-compatible"},
      {"3090", "535.183.01", "2.7.1+cu126", Verdict::native, "native"},
      {"5090", "580.95.05", "2.6.0+cu124", Verdict::no_code, "no-code-newer-card"},
      {"5090", "580.95.05", "2.7.1+cu128", Verdict::native, "native"},
      // docs/knowledge.md
      {"V100", "580.95.05", "2.11.0+cu128", Verdict::no_code, "no-code-older-card"},
      {"V100", "580.95.05", "2.10.0+cu128", Verdict::native, "native"},
      {"K80", "470.256.02", "2.7.1+cu118", Verdict::native, "native"},
      {"K80", "470.256.02", "2.7.1+cu126", Verdict::no_code, "no-code-older-card"},
      {"10de:1287", "470.256.02", "1.7.1", Verdict::no_code, "no-code-older-card"},
      {"10de:1287", "470.256.02", "1.3.0", Verdict::native, "native"},
      {"GB10", "580.95.05", "2.9.1+cu130", Verdict::native, "native-compatible"},
      // drivers
      {"3090", "470.256.02", "2.4.0+cu121", Verdict::driver_too_old, "driver-too-old"},
      {"K80", "535.183.01", "2.3.1+cu118", Verdict::driver_too_new_for_gpu, "driver-too-new"},
      {"1080 Ti", "590.48.01", "2.7.1+cu126", Verdict::driver_too_new_for_gpu, "driver-too-new"},
      {"3070", "", "2.7.1+cu126", Verdict::no_driver, "no-driver"},
      {"5090", "565.57.01", "2.7.1+cu128", Verdict::driver_too_old, "driver-too-old"},
      {"GTX 480", "390.157", "1.0.0", Verdict::no_code, "no-code-older-card"},
      // builds without CUDA
      {"3090", "535.183.01", "2.13.0+cpu", Verdict::cpu_only, "cpu-only"},
      {"3090", "", "2.13.0+cpu", Verdict::cpu_only, "cpu-only"},
      {"3090", "535.183.01", "2.6.0+rocm6.2.4", Verdict::cpu_only, "other-backend"},
      // not in the tables
      {"3090", "535.183.01", "2.16.0.dev20261101+cu132", Verdict::driver_too_old, "driver-too-old"},
      {"3090", "580.95.05", "2.16.0.dev20261101+cu132", Verdict::unknown, "torch-unknown"},
      {"3090", "580.95.05", "2.11.0a0+gitabc", Verdict::unknown, "torch-unknown"},
      // no card at all
      {"", "", "2.7.1+cu126", Verdict::no_gpu, "no-gpu"},
      {"", "", "2.7.1+cpu", Verdict::cpu_only, "cpu-only"},
  };
  for (const auto& c : cases) {
    Setting setting(c.gpu, c.driver, c.torch);
    if (std::string_view(c.gpu) == "GB10") {
      setting.machine.system.cpu_arch = Fact<std::string>::known("aarch64", "test");
    }
    setting.machine.system.pci_devices = Fact<std::int64_t>::known(3, "/sys/bus/pci/devices");
    auto row = setting.row();
    EXPECT_EQ(text_of(row.verdict), text_of(c.verdict)) << c.gpu << " " << c.torch;
    EXPECT_EQ(row.reason.key, std::string("judge.reason.") + c.reason) << c.gpu << " " << c.torch;
  }
}

// A bus that could not be read does not mean that there is no card.
TEST(Judge, NoCardFoundIsNotNoCard) {
  Setting setting("", "", "2.7.1+cu126");
  setting.machine.system.pci_devices = Fact<std::int64_t>::unknown("permission denied", "/sys");
  EXPECT_EQ(setting.row().verdict, Verdict::unknown);
}

TEST(Judge, SaysWhatItRestsOn) {
  auto row = Setting("4090", "570.133.07", "2.10.0+cu128").row();
  EXPECT_EQ(row.basis, "table");
  EXPECT_FALSE(row.basis_detail.empty());
  EXPECT_EQ(row.code.used->text(), "sm_86");
  EXPECT_EQ(row.driver.minimum.text(), "525.60.13");
  EXPECT_EQ(Setting("3090", "535.1", "2.11.0a0+gitabc").row().basis, "none");
}

TEST(Judge, FilesGoBeforeTables) {
  Setting setting("3090", "535.183.01", "2.7.1+cu126");
  setting.libraries()[0].binaries = {
      binary("/env/torch/lib/libtorch_cuda.so", {group("sm_50 sm_60", 300)}),
      binary("/env/torch/lib/libtorch_cuda_linalg.so", {group("sm_86", 30)}),
      binary("/env/torch/lib/libc10.so", {})};
  auto row = setting.row();
  EXPECT_EQ(row.verdict, Verdict::no_code);
  EXPECT_EQ(row.basis, "file");
  EXPECT_EQ(row.basis_detail, "/env/torch/lib/libtorch_cuda.so");
  EXPECT_EQ(setting.row("torch.linalg").verdict, Verdict::native);
}

TEST(Judge, Broken) {
  Setting setting("3090", "535.183.01", "2.7.1+cu126");
  setting.libraries()[0].problems = {"libtorch_cuda.so: offset 64: section header table is past"};
  auto broken = setting.row();
  EXPECT_EQ(broken.verdict, Verdict::broken);
  // It is the file that says so, not the table of the release.
  EXPECT_EQ(broken.basis, "file");
  EXPECT_EQ(broken.basis_detail, "libtorch_cuda.so");
  EXPECT_EQ(broken.confidence, Confidence::high);
  EXPECT_TRUE(broken.archs.empty());
  // A fault of a file beside the device library does not break torch.
  setting.libraries()[0].problems = {"libshm.so: cannot be read"};
  setting.libraries()[0].binaries = {binary("libtorch_cuda.so", {group("sm_80 sm_86", 300)})};
  EXPECT_EQ(setting.row().verdict, Verdict::native);
  setting.libraries()[0].problems = {"/env/libtorch_cuda_linalg.so: offset 0: not an ELF file"};
  EXPECT_EQ(setting.row().verdict, Verdict::native);
  EXPECT_EQ(setting.row("torch.linalg").verdict, Verdict::broken);
  EXPECT_EQ(setting.row("torch.linalg").basis_detail, "/env/libtorch_cuda_linalg.so");
}

// pytorch-2.1.0-x.json: conda's build "x" may be cpu or cuda. PyPI's 2.1.0 is +cu121.
TEST(Judge, AnUnknownCondaBuildIsUnknown) {
  Setting setting("3090", "580.95.05", "2.1.0");
  EXPECT_EQ(setting.row().verdict, Verdict::native);  // nothing says that it is not PyPI's
  setting.packages().push_back(package("torch", "2.1.0"));
  setting.packages()[0].manager = "conda";
  setting.packages()[0].build = "x";
  EXPECT_EQ(setting.row().verdict, Verdict::unknown);
  EXPECT_EQ(setting.row().basis, "none");
  EXPECT_EQ(setting.row().confidence, Confidence::low);
  EXPECT_EQ(setting.row("cudnn").reason.key, "none");  // no row: no build to take its cuDNN from
  EXPECT_EQ(setting.row("cublas").reason.key, "none");
  // Known from version.py all the same.
  setting.libraries()[0].cuda = Fact<DottedVersion>::known(dotted("12.1"), "version.py");
  EXPECT_EQ(setting.row().verdict, Verdict::native);
}

// docs/compatibility.md 4: whole on a K80 are torch 2.0 to 2.3 +cu118; 2.4 to 2.7.1 have no cuDNN
// for it.
// A record of conda-meta always names its channel: without one only the file's name was read.
TEST(Judge, ACondaRecordThatCannotBeReadIsOfLowConfidence) {
  Setting setting("8.6", "580.95.05", "2.1.0");
  setting.libraries()[0].cuda = Fact<DottedVersion>::known(dotted("11.8"), "conda-meta");
  setting.packages().push_back(package("pytorch", "2.1.0"));
  setting.packages()[0].manager = "conda";
  EXPECT_EQ(setting.row().basis, "table");
  EXPECT_EQ(setting.row().confidence, Confidence::low);
  setting.packages()[0].channel = "pytorch";
  EXPECT_EQ(setting.row().confidence, Confidence::high);
}

// The module's version in /proc is not a driver that a program can use.
TEST(Judge, ADriverThatNoProgramReaches) {
  Setting container("T4", "535.183.06", "2.3.0+cu121");  // docker run without --gpus: case 198
  container.machine.driver.library_path = Fact<std::string>::absent("ld.so.cache");
  container.machine.driver.library_version = Fact<DottedVersion>::absent("ld.so.cache");
  EXPECT_EQ(container.row().verdict, Verdict::no_driver);
  EXPECT_EQ(container.row().reason.key, "judge.reason.no-driver-library");
  Setting mismatch("L40S", "535.161.07", "2.3.0+cu121");
  mismatch.machine.driver.nvml = Fact<std::string>::known("version-mismatch", "NVML");
  EXPECT_EQ(mismatch.row().verdict, Verdict::no_driver);
  EXPECT_EQ(mismatch.row().reason.key, "judge.reason.driver-mismatch");
  Setting display("8.6", "580.95.05", "2.9.1+cu128");  // one card of two is nouveau's
  display.machine.gpus.push_back(*gpu_from_text("8.6", known()));
  display.machine.driver.module_loaded = Fact<bool>::known(true, "/proc/modules");
  display.machine.gpus[1].bound_driver = Fact<std::string>::known("nouveau", "/sys");
  const auto verdicts = judge(display.machine, known()).verdicts;
  ASSERT_GE(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].verdict, Verdict::native);
  EXPECT_EQ(verdicts[1].verdict, Verdict::no_driver);
  // What was given is about another machine: nothing here stands in its way.
  mismatch.machine.driver.version = Fact<DottedVersion>::given(dotted("535.161.07"));
  EXPECT_EQ(mismatch.row().verdict, Verdict::native);
}

TEST(Judge, CudnnByItsOwnFloor) {
  struct CudnnCase {
    const char* gpu;
    const char* torch;
    const char* package;
    const char* version;
    Verdict verdict;
  };
  const CudnnCase cases[] = {
      {"K80", "2.3.1+cu118", "nvidia-cudnn-cu11", "8.7.0.84", Verdict::native},
      {"K80", "2.0.1+cu118", "", "", Verdict::native},
      {"K80", "2.4.0+cu118", "", "", Verdict::library_too_new},
      {"K80", "2.7.1+cu118", "nvidia-cudnn-cu11", "9.1.0.70", Verdict::library_too_new},
      {"K80", "2.1.0+cu118", "nvidia-cudnn-cu11", "8.8.1.3", Verdict::library_too_new},
      {"1080 Ti", "2.7.1+cu126", "nvidia-cudnn-cu12", "9.5.1.17", Verdict::native},
      {"1080 Ti", "2.8.0+cu126", "nvidia-cudnn-cu12", "9.10.2.21", Verdict::native},
      {"1080 Ti", "2.8.0+cu126", "nvidia-cudnn-cu12", "9.11.0.98", Verdict::library_too_new},
      {"1080 Ti", "2.8.0+cu126", "nvidia-cudnn-cu12", "9.28.0.18", Verdict::library_too_new},
      {"T4", "2.8.0+cu126", "nvidia-cudnn-cu12", "9.28.0.18", Verdict::native},
      {"4090", "1.13.1+cu117", "", "", Verdict::native},
      // Blackwell from cuDNN 9.7 on (docs/compatibility.md 4)
      {"5090", "2.7.0+cu128", "nvidia-cudnn-cu12", "9.6.0.74", Verdict::no_code},
      {"5090", "2.7.0+cu128", "nvidia-cudnn-cu12", "9.7.1.26", Verdict::native},
      {"4090", "2.6.0+cu124", "nvidia-cudnn-cu12", "9.1.0.70", Verdict::native},
  };
  for (const auto& c : cases) {
    Setting setting(c.gpu, std::string_view(c.gpu) == "K80" ? "470.256.02" : "580.95.05", c.torch);
    if (*c.package != 0) setting.packages().push_back(package(c.package, c.version));
    EXPECT_EQ(text_of(setting.row("cudnn").verdict), text_of(c.verdict)) << c.gpu << " " << c.torch;
    EXPECT_EQ(setting.row("cudnn").basis, "table");
  }
}

// The files of nvidia-cudnn-cu13 9.26: what libcudnn_ops, _cnn and _adv hold by cuobjdump.
std::vector<BinaryImages> cudnn_926() {
  const std::string lib = "/env/nvidia/cudnn/lib/libcudnn_";
  return {binary(lib + "ops.so.9",
                 {group("sm_75 sm_80 sm_90a sm_100f sm_120f sm_121 compute_121", 22)}),
          binary(lib + "cnn.so.9",
                 {group("sm_75", 2),
                  group("sm_75 sm_80 sm_86 sm_90a sm_100f sm_120f sm_121 compute_121", 10)}),
          binary(lib + "adv.so.9", {group("sm_75 sm_80 sm_86 sm_90a sm_100f sm_120f sm_121", 33)})};
}

TEST(Judge, CudnnByItsFiles) {
  const std::pair<const char*, Verdict> kCases[] = {
      {"6.1", Verdict::no_code}, {"7.0", Verdict::no_code}, {"7.5", Verdict::native},
      {"8.6", Verdict::native},  {"8.9", Verdict::native},  {"9.0", Verdict::native},
      {"10.3", Verdict::native}, {"12.0", Verdict::native}, {"12.1", Verdict::native}};
  for (const auto& [gpu, verdict] : kCases) {
    Setting setting(gpu, "610.43.02", "2.15.0+cu130");
    setting.packages().push_back(package("nvidia-cudnn-cu13", "9.26.0.51"));
    setting.libraries().push_back(library("nvidia-cudnn-cu13", "9.26.0.51"));
    setting.libraries()[1].binaries = cudnn_926();
    auto row = setting.row("cudnn");
    EXPECT_EQ(text_of(row.verdict), text_of(verdict)) << gpu;
    EXPECT_EQ(row.basis, "file");
    EXPECT_EQ(row.version, "9.26.0.51");
  }
}

// One of its parts without the card: some calls run, others do not.
TEST(Judge, CudnnInPart) {
  Setting setting("7.5", "580.95.05", "2.8.0+cu126");
  setting.packages().push_back(package("nvidia-cudnn-cu12", "9.10.2.21"));
  setting.libraries().push_back(library("nvidia-cudnn-cu12", "9.10.2.21"));
  setting.libraries()[1].binaries = cudnn_926();
  setting.libraries()[1].binaries[2].groups = {group("sm_80 sm_90", 33)};
  EXPECT_EQ(setting.row("cudnn").verdict, Verdict::partial);
}

// Wheels from before the nvidia-* packages bring their cuDNN along in torch/lib: torch 2.0.1+cu118.
TEST(Judge, CudnnThatTorchBroughtAlong) {
  Setting setting("K80", "470.256.02", "2.0.1+cu118");
  const std::string lib = "/env/torch/lib/lib";
  setting.libraries()[0].binaries = {
      binary(lib + "torch_cuda.so", {group("sm_37 sm_50 sm_80 sm_90", 300)}),
      binary(lib + "cudnn_ops_infer.so.8", {group("sm_35 sm_37 sm_50 sm_80 sm_90", 20)}),
      binary(lib + "cublas.so.11", {group("sm_35 sm_50 sm_80 sm_90", 190)}),
      binary(lib + "cublasLt.so.11", {group("sm_35", 80), group("sm_80", 400)})};
  EXPECT_EQ(setting.row().basis_detail, lib + "torch_cuda.so");
  EXPECT_EQ(setting.row("cudnn").verdict, Verdict::native);
  EXPECT_EQ(setting.row("cudnn").basis, "file");
  EXPECT_EQ(setting.row("cublas").verdict, Verdict::native);  // sm_35 code runs on 3.7
  EXPECT_EQ(setting.row("cublas").basis, "file");
}

// libcublasLt.so.13 keeps one architecture in a container, most of them not for 7.5.
TEST(Judge, NvidiasLibrariesByUnion) {
  Setting setting("T4", "610.43.02", "2.15.0+cu130");
  for (const char* name : {"nvidia-cublas", "nvidia-cufft", "nvidia-nccl-cu13"}) {
    setting.packages().push_back(package(name, "13.4"));
    setting.libraries().push_back(library(name, "13.4"));
  }
  setting.libraries()[1].binaries = {
      binary("/e/libcublas.so.13", {group("sm_75 sm_80 sm_86 sm_90 sm_100 sm_120", 190)}),
      binary("/e/libcublasLt.so.13", {group("sm_75", 166), group("sm_90a", 1376)})};
  setting.libraries()[2].binaries = {
      binary("/e/libcufft.so.12", {group("compute_80", 7000), group("sm_80", 300)})};
  EXPECT_EQ(setting.row("cublas").verdict, Verdict::native);
  EXPECT_EQ(setting.row("cublas").basis, "file");
  EXPECT_EQ(setting.row("cufft").verdict, Verdict::no_code);
  EXPECT_EQ(setting.row("nccl").reason.key, "none");  // not read: nothing is known of it
}

TEST(Judge, CublasAndTriton) {
  EXPECT_EQ(Setting("1080 Ti", "580.95.05", "2.13.0+cu130").row("cublas").verdict,
            Verdict::library_too_new);
  EXPECT_EQ(Setting("1080 Ti", "580.95.05", "2.13.0+cu126").row("cublas").verdict, Verdict::native);
  EXPECT_EQ(Setting("5090", "580.95.05", "2.6.0+cu124").row("cublas").verdict, Verdict::no_code);
  Setting setting("1080 Ti", "580.95.05", "2.13.0+cu126");
  EXPECT_EQ(setting.row("triton").reason.key, "none");  // not installed: nothing to say
  setting.packages().push_back(package("triton", "3.5.0"));
  EXPECT_EQ(setting.row("triton").verdict, Verdict::library_too_new);
  setting.libraries().push_back(library("triton", "3.5.0"));  // seen as a library, said once
  const auto verdicts = judge(setting.machine, known()).verdicts;
  EXPECT_EQ(std::count_if(verdicts.begin(), verdicts.end(),
                          [](const auto& row) { return row.library == "triton"; }),
            1);
  Setting volta("V100", "580.95.05", "2.8.0+cu126");
  volta.packages().push_back(package("triton", "3.4.0"));
  EXPECT_EQ(volta.row("triton").verdict, Verdict::native);
}

// docs/knowledge.md: the default wheels 2.11.0 to 2.14.1 have no MAGMA code for 7.5.
TEST(Judge, TorchLinalgOnTuring) {
  Setting setting("T4", "580.95.05", "2.13.0+cu130");
  EXPECT_EQ(setting.row().verdict, Verdict::native);
  EXPECT_EQ(setting.row("torch.linalg").verdict, Verdict::no_code);
  EXPECT_EQ(Setting("T4", "580.95.05", "2.15.0+cu132").row("torch.linalg").verdict,
            Verdict::no_code);
  EXPECT_EQ(Setting("3090", "580.95.05", "2.13.0+cu130").row("torch.linalg").verdict,
            Verdict::native);
  EXPECT_EQ(Setting("T4", "580.95.05", "2.10.0+cu128").row("torch.linalg").verdict,
            Verdict::native);
  // sm_120 came with 2.8.0, the row begins at 2.1.0: its list cannot say no.
  EXPECT_EQ(Setting("5090", "580.95.05", "2.10.0+cu128").row("torch.linalg").verdict,
            Verdict::unknown);
}

TEST(Judge, Bitsandbytes) {
  Setting setting("3090", "535.183.01", "2.7.1+cu126");
  setting.libraries().push_back(library("bitsandbytes", "0.48.2"));
  auto& bits = setting.libraries()[1];
  bits.binaries = {binary("/e/bitsandbytes/libbitsandbytes_cuda118.so", {group("sm_50", 5)}),
                   binary("/e/bitsandbytes/libbitsandbytes_cuda126.so", {group("sm_80 sm_86", 5)}),
                   binary("/e/bitsandbytes/libbitsandbytes_cpu.so", {})};
  EXPECT_EQ(setting.row("bitsandbytes").verdict, Verdict::native);
  EXPECT_EQ(setting.row("bitsandbytes").basis_detail, "/e/bitsandbytes/libbitsandbytes_cuda126.so");
  bits.binaries.erase(bits.binaries.begin() + 1);
  EXPECT_EQ(setting.row("bitsandbytes").verdict, Verdict::broken);
  bits.binaries.pop_back();  // one file: the one that was chosen
  EXPECT_EQ(setting.row("bitsandbytes").verdict, Verdict::no_code);
  bits.binaries.clear();  // by table: sm_86 is in the row for CUDA 11.8-12.6
  EXPECT_EQ(setting.row("bitsandbytes").verdict, Verdict::native);
  EXPECT_EQ(setting.row("bitsandbytes").basis, "table");
}

TEST(Judge, TorchvisionWithoutCudaBesideTorchWithIt) {
  Setting setting("3090", "535.183.01", "2.7.1+cu126");
  setting.libraries().push_back(library("torchvision", "0.22.1+cpu"));
  EXPECT_EQ(setting.row("torchvision").verdict, Verdict::cpu_only);
  setting.libraries()[1] = library("torchaudio", "2.11.1");
  setting.libraries()[1].binaries = {binary("_torchaudio.so", {})};
  EXPECT_EQ(setting.row("torchaudio").reason.key, "none");  // it holds no GPU code of its own
}

TEST(Judge, Jetson) {
  Setting orin("Jetson AGX Orin", "", "2.9.1+cu130");
  orin.machine.system.cpu_arch = Fact<std::string>::known("aarch64", "test");
  orin.machine.driver.version = Fact<DottedVersion>::unknown("no such file");
  orin.machine.system.l4t = Fact<std::string>::known("36.4.3", "/etc/nv_tegra_release");
  EXPECT_EQ(orin.row().verdict, Verdict::no_code);
  EXPECT_EQ(orin.row().reason.key, "judge.reason.no-code-tegra");
  // Its own build of the community index holds 8.7.
  orin.libraries()[0] = library("torch", "2.8.0");
  orin.libraries()[0].cuda = Fact<DottedVersion>::known(dotted("12.6"), "version.py");
  orin.libraries()[0].binaries = {binary("libtorch_cuda.so", {group("sm_87", 300)})};
  EXPECT_EQ(orin.row().verdict, Verdict::native);
  orin.libraries()[0].cuda = Fact<DottedVersion>::known(dotted("13.0"), "version.py");
  EXPECT_EQ(orin.row().verdict, Verdict::driver_too_old);
  EXPECT_EQ(orin.row().reason.key, "judge.reason.jetson-cuda");
}

// torch/jetson.csv: 1.9.0 and 1.10.0 are NVIDIA's wheels of L4T 32; 2.8 for R36 is the community's,
// whose code no table knows; 2.4.1 has no row for R35: PyPI's CPU build.
TEST(Judge, PlainVersionsOnAJetson) {
  struct {
    const char *board, *l4t, *torch;
    Verdict verdict;
  } cases[] = {
      {"Jetson Nano", "32.7.4", "1.10.0", Verdict::native},
      {"Jetson AGX Xavier", "32.7.4", "1.9.0", Verdict::native},
      {"Jetson AGX Orin", "36.4.3", "2.8.0", Verdict::unknown},
      {"Jetson AGX Thor", "38.2.0", "2.9.1", Verdict::unknown},
      {"Jetson AGX Orin", "35.4.1", "2.4.1", Verdict::cpu_only},
  };
  for (const auto& c : cases) {
    Setting board(c.board, "", c.torch);
    board.machine.system.cpu_arch = Fact<std::string>::known("aarch64", "test");
    board.machine.driver.version = Fact<DottedVersion>::unknown("no such file");
    board.machine.system.l4t = Fact<std::string>::known(c.l4t, "test");
    EXPECT_EQ(board.row().verdict, c.verdict) << c.board << " " << c.torch;
  }
}

TEST(Judge, AJetsonsDriverNumberIsNotABranch) {
  Setting thor("Jetson AGX Thor", "580.00", "2.9.1+cu130");
  thor.machine.system.cpu_arch = Fact<std::string>::known("aarch64", "test");
  thor.machine.system.l4t = Fact<std::string>::known("38.2.0", "/etc/nv_tegra_release");
  EXPECT_EQ(thor.row().verdict, Verdict::native);
}

TEST(Judge, ANightlyIsRuledOutByItsToolkit) {
  // case 040: CUDA 12.4 cannot compile for 12.0, and a wheel holds no PTX.
  Setting setting("5090", "570.124.06", "2.7.0.dev20250310+cu124");
  setting.packages().push_back(package("torch", "2.7.0.dev20250310+cu124"));
  EXPECT_EQ(setting.row().verdict, Verdict::no_code);
  EXPECT_EQ(setting.row().reason.key, "judge.reason.toolkit-cannot");
  setting.packages()[0].manager = "conda";  // may hold PTX
  EXPECT_EQ(setting.row().verdict, Verdict::unknown);
  EXPECT_EQ(Setting("1080 Ti", "580.95.05", "2.16.0.dev20261101+cu132").row().verdict,
            Verdict::no_code);
}

// torch/builds.csv: PyTorch's 1.13.1+cu117 begins at 3.7, that of nelsonliu.me at 3.5.
TEST(Judge, TwoBuildsOfOneVersion) {
  auto row = Setting("10de:1287", "470.256.02", "1.13.1+cu117").row();
  EXPECT_EQ(row.verdict, Verdict::no_code);
  EXPECT_EQ(row.confidence, Confidence::medium);  // the version does not say which of the two it is
  EXPECT_EQ(row.reason.values.back(), std::pair(std::string("maker"), std::string("nelsonliu")));
  // the default build of PyPI does not name its CUDA, theirs always do
  EXPECT_NE(Setting("10de:1287", "470.256.02", "1.7.1").row().reason.values.back().first, "maker");
  EXPECT_EQ(Setting("K80", "470.256.02", "1.13.1+cu117").row().verdict, Verdict::native);
  EXPECT_EQ(Setting("5090", "580.95.05", "1.13.1+cu117").row().verdict, Verdict::no_code);
}

TEST(Judge, APostReleaseIsItsRelease) {
  // case 049: torch 1.0.1.post2 for CUDA 8.0 on Turing runs by its compute_50.
  Setting setting("2080 Ti", "418.56", "1.0.1.post2");
  setting.libraries()[0].build = Fact<std::string>::known("cu80", "test");
  EXPECT_EQ(setting.row().verdict, Verdict::ptx_jit);
  EXPECT_EQ(setting.row().code.used->text(), "compute_50");
}

TEST(Judge, ServerArmWheelOnOrinWithJetPack7) {
  Setting orin("Jetson AGX Orin", "", "2.15.0+cu132");
  orin.machine.system.cpu_arch = Fact<std::string>::known("aarch64", "test");
  orin.machine.driver.version = Fact<DottedVersion>::unknown("no such file");
  orin.machine.system.l4t = Fact<std::string>::known("38.2", "/etc/nv_tegra_release");
  EXPECT_EQ(orin.row().verdict, Verdict::native);
  EXPECT_EQ(orin.row().code.used->text(), "sm_80");
  orin.machine.system.l4t = Fact<std::string>::known("36.4.3", "/etc/nv_tegra_release");
  EXPECT_EQ(orin.row().verdict, Verdict::no_code);
}

TEST(Judge, WslCountsWindowsDrivers) {
  Setting setting("3090", "581.42", "2.13.0+cu130");
  setting.os("wsl");
  EXPECT_EQ(setting.row().verdict, Verdict::native);
  Setting old("3090", "552.22", "2.13.0+cu130");
  old.os("wsl");
  EXPECT_EQ(old.row().verdict, Verdict::driver_too_old);
  EXPECT_EQ(old.row().driver.minimum.text(), "580");
}

// libraries/arch.csv, hardware-feature: NVIDIA names 6.0 for CUDA in WSL 2, 5.0 is reported to
// work.
TEST(Judge, WslServesNoKepler) {
  for (const auto& [card, verdict] : {std::pair("K80", Verdict::no_driver),
                                      {"K620", Verdict::native},
                                      {"1080 Ti", Verdict::native}}) {
    Setting setting(card, "475.14", "2.0.1+cu118");
    setting.os("wsl");
    EXPECT_EQ(setting.row().verdict, verdict) << card;
  }
}

TEST(Judge, AmbiguousCardsAreCertainOnlyWhereTheirChipsAgree) {
  EXPECT_EQ(Setting("GT 730", "470.256.02", "2.7.1+cu126").row().verdict, Verdict::no_code);
  auto row = Setting("GT 730", "390.157", "1.3.0").row();
  EXPECT_EQ(row.verdict, Verdict::unknown);
  EXPECT_EQ(row.reason.key, "judge.reason.variants-differ");
}

TEST(Judge, DriverThatWasNotAskedLeavesTheCodesVerdict) {
  Setting setting("3090", "535.183.01", "2.7.1+cu126");
  setting.machine.driver.version = Fact<DottedVersion>::unknown("not given");
  EXPECT_EQ(setting.row().verdict, Verdict::native);
}

TEST(Judge, PtxIsaOfTheFileCounts) {
  // docs/compatibility.md 1: libggml's PTX is ISA 9.1, which R580 does not know.
  Setting setting("A100", "580.95.05", "2.13.0+cu130");
  setting.libraries()[0].binaries = {
      binary("libtorch_cuda.so", {group("sm_89 sm_120 compute_75", 143)})};
  setting.libraries()[0].binaries[0].ptx_isa = dotted("9.1");
  EXPECT_EQ(setting.row().verdict, Verdict::driver_too_old);
  EXPECT_EQ(setting.row().reason.key, "judge.reason.driver-too-old-ptx");
  EXPECT_EQ(setting.row().driver.minimum.text(), "590");  // the first that knows it
  setting.libraries()[0].binaries[0].ptx_isa = dotted("9.0");
  EXPECT_EQ(setting.row().verdict, Verdict::ptx_jit);
}

TEST(Judge, OneVerdictPerCardEnvironmentAndLibrary) {
  Setting setting("1060", "580.95.05", "2.7.1+cu126");
  setting.machine.gpus.push_back(*gpu_from_text("3090", known()));
  setting.machine.environments.push_back(setting.machine.environments[0]);
  auto judgement = judge(setting.machine, known());
  ASSERT_EQ(judgement.cards.size(), 2u);
  EXPECT_EQ(judgement.verdicts.front().gpu, 0);
  EXPECT_EQ(judgement.verdicts[1].gpu, 1);
  EXPECT_EQ(judgement.verdicts[1].library, "torch");
  EXPECT_EQ(judgement.verdicts.back().environment, 1);
}

TEST(Judge, EveryReasonHasItsSentence) {
  for (const auto& language : languages()) {
    auto say = load_catalogue(language);
    for (const Case& c : {Case{"1080 Ti", "580.95.05", "2.13.0+cu130", Verdict::no_code, ""},
                          Case{"3090", "470.256.02", "2.4.0+cu121", Verdict::no_code, ""},
                          Case{"K80", "535.183.01", "2.3.1+cu118", Verdict::no_code, ""},
                          Case{"GT 730", "390.157", "1.3.0", Verdict::no_code, ""},
                          Case{"3090", "535.183.01", "2.11.0a0+gitabc", Verdict::no_code, ""}}) {
      for (const auto& row : judge(Setting(c.gpu, c.driver, c.torch).machine, known()).verdicts) {
        auto text = say(row.reason.key, row.reason.values);
        EXPECT_FALSE(contains(text, "<") || contains(text, "{")) << language << ": " << text;
      }
    }
  }
}

LibraryVerdict of(std::string_view gpu, std::string_view torch, const char* name,
                  const char* version, const char* os = "linux") {
  Setting setting(gpu, "580.95.05", torch);
  setting.os(os);
  setting.libraries().push_back(library(name, version));
  return setting.row(name);
}

// Read from PyPI's wheels: torchvision 0.23.0 (CUDA 12.8) holds sm_50 … sm_120 and compute_50,
// 0.22.1 (12.6) ends at sm_90 with compute_50, 0.25.0 (12.8) begins at sm_70 without PTX.
TEST(Judge, TorchvisionAsItsWheelsHoldIt) {
  EXPECT_EQ(of("1080 Ti", "2.8.0+cu128", "torchvision", "0.23.0+cu128", "windows").verdict,
            Verdict::native);
  EXPECT_EQ(of("5090", "2.8.0+cu128", "torchvision", "0.23.0+cu126").verdict, Verdict::ptx_jit);
  EXPECT_EQ(of("1080 Ti", "2.10.0+cu126", "torchvision", "0.25.0+cu128").verdict, Verdict::no_code);
  EXPECT_EQ(of("V100", "2.10.0+cu128", "torchvision", "0.25.0+cu128").verdict, Verdict::native);
}

// Its pages name cards from the V100 to the H100, and ask for Linux: of a 5090 they say nothing.
TEST(Judge, AFloorIsNoPromiseForNewerCards) {
  const auto vllm = [](std::string_view gpu, const char* version, const char* os = "linux") {
    return of(gpu, "", "vllm", version, os);
  };
  EXPECT_EQ(vllm("4090", "0.8.5").verdict, Verdict::native);
  EXPECT_EQ(vllm("1080 Ti", "0.8.5").verdict, Verdict::library_too_new);
  EXPECT_EQ(vllm("5090", "0.8.5").verdict, Verdict::unknown);
  EXPECT_EQ(vllm("5090", "0.8.5").reason.key, "judge.reason.above-listed");
  EXPECT_EQ(vllm("B200", "0.26.0").verdict, Verdict::native);
  EXPECT_EQ(vllm("5090", "0.26.0").verdict, Verdict::unknown);
  EXPECT_EQ(vllm("4090", "0.11.0", "windows").verdict, Verdict::unknown);
  EXPECT_EQ(vllm("4090", "0.11.0", "windows").reason.key, "judge.reason.linux-only");
  EXPECT_EQ(vllm("4090", "0.11.0", "wsl").verdict, Verdict::native);
}

// FlashAttention 2 begins at 8.0 and holds Blackwell's code when built with CUDA 12.8 or newer; 3
// is Hopper's alone, 4 is for Hopper and datacenter Blackwell: they dropped no card.
TEST(Judge, SourcesThatAreWrittenForSomeCards) {
  EXPECT_EQ(of("5090", "2.8.0+cu126", "flash-attn", "2.8.3").verdict, Verdict::no_code);
  EXPECT_EQ(of("5090", "2.8.0+cu128", "flash-attn", "2.8.3").verdict, Verdict::native);
  EXPECT_EQ(of("5090", "", "flash-attn", "2.8.3").verdict, Verdict::unknown);
  EXPECT_EQ(of("4090", "", "flash-attn", "2.8.3").verdict, Verdict::native);
  EXPECT_EQ(of("4090", "", "flash-attn-3", "3.0.0").verdict, Verdict::no_code);
  EXPECT_EQ(of("H100", "", "flash-attn-3", "3.0.0").verdict, Verdict::native);
  const auto four = of("4090", "", "flash-attn-4", "4.0.0b36");
  EXPECT_EQ(four.verdict, Verdict::no_code);
  EXPECT_EQ(four.reason.key, "judge.reason.library-too-new");
}

// What plan offers with a torch has to run where torch does.
TEST(Judge, ThePairServesTheCardsOfItsTorch) {
  for (const auto& build : known().torch_builds()) {
    if (build.channel != "pip" || build.cuda.empty() || !build.platform.ends_with("x86_64"))
      continue;
    for (const auto& release : known().torch_releases()) {
      if (release.version != build.version) continue;
      const auto* row = library_row("torchvision", release.torchvision, build.cuda, known());
      if (row == nullptr) continue;
      for (const auto& capability : all_capabilities(known())) {
        const CodeRule rule{.capability = capability, .built_with = build.cuda};
        const bool torch_runs = code_for(build.sass, rule).verdict == Verdict::native;
        if (is_tegra(capability) || !torch_runs) continue;
        EXPECT_TRUE(runs(code_for(parse_arch_list(row->sass), rule).verdict))
            << build.version.text() << " " << build.build << " " << build.platform << " "
            << capability.text() << ": torchvision " << release.torchvision;
      }
    }
  }
}

}  // namespace
}  // namespace kernelfit
