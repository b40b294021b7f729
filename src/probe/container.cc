// SPDX-License-Identifier: Apache-2.0
// Whether this is a container, which one, and whether it was started with the GPU.
#include "nvidia/system_text.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

struct Sign {
  std::string kind, source;
};

std::optional<Sign> find_container(const Host& host) {
  if (host.env("KUBERNETES_SERVICE_HOST")) return Sign{"kubernetes", "KUBERNETES_SERVICE_HOST"};
  for (std::string_view name : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}) {
    if (host.env(name)) return Sign{"singularity", std::string(name)};
  }
  if (host.exists("/.singularity.d")) return Sign{"singularity", "/.singularity.d"};
  if (host.exists("/run/.containerenv")) return Sign{"podman", "/run/.containerenv"};
  if (host.exists("/.dockerenv")) return Sign{"docker", "/.dockerenv"};
  for (std::string_view path : {"/proc/self/cgroup", "/proc/1/cgroup"}) {
    Result<std::string> text = host.read_file(path);
    if (!text) continue;
    std::string_view kind = parse_cgroup_container(*text);
    if (!kind.empty()) return Sign{std::string(kind), std::string(path)};
  }
  return std::nullopt;
}

// A node that the control group refuses is there all the same.
std::string find_node(const Host& host) {
  for (std::string_view node :
       {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl-gpu", "/dev/nvgpu"}) {
    Result<FileInfo> info = host.link_info(node);
    if (info || info.error().kind == ErrorKind::denied) return std::string(node);
  }
  return {};
}

// The container runtime brings in both: the device files, and the driver's libraries of the host.
// `--privileged` alone gives the files, an image with a driver inside only a library.
Fact<std::string> granted(const Host& host, const Driver& driver) {
  std::string node = find_node(host);
  bool library = driver.library_path.has() && !driver.library_problem.is("stub");
  if (!node.empty() && library) {
    return Fact<std::string>::known("granted", node + ", " + *driver.library_path);
  }
  if (!node.empty()) return Fact<std::string>::known("none", node + " is there, no libcuda.so.1");
  if (library) {
    return Fact<std::string>::known("none", *driver.library_path + " is there, no /dev/nvidiactl");
  }
  return Fact<std::string>::known("none", "no /dev/nvidiactl, no libcuda.so.1");
}

}  // namespace

void probe_container(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  if (is_windows(machine)) {
    system.container = Fact<std::string>::absent("Windows");
    system.driver_capabilities = Fact<std::string>::absent("Windows");
    return;
  }
  std::optional<Sign> sign = find_container(host);
  system.container = sign ? Fact<std::string>::known(sign->kind, sign->source)
                          : Fact<std::string>::absent("/.dockerenv, /proc/self/cgroup");
  if (auto capabilities = host.env("NVIDIA_DRIVER_CAPABILITIES")) {
    system.driver_capabilities =
        Fact<std::string>::known(printable(*capabilities), "NVIDIA_DRIVER_CAPABILITIES");
  } else {
    system.driver_capabilities = Fact<std::string>::absent("NVIDIA_DRIVER_CAPABILITIES");
  }
}

void probe_container_gpu(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  system.container_gpu = system.container.has() ? granted(host, machine.driver)
                                                : Fact<std::string>::absent("not in a container");
}

}  // namespace kernelfit
