// SPDX-License-Identifier: Apache-2.0
// Asks the driver: NVML and libcuda in a child process, nvidia-smi where the child says nothing.
// Only where a driver is loaded: opening NVML without one loads modules and creates device nodes.
#include "nvidia/system_text.h"
#include "probe/gpus.h"
#include "probe/mig_uuids.h"
#include "probe/nvml_child.h"
#include "probe/probes.h"
#include "probe/reading.h"
#include "probe/smi.h"

namespace kernelfit {
namespace {

bool driver_may_answer(const Machine& machine) {
  return is_windows(machine) || is_wsl(machine) || machine.driver.version.has() ||
         machine.driver.module_loaded.is(true);
}

struct ChildRun {
  std::string state;  // "crashed", "timed-out"; empty: it answered, or could not be started
  bool started = false;
  ChildAnswer answer;
};

Command child_command(const Host& host, std::string_view what) {
  Command command{.argv = {host.self_path(), "__nvml"}, .timeout = kChildTime, .env = {}};
  if (!what.empty()) {
    command.argv.emplace_back(what);
    command.timeout = kSecondChildTime;
  }
  for (std::string_view name : {"KERNELFIT_NVML_LIB", "KERNELFIT_CUDA_LIB"}) {
    if (auto value = host.env(name)) command.env[std::string(name)] = *value;
  }
  return command;
}

ChildRun run_child(const Host& host, std::string_view what) {
  ChildRun out;
  Result<CommandResult> result = host.run(child_command(host, what));
  if (!result) return out;
  out.started = true;
  if (Result<ChildAnswer> answer = parse_nvml_child(result->out); answer) {
    // A library that crashes or hangs while its process ends has answered all the same.
    out.answer = std::move(*answer);
    // NVML's line is there and libcuda's is not: the process was lost in between.
    if (out.answer.libcuda.state.empty() && result->timed_out)
      out.answer.libcuda.state = "timed-out";
    if (out.answer.libcuda.state.empty() && result->status != 0)
      out.answer.libcuda.state = "crashed";
  } else if (result->timed_out) {
    out.state = "timed-out";
  } else {
    out.state = "crashed";
  }
  return out;
}

void set_driver_version(const DottedVersion& version, const std::string& source, Driver& driver) {
  if (!driver.version.has() && !version.empty()) {
    driver.version = Fact<DottedVersion>::known(version, source);
  }
}
void set_cuda_max(const DottedVersion& version, const std::string& source, Driver& driver) {
  if (!driver.cuda_max.has() && !version.empty()) {
    driver.cuda_max = Fact<DottedVersion>::known(version, source);
  }
}
void set_library_version(std::string_view library, Driver& driver) {
  if (driver.library_version.has()) return;
  if (auto version = driver_version_of_file(base_name(library))) {
    driver.library_version = Fact<DottedVersion>::known(*version, std::string(library));
  }
}

std::string did_not_answer(std::string_view library, std::chrono::milliseconds time) {
  return std::string(library) + " did not answer in " + std::to_string(time.count() / 1000) + " s";
}

void use_libcuda(const LibcudaAnswer& libcuda, Machine& machine) {
  Driver& driver = machine.driver;
  if (libcuda.state == "timed-out" || libcuda.state == "crashed") {
    bool crashed = libcuda.state == "crashed";
    machine.problems.push_back(crashed ? "libcuda crashed"
                                       : did_not_answer("libcuda", kLibcudaTime));
    driver.cuda_max = Fact<DottedVersion>::unknown(machine.problems.back(), "libcuda");
  }
  std::string source = libcuda.library.empty() ? "libcuda" : libcuda.library;
  set_cuda_max(libcuda.cuda_max, source + ", cuDriverGetVersion", driver);
  set_library_version(libcuda.library, driver);
}

void use_nvml(const NvmlAnswer& nvml, Machine& machine) {
  Driver& driver = machine.driver;
  std::string source = nvml.library.empty() ? "NVML" : nvml.library;
  driver.nvml = Fact<std::string>::known(nvml.state, source);
  if (nvml.state == "timed-out") machine.problems.push_back(did_not_answer("NVML", kNvmlTime));
  if (nvml.state == "unknown-error" && nvml.error.empty()) {
    machine.problems.push_back("NVML: error " + std::to_string(nvml.code));
  }
  // The other states say all there is to say.
  bool adds = nvml.state == "ok" || nvml.state == "no-library" || nvml.state == "unknown-error";
  if (adds && !nvml.error.empty()) machine.problems.push_back("NVML: " + nvml.error);
  set_driver_version(nvml.answer.driver, source, driver);
  set_library_version(nvml.library, driver);
  merge_gpus(machine, nvml.answer.gpus, "NVML");
}

// A vGPU guest's licence is only in nvidia-smi's answer.
bool needs_license(const std::vector<SmiGpu>& gpus) {
  for (const SmiGpu& gpu : gpus) {
    if (gpu.virtualization == "VGPU") return true;
  }
  return false;
}

void say_no_licenses(Machine& machine, const std::string& source) {
  for (Gpu& gpu : machine.gpus) {
    if (gpu.vgpu_license.is_unknown() && gpu.index >= 0) {
      gpu.vgpu_license = Fact<std::string>::absent(source);
    }
  }
}

void use_smi(const Host& host, Machine& machine, bool name_state) {
  SmiRun smi = read_smi(host);
  if (!smi.problem.empty()) machine.problems.push_back(smi.problem);
  if (name_state && !smi.state.empty()) {
    machine.driver.nvml = Fact<std::string>::known(smi.state, "nvidia-smi");
  } else if (name_state && smi.state.empty()) {
    machine.driver.nvml = Fact<std::string>::unknown("nvidia-smi: " + smi.said, "nvidia-smi");
  }
  set_driver_version(smi.answer.driver, "nvidia-smi", machine.driver);
  set_cuda_max(smi.answer.cuda_max, "nvidia-smi", machine.driver);
  merge_gpus(machine, smi.answer.gpus, "nvidia-smi");
  if (!smi.answer.gpus.empty()) say_no_licenses(machine, "nvidia-smi -q -x");
}

void use_child(const Host& host, const ChildRun& child, Machine& machine) {
  use_libcuda(child.answer.libcuda, machine);
  use_nvml(child.answer.nvml, machine);
  set_cuda_max(child.answer.nvml.answer.cuda_max, "NVML", machine.driver);
  if (child.answer.nvml.state == "timed-out") return;  // nvidia-smi would wait for the same card
  if (needs_license(child.answer.nvml.answer.gpus)) {
    use_smi(host, machine, false);
  } else {
    say_no_licenses(machine, "NVML");
  }
}

}  // namespace

MigUuids mig_uuids(const Host& host) {
  MigUuids out;
  for (const SmiGpu& gpu : run_child(host, "").answer.nvml.answer.gpus) {
    for (const auto& uuid : gpu.mig_uuids) out.uuids.emplace_back(gpu.index, uuid);
  }
  return out;
}

void probe_nvml(const Host& host, const ProbeOptions&, Machine& machine) {
  Driver& driver = machine.driver;
  if (!driver_may_answer(machine)) {
    driver.nvml = Fact<std::string>::unknown("not asked: no NVIDIA kernel module is loaded");
    driver.cuda_max = Fact<DottedVersion>::unknown("not asked: no NVIDIA kernel module is loaded");
    return;
  }
  ChildRun child = run_child(host, "");
  if (child.started && child.state.empty()) return use_child(host, child, machine);
  if (!child.started) return use_smi(host, machine, true);
  driver.nvml = Fact<std::string>::known(child.state, "NVML");
  machine.problems.push_back(child.state == "timed-out" ? did_not_answer("NVML", kChildTime)
                                                        : "NVML crashed");
  // A child that does not end at all has used the time that there is; nvidia-smi would wait for the
  // same card.
  if (child.state == "timed-out") return;
  // What libcuda says is still worth having when NVML took its process down.
  ChildRun cuda = run_child(host, "cuda");
  if (cuda.started && !cuda.state.empty()) cuda.answer.libcuda.state = cuda.state;
  if (cuda.started) use_libcuda(cuda.answer.libcuda, machine);
  use_smi(host, machine, false);
}

}  // namespace kernelfit
