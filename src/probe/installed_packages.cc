// SPDX-License-Identifier: Apache-2.0
#include "probe/installed_packages.h"

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::string_view kPacman = "/var/lib/pacman/local";

// dpkg-query and rpm print "nvidia-driver 580.95.05-1", one a line.
Result<DriverPackages> ask(const Host& host, std::string manager, std::vector<std::string> argv) {
  DriverPackages out{std::move(manager), argv[0], {}};
  KF_TRY(CommandResult result, host.run({.argv = std::move(argv), .env = {}}));
  if (result.timed_out) return error(ErrorKind::timeout, out.source + " did not answer in 5 s");
  out.packages = parse_dpkg_query(result.out);
  return out;
}

// A folder for each: nvidia-utils-580.95.05-1. Read as files, the program is not needed.
DriverPackages read_pacman(const std::vector<DirEntry>& entries) {
  DriverPackages out{"pacman", std::string(kPacman), {}};
  for (const DirEntry& entry : entries) {
    if (!contains(entry.name, "nvidia")) continue;
    std::size_t release = entry.name.rfind('-');
    if (release == entry.name.npos || release == 0) continue;
    std::size_t version = entry.name.rfind('-', release - 1);
    if (version == entry.name.npos) continue;
    out.packages.push_back(
        {printable(entry.name.substr(0, version)), printable(entry.name.substr(version + 1))});
  }
  return out;
}

bool has_rpm(const Host& host) {
  return host.is_dir("/var/lib/rpm") || host.is_dir("/usr/lib/sysimage/rpm");
}

}  // namespace

// Debian's tools are also installed on other systems, where they know no package.
Result<DriverPackages> read_driver_packages(const Host& host) {
  Result<DriverPackages> found = ask(host, "apt",
                                     {"dpkg-query", "-W", "-f", "${Package} ${Version}\\n",
                                      "nvidia-*", "libnvidia-*", "nvidia-l4t-core"});
  if (found && !found->packages.empty()) return found;
  if (has_rpm(host)) {
    return ask(host, "rpm", {"rpm", "-qa", "--qf", "%{NAME} %{VERSION}-%{RELEASE}\\n", "*nvidia*"});
  }
  if (auto entries = host.list_dir(kPacman); entries) return read_pacman(*entries);
  return found;
}

}  // namespace kernelfit
