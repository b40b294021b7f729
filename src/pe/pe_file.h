// SPDX-License-Identifier: Apache-2.0
// The section table and imports of a 64-bit Windows program (PE32+): .dll, .pyd, .exe; and the
// sections of a COFF object (.obj). Microsoft PE Format, "COFF File Header" to "Section Table".
// Errors name the field and the offset.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

struct PeSection {
  std::string name;  // ".nv_fatb": names are cut to 8; an object's "/N" is looked up
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;  // min(VirtualSize, SizeOfRawData) of an image, clamped to the file
  std::uint32_t virtual_address = 0;
  std::uint32_t flags = 0;  // IMAGE_SCN_*; 0x20000000 is executable
};

struct PeFile {
  std::uint16_t machine = 0;  // 0x8664 x86-64, 0xaa64 Arm64
  bool is_object = false;     // COFF object: no DOS and optional header
  bool is_dll = false;
  std::vector<PeSection> sections;
  std::vector<std::string> imports;   // DLL names in order; delay-loaded ones too
  std::vector<std::string> problems;  // what could not be read; the rest stands
};

bool looks_like_pe(Bytes first_bytes);  // "MZ"
Result<PeFile> parse_pe(const RandomAccess& file);
// An object has no magic: known machine, sane section count. Error where it is none.
Result<PeFile> parse_coff_object(const RandomAccess& file);

}  // namespace kernelfit
