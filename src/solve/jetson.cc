// SPDX-License-Identifier: Apache-2.0
#include "solve/jetson.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
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

int nearness(const JetsonTorch& row, const Request& request) {
  const auto jetpack = DottedVersion::parse(request.jetpack);
  if (jetpack) return jetpack_nearness(row.jetpack, *jetpack);
  return l4t_nearness(row.l4t, request.l4t);
}

bool serves_cards(const JetsonTorch& row, const Request& request) {
  const auto listed = split(row.capability, ';');
  return std::all_of(request.cards.begin(), request.cards.end(), [&](const Card& card) {
    if (!card.capability.has()) return true;
    return std::find(listed.begin(), listed.end(), card.capability->text()) != listed.end();
  });
}

}  // namespace

bool is_jetson(const Request& request) {
  return !request.jetpack.empty() || !request.l4t.empty();
}

bool is_community(const JetsonTorch& row) {
  return row.form.starts_with("community");
}
bool is_container(const JetsonTorch& row) {
  return !is_community(row) && contains(row.form, "container");
}

bool is_wheel_for(const JetsonTorch& row, const Fact<DottedVersion>& python) {
  const bool wheel = contains(row.form, "wheel") || is_community(row);
  return wheel && (!python.has() || contains_word(row.python, python->first(2).text()));
}

std::vector<const JetsonTorch*> jetson_rows(const Request& request, const Knowledge& knowledge) {
  std::vector<const JetsonTorch*> out;
  for (const JetsonTorch& row : knowledge.jetson_torch()) {
    const bool usable = is_container(row) || is_wheel_for(row, request.python);
    if (nearness(row, request) > 0 && usable && serves_cards(row, request)) out.push_back(&row);
  }
  const auto key = [&](const JetsonTorch* row) {
    return std::make_tuple(!is_community(*row), nearness(*row, request),
                           is_wheel_for(*row, request.python),
                           PackageVersion::parse(row->torch).value_or(PackageVersion()),
                           std::string_view(row->ngc_release));
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const auto* a, const auto* b) { return key(a) > key(b); });
  return out;
}

DottedVersion jetpack_cuda(const Request& request, const Knowledge& knowledge) {
  if (!is_jetson(request)) return {};
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

Choice jetson_choice(const JetsonTorch& row, const Request& request) {
  Choice out;
  out.jetson = &row;
  out.torch = row.torch;
  out.channel = "jetson";
  const bool wheel = is_wheel_for(row, request.python);
  out.build_name = wheel ? "wheel" : "container";
  out.python =
      wheel && request.python.has()
          ? request.python->first(2)
          : DottedVersion::parse(split_words(row.python).empty() ? std::string_view()
                                                                 : split_words(row.python).front())
                .value_or(DottedVersion());
  out.confidence = row.basis.confidence;
  for (const Card& card : request.cards) {
    PerGpu gpu;
    gpu.gpu = card.label;
    gpu.runs = Verdict::native;
    out.per_gpu.push_back(std::move(gpu));
  }
  return out;
}

}  // namespace kernelfit::solving
