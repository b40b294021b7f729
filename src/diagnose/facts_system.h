// SPDX-License-Identifier: Apache-2.0
// What follows from a machine's system and driver: its family of distributions, whether the
// driver's two halves are one version, what lies on LD_LIBRARY_PATH.
#pragma once
#include "diagnose/facts.h"

namespace kernelfit {

void set_system(Facts& facts, const Machine& machine);

}  // namespace kernelfit
