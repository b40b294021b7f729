// SPDX-License-Identifier: Apache-2.0
#include "solve/solver.h"

#include <algorithm>

#include "base/text.h"
#include "solve/conflict.h"
#include "solve/explain.h"
#include "solve/host_conflict.h"
#include "solve/installed.h"
#include "solve/jetson.h"
#include "solve/pairs.h"
#include "solve/python_fit.h"
#include "solve/rank.h"

namespace kernelfit::solving {
namespace {

// A build that would do, and what has to change for it.
struct Found {
  const Candidate* candidate = nullptr;
  bool driver_changes = false, python_changes = false;
  explicit operator bool() const { return candidate != nullptr; }
};

class Solver {
 public:
  // `why_not`: where nothing fits, look for the conflict and for what fits without one card.
  Solver(const Request& request, const Knowledge& knowledge, bool why_not = true)
      : request_(request),
        knowledge_(knowledge),
        why_not_(why_not),
        fitter_(request, knowledge),
        ranking_(platform(request), knowledge),
        wish_(wish_of(request)),
        installed_(installed_torch(request, knowledge, fitter_)) {
    for (const TorchBuild& build : knowledge.torch_builds()) {
      Candidate candidate = fitter_.fit(build);
      if (candidate.has_code) candidates_.push_back(std::move(candidate));
    }
  }

  Answer answer() {
    if (auto good = keep_installed()) return *std::move(good);
    if (host_conflict(request_, knowledge_)) return nothing_fits();
    if (auto conda = from_conda()) return chosen(*conda, wish_);
    if (auto same = same_version()) return chosen(*same, wish_);
    const std::vector<Wish> wishes = weaker_wishes();
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      const Found found = find(wishes[i]);
      if (!found) continue;
      if (i == 0) return chosen(found, wishes[i]);
      return ungranted(found, wishes[i]);
    }
    if (is_jetson(request_)) return from_nvidia();
    return nothing_fits();
  }

 private:
  // --- choosing

  const Candidate* pick(const Wish& wish, bool any_driver, bool any_python) const {
    std::vector<const Candidate*> among;
    for (const Candidate& candidate : candidates_) {
      if (!wish.granted_by(*candidate.build) || !candidate.glibc_fits) continue;
      if (!any_python && !candidate.python_fits) continue;
      if (any_driver ? !candidate.driver_to_install.has_value() : !driver_fits(candidate)) continue;
      among.push_back(&candidate);
    }
    return ranking_.best(among, any_python);
  }

  bool driver_fits(const Candidate& candidate) const {
    return candidate.driver == Verdict::native ||
           (candidate.driver == Verdict::unknown && request_.driver.is_unknown());
  }

  // As things are; else with another driver; else with another Python; else with both.
  Found find(const Wish& wish) const {
    for (const auto& [driver, python] :
         {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
      if (python && !request_.python.has()) continue;
      const Candidate* best = pick(wish, driver, python);
      if (best != nullptr && python) best = pick_for_python(*best, wish, driver);
      if (best != nullptr) return {best, driver, python};
    }
    return {};
  }

  // Once the Python is settled the order is that of a question with this Python.
  const Candidate* pick_for_python(const Candidate& newest, const Wish& wish,
                                   bool any_driver) const {
    const DottedVersion python = best_python(*newest.build, knowledge_);
    std::vector<const Candidate*> among;
    for (const Candidate& candidate : candidates_) {
      const bool driver =
          any_driver ? candidate.driver_to_install.has_value() : driver_fits(candidate);
      if (driver && candidate.glibc_fits && wish.granted_by(*candidate.build) &&
          serves_python(*candidate.build, python, false, knowledge_) &&
          best_python(*candidate.build, knowledge_) == python)
        among.push_back(&candidate);
    }
    return among.empty() ? &newest : ranking_.best(among, false);
  }

  // The wish, the same version from another index, the wish's build of any version, no wish.
  std::vector<Wish> weaker_wishes() const {
    std::vector<Wish> out = {wish_};
    if (!wish_.version.empty() && !wish_.build.empty()) out.push_back({wish_.version, {}});
    if (!wish_.empty()) out.push_back({});
    return out;
  }

  // An installed torch that does not fit is best replaced by the same version from another index:
  // nothing else in the environment has to change.
  std::optional<Found> same_version() const {
    if (!installed_ || !wish_.empty()) return std::nullopt;
    const auto version = VersionSpecifier::parse("==" + installed_->version.public_text());
    if (!version) return std::nullopt;
    const Candidate* best = pick({*version, {}}, false, false);
    if (best == nullptr || tier(*best) != kWhole || !is_official(best->build->channel))
      return std::nullopt;
    return Found{best, false, false};
  }

  // conda's torch is best replaced by conda: the same version, else the newest. pip over it would
  // leave two torches, of which conda knows one.
  std::optional<Found> from_conda() const {
    if (!request_.conda || !installed_) return std::nullopt;
    std::vector<Wish> wishes = {wish_};
    const auto version = VersionSpecifier::parse("==" + installed_->version.public_text());
    if (wish_.empty() && version) wishes.insert(wishes.begin(), Wish{*version, {}});
    for (const Wish& wish : wishes) {
      std::vector<const Candidate*> among;
      for (const Candidate& candidate : candidates_) {
        if (candidate.fits && tier(candidate) == kWhole && wish.granted_by(*candidate.build) &&
            candidate.build->channel.starts_with("conda"))
          among.push_back(&candidate);
      }
      const auto own = [&](const Candidate* candidate) {
        return is_conda_channel(candidate->build->channel, request_.conda_channel);
      };
      // the same version from its own channel; the newest from any: `pytorch` ended with 2.5.1
      const bool same = &wish != &wishes.back();
      if (same && std::any_of(among.begin(), among.end(), own))
        std::erase_if(among, [&](const Candidate* candidate) { return !own(candidate); });
      if (const Candidate* best = ranking_.best(among, true)) return Found{best, false, false};
    }
    return std::nullopt;
  }

  // --- what is there already

  bool installed_is_wanted() const {
    const auto version = PackageVersion::parse(installed_->version.public_text());
    return version && (wish_.version.empty() || wish_.version.contains(*version)) &&
           (wish_.build.empty() || wish_.build == installed_->build);
  }

  // cuDNN is known to lack the card, and another build would have it.
  bool installed_lacks_cudnn() const {
    if (installed_->fit.whole || !installed_->fit.native || installed_->as->cudnn.empty())
      return false;
    const Candidate* other = pick({}, false, false);
    return other != nullptr && other->whole;
  }

  // Nothing where it has to be replaced.
  std::optional<Answer> keep_installed() {
    if (!installed_) return std::nullopt;
    if (installed_->jetson != nullptr && !installed_->read) return keep_jetson();
    if (!installed_->known) return unknown_installed();
    const Candidate& fit = installed_->fit;
    if (installed_->without_cuda || !fit.has_code || !installed_is_wanted()) return std::nullopt;
    if (host_conflict(request_, knowledge_)) return std::nullopt;
    if (driver_fits(fit)) {
      if (installed_lacks_cudnn()) return std::nullopt;
      return good_installed();
    }
    const bool another_runs = fit.driver == Verdict::driver_too_old && pick({}, false, false);
    if (another_runs || !fit.driver_to_install) return std::nullopt;
    Answer answer = installed_answer(PlanVerdict::update_driver);
    answer.keeps_installed = true;
    answer.after_driver = fit.driver_to_install;
    explain_driver(answer, request_, fit, knowledge_);
    return answer;
  }

  // NVIDIA's build for a JetPack of the board's line runs there.
  bool jetson_serves() const {
    return installed_ && installed_->jetson != nullptr &&
           serves_board(*installed_->jetson, request_, knowledge_);
  }

  std::optional<Answer> keep_jetson() const {
    if (!jetson_serves() || !grants(*installed_->jetson, wish_)) return std::nullopt;
    return jetson_is_there();
  }

  Answer jetson_is_there() const {
    Answer answer;
    answer.verdict = PlanVerdict::keep;
    answer.choice = jetson_choice(*installed_->jetson, JetsonForm::wheel, request_);
    answer.choice->torch = installed_->text;
    explain_jetson_keep(answer, request_, *installed_,
                        is_of_newer_jetpack(*installed_->jetson, request_, knowledge_));
    return answer;
  }

  Answer good_installed() {
    Answer answer = installed_answer(PlanVerdict::keep);
    explain_keep(answer, request_, installed_->text, installed_->fit);
    if (installed_->inferred)
      answer.caveats.push_back(
          {"solve.caveat.inferred",
           {{"installed", installed_->text}, {"row", installed_->as->version.text()}}});
    const auto wrong = wrong_component(request_, *installed_, knowledge_);
    if (!wrong) return answer;
    answer.why.front().key = "solve.why.torch-is-right";
    answer.verdict = PlanVerdict::fix_component;
    answer.why.push_back(wrong->why);
    answer.component = {wrong->package, wrong->version, wrong->wanted};
    return answer;
  }

  Answer installed_answer(PlanVerdict verdict) const {
    Answer answer;
    answer.verdict = verdict;
    answer.choice = choice(installed_->fit);
    answer.choice->torch = installed_->version.public_text();
    answer.choice->build_name = installed_->build;
    answer.choice->build = installed_->row;
    if (installed_->row == nullptr) answer.choice->torchvision.clear();
    if (installed_->row == nullptr) answer.choice->torchaudio.clear();
    if (installed_->row == nullptr) answer.choice->wheel_tags.clear();
    return answer;
  }

  Answer unknown_installed() const {
    Answer answer;
    answer.verdict = PlanVerdict::ask;
    answer.questions.push_back({"solve.ask.installed", {{"installed", installed_->text}}});
    return answer;
  }

  // --- answers

  Choice choice(const Candidate& candidate) const {
    Choice out;
    const TorchBuild& build = *candidate.build;
    out.build = &build;
    out.build_name = build.build;
    out.channel = build.channel;
    out.torch = build.version.text();
    const Specs specs = specs_for(build, install_row(build, knowledge_), knowledge_);
    out.torchvision = specs.torchvision;
    out.torchaudio = specs.torchaudio;
    const bool serves = request_.python.has() && candidate.python_fits;
    out.python = serves ? request_.python->first(2) : best_python(build, knowledge_);
    out.free_threaded = request_.free_threaded && candidate.python_fits;
    out.wheel_tags = wheel_tags(build, out.python, out.free_threaded, knowledge_);
    if (!is_board(request_)) out.driver = candidate.need;
    out.per_gpu = candidate.per_gpu;
    for (PerGpu& gpu : out.per_gpu) {
      if (gpu.runs == Verdict::native && !gpu.cudnn) gpu.runs = Verdict::partial;
    }
    out.confidence = build.basis.confidence;
    return out;
  }

  Answer chosen(const Found& found, const Wish& wish) {
    Answer answer;
    answer.choice = choice(*found.candidate);
    answer.verdict = installed_ ? PlanVerdict::reinstall : PlanVerdict::install;
    if (installed_) explain_installed(answer, request_, *installed_);
    if (found.python_changes) {
      answer.verdict = PlanVerdict::change_python;
      answer.after_python = answer.choice->python;
      explain_python(answer, request_, *found.candidate, candidates_);
    }
    if (found.driver_changes) {
      answer.verdict = PlanVerdict::update_driver;
      answer.after_driver = found.candidate->driver_to_install;
      explain_driver(answer, request_, *found.candidate, knowledge_);
    }
    explain_choice(answer, request_, *found.candidate, candidates_, knowledge_);
    if (wish.empty()) add_alternatives(answer, found);
    if (is_board(request_)) add_container(answer, jetson_rows(request_, knowledge_), {});
    if (!wish.empty()) add_without_change(answer, found);
    say_what_driver_brings(answer, found);
    return answer;
  }

  // The wish cannot be granted: the newest that fits, and what stands against the wish.
  Answer ungranted(const Found& found, const Wish& wish) {
    Answer answer = chosen(found, wish);
    answer.conflict = find_conflict(request_, wish_, knowledge_);
    const bool is_there = installed_ && installed_->fit.fits &&
                          installed_->version.public_text() == answer.choice->torch &&
                          installed_->build == answer.choice->build_name;
    if (is_there) {
      answer.verdict = PlanVerdict::keep;
      answer.why.clear();
      explain_keep(answer, request_, installed_->text, installed_->fit);
    }
    return answer;
  }

  Answer nothing_fits() {
    Answer answer;
    answer.verdict = PlanVerdict::no_build;
    answer.cpu_only = true;
    if (!why_not_) return answer;
    answer.conflict = find_conflict(request_, {}, knowledge_);
    explain_nothing(answer, request_, candidates_);
    add_without_a_card(answer);
    return answer;
  }

  // NVIDIA's wheel or container for the board's JetPack.
  Answer from_nvidia() {
    const auto rows = jetson_rows(request_, knowledge_);
    if (rows.empty()) return nothing_fits();
    const auto granted = std::find_if(rows.begin(), rows.end(), [&](const JetsonTorch* row) {
      return !is_community(*row) && grants(*row, wish_);
    });
    const JetsonTorch& row = granted == rows.end() ? *rows.front() : **granted;
    Answer answer = on_board(row);
    add_jetson_alternatives(answer, rows);
    const bool no_wish = wish_.empty() || granted != rows.end();
    if (no_wish) return answer;
    if (jetson_serves()) {
      std::vector<Choice> others = std::move(answer.alternatives);
      answer = jetson_is_there();
      answer.alternatives = std::move(others);
    }
    answer.conflict = jetson_wish_conflict(wish_, row, request_);
    return answer;
  }

  Answer on_board(const JetsonTorch& row) const {
    Answer answer;
    const JetsonForm form = is_wheel(row) ? JetsonForm::wheel : JetsonForm::container;
    answer.choice = jetson_choice(row, form, request_);
    answer.verdict = installed_ ? PlanVerdict::reinstall : PlanVerdict::install;
    if (installed_) explain_jetson_installed(answer, request_, *installed_);
    explain_jetson(answer, request_, *answer.choice);
    if (form == JetsonForm::wheel && !is_wheel_for(row, request_.python)) {
      answer.verdict = PlanVerdict::change_python;
      answer.after_python = answer.choice->python;
      explain_jetson_python(answer, request_, *answer.choice);
    }
    return answer;
  }

  // --- alternatives, best first

  void add(Answer& answer, const Candidate& candidate, std::string_view when) const {
    const auto same = [&](const Choice& other) {
      return other.torch == candidate.build->version.text() &&
             other.build_name == candidate.build->build &&
             other.channel == candidate.build->channel;
    };
    if (same(*answer.choice) ||
        std::any_of(answer.alternatives.begin(), answer.alternatives.end(), same))
      return;
    Choice alternative = choice(candidate);
    alternative.when = {std::string(when),
                        {{"python", alternative.python.text()}, {"channel", alternative.channel}}};
    say_third_party(answer, alternative.channel);
    answer.alternatives.push_back(std::move(alternative));
  }

  void add_alternatives(Answer& answer, const Found& found) const {
    if (const Candidate* newest = pick({}, found.driver_changes, found.python_changes))
      add(answer, *newest, "solve.when.newest");
    const Candidate* pytorch = pick_channel(1, found);
    const Candidate* forge = pick_channel(2, found);
    if (pytorch && forge && forge->whole && forge->build->version >= pytorch->build->version)
      pytorch = nullptr;  // the pytorch channel ended with 2.5.1
    const Candidate& best = *found.candidate;
    const bool official = is_official(best.build->channel) && best.whole;
    const Candidate* third = pick_channel(3, found);
    if (third && official && third->build->version <= best.build->version) third = nullptr;
    for (const Candidate* other : {pytorch, forge, third}) {
      if (other == nullptr) continue;
      add(answer, *other,
          !other->whole    ? when_no_cudnn(*other)
          : other == third ? "solve.when.third-party"
                           : "solve.when.conda");
    }
    add_other_python(answer, found);
  }

  // The wish takes a change; what would do without one.
  void add_without_change(Answer& answer, const Found& found) const {
    if (!found.driver_changes && !found.python_changes) return;
    if (const Candidate* other = pick({}, false, false))
      add(answer, *other,
          found.driver_changes ? "solve.when.driver-stays" : "solve.when.python-stays");
  }

  static std::string_view when_no_cudnn(const Candidate& candidate) {
    return candidate.build->cudnn.empty() ? "solve.when.cudnn-unknown" : "solve.when.no-cudnn";
  }

  const Candidate* pick_channel(int rank, const Found& found) const {
    std::vector<const Candidate*> among;
    for (const Candidate& candidate : candidates_) {
      const bool driver =
          found.driver_changes ? candidate.driver_to_install.has_value() : driver_fits(candidate);
      if (channel_rank(candidate.build->channel) == rank && driver && candidate.native &&
          candidate.glibc_fits && (found.python_changes || candidate.python_fits) &&
          candidate.build->basis.confidence != Confidence::low)
        among.push_back(&candidate);
    }
    return ranking_.best(among, false);
  }

  // What other Pythons have that this one has not: a whole build, a newer or an official one.
  void add_other_python(Answer& answer, const Found& found) const {
    if (!request_.python.has()) return;
    const Candidate& best = *found.candidate;
    const Candidate* official = best_of_any_python(true);
    if (!best.whole) {
      if (const Candidate* whole = best_of_any_python(false))
        add(answer, *whole, "solve.when.other-python");
    }
    const bool gives_more = official != nullptr && (!is_official(best.build->channel) ||
                                                    best.build->version < official->build->version);
    if (gives_more && !(official->python_fits && !found.python_changes))
      add(answer, *official, "solve.when.other-python");
  }

  const Candidate* best_of_any_python(bool official) const {
    std::vector<const Candidate*> among;
    for (const Candidate& candidate : candidates_) {
      if (candidate.whole && candidate.glibc_fits && driver_fits(candidate) &&
          (!official || is_official(candidate.build->channel)))
        among.push_back(&candidate);
    }
    return ranking_.best(among, true);
  }

  // The newest image, where it is newer than the choice or leaves the Python alone.
  void add_container(Answer& answer, const std::vector<const JetsonTorch*>& rows,
                     std::string_view newer_than) const {
    const JetsonTorch* newest = nullptr;
    for (const JetsonTorch* row : rows) {
      if (is_container(*row) &&
          is_of_jetpack(*row, request_) == is_of_jetpack(*rows.front(), request_) &&
          (newest == nullptr || row->ngc_release > newest->ngc_release))
        newest = row;
    }
    if (newest == nullptr || newest->ngc_release <= newer_than) return;
    Choice container = jetson_choice(*newest, JetsonForm::container, request_);
    container.when = {answer.after_python  ? "solve.when.container-python"
                      : newer_than.empty() ? "solve.when.nvidia-container"
                                           : "solve.when.container",
                      {}};
    answer.alternatives.push_back(std::move(container));
  }

  void add_jetson_alternatives(Answer& answer, const std::vector<const JetsonTorch*>& rows) const {
    const JetsonTorch& chosen = *answer.choice->jetson;
    if (answer.choice->build_name == "wheel") {
      add_container(answer, rows, answer.after_python ? "" : chosen.ngc_release);
    } else if (const JetsonTorch* wheel = first_wheel(rows)) {
      Choice other = jetson_choice(*wheel, JetsonForm::wheel, request_);
      other.when = {"solve.when.jetson-wheel", {{"jetpack", std::string(wheel->jetpack)}}};
      answer.alternatives.push_back(std::move(other));
    }
    if (!is_community(chosen)) add_community(answer, rows);
  }

  const JetsonTorch* first_wheel(const std::vector<const JetsonTorch*>& rows) const {
    for (const JetsonTorch* row : rows) {
      if (!is_community(*row) && is_wheel_for(*row, request_.python)) return row;
    }
    return nullptr;
  }

  // The version that was asked for, else the newest.
  void add_community(Answer& answer, const std::vector<const JetsonTorch*>& rows) const {
    const JetsonTorch* best = nullptr;
    for (const JetsonTorch* row : rows) {
      if (!is_community(*row)) continue;
      if (best == nullptr || (!grants(*best, wish_) && grants(*row, wish_))) best = row;
    }
    if (best == nullptr) return;
    Choice community = jetson_choice(*best, JetsonForm::wheel, request_);
    community.when = {"solve.when.community", {}};
    answer.alternatives.push_back(std::move(community));
  }

  // Cards that only the flavour of the kernel module parts: the right one drives the rest.
  std::string when_without(const Answer& other) const {
    if (other.after_driver) return "solve.when.without-card-driver";
    return flavors_conflict(request_.cards, request_.os) ? "solve.when.without-card-flavor"
                                                         : "solve.when.without-card";
  }

  // What each card could run if another were taken out: named, never silent.
  void add_without_a_card(Answer& answer) const {
    if (request_.cards.size() < 2) return;
    std::vector<std::string> tried;
    for (const Card& out : request_.cards) {
      if (std::find(tried.begin(), tried.end(), out.label) != tried.end()) continue;
      tried.push_back(out.label);
      Request rest = request_;
      std::erase_if(rest.cards, [&](const Card& card) { return card.label == out.label; });
      if (rest.cards.empty()) continue;
      Answer other = Solver(rest, knowledge_, false).answer();
      if (!other.choice) continue;
      Choice alternative = *std::move(other.choice);
      alternative.when = {when_without(other),
                          {{"gpu", out.label},
                           {"flavor", std::string(module_flavor_for(rest.cards.front()))},
                           {"driver", other.after_driver ? other.after_driver->text() : ""}}};
      answer.alternatives.push_back(std::move(alternative));
      answer.cpu_only = false;
    }
  }

  // A newer driver would give a newer torch: said, not advised, since this one does.
  void say_what_driver_brings(Answer& answer, const Found& found) const {
    if (found.driver_changes || !request_.driver.has()) return;
    const Candidate* other = pick({}, true, found.python_changes);
    const bool newer = other != nullptr && other->driver == Verdict::driver_too_old &&
                       other->build->version > found.candidate->build->version;
    if (!newer) {
      answer.avoid.push_back({"solve.avoid.toolkit", {}});
      return;
    }
    answer.caveats.push_back(
        {"solve.caveat.newer-driver",
         {{"driver", other->need.minimum.text()}, {"torch", spec_text(*other->build)}}});
    answer.avoid.push_back({"solve.avoid.toolkit-for-driver", {}});
  }

  const Request& request_;
  const Knowledge& knowledge_;
  bool why_not_;
  Fitter fitter_;
  Ranking ranking_;
  Wish wish_;
  std::optional<InstalledTorch> installed_;
  std::vector<Candidate> candidates_;  // those with code for every card, on this platform
};

}  // namespace

Answer solve_for_known_cards(const Request& request, const Knowledge& knowledge) {
  Answer answer = Solver(request, knowledge).answer();
  say_wsl(answer, request, knowledge);
  return answer;
}

}  // namespace kernelfit::solving
