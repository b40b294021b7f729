// SPDX-License-Identifier: Apache-2.0
// All the small texts: /proc, lspci, lsmod, modinfo, dkms, mokutil, dpkg-query, ldconfig, Tegra.
#include "base/bytes.h"
#include "nvidia/lspci.h"
#include "nvidia/modules.h"
#include "nvidia/pci_text.h"
#include "nvidia/proc_driver.h"
#include "nvidia/smi.h"
#include "nvidia/system_text.h"
#include "nvidia/tegra.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernelfit;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parse_proc_version(text);
  (void)parse_gpu_information(text);
  (void)find_module_param(text, "EnableMSI");
  (void)parse_lspci(text);
  (void)parse_loaded_modules(text);
  (void)parse_modinfo(text);
  (void)parse_modinfo_section(text);
  (void)parse_dkms_status(text);
  (void)parse_mokutil(text);
  (void)parse_dpkg_query(text);
  (void)driver_version_of_package(text);
  (void)parse_ldconfig(text);
  (void)parse_cgroup_container(text);
  (void)parse_os_release(text);
  (void)find_glibc_banner(text);
  (void)driver_version_of_file(text);
  (void)parse_cuda_version_json(text);
  (void)parse_cuda_version_txt(text);
  (void)parse_cuda_header(text);
  (void)parse_cudnn_header(text);
  (void)parse_nv_tegra_release(text);
  (void)parse_device_tree_compatible(
      text, std::vector<TegraChip>{{"nvidia,tegra234", "Orin", ComputeCapability{8, 7}}});
  (void)normal_pci_address(text);
  (void)parse_pci_id_pair(text, text);
  (void)parse_smi_version(text);
  (void)parse_smi_error(text);
  return 0;
}
