// SPDX-License-Identifier: Apache-2.0
// Small machines, built by hand, and what is found on them.
#pragma once
#include <algorithm>
#include <functional>

#include "base/text.h"
#include "diagnose/rules_for_tests.h"

namespace kernelfit::tests {

template <typename T>
Fact<T> found(T value) {
  return Fact<T>::known(std::move(value), "test");
}
inline Fact<std::string> found(const char* value) {
  return found(std::string(value));
}
template <typename T>
Fact<T> none() {
  return Fact<T>::absent("test");
}

inline Gpu gpu(int device, int index = 0) {
  Gpu out;
  out.index = index;
  out.pci_id = found(PciId{0x10de, device, 0, 0});
  out.pci_address = found("0000:0" + std::to_string(1 + std::max(index, 0)) + ":00.0");
  out.bound_driver = index >= 0 ? found("nvidia") : none<std::string>();
  out.visible = found(true);
  out.compute_mode = found("Default");
  return out;
}

inline Environment environment(const std::string& version, const char* cuda, const char* build) {
  Environment out;
  out.path = "/home/user/.venv";
  out.kind = "venv";
  out.active = true;
  out.python = found(dotted("3.11.4"));
  out.implementation = found("cpython");
  out.interpreter = found("/home/user/.venv/bin/python");
  Library torch;
  torch.name = "torch";
  torch.version = version;
  torch.build = found(build);
  torch.cuda = std::string(cuda).empty() ? none<DottedVersion>() : found(dotted(cuda));
  torch.location = "/home/user/.venv/lib/python3.11/site-packages/torch";
  out.libraries = {torch};
  Package package;
  package.name = "torch";
  package.version = version;
  package.manager = "pip";
  package.location = "/home/user/.venv/lib/python3.11/site-packages";
  out.packages = {package};
  return out;
}

// A Debian machine whose driver runs, with one card.
inline Machine machine(int device, const char* driver = "580.95.05") {
  Machine out;
  System& system = out.system;
  system.os = found("linux");
  system.os_name = found("Debian GNU/Linux 12 (bookworm)");
  system.kernel = found("6.1.0-18-amd64");
  system.glibc = found(dotted("2.36"));
  system.cpu_arch = found("x86_64");
  system.secure_boot = found(false);
  system.container = none<std::string>();
  system.l4t = none<std::string>();
  system.slurm_job = none<std::string>();
  system.slurm_gpus = none<std::string>();
  system.pci_devices = found(std::int64_t{21});
  system.local_torch = none<std::string>();
  system.wsl_linux_driver = none<std::string>();
  system.driver_capabilities = none<std::string>();
  Variables::each_fact(out.variables, [](auto, auto& fact) { fact = none<std::string>(); });
  out.driver.version = found(dotted(driver));
  out.driver.library_version = found(dotted(driver));
  out.driver.module_on_disk = found(dotted(driver));
  out.driver.module_loaded = found(true);
  out.driver.flavor = found("proprietary");
  out.driver.nvml = found("ok");
  out.driver.device_nodes = found(true);
  out.driver.uvm_nodes = found(true);
  out.driver.library_path = found("/usr/lib/x86_64-linux-gnu/libcuda.so.1");
  out.driver.library_problem = none<std::string>();
  out.driver.other_module = none<std::string>();
  out.driver.fabric_manager = none<std::string>();
  if (device != 0) out.gpus = {gpu(device)};
  return out;
}

inline Machine no_driver(int device) {
  Machine out = machine(device);
  out.driver = Driver();
  out.driver.version = none<DottedVersion>();
  out.driver.module_loaded = found(false);
  out.driver.module_on_disk = none<DottedVersion>();
  out.driver.library_version = none<DottedVersion>();
  out.driver.library_path = none<std::string>();
  out.driver.library_problem = none<std::string>();
  out.driver.package = none<std::string>();
  out.driver.dkms = none<std::string>();
  out.driver.other_module = none<std::string>();
  out.driver.nvml = found("no-library");
  out.driver.device_nodes = found(false);
  out.driver.uvm_nodes = found(false);
  out.driver.fabric_manager = none<std::string>();
  if (device != 0) out.gpus = {gpu(device, -1)};
  return out;
}

// `doctor --gpu … --driver …`: another machine, of which only this much is known. Driver "none".
inline Machine asked(int device, const std::string& driver) {
  Machine out;
  out.hypothetical = true;
  out.system.os = Fact<std::string>::given("linux");
  out.system.cpu_arch = Fact<std::string>::given("x86_64");
  out.driver.version = driver == "none" ? Fact<DottedVersion>::absent("given")
                                        : Fact<DottedVersion>::given(dotted(driver));
  Gpu card;
  card.given = true;
  card.pci_id = Fact<PciId>::given(PciId{0x10de, device, 0, 0});
  out.gpus = {card};
  return out;
}

inline KernelEvent event(const char* kind, const char* text, const char* detail = "", int xid = 0) {
  KernelEvent out;
  out.kind = kind;
  out.text = text;
  out.detail = detail;
  out.xid = xid;
  return out;
}

inline std::vector<Finding> findings_of(const Machine& one) {
  Judgement judgement = judge(one, knowledge());
  std::vector<Plan> plans;
  for (int i = 0; i <= static_cast<int>(one.environments.size()); ++i) {
    bool fresh = i == static_cast<int>(one.environments.size());
    Request request = request_for(one, judgement, fresh ? -1 : i);
    plans.push_back(make_plan(request, solve(request, knowledge()), {}, knowledge()));
  }
  return diagnose({one, judgement, plans, knowledge()}, rules());
}

inline std::string names_of(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const auto& finding : findings) names.push_back(finding.name);
  return join(names, " ");
}

inline Machine with(Machine one, const std::function<void(Machine&)>& change) {
  change(one);
  return one;
}
inline Machine with_torch(Machine one, const std::string& version, const char* cuda,
                          const char* build) {
  one.environments = {environment(version, cuda, build)};
  return one;
}

inline constexpr int kGt730Fermi = 0x0f02, kGtx1080Ti = 0x1b06, kGtx1050 = 0x1c81,
                     kTeslaP4 = 0x1bb3;
inline constexpr int kRtx3070 = 0x2484, kRtx3090 = 0x2204, kRtx4090 = 0x2684, kRtx5090 = 0x2b85;
inline constexpr int kK40 = 0x1024;

}  // namespace kernelfit::tests
