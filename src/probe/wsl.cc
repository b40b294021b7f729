// SPDX-License-Identifier: Apache-2.0
// WSL 2: the driver is Windows', its libraries are in /usr/lib/wsl/lib. A Linux driver inside
// shadows them, which is the classic way to break it (NVIDIA's "CUDA on WSL User Guide").
#include "nvidia/modules.h"
#include "nvidia/system_text.h"
#include "probe/installed_packages.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kWslLibcuda = "/usr/lib/wsl/lib/libcuda.so.1";

// libcuda.so.510.39.01 in a system folder was put there by a Linux driver; WSL's has no version.
std::optional<std::string> linux_driver_library(const Host& host) {
  for (std::string_view folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/aarch64-linux-gnu"}) {
    Result<std::string> real = host.real_path(join_path(folder, "libcuda.so.1"));
    if (real && driver_version_of_file(base_name(*real))) return *real;
  }
  return std::nullopt;
}

bool is_driver_package(std::string_view name) {
  for (std::string_view start :
       {"nvidia-driver", "nvidia-utils", "nvidia-dkms", "nvidia-kernel-", "libnvidia-compute-",
        "nvidia-headless-", "xorg-x11-drv-nvidia", "akmod-nvidia"}) {
    if (name.starts_with(start)) return true;
  }
  return name == "nvidia-smi";
}

void find_linux_driver(const Host& host, System& system) {
  if (auto library = linux_driver_library(host)) {
    system.wsl_linux_driver = Fact<std::string>::known(*library, *library);
    return;
  }
  Result<DriverPackages> found = read_driver_packages(host);
  if (found) {
    for (const InstalledPackage& package : found->packages) {
      if (!is_driver_package(package.name)) continue;
      system.wsl_linux_driver = Fact<std::string>::known(package.name, found->source);
      return;
    }
  }
  system.wsl_linux_driver = Fact<std::string>::absent("dpkg-query, /usr/lib");
}

}  // namespace

void probe_wsl(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  if (!is_wsl(machine)) {
    system.wsl_kernel = Fact<std::string>::absent("not WSL");
    system.wsl_driver_library = Fact<bool>::absent("not WSL");
    system.wsl_linux_driver = Fact<std::string>::absent("not WSL");
    return;
  }
  std::string release = system.kernel.value_or("");
  system.wsl_kernel =
      Fact<std::string>::known(release.substr(0, release.find('-')), system.kernel.source());
  system.wsl_driver_library = Fact<bool>::known(host.exists(kWslLibcuda), std::string(kWslLibcuda));
  find_linux_driver(host, system);
}

}  // namespace kernelfit
