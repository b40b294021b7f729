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
  VersionSpecifier asked;     // "<2.8"; empty: any
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
  if (!exact) out.asked = VersionSpecifier::parse(specifier).value_or(VersionSpecifier());
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

// The newest version of the row that was asked for: its ends, and what the clauses themselves name.
std::optional<PackageVersion> newest_asked(const LibraryArch& row, const VersionSpecifier& asked) {
  const auto low = PackageVersion::parse(row.version_min),
             high = PackageVersion::parse(row.version_max);
  std::vector<std::string> texts = {std::string(row.version_min), std::string(row.version_max)};
  for (const std::string_view clause : split(asked.text(), ',')) {
    const std::size_t digits = clause.find_first_of("0123456789");
    if (digits != std::string_view::npos) texts.emplace_back(clause.substr(digits));
  }
  std::optional<PackageVersion> best;
  for (const std::string& text : texts) {
    const auto version = PackageVersion::parse(text);
    const bool inside = version && (!low || *version >= *low) && (!high || *version <= *high);
    if (inside && asked.contains(*version) && (!best || *version > *best)) best = version;
  }
  return best;
}

// Of the releases that were asked for, the newest that the table has for this CUDA.
const LibraryArch* newest_row(const Package& package, const DottedVersion& cuda,
                              const std::string& here, const Knowledge& knowledge) {
  std::optional<PackageVersion> best;
  const LibraryArch* newest = nullptr;
  for (const LibraryArch& row : knowledge.library_archs()) {
    if (row.library != package.name) continue;
    const auto version = newest_asked(row, package.asked);
    if (!version || (best && *version <= *best)) continue;
    const auto* found = library_row(package.name, version->text(), cuda, knowledge, here);
    if (found == nullptr) continue;
    best = version;
    newest = found;
  }
  return newest;
}

// The row of its version; where none is named, the newest that the table has.
const LibraryArch* row_of(const Package& package, const DottedVersion& cuda, const Request& request,
                          const Knowledge& knowledge) {
  const std::string here = platform(request);
  if (!package.version.empty())
    return library_row(package.name, package.version, cuda, knowledge, here);
  if (package.asked.empty()) {
    if (const auto* open_end = library_row(package.name, {}, cuda, knowledge, here))
      return open_end;
  }
  return newest_row(package, cuda, here, knowledge);
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

// What the row says of the card, as doctor judges a library by table.
Verdict verdict_of(const LibraryArch& row, const Card& card, const DottedVersion& cuda) {
  if (!card.capability.has()) return Verdict::unknown;
  const std::vector<GpuArch> archs = parse_arch_list(row.sass);
  if (!archs.empty()) return code_for(archs, code_rule(card, cuda)).verdict;
  return range_verdict(range_of(row), *card.capability);
}

std::string_view key_for(const LibraryArch& row, const Card& card, const DottedVersion& cuda) {
  const Verdict verdict = verdict_of(row, card, cuda);
  if (runs(verdict)) return "companion-fits";
  if (verdict == Verdict::unknown) return "companion-unsure";
  return needs_newer(row, card) ? "companion-needs" : "companion-ends";
}

std::string cards_of(std::string_view key, const Request& request, const LibraryArch& row,
                     const DottedVersion& cuda) {
  std::vector<std::string> names;
  for (const Card& card : request.cards) {
    if (key_for(row, card, cuda) == key &&
        std::find(names.begin(), names.end(), card.label) == names.end())
      names.push_back(card.label);
  }
  return join(names, ", ");
}

std::string named(const Package& package) {
  const std::string& version = package.version.empty() ? package.asked.text() : package.version;
  return version.empty() ? package.name : package.name + " " + version;
}

Fill values_of(const Package& package, const LibraryArch& row, std::string cards) {
  return {{"package", package.name},
          {"named", named(package)},
          {"minimum", std::string(row.capability_min)},
          {"maximum", std::string(row.capability_max)},
          {"gpu", std::move(cards)},
          {"source", std::string(row.basis.sources)}};
}

// A wish that no change of torch meets.
void add_conflict(Answer& answer, const Request& request, const Package& package,
                  const LibraryArch& row, const DottedVersion& cuda, const Knowledge& knowledge) {
  Conflict out;
  const LibraryArch* newest = row_of({package.name, {}, {}}, cuda, request, knowledge);
  bool newest_serves = newest != nullptr && !newest->version_max.empty();
  for (const Card& card : request.cards) {
    const std::string_view key = key_for(row, card, cuda);
    if (key != "companion-needs" && key != "companion-ends") continue;
    if (out.parts.empty())
      out.parts.push_back({"package",
                           named(package),
                           {"solve.conflict." + std::string(key), values_of(package, row, {})}});
    out.parts.push_back(
        {"gpu",
         card.label,
         {"solve.conflict.gpu", {{"value", card.label}, {"capability", card.capability->text()}}}});
    newest_serves = newest_serves && runs(verdict_of(*newest, card, cuda));
  }
  if (out.parts.empty()) return;
  answer.in_part = true;
  if (answer.conflict) return;
  out.change = "package";
  out.advice = {
      newest_serves ? "solve.conflict.change.companion-newer" : "solve.conflict.change.companion",
      values_of(package, row, out.parts[1].value)};
  if (newest_serves) out.advice.values.emplace_back("right", newest->version_max);
  answer.conflict = std::move(out);
}

void say_cards(Answer& answer, const Request& request, const Package& package,
               const LibraryArch& row, bool asked, const DottedVersion& cuda) {
  for (const std::string_view key :
       {"companion-needs", "companion-ends", "companion-unsure", "companion-fits"}) {
    if (key == "companion-fits" && !asked) continue;
    std::string cards = cards_of(key, request, row, cuda);
    if (cards.empty()) continue;
    answer.caveats.push_back(
        {"solve.caveat." + std::string(key), values_of(package, row, std::move(cards))});
  }
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
      row_of({std::string(package), std::string(version), {}}, cuda, request, knowledge);
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
      say_cards(answer, request, package, *row, true, cuda);
      add_conflict(answer, request, package, *row, cuda, knowledge);
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
    const Package package{installed.name, installed.version, {}};
    if (const LibraryArch* row = row_of(package, cuda, request, knowledge))
      say_cards(answer, request, package, *row, false, cuda);
    if (!changes) continue;
    say_pin(answer, package, false, knowledge);
    say_built_against(answer, package, request, knowledge);
  }
}

}  // namespace kernelfit::solving
