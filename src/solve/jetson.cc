// SPDX-License-Identifier: Apache-2.0
#include "solve/jetson.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"
#include "knowledge/probe_rows.h"
#include "solve/fitter.h"

namespace kernelfit::solving {
namespace {

// How near a row's JetPack is to the board's: 3 the same, 2 its line ("6.x", "5.1.x", 6.2 for
// 6.2.1), 1 an older one of the same major, 0 another.
int jetpack_nearness(std::string_view cell, const DottedVersion& jetpack) {
  int best = 0;
  for (const std::string_view word : split_words(cell)) {
    if (word.ends_with(".x")) {
      const auto line = DottedVersion::parse(word.substr(0, word.size() - 2));
      if (line && jetpack.first(line->size()) == *line) best = std::max(best, 2);
      continue;
    }
    const auto named = DottedVersion::parse(word);
    if (!named) continue;
    if (*named == jetpack) return 3;
    if (named->first(2) == jetpack.first(2)) best = std::max(best, 2);
    if (named->major() == jetpack.major() && *named < jetpack) best = std::max(best, 1);
  }
  return best;
}

// "R36.4", "R34/R35", "R36+" beside the board's "36.4.3" or "R36.4".
int l4t_nearness(std::string_view cell, std::string_view l4t) {
  const auto board = DottedVersion::parse(l4t.starts_with('R') ? l4t.substr(1) : l4t);
  if (!board) return 0;
  for (std::string_view word : split(cell, '/')) {
    const bool open_end = word.ends_with('+');
    if (open_end) word.remove_suffix(1);
    if (!word.starts_with('R')) continue;
    const auto named = DottedVersion::parse(word.substr(1));
    if (!named) continue;
    if (board->first(named->size()) == *named) return named->size() > 1 ? 3 : 2;
    if (open_end && named->major() <= board->major()) return 2;
  }
  return 0;
}

bool lists(const JetsonTorch& row, ComputeCapability capability) {
  const auto listed = split(row.capability, ';');
  return std::find(listed.begin(), listed.end(), capability.text()) != listed.end();
}

bool serves_cards(const JetsonTorch& row, const Request& request) {
  return std::all_of(request.cards.begin(), request.cards.end(), [&](const Card& card) {
    return !card.capability.has() || lists(row, *card.capability);
  });
}

// Without a JetPack only boards get here for which it does not matter.
int nearness(const JetsonTorch& row, const Request& request) {
  const auto jetpack = DottedVersion::parse(request.jetpack);
  if (jetpack) return jetpack_nearness(row.jetpack, *jetpack);
  if (!request.l4t.empty()) return l4t_nearness(row.l4t, request.l4t);
  return serves_cards(row, request) ? 1 : 0;
}

// "6.0 DP" -> 6.0, "5.1.x" -> 5.1, "6.x 7.x" -> 6 and 7.
std::vector<DottedVersion> jetpacks_of(const JetsonTorch& row) {
  std::vector<DottedVersion> out;
  for (std::string_view word : split_words(row.jetpack)) {
    if (word.ends_with(".x")) word.remove_suffix(2);
    if (const auto version = DottedVersion::parse(word)) out.push_back(*version);
  }
  return out;
}

// The first and the last of NVIDIA's rows for a capability.
struct Span {
  const JetsonTorch* first = nullptr;
  const JetsonTorch* last = nullptr;
};

Span span_of(ComputeCapability capability, const Knowledge& knowledge) {
  Span out;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    if (is_community(row) || !lists(row, capability) || jetpacks_of(row).empty()) continue;
    const DottedVersion here = jetpacks_of(row).front();
    if (out.first == nullptr || here < jetpacks_of(*out.first).front()) out.first = &row;
    if (out.last == nullptr || here > jetpacks_of(*out.last).front()) out.last = &row;
  }
  return out;
}

// The board's JetPack; of an L4T release the nearest row's. Empty: not known.
DottedVersion board_jetpack(const Request& request, const Knowledge& knowledge) {
  if (const auto jetpack = DottedVersion::parse(request.jetpack)) return *jetpack;
  DottedVersion best;
  int nearest = 0;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const int here =
        request.l4t.empty() || is_community(row) ? 0 : l4t_nearness(row.l4t, request.l4t);
    if (here <= nearest || jetpacks_of(row).empty()) continue;
    best = jetpacks_of(row).front();
    nearest = here;
  }
  return best;
}

Conflict::Part jetpack_part(const DottedVersion& jetpack) {
  return {"jetpack", jetpack.text(), {"solve.conflict.jetpack", {{"value", jetpack.text()}}}};
}

// A community row of several JetPacks and several boards does not say which goes with which.
bool bridges(const JetsonTorch& row, const Card& card, const Request& request) {
  return is_community(row) && jetpacks_of(row).size() == 1 && lists(row, *card.capability) &&
         nearness(row, request) > 1;
}

// NVIDIA's table for the board begins later or ended earlier, and no community build bridges it.
std::optional<Said> why_apart(const Card& card, const DottedVersion& jetpack,
                              const Request& request, const Knowledge& knowledge) {
  const Span span = span_of(*card.capability, knowledge);
  if (span.first == nullptr) return std::nullopt;
  const DottedVersion first = jetpacks_of(*span.first).front();
  const DottedVersion last = jetpacks_of(*span.last).front();
  const Fill values = {
      {"value", card.label}, {"first", first.text()}, {"last", std::string(span.last->jetpack)}};
  if (jetpack.first(first.size()) < first) return Said{"solve.conflict.gpu-jetpack-first", values};
  if (jetpack.first(2) <= last.first(2)) return std::nullopt;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    if (bridges(row, card, request)) return std::nullopt;
  }
  return Said{"solve.conflict.gpu-jetpack-last", values};
}

int form_rank(const JetsonTorch& row, const Request& request) {
  if (is_wheel_for(row, request.python)) return 2;
  return is_wheel(row) ? 1 : 0;
}

PackageVersion public_version(std::string_view text) {
  return PackageVersion::parse(text.substr(0, text.find('+'))).value_or(PackageVersion());
}

// "nv24.9" and "24.09" are one release.
bool same_release(std::string_view word, std::string_view release) {
  if (!word.starts_with("nv") || release.empty()) return false;
  const auto installed = DottedVersion::parse(word.substr(2));
  const auto named = DottedVersion::parse(release);
  return installed && named && *installed == *named;
}

// How surely an installed version is a row: 3 by its release, 2 by its commit, 0 not at all.
int likeness(const PackageVersion& version, const JetsonTorch& row) {
  if (is_community(row) || version.local().empty()) return 0;
  const std::string& local = version.local();
  const std::size_t nv = local.find("nv");
  if (nv != std::string::npos && same_release(std::string_view(local).substr(nv), row.ngc_release))
    return 3;
  const auto named = PackageVersion::parse(row.torch);
  const std::string commit = local.substr(0, local.find('.'));
  return named && !named->local().empty() && named->local() == commit ? 2 : 0;
}

}  // namespace

bool is_jetson(const Request& request) {
  return !request.jetpack.empty() || !request.l4t.empty();
}

bool is_board(const Request& request) {
  return is_jetson(request) || std::any_of(request.cards.begin(), request.cards.end(),
                                           [](const Card& card) { return card.tegra; });
}

bool is_community(const JetsonTorch& row) {
  return row.form.starts_with("community");
}
// The images of JetPack 4 and 5 are other ones (l4t-pytorch), whose tags no table holds.
bool is_container(const JetsonTorch& row) {
  const bool named = row.l4t.starts_with("R36") || row.l4t.starts_with("R38");
  return !is_community(row) && contains(row.form, "container") && named &&
         !row.ngc_release.empty() && row.basis.confidence != Confidence::low;
}

bool is_wheel(const JetsonTorch& row) {
  return contains(row.form, "wheel") || is_community(row);
}

bool is_wheel_for(const JetsonTorch& row, const Fact<DottedVersion>& python) {
  return is_wheel(row) && (!python.has() || contains_word(row.python, python->first(2).text()));
}

bool grants(const JetsonTorch& row, const Wish& wish) {
  const auto version = PackageVersion::parse(row.torch);
  if (!version || !wish.version.contains(public_version(row.torch))) return false;
  const bool paired = std::all_of(wish.pairs.begin(), wish.pairs.end(), [&](const PairWish& pair) {
    return std::any_of(pair.torches.begin(), pair.torches.end(), [&](const PackageVersion& torch) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (torch.release(i) != version->release(i)) return false;
      }
      return true;
    });
  });
  if (!paired) return false;
  return wish.build.empty() || wish.build.substr(0, wish.build.find('.')) == version->local();
}

bool is_of_jetpack(const JetsonTorch& row, const Request& request) {
  return nearness(row, request) > 1;
}

bool has_jetson_builds(const Card& card, const Knowledge& knowledge) {
  return span_of(*card.capability, knowledge).first != nullptr;
}

std::vector<ComputeCapability> boards_of(std::string_view jetpack, const Knowledge& knowledge) {
  std::set<ComputeCapability> out;
  const auto version = DottedVersion::parse(jetpack);
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    if (!version || is_community(row) || jetpack_nearness(row.jetpack, *version) < 2) continue;
    for (const std::string_view cell : split(row.capability, ';')) {
      if (const auto capability = ComputeCapability::parse(cell)) out.insert(*capability);
    }
  }
  return {out.begin(), out.end()};
}

std::vector<std::string> known_jetpacks(const Knowledge& knowledge) {
  std::vector<std::string> problems, out;
  std::set<DottedVersion> seen;
  for (const JetpackRow& row : jetpack_rows(knowledge, problems)) {
    const auto version = DottedVersion::parse(row.jetpack);
    if (version) seen.insert(*version);
  }
  for (const DottedVersion& version : seen) out.push_back(version.text());
  return out;
}

bool is_known_line(const DottedVersion& jetpack, const Knowledge& knowledge) {
  const std::vector<std::string> known = known_jetpacks(knowledge);
  return std::any_of(known.begin(), known.end(), [&](const std::string& one) {
    return DottedVersion::parse(one)->first(2) == jetpack.first(2);
  });
}

std::optional<Conflict> no_such_board(const Request& request, const Knowledge& knowledge) {
  const DottedVersion jetpack = board_jetpack(request, knowledge);
  if (jetpack.empty()) return std::nullopt;
  for (const Card& card : request.cards) {
    if (!card.capability.has() || !card.tegra) continue;
    const auto apart = why_apart(card, jetpack, request, knowledge);
    if (!apart) continue;
    Conflict out;
    out.parts = {{"gpu", card.label, *apart}, jetpack_part(jetpack)};
    out.change = "jetpack";
    out.advice = {"solve.conflict.change.jetpack", {{"value", jetpack.text()}}};
    return out;
  }
  return std::nullopt;
}

std::vector<const JetsonTorch*> jetson_rows(const Request& request, const Knowledge& knowledge) {
  std::vector<const JetsonTorch*> out;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const bool usable =
        is_community(row) ? is_wheel_for(row, request.python) : is_wheel(row) || is_container(row);
    if (nearness(row, request) > 0 && usable && serves_cards(row, request)) out.push_back(&row);
  }
  const auto key = [&](const JetsonTorch* row) {
    return std::make_tuple(!is_community(*row), nearness(*row, request), form_rank(*row, request),
                           public_version(row->torch), std::string_view(row->ngc_release));
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto* a, const auto* b) { return key(a) > key(b); });
  return out;
}

const JetsonTorch* jetson_row_of(const PackageVersion& version, const Request& request,
                                 const Knowledge& knowledge) {
  const JetsonTorch* best = nullptr;
  int surest = 0;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    if (public_version(row.torch).text() != version.public_text()) continue;
    const int here = likeness(version, row) * 10 + nearness(row, request);
    if (likeness(version, row) > 0 && here > surest) best = &row, surest = here;
  }
  return best;
}

const JetsonTorch* plain_row_of(const PackageVersion& version, const Request& request,
                                const Knowledge& knowledge) {
  if (!version.local().empty()) return nullptr;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const auto named = PackageVersion::parse(row.torch);
    if (row.ngc_release.empty() && named && *named == version && nearness(row, request) > 0 &&
        serves_cards(row, request))
      return &row;
  }
  return nullptr;
}

bool serves_board(const JetsonTorch& row, const Request& request, const Knowledge& knowledge) {
  if (!serves_cards(row, request)) return false;
  const DottedVersion jetpack = board_jetpack(request, knowledge);
  const std::vector<DottedVersion> made_for = jetpacks_of(row);
  return jetpack.empty() || std::any_of(made_for.begin(), made_for.end(), [&](const auto& one) {
           return one.major() == jetpack.major();
         });
}

bool is_of_newer_jetpack(const JetsonTorch& row, const Request& request,
                         const Knowledge& knowledge) {
  const DottedVersion jetpack = board_jetpack(request, knowledge);
  const std::vector<DottedVersion> made_for = jetpacks_of(row);
  return !jetpack.empty() && !made_for.empty() && made_for.front().first(2) > jetpack.first(2);
}

DottedVersion jetpack_cuda(const Request& request, const Knowledge& knowledge) {
  if (!is_board(request)) return {};
  DottedVersion best;
  int nearest = 0;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const auto cuda = DottedVersion::parse(row.cuda);  // a range is not one CUDA
    const int here = nearness(row, request);
    if (!cuda || here < nearest || here == 0) continue;
    if (here > nearest || *cuda > best) best = *cuda;
    nearest = here;
  }
  return best;
}

std::string community_index(const JetsonTorch& row, const Request& request,
                            const Knowledge& knowledge) {
  const std::string_view host = "pypi.jetson-ai-lab.io/";
  const auto index_of = [&](const JetsonTorch& one) -> std::string {
    const std::size_t at = one.form.find(host);
    if (at == std::string_view::npos) return {};
    return "https://" + std::string(one.form.substr(at, one.form.find(')', at) - at));
  };
  if (std::string own = index_of(row); !own.empty()) return own;
  for (const JetsonTorch& other : knowledge.jetson_torch()) {
    if (is_community(other) && nearness(other, request) > 0 && serves_cards(other, request) &&
        !index_of(other).empty())
      return index_of(other);
  }
  return {};
}

Choice jetson_choice(const JetsonTorch& row, JetsonForm form, const Request& request) {
  Choice out;
  out.jetson = &row;
  out.torch = row.torch;
  out.channel = "jetson";
  const bool wheel = form == JetsonForm::wheel;
  out.build_name = wheel ? "wheel" : "container";
  const auto pythons = split_words(row.python);
  if (wheel && request.python.has() && is_wheel_for(row, request.python))
    out.python = request.python->first(2);
  else if (!pythons.empty())
    out.python = dotted(pythons.front());
  out.confidence = row.basis.confidence;
  for (const Card& card : request.cards) {
    PerGpu gpu;
    gpu.gpu = card.label;
    gpu.runs = Verdict::native;
    out.per_gpu.push_back(std::move(gpu));
  }
  return out;
}

Conflict jetson_wish_conflict(const Wish& wish, const JetsonTorch& instead,
                              const Request& request) {
  Conflict out;
  if (!wish.build.empty())
    out.parts.push_back({"build", wish.build, {"solve.conflict.build", {{"value", wish.build}}}});
  if (!wish.version.empty())
    out.parts.push_back(
        {"torch", wish.version.text(), {"solve.conflict.torch", {{"value", wish.version.text()}}}});
  for (const PairWish& pair : wish.pairs) out.parts.push_back(part_of(pair));
  for (const Card& card : request.cards)
    out.parts.push_back(
        {"gpu",
         card.label,
         {"solve.conflict.gpu", {{"value", card.label}, {"capability", card.capability->text()}}}});
  if (const auto jetpack = DottedVersion::parse(request.jetpack))
    out.parts.push_back(jetpack_part(*jetpack));
  if (wish.version.empty() && wish.build.empty() && !wish.pairs.empty()) {
    const Conflict::Part pinned = part_of(wish.pairs.front());
    out.change = pinned.kind;
    out.advice = {"solve.conflict.change.pair",
                  {{"package", pinned.kind}, {"value", pinned.value}}};
    return out;
  }
  out.change = wish.version.empty() ? "build" : "torch";
  out.advice = {"solve.conflict.change.torch-jetson",
                {{"value", wish.version.empty() ? wish.build : wish.version.text()},
                 {"torch", std::string(instead.torch)}}};
  return out;
}

}  // namespace kernelfit::solving
