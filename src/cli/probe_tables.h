// SPDX-License-Identifier: Apache-2.0
// The tables that the probes use, taken out of the knowledge: `probe` and `pyenv` cannot see it.
#pragma once
#include <string>
#include <vector>

#include "knowledge/knowledge.h"
#include "probe/probe.h"

namespace kernelfit::cli {

GpuPackages gpu_packages(const Knowledge& knowledge);

// `environments` are those of --env; with any, no others are looked for.
ProbeOptions probe_options(std::vector<std::string> environments, const Knowledge& knowledge);

// Does this probe find cards or their driver?
bool is_card_probe(std::string_view id);

}  // namespace kernelfit::cli
