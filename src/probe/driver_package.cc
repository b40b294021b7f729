// SPDX-License-Identifier: Apache-2.0
// How the driver came onto the machine: a package of the distribution, or NVIDIA's .run installer.
#include "nvidia/modules.h"
#include "probe/installed_packages.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// The package that stands for the whole driver, the first that is installed: of Debian and Ubuntu,
// NVIDIA's own repositories, Fedora (RPM Fusion), openSUSE, Arch.
constexpr std::string_view kStarts[] = {
    "nvidia-driver",  "nvidia-headless-",  "nvidia-l4t-core", "xorg-x11-drv-nvidia",
    "nvidia-video-G", "x11-video-nvidiaG", "nvidia-kernel-",  "akmod-nvidia",
    "kmod-nvidia",    "nvidia-dkms",       "nvidia-open",     "libnvidia-compute-",
    "libnvidia-ml1",  "nvidia-utils"};

const InstalledPackage* find_driver(const std::vector<InstalledPackage>& packages) {
  for (std::string_view start : kStarts) {
    for (const InstalledPackage& package : packages) {
      bool number = driver_version_of_package(package.version).has_value();
      if (number && package.name.starts_with(start)) return &package;
    }
  }
  return nullptr;
}

bool worth_asking(const Machine& machine) {
  return !machine.gpus.empty() || machine.driver.version.has() ||
         machine.driver.library_path.has() || is_wsl(machine) || is_jetson(machine);
}

}  // namespace

void probe_driver_package(const Host& host, const ProbeOptions&, Machine& machine) {
  Fact<std::string>& fact = machine.driver.package;
  if (is_windows(machine)) {
    fact = Fact<std::string>::absent("Windows");
    return;
  }
  if (!worth_asking(machine)) {
    fact = Fact<std::string>::unknown("not asked: there is no NVIDIA GPU and no driver");
    return;
  }
  // The .run installer leaves its own uninstaller.
  bool run_file = host.exists("/usr/bin/nvidia-uninstall") ||
                  host.exists("/usr/lib/nvidia/.uninstall.log") ||
                  host.exists("/var/lib/nvidia/log");
  Result<DriverPackages> packages = read_driver_packages(host);
  const InstalledPackage* driver = packages ? find_driver(packages->packages) : nullptr;
  if (driver != nullptr) {
    std::string how = packages->manager + " " + driver->name + " " + driver->version;
    fact = Fact<std::string>::known(run_file ? how + ", .run" : how, packages->source);
  } else if (run_file) {
    fact = Fact<std::string>::known(".run", "/usr/bin/nvidia-uninstall");
  } else if (!packages && packages.error().kind != ErrorKind::not_found) {
    fact = Fact<std::string>::unknown(packages.error().text(), "dpkg-query");
  } else if (!packages) {
    fact = Fact<std::string>::unknown("this system has no dpkg, rpm or pacman", "dpkg-query, rpm");
  } else {
    fact = Fact<std::string>::absent(packages->source);
  }
}

}  // namespace kernelfit
