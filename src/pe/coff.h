// SPDX-License-Identifier: Apache-2.0
// Section tables of Windows programs and of COFF objects. Private to the room.
#pragma once
#include <vector>

#include "pe/pe_file.h"

namespace kernelfit {

struct CoffHeader {  // IMAGE_FILE_HEADER
  le16 machine, sections;
  le32 time, symbols_at, symbols;
  le16 optional_size, flags;
};
struct CoffSection {  // IMAGE_SECTION_HEADER
  unsigned char name[8];
  le32 virtual_size, virtual_address, raw_size, raw_at, relocations_at, lines_at;
  le16 relocations, lines;
  le32 flags;
};
static_assert(sizeof(CoffHeader) == 20 && sizeof(CoffSection) == 40);

struct CoffTable {
  std::uint64_t at = 0;  // of the first section header
  std::uint64_t count = 0;
  std::uint64_t symbols_at = 0, symbols = 0, symbol_size = 18;  // behind them, the string table
};

// Fills `sections` and `problems`. `image`: of a program, where VirtualSize counts.
Result<std::vector<CoffSection>> read_coff_sections(const RandomAccess& file,
                                                    const CoffTable& table, bool image, PeFile& pe);

}  // namespace kernelfit
