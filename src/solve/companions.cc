// SPDX-License-Identifier: Apache-2.0
#include "solve/companions.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "judge/judge.h"
#include "pyenv/requirement.h"
#include "solve/fitter.h"
#include "solve/torch_pins.h"

namespace kernelfit::solving {
namespace {

struct Package {
  std::string name, version;  // "flash-attn", "2.8.3"; empty: any
};

// "flash_attn==2.8.3", "bitsandbytes>=0.45", "vllm[audio]": names as pip normalises them.
Package package_of(std::string_view word) {
  Package out;
  const auto requirement = parse_requirement(word);
  if (!requirement) return out;
  out.name = requirement->name;
  const std::string_view specifier = requirement->specifier;
  const bool exact = specifier.starts_with("==") && specifier.find(',') == std::string_view::npos;
  if (exact) out.version = trim(specifier.substr(2));
  return out;
}

// They come with torch and are judged with it.
bool is_torchs_own(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOwn = {
      "torch", "torchvision", "torchaudio", "triton", "cpuonly", "cudnn", "nccl", "cublas"};
  return std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end();
}

// A pin of theirs binds torch (solve/wish.h).
bool binds_torch(std::string_view name) {
  return name == "torchvision" || name == "torchaudio" || name == "triton" || name == "numpy";
}

// The row of its version; where none is named, the newest that the table has.
const LibraryArch* row_of(const Package& package, const DottedVersion& cuda, const Request& request,
                          const Knowledge& knowledge) {
  const std::string here = platform(request);
  if (!package.version.empty())
    return library_row(package.name, package.version, cuda, knowledge, here);
  if (const auto* open_end = library_row(package.name, {}, cuda, knowledge, here)) return open_end;
  const LibraryArch* newest = nullptr;
  std::optional<PackageVersion> best;
  for (const LibraryArch& row : knowledge.library_archs()) {
    const auto version = PackageVersion::parse(row.version_max);
    if (row.library != package.name || !version || (best && *version <= *best)) continue;
    best = version;
    newest = library_row(package.name, row.version_max, cuda, knowledge, here);
  }
  return newest;
}

// "torch-pin": each release of the package asks for one torch.
const LibraryArch* pin_of(std::string_view package, const Knowledge& knowledge) {
  for (const LibraryArch& row : knowledge.library_archs()) {
    if (row.library == "torch-pin" && row.scope == package) return &row;
  }
  return nullptr;
}

bool needs_newer(const LibraryArch& row, const Card& card) {
  const auto floor = ComputeCapability::parse(row.capability_min);
  return floor && card.capability.has() && *card.capability < *floor;
}

std::string cards_that(const Request& request, const LibraryArch& row, bool need_newer) {
  std::vector<std::string> names;
  for (const Card& card : request.cards) {
    if (needs_newer(row, card) == need_newer &&
        std::find(names.begin(), names.end(), card.label) == names.end())
      names.push_back(card.label);
  }
  return join(names, ", ");
}

void say_cards(Answer& answer, const Request& request, const Package& package,
               const LibraryArch& row, bool asked) {
  const auto say = [&](std::string key, std::string cards) {
    if (cards.empty()) return;
    answer.caveats.push_back({std::move(key),
                              {{"package", package.name},
                               {"minimum", std::string(row.capability_min)},
                               {"gpu", std::move(cards)},
                               {"source", std::string(row.basis.sources)}}});
  };
  say("solve.caveat.companion-needs", cards_that(request, row, true));
  if (asked) say("solve.caveat.companion-fits", cards_that(request, row, false));
}

// Which release of it belongs to the torch that was chosen, where the table knows: its own pin, the
// release to change to, or the newest that is known at all.
void say_known_pin(Answer& answer, const Package& package, bool asked, const PackageVersion& torch,
                   const std::vector<TorchPin>& pins, const Knowledge& knowledge) {
  const auto own = std::find_if(pins.begin(), pins.end(), [&](const TorchPin& pin) {
    return pin.version == PackageVersion::parse(package.version);
  });
  if (own != pins.end() && own->torch.contains(torch)) return;
  const auto right = pin_for(package.name, torch, knowledge);
  const TorchPin& named = right ? *right : pins.front();
  const Fill values = {{"package", package.name},
                       {"version", package.version},
                       {"asks", own == pins.end() ? std::string() : own->torch.text()},
                       {"torch", torch.text()},
                       {"right", named.version.text()},
                       {"its-torch", named.torch.text()},
                       {"source", std::string(named.sources)}};
  std::string key = asked ? "solve.caveat.pin-asked" : "solve.caveat.pin-installed";
  if (!right) key += "-none";
  answer.caveats.push_back({std::move(key), values});
}

void say_pin(Answer& answer, const Package& package, bool asked, const Knowledge& knowledge) {
  const LibraryArch* pin = pin_of(package.name, knowledge);
  if (pin == nullptr) return;
  const auto torch = answer.choice ? PackageVersion::parse(answer.choice->torch) : std::nullopt;
  const auto pins = torch_pins(package.name, knowledge);
  if (torch && !pins.empty()) return say_known_pin(answer, package, asked, *torch, pins, knowledge);
  answer.caveats.push_back(
      {asked ? "solve.caveat.companion-pins" : "solve.caveat.companion-pinned",
       {{"package", package.name}, {"source", std::string(pin->basis.sources)}}});
}

// Compiled against the torch that was there: "torch-abi" of libraries/arch.csv.
void say_built_against(Answer& answer, const Package& package, const Request& request,
                       const Knowledge& knowledge) {
  const bool same = std::any_of(request.installed.begin(), request.installed.end(),
                                [&](const Installed& installed) {
                                  const auto version = PackageVersion::parse(installed.version);
                                  return installed.name == "torch" && version && answer.choice &&
                                         version->public_text() == answer.choice->torch;
                                });
  if (same) return;
  for (const LibraryArch& row : knowledge.library_archs()) {
    if (row.library == "torch-abi" && row.scope == package.name)
      answer.caveats.push_back(
          {"solve.caveat.pin-built",
           {{"package", package.name}, {"source", std::string(row.basis.sources)}}});
  }
}

}  // namespace

bool is_about_one_torch(const Said& caveat) {
  return caveat.key.starts_with("solve.caveat.pin-") ||
         caveat.key.starts_with("solve.caveat.companion-pin");
}

bool is_about_third_party(const Said& caveat) {
  return caveat.key == "solve.caveat.third-party";
}

bool is_below_floor(std::string_view package, std::string_view version, const DottedVersion& cuda,
                    const Request& request, const Card& card, const Knowledge& knowledge) {
  const LibraryArch* row =
      row_of({std::string(package), std::string(version)}, cuda, request, knowledge);
  return row != nullptr && needs_newer(*row, card);
}

void say_companions(Answer& answer, const Request& request, const DottedVersion& cuda,
                    const Knowledge& knowledge) {
  std::vector<std::string> said;
  for (const std::string& word : request.also) {
    const Package package = package_of(word);
    if (binds_torch(package.name)) continue;
    said.push_back(package.name);
    const LibraryArch* row = row_of(package, cuda, request, knowledge);
    if (row != nullptr && !row->capability_min.empty()) {
      say_cards(answer, request, package, *row, true);
    } else {
      answer.caveats.push_back({"solve.caveat.also", {{"package", word}}});
    }
    say_pin(answer, package, true, knowledge);
  }
  // What stays as it is can keep a torch that stays too.
  const bool changes = answer.verdict != PlanVerdict::keep;
  for (const Installed& installed : request.installed) {
    if (is_torchs_own(installed.name) ||
        std::find(said.begin(), said.end(), installed.name) != said.end())
      continue;
    const Package package{installed.name, installed.version};
    if (const LibraryArch* row = row_of(package, cuda, request, knowledge))
      say_cards(answer, request, package, *row, false);
    if (!changes) continue;
    say_pin(answer, package, false, knowledge);
    say_built_against(answer, package, request, knowledge);
  }
}

}  // namespace kernelfit::solving
