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

// Where nvidia-container-toolkit, Kubernetes plugins and Singularity put the driver's library.
constexpr std::string_view kGrantedLibraries[] = {"/usr/lib/x86_64-linux-gnu/libcuda.so.1",
                                                  "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
                                                  "/usr/lib64/libcuda.so.1",
                                                  "/usr/local/nvidia/lib64/libcuda.so.1",
                                                  "/.singularity.d/libs/libcuda.so.1",
                                                  "/usr/lib/wsl/lib/libcuda.so.1"};

Fact<std::string> granted(const Host& host) {
  for (std::string_view node : {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl-gpu"}) {
    if (host.exists(node)) return Fact<std::string>::known("granted", std::string(node));
  }
  // Without the nodes a library is the image's own, and no program can reach the card.
  for (std::string_view path : kGrantedLibraries) {
    if (host.exists(path)) {
      return Fact<std::string>::known("none",
                                      std::string(path) + " is there, /dev/nvidiactl is not");
    }
  }
  return Fact<std::string>::known("none", "/dev/nvidiactl, libcuda.so.1");
}

}  // namespace

void probe_container(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  if (is_windows(machine)) {
    system.container = Fact<std::string>::absent("Windows");
    system.container_gpu = Fact<std::string>::absent("Windows");
    system.driver_capabilities = Fact<std::string>::absent("Windows");
    return;
  }
  std::optional<Sign> sign = find_container(host);
  system.container = sign ? Fact<std::string>::known(sign->kind, sign->source)
                          : Fact<std::string>::absent("/.dockerenv, /proc/self/cgroup");
  system.container_gpu = sign ? granted(host) : Fact<std::string>::absent("not in a container");
  if (auto capabilities = host.env("NVIDIA_DRIVER_CAPABILITIES")) {
    system.driver_capabilities =
        Fact<std::string>::known(printable(*capabilities), "NVIDIA_DRIVER_CAPABILITIES");
  } else {
    system.driver_capabilities = Fact<std::string>::absent("NVIDIA_DRIVER_CAPABILITIES");
  }
}

}  // namespace kernelfit
