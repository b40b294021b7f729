// SPDX-License-Identifier: Apache-2.0
// Which column of which table becomes which member: the schema of data/.
#pragma once
#include "knowledge/table.h"

namespace kernelfit {

inline constexpr Field<GpuProduct> kProductFields[] = {
    field<&GpuProduct::name>("name"),
    field<&GpuProduct::chip>("chip"),
    field<&GpuProduct::capability>("compute_capability"),
    field<&GpuProduct::architecture>("architecture"),
    field<&GpuProduct::year>("year"),
    field<&GpuProduct::memory_gb>("memory_gb"),
    field<&GpuProduct::form>("form"),
    field<&GpuProduct::pci_ids>("pci_ids"),
    field<&GpuProduct::last_driver_branch>("last_driver_branch"),
    field<&GpuProduct::ambiguous>("ambiguous"),
    field<&GpuProduct::capability_alternatives>("cc_alternatives"),
    field<&GpuProduct::spec_sources>("spec_source"),
};

inline constexpr Field<PciRow> kPciFields[] = {
    hex_field<&PciRow::device>("device_id"),
    hex_field<&PciRow::subvendor>("subvendor"),
    hex_field<&PciRow::subdevice>("subdevice"),
    field<&PciRow::name>("name"),
    field<&PciRow::chip>("chip"),
    field<&PciRow::capability>("compute_capability"),
    field<&PciRow::architecture>("architecture"),
};

inline constexpr Field<TorchRelease> kReleaseFields[] = {
    field<&TorchRelease::version>("torch"),
    field<&TorchRelease::date>("release_date"),
    field<&TorchRelease::python_min>("python_min"),
    field<&TorchRelease::python_max>("python_max"),
    field<&TorchRelease::python_experimental>("python_experimental"),
    field<&TorchRelease::torchvision>("torchvision"),
    field<&TorchRelease::torchaudio>("torchaudio"),
    field<&TorchRelease::triton>("triton"),
    field<&TorchRelease::numpy>("numpy"),
};

inline constexpr Field<TorchBuild> kBuildFields[] = {
    field<&TorchBuild::version>("torch"),
    field<&TorchBuild::platform>("platform"),
    field<&TorchBuild::channel>("channel"),
    field<&TorchBuild::build>("build"),
    field<&TorchBuild::local_version>("local_version"),
    field<&TorchBuild::cuda>("cuda"),
    field<&TorchBuild::cuda_full>("cuda_full"),
    field<&TorchBuild::cudnn>("cudnn"),
    field<&TorchBuild::nccl>("nccl"),
    field<&TorchBuild::sass>("sass"),
    field<&TorchBuild::ptx>("ptx"),
    field<&TorchBuild::pypi_default>("pypi_default"),
    field<&TorchBuild::python>("python"),
    field<&TorchBuild::glibc_min>("glibc_min"),
    field<&TorchBuild::arch_basis>("arch_basis"),
};

inline constexpr Field<DriverBranch> kBranchFields[] = {
    field<&DriverBranch::branch>("branch"),
    field<&DriverBranch::windows_versions>("windows_versions"),
    field<&DriverBranch::max_cuda>("max_cuda"),
    field<&DriverBranch::max_ptx_isa>("max_ptx_isa"),
    field<&DriverBranch::architectures>("architectures"),
    field<&DriverBranch::capability_min>("cc_min"),
    field<&DriverBranch::capability_max>("cc_max"),
    field<&DriverBranch::status>("status"),
    field<&DriverBranch::last_linux>("last_linux"),
    field<&DriverBranch::last_windows>("last_windows"),
    field<&DriverBranch::eol>("eol"),
    field<&DriverBranch::open_kernel_modules>("open_kernel_modules"),
};

inline constexpr Field<CudaToolkit> kToolkitFields[] = {
    field<&CudaToolkit::cuda>("cuda"),         field<&CudaToolkit::sass>("sass"),
    field<&CudaToolkit::ptx>("ptx_targets"),   field<&CudaToolkit::ptx_isa>("ptx_isa"),
    field<&CudaToolkit::removed>("removed"),   field<&CudaToolkit::gcc_min>("gcc_min"),
    field<&CudaToolkit::gcc_max>("gcc_max"),   field<&CudaToolkit::clang_max>("clang_max"),
    field<&CudaToolkit::msvc_max>("msvc_max"),
};

inline constexpr Field<CudaDriverMin> kDriverMinFields[] = {
    field<&CudaDriverMin::toolkit>("toolkit"),
    field<&CudaDriverMin::cuda>("cuda"),
    field<&CudaDriverMin::linux_min>("min_driver_linux"),
    field<&CudaDriverMin::windows_min>("min_driver_windows"),
    field<&CudaDriverMin::minor_compat_linux>("minor_compat_min_linux"),
    field<&CudaDriverMin::minor_compat_windows>("minor_compat_min_windows"),
};

inline constexpr Field<LibraryArch> kLibraryFields[] = {
    field<&LibraryArch::library>("library"),
    field<&LibraryArch::version_min>("version_min"),
    field<&LibraryArch::version_max>("version_max"),
    field<&LibraryArch::cuda>("cuda"),
    field<&LibraryArch::platform>("platform"),
    field<&LibraryArch::capability_min>("cc_min"),
    field<&LibraryArch::capability_max>("cc_max"),
    field<&LibraryArch::sass>("sass"),
    field<&LibraryArch::scope>("scope"),
};

inline constexpr Field<InstallCommand> kInstallFields[] = {
    field<&InstallCommand::torch>("torch"),
    field<&InstallCommand::manager>("manager"),
    field<&InstallCommand::platform>("platform"),
    field<&InstallCommand::build>("build"),
    field<&InstallCommand::cuda>("cuda"),
    field<&InstallCommand::torch_spec>("torch_spec"),
    field<&InstallCommand::torchvision_spec>("torchvision_spec"),
    field<&InstallCommand::torchaudio_spec>("torchaudio_spec"),
    field<&InstallCommand::index_flag>("index_flag"),
    field<&InstallCommand::index_url>("index_url"),
    field<&InstallCommand::conda_pins>("conda_pins"),
    field<&InstallCommand::conda_channels>("conda_channels"),
    field<&InstallCommand::command>("command"),
    field<&InstallCommand::official>("official"),
};

inline constexpr Field<PythonTorch> kPythonFields[] = {
    field<&PythonTorch::python>("python"),
    field<&PythonTorch::torch>("torch"),
    field<&PythonTorch::platform>("platform"),
    field<&PythonTorch::wheel_tag>("wheel_tag"),
    field<&PythonTorch::platform_tag>("platform_tag"),
    field<&PythonTorch::builds>("builds"),
};

inline constexpr Field<JetsonTorch> kJetsonFields[] = {
    field<&JetsonTorch::jetpack>("jetpack"), field<&JetsonTorch::l4t>("l4t"),
    field<&JetsonTorch::cuda>("cuda"),       field<&JetsonTorch::capability>("compute_capability"),
    field<&JetsonTorch::torch>("torch"),     field<&JetsonTorch::ngc_release>("ngc_release"),
    field<&JetsonTorch::form>("form"),       field<&JetsonTorch::python>("python"),
};

inline constexpr Field<CapabilityRange> kRangeFields[] = {
    field<&CapabilityRange::capability>("compute_capability"),
    field<&CapabilityRange::channel>("channel"),
    field<&CapabilityRange::platform>("platform"),
    field<&CapabilityRange::via>("via"),
    field<&CapabilityRange::first_torch>("first_torch"),
    field<&CapabilityRange::first_builds>("first_builds"),
    field<&CapabilityRange::last_torch>("last_torch"),
    field<&CapabilityRange::last_builds>("last_builds"),
};

}  // namespace kernelfit
