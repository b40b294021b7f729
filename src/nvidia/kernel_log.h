// SPDX-License-Identifier: Apache-2.0
// The lines of a kernel log that are about NVIDIA's GPUs or its module, as events.
#pragma once
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace kernelfit {

// `text` is what dmesg (in any of its time formats), journalctl -k or a syslog file prints. Of a
// log that spans several starts of the machine only the last one counts. The same event is told
// once.
std::vector<KernelEvent> parse_kernel_log(std::string_view text);

}  // namespace kernelfit
