// SPDX-License-Identifier: Apache-2.0
#include "probe/smi.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::chrono::milliseconds kTimeout{5000};
constexpr const char* kQuery =
    "--query-gpu=index,name,compute_cap,pci.bus_id,driver_version,memory.total,uuid,"
    "mig.mode.current,compute_mode";

Result<CommandResult> run_smi(const Host& host, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "nvidia-smi");
  Result<CommandResult> result = host.run({.argv = arguments, .timeout = kTimeout, .env = {}});
  if (result || result.error().kind != ErrorKind::not_found) return result;
  // WSL's own is not on every PATH, and before 2018 Windows' was not either.
  arguments[0] = host.os() == OsFamily::windows
                     ? "C:\\Program Files\\NVIDIA Corporation\\NVSMI\\nvidia-smi.exe"
                     : "/usr/lib/wsl/lib/nvidia-smi";
  Result<CommandResult> other = host.run({.argv = arguments, .timeout = kTimeout, .env = {}});
  return other ? other : result;
}

// The XML tells more of each card, but no compute capability.
void add_details(SmiGpu& gpu, const SmiAnswer& xml) {
  for (const SmiGpu& other : xml.gpus) {
    if (other.pci_address != gpu.pci_address || other.uuid != gpu.uuid) continue;
    if (!gpu.pci_id) gpu.pci_id = other.pci_id;
    if (!gpu.memory_mib) gpu.memory_mib = other.memory_mib;
    if (gpu.driver_model.empty()) gpu.driver_model = other.driver_model;
    gpu.mig_instances = other.mig_instances;
    gpu.mig_uuids = other.mig_uuids;
    gpu.virtualization = other.virtualization;
    gpu.vgpu_license = other.vgpu_license;
  }
}

void add_xml(const Host& host, SmiAnswer& answer) {
  Result<CommandResult> result = run_smi(host, {"-q", "-x"});
  if (!result || result->timed_out) return;
  Result<SmiAnswer> xml = parse_smi_xml(result->out);
  if (!xml) return;
  if (answer.gpus.empty()) answer.gpus = xml->gpus;
  if (answer.driver.empty()) answer.driver = xml->driver;
  answer.cuda_max = xml->cuda_max;
  for (SmiGpu& gpu : answer.gpus) add_details(gpu, *xml);
}

void add_version(const Host& host, SmiAnswer& answer) {
  Result<CommandResult> result = run_smi(host, {"--version"});
  if (!result || result->timed_out) return;
  SmiAnswer version = parse_smi_version(result->out);
  if (answer.driver.empty()) answer.driver = version.driver;
  answer.cuda_max = version.cuda_max;
}

std::string first_line(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    if (!trim(line).empty()) return printable(trim(line.substr(0, 200)));
  }
  return {};
}

// It ran, and what it said is neither an answer nor one of the errors it is known for.
std::string failure_text(const CommandResult& query, const std::string& said) {
  std::string out = "nvidia-smi failed (exit status " + std::to_string(query.status) + ")";
  if (query.truncated) out = "nvidia-smi wrote without an end";
  if (query.status == 0 && !query.truncated) out = "nvidia-smi gave no answer that can be read";
  return said.empty() ? out : out + ": " + said;
}

// In a row of its own, or as "Unable to determine the device handle for GPU…" between the rows.
bool has_lost_one(const CommandResult& query, const SmiAnswer& answer) {
  auto is_sick = [](const SmiGpu& gpu) { return !gpu.trouble.empty(); };
  return std::ranges::any_of(answer.gpus, is_sick) ||
         parse_smi_error(query.out + "\n" + query.err) == "gpu-lost";
}

}  // namespace

SmiRun read_smi(const Host& host) {
  SmiRun run;
  Result<CommandResult> query = run_smi(host, {kQuery, "--format=csv"});
  if (!query) {
    run.said = query.error().text();
    // Without the program nothing is known of the library.
    bool tells = query.error().kind != ErrorKind::not_found;
    if (!tells || query.error().kind == ErrorKind::timeout) return run;
    run.problem = contains(run.said, "nvidia-smi") ? run.said : "nvidia-smi: " + run.said;
    return run;
  }
  if (query->timed_out) {
    run.state = "timed-out";
    return run;
  }
  Result<SmiAnswer> answer = parse_smi_query(query->out);
  run.said = first_line(query->out + "\n" + query->err);
  if (!answer) {
    run.state = parse_smi_error(query->out + "\n" + query->err);
    bool other_fields = contains(query->out, "not a valid field");
    if (!other_fields && !run.state.empty()) return run;
  } else {
    run.answer = std::move(*answer);
  }
  add_xml(host, run.answer);
  if (run.answer.cuda_max.empty()) add_version(host, run.answer);
  if (has_lost_one(*query, run.answer)) {
    run.state = "gpu-lost";
  } else if (!run.answer.gpus.empty()) {
    run.state = "ok";
  } else if (answer) {
    run.state = "no-devices";
  } else if (run.state.empty()) {
    run.problem = failure_text(*query, run.said);
  }
  return run;
}

}  // namespace kernelfit
