// SPDX-License-Identifier: Apache-2.0
// PCI addresses, ids and card names as NVIDIA's and Linux's tools write them, brought to one form.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "machine/machine.h"

namespace kernelfit {

// NVML and nvidia-smi print 00000000:01:00.0, sysfs 0000:01:00.0, lspci 01:00.0: all become
// "0000:01:00.0", in lower case. Empty where the text is no address.
std::string normal_pci_address(std::string_view text);

// nvidia-smi and NVML: device in the upper, vendor in the lower 16 bits ("220410DE", "0x220410DE").
// Nothing where the vendor is another: some clouds mask the id ("000000DE").
std::optional<PciId> parse_pci_id_pair(std::string_view device, std::string_view subsystem);

// The model without the maker: "NVIDIA GeForce RTX 3090" -> "GeForce RTX 3090", "Orin (nvgpu)" ->
// "Orin". Empty for what names nothing: "N/A", "Graphics Device" (a card younger than its driver).
std::string plain_gpu_name(std::string_view text);

}  // namespace kernelfit
