// SPDX-License-Identifier: Apache-2.0
#include "nvidia/proc_driver.h"

#include "base/text.h"
#include "nvidia/pci_text.h"

namespace kernelfit {

// NVRM version: NVIDIA UNIX x86_64 Kernel Module  384.98  Thu Oct 26 15:16:01 PDT 2017
// NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.77  Release Build  (nixbld@)  Sun …
// GCC version:  gcc 版本 4.8.5 20150623 (Red Hat 4.8.5-11) (GCC)
// The compiler's line is written in the builder's language and says nothing about the driver.
Result<ModuleVersion> parse_proc_version(std::string_view text) {
  std::optional<std::string_view> line = line_value(text, "NVRM version:");
  if (!line) return error(ErrorKind::malformed, "no line \"NVRM version:\"");
  ModuleVersion out;
  out.open = contains(*line, "Open Kernel Module");
  for (std::string_view word : split_words(*line)) {
    std::optional<DottedVersion> version = DottedVersion::parse(word);
    if (!version || version->size() < 2) continue;
    out.version = *version;
    return out;
  }
  return error(ErrorKind::malformed, "no version in \"" + printable(line->substr(0, 120)) + "\"");
}

// Model: 		 NVIDIA GeForce RTX 3090
// GPU UUID: 	 GPU-00000000-0000-0000-0000-000000000001
// Bus Location: 	 0000:01:00.0
// Device Minor: 	 0
// GPU Excluded:	 No
GpuInformation parse_gpu_information(std::string_view text) {
  GpuInformation out;
  out.name = plain_gpu_name(line_value(text, "Model:").value_or(""));
  std::string_view uuid = line_value(text, "GPU UUID:").value_or("");
  if (!contains(uuid, "?")) out.uuid = printable(uuid);
  out.pci_address = normal_pci_address(line_value(text, "Bus Location:").value_or(""));
  if (auto minor = parse_int(line_value(text, "Device Minor:").value_or(""))) {
    if (*minor >= 0 && *minor < 256) out.minor = static_cast<int>(*minor);
  }
  out.excluded = line_value(text, "GPU Excluded:").value_or("No") == "Yes";
  return out;
}

// EnableGpuFirmware: 18
// TemporaryFilePath: "/var/tmp"
std::optional<std::string> find_module_param(std::string_view text, std::string_view name) {
  std::optional<std::string_view> value = line_value(text, std::string(name) + ":");
  if (!value) return std::nullopt;
  if (value->size() >= 2 && value->front() == '"' && value->back() == '"') {
    value = value->substr(1, value->size() - 2);
  }
  return std::string(*value);
}

}  // namespace kernelfit
