// SPDX-License-Identifier: Apache-2.0
// nvidia-smi -q -x. Elements are found by name wherever they are missing or new: DTDs v6 to v13
// differ. pugixml never expands entities of a DTD; parse_doctype is off, so even an inline one is
// stepped over.
#include <pugixml.hpp>

#include "base/text.h"
#include "nvidia/pci_text.h"
#include "nvidia/smi.h"
#include "nvidia/smi_values.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxGpus = 256;

std::string_view child(const pugi::xml_node& node, const char* name) {
  return trim(node.child(name).text().get());
}

std::string value_of(const pugi::xml_node& node, const char* name) {
  return printable(smi_value(child(node, name)).value_or(""));
}

void add_mig(const pugi::xml_node& node, SmiGpu& gpu) {
  gpu.mig = smi_enabled(child(node.child("mig_mode"), "current_mig"));
  if (!gpu.mig.value_or(false)) return;
  std::int64_t count = 0;
  for (const pugi::xml_node& device : node.child("mig_devices").children("mig_device")) {
    ++count;
    if (std::string uuid = value_of(device, "uuid"); !uuid.empty()) gpu.mig_uuids.push_back(uuid);
  }
  gpu.mig_instances = count;
}

SmiGpu gpu_of(const pugi::xml_node& node, int index) {
  SmiGpu gpu;
  gpu.index = index;
  gpu.name = printable(plain_gpu_name(child(node, "product_name")));
  gpu.pci_address = normal_pci_address(node.attribute("id").value());
  pugi::xml_node pci = node.child("pci");
  if (gpu.pci_address.empty()) gpu.pci_address = normal_pci_address(child(pci, "pci_bus_id"));
  gpu.pci_id = parse_pci_id_pair(child(pci, "pci_device_id"), child(pci, "pci_sub_system_id"));
  gpu.memory_mib = smi_mib(child(node.child("fb_memory_usage"), "total"));
  gpu.uuid = value_of(node, "uuid");
  gpu.compute_mode = value_of(node, "compute_mode");
  gpu.driver_model = value_of(node.child("driver_model"), "current_dm");
  gpu.virtualization = value_of(node.child("gpu_virtualization_mode"), "virtualization_mode");
  gpu.vgpu_license =
      smi_license(child(node.child("vgpu_software_licensed_product"), "license_status"));
  add_mig(node, gpu);
  pugi::xml_node sick =
      node.find_node([](const pugi::xml_node& one) { return !smi_trouble(one.value()).empty(); });
  gpu.trouble = smi_trouble(sick.value());
  return gpu;
}

// The first of the names that holds a version: R610 keeps the old ones with a notice inside.
DottedVersion first_version(const pugi::xml_node& log, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (DottedVersion version = smi_version(child(log, name)); !version.empty()) return version;
  }
  return {};
}

}  // namespace

Result<SmiAnswer> parse_smi_xml(std::string_view text) {
  // pugixml walks nested elements by recursion nowhere, but a tree of a million nodes is memory.
  constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
  if (text.size() > kMaxBytes) return error(ErrorKind::unsupported, "longer than 8 MiB");
  std::size_t start = text.find('<');  // an "nvidia-smi" banner of a wrapper may stand before it
  if (start == text.npos) return error(ErrorKind::malformed, printable(trim(text.substr(0, 200))));
  pugi::xml_document document;
  pugi::xml_parse_result result = document.load_buffer(
      text.data() + start, text.size() - start,
      pugi::parse_minimal | pugi::parse_escapes | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  pugi::xml_node log = document.child("nvidia_smi_log");
  // A card that hangs cuts the answer off: what stands before the cut is still true.
  if (!log) {
    return error(ErrorKind::malformed, result ? "no element nvidia_smi_log"
                                              : std::string(result.description()) + " at byte " +
                                                    std::to_string(result.offset));
  }
  SmiAnswer answer;
  answer.driver = first_version(log, {"kmd_version", "driver_version"});
  answer.cuda_max = first_version(log, {"cuda_umd_version", "cuda_version"});
  for (const pugi::xml_node& node : log.children("gpu")) {
    if (answer.gpus.size() == kMaxGpus) break;
    answer.gpus.push_back(gpu_of(node, static_cast<int>(answer.gpus.size())));
  }
  return answer;
}

}  // namespace kernelfit
