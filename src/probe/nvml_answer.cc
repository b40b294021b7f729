// SPDX-License-Identifier: Apache-2.0
// The parent's side: the child's JSON as values.
#include "base/text.h"
#include "nvidia/pci_text.h"
#include "nvidia/system_text.h"
#include "probe/nvml_child.h"

namespace kernelfit {
namespace {

SmiGpu gpu_of(const Json& json) {
  SmiGpu gpu;
  gpu.index = static_cast<int>(json.at("index").integer(-1));
  gpu.name = plain_gpu_name(json.at("name").string());
  gpu.pci_address = normal_pci_address(json.at("pci_bus_id").string());
  gpu.pci_id =
      parse_pci_id_pair(json.at("pci_device_id").string(), json.at("pci_subsystem_id").string());
  gpu.compute_capability = ComputeCapability::parse(json.at("compute_capability").string());
  if (std::int64_t memory = json.at("memory_mib").integer(); memory > 0) gpu.memory_mib = memory;
  gpu.uuid = json.at("uuid").string();
  if (json.at("mig").is_bool()) gpu.mig = json.at("mig").boolean();
  if (json.at("mig_instances").is_integer()) {
    gpu.mig_instances = json.at("mig_instances").integer();
  }
  gpu.mig_uuids = json.at("mig_uuids").strings();
  gpu.compute_mode = json.at("compute_mode").string();
  gpu.driver_model = json.at("driver_model").string();
  gpu.virtualization = json.at("virtualization").string();
  return gpu;
}

NvmlAnswer nvml_of(const Json& json) {
  NvmlAnswer out;
  out.state = json.at("state").string();
  out.code = json.at("code").integer();
  out.error = json.at("error").string();
  out.library = json.at("library").string();
  out.answer.driver =
      DottedVersion::parse(json.at("driver_version").string()).value_or(DottedVersion());
  out.answer.cuda_max =
      cuda_version_of_number(json.at("cuda_version").integer()).value_or(DottedVersion());
  for (const Json& gpu : json.at("gpus").items()) out.answer.gpus.push_back(gpu_of(gpu));
  return out;
}

// The last line that is an object; a driver library may print lines of its own, and a crash may cut
// one off. A recording may have it over several lines.
Result<Json> last_object(std::string_view text) {
  std::size_t start = text.find('{');
  if (start == text.npos) return error(ErrorKind::malformed, "no JSON object");
  Result<Json> whole = parse_json(text.substr(start));
  if (whole) return whole;
  std::vector<std::string_view> lines = lines_of(text);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!line->starts_with('{')) continue;
    if (Result<Json> object = parse_json(*line); object) return object;
  }
  return whole;
}

}  // namespace

Result<ChildAnswer> parse_nvml_child(std::string_view json) {
  KF_TRY(Json root, last_object(json));
  if (root.at("nvml").is_null() && root.at("libcuda").is_null()) {
    return error(ErrorKind::malformed, "neither nvml nor libcuda");
  }
  ChildAnswer out;
  out.nvml = nvml_of(root.at("nvml"));
  if (!root.at("nvml").is_null() && out.nvml.state.empty()) {
    return error(ErrorKind::malformed, "nvml has no state");
  }
  const Json& libcuda = root.at("libcuda");
  out.libcuda.state = libcuda.at("state").string();
  out.libcuda.library = libcuda.at("library").string();
  out.libcuda.cuda_max =
      cuda_version_of_number(libcuda.at("cuda_version").integer()).value_or(DottedVersion());
  return out;
}

}  // namespace kernelfit
