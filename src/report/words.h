// SPDX-License-Identifier: Apache-2.0
// Small phrases that every report uses: where a fact comes from, how a card is called, what a
// verdict is in a word. All text comes from the catalogue; nothing is decided here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/layout.h"
#include "report/report.h"

namespace kernelfit::report {

std::string text_of(const Said& said, const Catalogue& say);

// "driver (NVML)" in the reader's language where the catalogue knows it, "you gave it" for what was
// given; a path or the name of a program stays as it is.
std::string source_text(std::string_view source, const Catalogue& say);
// What a verdict rests on: "read from the file", "table, high".
std::string basis_text(const LibraryVerdict& verdict, const Catalogue& say);

// "~/ai/.venv" of "/home/user/ai/.venv" on terminals.
std::string short_path(std::string_view path, const Style& style);
// The environment's path; a given one has none and is called so.
std::string environment_text(const Environment& environment, const Style& style,
                             const Catalogue& say);

// No card was found, the bus could not be read, or WSL shows none of what Windows may have.
std::string_view no_card_key(const Machine& machine);
std::string gpu_label(const Situation& situation, int gpu);
// "GPU 0", or "GPU" where the driver has not numbered it.
std::string gpu_title(const Gpu& gpu, const Catalogue& say);
std::string capability_text(const Card& card, const Catalogue& say);  // "2.1, 3.0 or 3.5"
std::string memory_text(const Fact<std::int64_t>& memory_mib);        // "11 GB", empty: not known
std::string driver_text(const Machine& machine, const Catalogue& say);

std::string verdict_text(Verdict verdict, const Catalogue& say);
// ok, no or ??: in words of the language, in ASCII where the terminal has no more.
Cell mark_of(Verdict verdict, const Style& style, const Catalogue& say);

std::string comma_list(const std::vector<std::string>& items, const Catalogue& say);  // "a, b"
std::string list_text(const std::vector<std::string>& items, const Catalogue& say);   // "a, b or c"

// The sentences of a finding: its rule's text in the catalogue's language, filled. Fixes are beside
// Finding::fixes, as many as there are.
FindingText finding_text(const Finding& finding, const std::vector<Rule>& rules,
                         const Catalogue& say);
std::string evidence_label(const Evidence& evidence, const Catalogue& say);

}  // namespace kernelfit::report
