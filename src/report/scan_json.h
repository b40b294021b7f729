// SPDX-License-Identifier: Apache-2.0
// What the formats of a scan share. For this room only.
#pragma once
#include <string>

#include "report/scan.h"

namespace kernelfit::report {

std::string scan_json(const ScanAnswer& answer, const Catalogue& say);
std::string scan_terminal(const ScanAnswer& answer, const Style& style, const Catalogue& say);

// The CUDA toolkit that built the file: what its images say, else the major of the CUDA libraries
// that it needs ("libcudart.so.12", "cudart64_110.dll"); empty: not known.
DottedVersion toolkit_of(const FileScan& file);
// The Linux driver that this toolkit's SASS needs; empty: not known.
DottedVersion minimum_driver(const DottedVersion& cuda, const Knowledge& knowledge);

}  // namespace kernelfit::report
