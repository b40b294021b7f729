// SPDX-License-Identifier: Apache-2.0
#include "solve/conflict.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "solve/fitter.h"
#include "solve/host_conflict.h"
#include "solve/jetson.h"
#include "solve/python_fit.h"

namespace kernelfit::solving {
namespace {

using Set = std::uint32_t;

// The facts of a request, each with the builds that it alone would allow.
class Facts {
 public:
  Facts(const Request& request, const Wish& wish, const Knowledge& knowledge)
      : request_(request), wish_(wish), knowledge_(knowledge) {
    if (!wish.build.empty()) add("build", wish.build);
    add_torch();
    for (const PairWish& pair : wish.pairs) {
      if (parts_.size() > 8) break;
      pairs_.emplace(parts_.size(), &pair);
      parts_.push_back(part_of(pair));
    }
    for (const Card& card : request.cards) add_card(card);
    if (request.driver.has()) add("driver", request.driver->text());
    if (request.python.has())
      add("python", request.python->first(2).text() + (request.free_threaded ? "t" : ""));
    if (request.glibc.has()) add("glibc", request.glibc->text());
    if (request.glibc.is_absent()) {
      add("glibc", "musl");
      parts_.back().because.key = "solve.conflict.musl";
    }
    add("os", request.os);
    for (const TorchBuild& build : knowledge.torch_builds()) {
      if (!build.cuda.empty()) allowed_.push_back(allow(build));
    }
  }

  Set all() const { return (Set{1} << parts_.size()) - 1; }

  bool can_hold(Set facts) const {
    if (has(facts, "os") && flavors_conflict(cards_in(facts), request_.os)) return false;
    if (has(facts, "os") && unserved_in_wsl(facts) != nullptr) return false;
    std::size_t index = 0;
    for (const TorchBuild& build : knowledge_.torch_builds()) {
      if (build.cuda.empty()) continue;
      const Allowed& here = allowed_[index++];
      const Set simple = facts & ~driver_bit_;
      if ((here.facts & simple) == simple && driver_holds(build, here, facts)) return true;
    }
    return false;
  }

  // Smallest first; of equal size the one whose facts come first.
  std::optional<Set> smallest_conflict() const {
    if (can_hold(all())) return std::nullopt;
    for (int size = 1; size <= std::popcount(all()); ++size) {
      for (Set facts = 1; facts <= all(); ++facts) {
        if (std::popcount(facts) == size && !can_hold(facts)) return facts;
      }
    }
    return std::nullopt;
  }

  Conflict describe(Set facts) const {
    Conflict out;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (facts & (Set{1} << i)) out.parts.push_back(parts_[i]);
    }
    say_builds(out, facts);
    if (has(facts, "os") && flavors_conflict(cards_in(facts), request_.os)) say_flavors(out, facts);
    if (const Card* card = has(facts, "os") ? unserved_in_wsl(facts) : nullptr) {
      Request alone = request_;
      alone.cards = {*card};
      return *host_conflict(alone, knowledge_);
    }
    out.change = kind_to_change(facts);
    if (out.change.empty() && say_several(out)) return out;
    std::string key = out.change.empty() ? "none" : out.change;
    if (out.parts.size() == 1 && key == "gpu") key = "gpu-alone";
    if (key == "build" && !has(facts, "gpu") && !has(facts, "driver"))
      key = has(facts, "glibc") || has(facts, "python") ? "build-unfit" : "build-never";
    if (key == "glibc" && request_.glibc.is_absent()) key = "musl";
    if (is_pair(out.change)) key = out.parts.size() == 1 ? "pair-unknown" : "pair";
    if (out.change == "package") key = "package";
    // Nothing of the machine stands against it.
    if (key == "torch" && out.parts.size() > 1 && !has_machine(facts)) key = "torch-alone";
    out.advice = {"solve.conflict.change." + key,
                  {{"value", value_of(facts, out.change)}, {"package", out.change}}};
    return out;
  }

 private:
  struct Allowed {
    Set facts = 0;
    Set by_ptx = 0;  // cards that have only PTX there
  };

  void add(std::string kind, std::string value) {
    if (kind == "driver") driver_bit_ = Set{1} << parts_.size();
    Said because{"solve.conflict." + kind, {{"value", value}}};
    parts_.push_back({std::move(kind), std::move(value), std::move(because)});
  }

  // One part; where no release is all of it, one for each of its clauses.
  void add_torch() {
    if (wish_.version.empty()) return;
    const auto& builds = knowledge_.torch_builds();
    const bool any = std::any_of(builds.begin(), builds.end(), [&](const TorchBuild& build) {
      return wish_.version.contains(build.version);
    });
    const auto clauses = split(wish_.version.text(), ',');
    if (any || clauses.size() > 6) return add("torch", wish_.version.text());
    for (const std::string_view clause : clauses) {
      const auto specifier = VersionSpecifier::parse(trim(clause));
      if (!specifier || specifier->empty()) continue;
      clauses_.emplace(parts_.size(), *specifier);
      add("torch", specifier->text());
    }
  }

  void add_card(const Card& card) {
    const bool known = std::any_of(cards_.begin(), cards_.end(), [&](const auto& other) {
      return other.second->label == card.label;
    });
    if (known || parts_.size() > 12) return;
    card_bits_ |= Set{1} << parts_.size();
    cards_.emplace(parts_.size(), &card);
    floors_.emplace(parts_.size(), cuda_floor(card, knowledge_));
    add("gpu", card.label);
    Said& because = parts_.back().because;
    const int last = last_branch_of(card, driver_os(request_));
    because.values.emplace_back("capability",
                                card.capability.has() ? card.capability->text() : "?");
    because.values.emplace_back("first", std::to_string(card.first_branch));
    because.values.emplace_back("last", std::to_string(last));
    because.key = last > 0 ? "solve.conflict.gpu-last" : "solve.conflict.gpu-first";
    if (card.tegra || !card.branch_known) because.key = "solve.conflict.gpu";
  }

  const Card* unserved_in_wsl(Set facts) const {
    if (request_.os != "wsl") return nullptr;
    for (const auto& [index, card] : cards_) {
      if ((facts & (Set{1} << index)) && wsl_support(*card, knowledge_) == WslSupport::none)
        return card;
    }
    return nullptr;
  }

  // Its torch has more builds than the pair itself: that is then what stands in the way.
  void say_builds(Conflict& out, Set facts) const {
    if (!has(facts, "build") && !has(facts, "gpu") && !has(facts, "driver")) return;
    for (const auto& [index, pair] : pairs_) {
      if (!(facts & (Set{1} << index)) || pair->rows.empty()) continue;
      const std::vector<std::string> builds = builds_of(*pair);
      if (builds.empty()) continue;
      const std::string value = part_of(*pair).value;
      for (Conflict::Part& part : out.parts) {
        if (part.kind == pair->package && part.value == value)
          part.because = {
              "solve.conflict.pair-builds",
              {{"package", part.kind}, {"value", value}, {"builds", join(builds, ", ")}}};
      }
    }
  }

  // Where it can be had on this system; empty: wherever its torch can.
  std::vector<std::string> builds_of(PairWish pair) const {
    pair.build.clear();
    std::set<std::string> builds;
    bool fewer = false;
    for (const TorchBuild& row : knowledge_.torch_builds()) {
      if (row.platform != platform_ || row.channel != "pip" || row.cuda.empty() ||
          !pair.allows(row.version, row.build))
        continue;
      if (pair.allows(row))
        builds.emplace(row.build);
      else
        fewer = true;
    }
    if (!fewer) return {};
    return {builds.begin(), builds.end()};
  }

  // It is the kernel module that parts them, not their code.
  void say_flavors(Conflict& out, Set facts) const {
    const std::vector<Card> cards = cards_in(facts);
    for (Conflict::Part& part : out.parts) {
      if (part.kind == "os") part.because.key = "solve.conflict.os-one-module";
      for (const Card& card : cards) {
        if (part.kind == "gpu" && part.value == card.label)
          part.because.key = "solve.conflict.gpu-" + std::string(module_flavor_for(card));
      }
    }
  }

  static bool is_pair(std::string_view kind) {
    return kind == "torchvision" || kind == "torchaudio" || kind == "triton" || kind == "package";
  }

  bool has_machine(Set facts) const {
    for (const std::string_view kind : {"gpu", "driver", "python", "glibc", "os"}) {
      if (has(facts, kind)) return true;
    }
    return false;
  }

  bool has(Set facts, std::string_view kind) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if ((facts & (Set{1} << i)) && parts_[i].kind == kind) return true;
    }
    return false;
  }

  std::vector<Card> cards_in(Set facts) const {
    std::vector<Card> out;
    for (const auto& [index, card] : cards_) {
      if (facts & (Set{1} << index)) out.push_back(*card);
    }
    return out;
  }

  bool allows(std::size_t index, const TorchBuild& build) const {
    const Conflict::Part& part = parts_[index];
    if (const auto pair = pairs_.find(index); pair != pairs_.end())
      return pair->second->allows(build);
    if (const auto clause = clauses_.find(index); clause != clauses_.end())
      return Wish{clause->second, {}}.granted_by(build);
    if (part.kind == "build") return build.build == wish_.build;
    if (part.kind == "torch") return Wish{wish_.version, {}}.granted_by(build);
    if (part.kind == "python")
      return serves_python(build, *request_.python, request_.free_threaded, knowledge_);
    if (part.kind == "glibc") return glibc_serves(build, request_.glibc, knowledge_);
    if (part.kind == "os") return build.platform == platform_;
    return true;  // the driver is judged together with the cards
  }

  Allowed allow(const TorchBuild& build) const {
    Allowed out;
    std::vector<GpuArch> archs = build.sass;
    archs.insert(archs.end(), build.ptx.begin(), build.ptx.end());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Set bit = Set{1} << i;
      const auto card = cards_.find(i);
      if (card == cards_.end()) {
        if (allows(i, build)) out.facts |= bit;
        continue;
      }
      if (build.cuda < floors_.at(i)) continue;
      const Verdict verdict = code_for(archs, code_rule(*card->second, build.cuda)).verdict;
      if (runs(verdict)) out.facts |= bit;
      if (verdict == Verdict::ptx_jit) out.by_ptx |= bit;
    }
    return out;
  }

  // Asked for hundreds of builds and every set of cards, of few different CUDA versions.
  bool driver_holds(const TorchBuild& build, const Allowed& here, Set facts) const {
    const Set cards = facts & card_bits_;
    const bool needs_ptx = (here.by_ptx & cards) != 0;
    const DriverKey key{build.cuda.text() + " " + std::string(build.cuda_full), needs_ptx,
                        cards | (facts & driver_bit_)};
    const auto found = driver_answers_.find(key);
    if (found != driver_answers_.end()) return found->second;
    return driver_answers_[key] = ask_driver(build, needs_ptx, facts);
  }

  bool ask_driver(const TorchBuild& build, bool needs_ptx, Set facts) const {
    const std::vector<Card> cards = cards_in(facts);
    if (cards.empty() && !(facts & driver_bit_)) return true;
    if (!jetpack_cuda_.empty()) return build.cuda.major() <= jetpack_cuda_.major();
    if (is_board(request_)) return true;
    const DriverOs os = driver_os(request_);
    const DriverNeed need =
        driver_needed(build.cuda, build.cuda_full, needs_ptx, cards, os, knowledge_);
    if (need.impossible) return false;
    return !(facts & driver_bit_) ||
           driver_serves(request_.driver, need, os, knowledge_) == Verdict::native;
  }

  // A single card that only the driver, the glibc or the Python keeps from its builds, two of them
  // at once: the card is not what has to go.
  bool is_served_elsewhere(Set facts) const {
    return cards_.size() == 1 &&
           (has(facts, "driver") || has(facts, "glibc") || has(facts, "python"));
  }

  // What a person can change most easily, of those whose change helps.
  std::string kind_to_change(Set facts) const {
    if (std::popcount(facts) == 1) {
      const std::string& kind = parts_[static_cast<std::size_t>(std::countr_zero(facts))].kind;
      const bool helps = can_hold(all() & ~facts) || several_kinds().empty();
      return helps ? kind : std::string();
    }
    for (const std::string_view kind : {"torchvision", "torchaudio", "triton", "package", "build",
                                        "torch", "driver", "python", "glibc", "gpu", "os"}) {
      if (kind == "gpu" && is_served_elsewhere(facts)) continue;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Set bit = Set{1} << i;
        if ((facts & bit) && parts_[i].kind == kind && can_hold(all() & ~bit))
          return std::string(kind);
      }
    }
    return {};
  }

  Set bits_of(const std::vector<std::string_view>& kinds) const {
    Set out = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (std::find(kinds.begin(), kinds.end(), parts_[i].kind) != kinds.end()) out |= Set{1} << i;
    }
    return out;
  }

  // What of the machine has to change together, where one of it alone is not enough.
  std::vector<std::string_view> several_kinds() const {
    const std::vector<std::vector<std::string_view>> ways = {{"driver", "glibc"},
                                                             {"python", "glibc"},
                                                             {"driver", "python"},
                                                             {"driver", "python", "glibc"}};
    for (const auto& way : ways) {
      const auto there = static_cast<std::size_t>(std::popcount(bits_of(way)));
      if (there == way.size() && can_hold(all() & ~bits_of(way))) return way;
    }
    return {};
  }

  bool say_several(Conflict& out) const {
    const auto kinds = several_kinds();
    if (kinds.empty()) return false;
    out.change = kinds.front();
    out.also_change.assign(kinds.begin() + 1, kinds.end());
    const std::string glibc = value_of(all(), "glibc");
    out.advice = {"solve.conflict.change." + join({kinds.begin(), kinds.end()}, "-"),
                  {{"driver", value_of(all(), "driver")},
                   {"python", value_of(all(), "python")},
                   {"system", request_.glibc.is_absent() ? glibc : "glibc " + glibc}}};
    return true;
  }

  std::string value_of(Set facts, std::string_view kind) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if ((facts & (Set{1} << i)) && parts_[i].kind == kind) return parts_[i].value;
    }
    return {};
  }

  const Request& request_;
  const Wish& wish_;
  const Knowledge& knowledge_;
  std::string platform_ = platform(request_);
  std::vector<Conflict::Part> parts_;
  std::map<std::size_t, const Card*> cards_;  // by part
  std::map<std::size_t, const PairWish*> pairs_;
  std::map<std::size_t, VersionSpecifier> clauses_;  // of a torch that no release is
  std::map<std::size_t, DottedVersion> floors_;      // by part
  std::vector<Allowed> allowed_;                     // beside the CUDA builds
  using DriverKey = std::tuple<std::string, bool, Set>;
  mutable std::map<DriverKey, bool> driver_answers_;
  DottedVersion jetpack_cuda_ = jetpack_cuda(request_, knowledge_);
  Set driver_bit_ = 0, card_bits_ = 0;
};

}  // namespace

bool flavors_conflict(const std::vector<Card>& cards, std::string_view os) {
  if (os != "linux") return false;  // Windows has no such split; WSL uses its driver
  const auto any = [&](std::string_view flavor) {
    return std::any_of(cards.begin(), cards.end(),
                       [&](const Card& card) { return module_flavor_for(card) == flavor; });
  };
  return any("open") && any("proprietary");
}

std::optional<Conflict> find_conflict(const Request& request, const Wish& wish,
                                      const Knowledge& knowledge) {
  const Facts facts(request, wish, knowledge);
  const auto smallest = facts.smallest_conflict();
  if (!smallest) return std::nullopt;
  return facts.describe(*smallest);
}

}  // namespace kernelfit::solving
