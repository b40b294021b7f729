// SPDX-License-Identifier: Apache-2.0
// What is known of the world: rows of data/, typed, each with its source and confidence.
// Loaded from the embedded copy or from `--knowledge DIR` by the same code. Tables are parsed when
// first asked for, so that a command pays only for what it reads.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

enum class Confidence { low, medium, high };
std::string_view text_of(Confidence confidence);

// Where a row comes from: ids of data/sources.toml, and how sure it is.
struct Basis {
  std::string_view sources;  // space-separated ids
  Confidence confidence = Confidence::low;
  std::string_view note;
};

// A product. gpus/products.csv
struct GpuProduct {
  std::string_view name;  // "GeForce RTX 3090"
  std::string_view chip;  // "GA102"
  ComputeCapability capability;
  std::string_view architecture;        // "Ampere"
  std::string_view year;                // may be empty
  std::string_view memory_gb;           // "8;12": variants
  std::string_view form;                // "geforce-desktop", "tegra", …
  std::string_view pci_ids;             // space-separated hex device ids, may be empty
  std::string_view last_driver_branch;  // "470", "580", "current", or an L4T release for Tegra
  bool ambiguous = false;               // the name is sold with chips of different capability
  std::string_view capability_alternatives;
  std::string_view spec_sources;  // of year and memory; basis is about chip and capability
  Basis basis;
};

// One device id. gpus/pci_ids.csv
struct PciRow {
  int device = 0;
  int subvendor = 0, subdevice = 0;  // 0: any
  std::string_view name, chip, architecture;
  ComputeCapability capability;
  Basis basis;
};

// torch/releases.csv
struct TorchRelease {
  PackageVersion version;
  std::string_view date;
  std::string_view python_min, python_max;  // "3.10", "3.14"
  std::string_view python_experimental;     // "3.14;3.14t"
  std::string_view torchvision, torchaudio, triton;
  std::string_view numpy;  // "numpy<2", may be empty
  Basis basis;
};

// torch/builds.csv: a release for a platform from a channel.
struct TorchBuild {
  PackageVersion version;
  std::string_view platform;  // "linux-x86_64", "linux-aarch64", "windows-x86_64"
  // "pip", "conda-forge", "conda-pytorch", "conda-pytorch-lts", "third-party-nelsonliu"
  std::string_view channel;
  std::string_view build;          // "cu126", "cuda12.9", "cpu"
  std::string_view local_version;  // "+cu126" or empty
  DottedVersion cuda;              // "12.6"; empty: no CUDA
  std::string_view cuda_full;      // "12.6.3"
  std::string_view cudnn;          // "9.10.2.21", may be empty
  std::string_view nccl;
  std::vector<GpuArch> sass, ptx;
  std::string_view pypi_default;  // "yes", "no", "unknown"
  std::string_view python;        // "3.10 3.11 3.12"
  std::string_view glibc_min;     // "2.17", may be empty
  std::string_view arch_basis;    // "measured", "build-script", "inferred", "unknown", …
  Basis basis;
};

// cuda/driver_branches.csv
struct DriverBranch {
  int branch = 0;                     // 535
  std::string_view windows_versions;  // "536-539": first parts of the Windows versions
  DottedVersion max_cuda, max_ptx_isa;
  ComputeCapability capability_min, capability_max;
  std::string_view architectures;  // "Maxwell Pascal Volta"
  // "LTS", "LTS ended", "production", "new-feature", "legacy", "ended", "unknown"
  std::string_view status;
  std::string_view last_linux, last_windows, eol;
  std::string_view open_kernel_modules;
  Basis basis;
};

// cuda/toolkits.csv: what a toolkit compiles.
struct CudaToolkit {
  DottedVersion cuda;
  std::vector<GpuArch> sass, ptx;
  DottedVersion ptx_isa;
  std::string_view removed;  // "3.5 3.7 (Kepler)": capabilities this release no longer compiles for
  std::string_view gcc_min, gcc_max, clang_max, msvc_max;
  Basis basis;
};

// cuda/driver_min.csv: the driver a toolkit release asks for.
struct CudaDriverMin {
  DottedVersion toolkit;                    // "12.6.3"
  DottedVersion cuda;                       // "12.6"
  std::string_view linux_min, windows_min;  // may be "N/A" or empty
  std::string_view minor_compat_linux,
      minor_compat_windows;  // floor of the major, empty before 11.1
  Basis basis;
};

// libraries/arch.csv
struct LibraryArch {
  std::string_view library, version_min, version_max, cuda;
  std::string_view platform;  // "windows-x86_64": of a wheel for it alone; empty: of any
  std::string_view capability_min, capability_max, sass, scope;
  Basis basis;
};

// torch/install_commands.csv
struct InstallCommand {
  std::string_view torch, manager, platform, build, cuda, torch_spec, torchvision_spec,
      torchaudio_spec, index_flag, index_url, conda_pins, conda_channels, command, official;
  Basis basis;
};

// torch/python.csv
struct PythonTorch {
  std::string_view python, torch, platform, wheel_tag, platform_tag, builds;
  Basis basis;
};

// torch/jetson.csv
struct JetsonTorch {
  std::string_view jetpack, l4t, cuda, capability, torch, ngc_release, form, python;
  Basis basis;
};

// torch/cc_ranges.csv: derived, for tests and for browsing.
struct CapabilityRange {
  ComputeCapability capability;
  std::string_view channel, platform, via, first_torch, first_builds, last_torch, last_builds;
  Basis basis;
};

class Knowledge {
 public:
  // The embedded copy.
  static Knowledge embedded();
  // A folder laid out as data/; a file that is not there is taken from the embedded copy.
  // `files` are (path relative to data/, text) pairs that the caller read.
  static Result<Knowledge> with_files(std::vector<std::pair<std::string, std::string>> files);

  Knowledge(Knowledge&&) noexcept;
  Knowledge& operator=(Knowledge&&) noexcept;
  ~Knowledge();

  std::string_view date() const;  // of the data: "2026-11-30"

  const std::vector<GpuProduct>& products() const;
  const std::vector<PciRow>& pci_rows() const;  // sorted by device, subvendor, subdevice
  const std::vector<TorchRelease>& torch_releases() const;  // oldest first
  const std::vector<TorchBuild>& torch_builds() const;
  const std::vector<DriverBranch>& driver_branches() const;  // oldest first
  const std::vector<CudaToolkit>& toolkits() const;          // oldest first
  const std::vector<CudaDriverMin>& driver_minimums() const;
  const std::vector<LibraryArch>& library_archs() const;
  const std::vector<InstallCommand>& install_commands() const;
  const std::vector<PythonTorch>& python_torch() const;
  const std::vector<JetsonTorch>& jetson_torch() const;
  const std::vector<CapabilityRange>& capability_ranges() const;

  // Any table as it lies: for the tables without a struct of their own (observed arch lists,
  // NGC images, claims, error signatures, mirrors).
  const Csv& table(std::string_view path) const;
  std::string_view file(std::string_view path) const;  // empty where there is none
  std::vector<std::string_view> files_under(std::string_view folder) const;  // paths, sorted

  // Problems of loading (`--knowledge` only; the embedded copy has none, a test says so).
  const std::vector<std::string>& problems() const;

 private:
  Knowledge();
  void read_all() const;
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace kernelfit
