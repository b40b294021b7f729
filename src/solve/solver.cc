// SPDX-License-Identifier: Apache-2.0
#include "solve/solver.h"

#include <algorithm>

#include "base/text.h"
#include "solve/alternatives.h"
#include "solve/cause.h"
#include "solve/conflict.h"
#include "solve/explain.h"
#include "solve/host_conflict.h"
#include "solve/installed.h"
#include "solve/jetson.h"
#include "solve/python_fit.h"

namespace kernelfit::solving {
namespace {

class Solver {
 public:
  // `why_not`: where nothing fits, look for the conflict and for what fits without one card.
  Solver(const Request& request, const Knowledge& knowledge, bool why_not = true)
      : request_(request),
        knowledge_(knowledge),
        why_not_(why_not),
        chooser_(request, knowledge),
        wish_(wish_of(request, knowledge)),
        installed_(installed_torch(request, knowledge, chooser_.fitter())) {}

  Answer answer() {
    if (auto good = keep_installed()) return *std::move(good);
    if (host_conflict(request_, knowledge_)) return nothing_fits();
    if (request_.conda && installed_) {
      if (auto conda = chooser_.of_conda(*installed_, wish_)) return chosen(*conda, wish_);
    }
    if (installed_ && wish_.empty() && installed_is_wanted()) {
      if (auto same = chooser_.same_version(*installed_)) return chosen(*same, wish_);
    }
    if (const Found found = granted()) return chosen(found, wish_);
    if (auto question = no_release_at_all()) return *std::move(question);
    for (const Wish& wish : weaker_wishes()) {
      if (const Found found = chooser_.find(wish)) return ungranted(found, wish);
    }
    if (is_jetson(request_)) return from_nvidia();
    return nothing_fits();
  }

 private:
  // The torch that the pins were released with, before another that they serve; what changes
  // nothing here before either.
  Found granted() const {
    const auto as_things_are = [](const Found& found) {
      return found && !found.driver_changes && !found.python_changes;
    };
    const Found own = chooser_.find(of_own_releases(wish_));
    if (wish_.pairs.empty() || as_things_are(own)) return own;
    const Found any = chooser_.find(wish_);
    return !own || as_things_are(any) ? any : own;
  }

  // What is left of the wish once that is gone which the conflict names: what is said and what is
  // done are one. Then the same version from another index, torch's own part, no wish.
  std::vector<Wish> weaker_wishes() const {
    std::vector<Wish> out;
    Wish rest = wish_;
    while (const auto conflict = find_conflict(request_, rest, knowledge_)) {
      if (!give_up(rest, *conflict, out)) break;
    }
    add_without_build(out, wish_);
    if (!wish_.pairs.empty() && !(wish_.version.empty() && wish_.build.empty())) {
      const Wish torch_alone{wish_.version, wish_.build};
      out.push_back(torch_alone);
      add_without_build(out, torch_alone);
    }
    if (!wish_.empty()) out.push_back({});
    return out;
  }

  // Takes out of the wish what the conflict says to change; false: that is no part of it.
  static bool give_up(Wish& wish, const Conflict& conflict, std::vector<Wish>& out) {
    if (conflict.change == "build" && !wish.build.empty()) {
      add_without_build(out, wish);
      wish = {wish.version, {}, {}, without_builds(wish.pairs)};
      return true;
    }
    if (conflict.change == "torch" && !wish.version.empty()) {
      wish.version = {};
      out.push_back(wish);
      return true;
    }
    const auto pair = std::find_if(wish.pairs.begin(), wish.pairs.end(), [&](const PairWish& one) {
      return part_of(one).kind == conflict.change && is_part_of(conflict, one);
    });
    if (pair == wish.pairs.end()) return false;
    wish.pairs.erase(pair);
    out.push_back(wish);
    return true;
  }

  static bool is_part_of(const Conflict& conflict, const PairWish& pair) {
    const Conflict::Part mine = part_of(pair);
    return std::any_of(conflict.parts.begin(), conflict.parts.end(),
                       [&](const Conflict::Part& part) {
                         return part.kind == mine.kind && part.value == mine.value;
                       });
  }

  // Clauses that no release meets together: which of them goes is not for us to say.
  std::optional<Answer> no_release_at_all() const {
    if (wish_.version.empty()) return std::nullopt;
    auto conflict = find_conflict(request_, {wish_.version, {}}, knowledge_);
    if (!conflict || conflict->advice.key != "solve.conflict.change.torch-alone")
      return std::nullopt;
    Answer answer;
    answer.questions.push_back({"solve.ask.clauses", {{"value", wish_.version.text()}}});
    answer.conflict = *std::move(conflict);
    return answer;
  }

  // Who names an index's build wants a wheel: conda's build of that version is no answer where
  // another wheel is.
  static void add_without_build(std::vector<Wish>& out, const Wish& wish) {
    const auto pairs = without_builds(wish.pairs);
    const bool builds = !wish.build.empty() ||
                        std::any_of(wish.pairs.begin(), wish.pairs.end(),
                                    [](const PairWish& pair) { return !pair.build.empty(); });
    if (!builds || (wish.version.empty() && pairs.empty())) return;
    if (names_wheel(wish)) out.push_back({wish.version, {}, "pip", pairs});
    out.push_back({wish.version, {}, {}, pairs});
  }

  // --- what is there already

  bool installed_is_wanted() const {
    const auto version = PackageVersion::parse(installed_->version.public_text());
    return version && wish_.allows(*version, installed_->build) &&
           (installed_->row == nullptr || wish_.granted_by(*installed_->row));
  }

  // cuDNN is known to lack the card, and another build would have it.
  bool installed_lacks_cudnn() const {
    if (installed_->fit.whole || !installed_->fit.native || installed_->as->cudnn.empty())
      return false;
    const Candidate* other = chooser_.pick({}, false, false);
    return other != nullptr && other->whole;
  }

  // Its libraries do not load on an older glibc, however they came here.
  bool installed_loads() const {
    if (request_.glibc.is_absent()) return false;
    if (installed_->row == nullptr || !request_.glibc.has()) return true;
    const auto floor = DottedVersion::parse(installed_->row->glibc_min);
    return !floor || *floor <= *request_.glibc;
  }

  // A Python that was given beside it. One that was found has it already, whatever the table says.
  bool installed_serves_python() const {
    if (installed_->row == nullptr || request_.python.state() != FactState::given) return true;
    return any_serves_python(*installed_->row, *request_.python, request_.free_threaded,
                             knowledge_);
  }

  // Nothing where it has to be replaced.
  std::optional<Answer> keep_installed() {
    if (!installed_) return std::nullopt;
    if (installed_->jetson != nullptr && !installed_->read) return keep_jetson();
    if (!installed_->known) return unknown_installed();
    const Candidate& fit = installed_->fit;
    if (installed_->without_cuda || !fit.has_code || !installed_is_wanted()) return std::nullopt;
    if (!installed_loads() || !installed_serves_python()) return std::nullopt;
    if (host_conflict(request_, knowledge_)) return std::nullopt;
    if (chooser_.driver_fits(fit)) {
      if (installed_lacks_cudnn()) return std::nullopt;
      return good_installed();
    }
    const bool another_runs =
        fit.driver == Verdict::driver_too_old && chooser_.pick({}, false, false);
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
    explain_keep(answer, request_, installed_->text, installed_->fit, knowledge_);
    if (installed_->inferred)
      answer.caveats.push_back(
          {"solve.caveat.inferred",
           {{"installed", installed_->text}, {"row", installed_->as->version.text()}}});
    const auto wrong = wrong_components(request_, *installed_, knowledge_);
    if (wrong.empty()) return answer;
    const std::string driver = request_.driver.has() ? "" : "-any-driver";
    answer.why.front().key = "solve.why.torch-is-right" + driver;
    answer.verdict = PlanVerdict::fix_component;
    for (const WrongComponent& one : wrong) {
      answer.why.push_back(one.why);
      answer.components.push_back({one.package, one.version, one.wanted});
    }
    return answer;
  }

  Answer installed_answer(PlanVerdict verdict) const {
    Answer answer;
    answer.verdict = verdict;
    answer.choice = chooser_.choice(installed_->fit);
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
    answer.questions.push_back({is_board(request_) ? "solve.ask.jetson" : "solve.ask.installed",
                                {{"installed", installed_->text}}});
    const auto rows =
        is_board(request_) ? jetson_rows(request_, knowledge_) : std::vector<const JetsonTorch*>{};
    if (!rows.empty()) answer.alternatives.push_back(without_cuda_on_board(*rows.front()));
    return answer;
  }

  // PyTorch's build of this version has no code for a card, a third party's has.
  bool may_be_twin() {
    if (installed_->twin == nullptr || installed_->fit.has_code || !installed_is_wanted())
      return false;
    const Candidate other = chooser_.fitter().fit_installed(*installed_->twin);
    return other.has_code && chooser_.driver_fits(other);
  }

  static std::string maker_of(const TorchBuild& row) {
    return std::string(row.channel.substr(std::string_view("third-party-").size()));
  }

  void say_twin(Answer& answer) {
    if (!may_be_twin()) return;
    answer.caveats.insert(answer.caveats.begin(), {"solve.caveat.which-of-two",
                                                   {{"installed", installed_->text},
                                                    {"maker", maker_of(*installed_->twin)}}});
  }

  // What to install where the question finds PyPI's CPU build.
  Choice without_cuda_on_board(const JetsonTorch& row) const {
    Choice choice =
        jetson_choice(row, is_wheel(row) ? JetsonForm::wheel : JetsonForm::container, request_);
    choice.when = {"solve.when.jetson-without-cuda", {}};
    return choice;
  }

  // --- answers

  Answer chosen(const Found& found, const Wish& wish) {
    Answer answer;
    answer.choice = chooser_.choice(*found.candidate);
    answer.verdict = installed_ ? PlanVerdict::reinstall : PlanVerdict::install;
    if (installed_) explain_installed(answer, request_, *installed_);
    if (installed_) say_not_loading(answer);
    if (found.python_changes) {
      answer.verdict = PlanVerdict::change_python;
      answer.after_python = answer.choice->python;
      explain_python(answer, request_, *found.candidate, chooser_.candidates());
    }
    if (found.driver_changes) {
      answer.verdict = PlanVerdict::update_driver;
      answer.after_driver = found.candidate->driver_to_install;
      explain_driver(answer, request_, *found.candidate, knowledge_);
    }
    explain_choice(answer, request_, *found.candidate, chooser_.candidates(), knowledge_);
    if (wish.empty()) add_alternatives(answer, found, request_, chooser_);
    if (is_board(request_)) add_container(answer, jetson_rows(request_, knowledge_), {}, request_);
    if (!wish.empty()) add_without_wish(answer, found, chooser_);
    if (installed_) say_twin(answer);
    say_what_driver_brings(answer, found, wish, request_, chooser_);
    return answer;
  }

  // Neither card, driver nor wish stands against what is installed: the system does.
  void say_not_loading(Answer& answer) const {
    Said& why = answer.why.back();
    if (why.key != "solve.why.installed-other") return;
    if (!installed_loads() && request_.glibc.is_absent()) {
      why = {"solve.why.installed-musl", {{"installed", installed_->text}}};
    } else if (!installed_loads()) {
      why = {"solve.why.installed-glibc",
             {{"installed", installed_->text},
              {"minimum", std::string(installed_->row->glibc_min)},
              {"glibc", request_.glibc->text()}}};
    } else if (!installed_serves_python()) {
      why = {"solve.why.installed-python",
             {{"installed", installed_->text}, {"python", request_.python->text()}}};
    }
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
      explain_keep(answer, request_, installed_->text, installed_->fit, knowledge_);
    }
    return answer;
  }

  // torch/jetson.csv: NVIDIA's own wheels for Windows on Arm, which no index of torch has.
  const JetsonTorch* windows_on_arm() const {
    if (request_.os != "windows" || request_.cpu_arch != "aarch64") return nullptr;
    for (const JetsonTorch& row : knowledge_.jetson_torch()) {
      if (row.l4t != "Windows on Arm") continue;
      const bool all =
          std::all_of(request_.cards.begin(), request_.cards.end(), [&](const Card& card) {
            return card.capability.has() && card.capability->text() == row.capability;
          });
      if (all) return &row;
    }
    return nullptr;
  }

  // Known by one source, and without the versions: asked, not promised.
  Answer ask_windows_on_arm(const JetsonTorch& row) const {
    Answer answer;
    answer.verdict = PlanVerdict::ask;
    answer.questions.push_back({"solve.ask.windows-arm",
                                {{"cuda", std::string(row.cuda)},
                                 {"pythons", std::string(row.python)},
                                 {"source", std::string(row.basis.sources)}}});
    answer.caveats.push_back({"solve.caveat.windows-arm", {}});
    answer.avoid.push_back({"solve.avoid.windows-arm", {}});
    return answer;
  }

  Answer nothing_fits() {
    if (const JetsonTorch* row = why_not_ ? windows_on_arm() : nullptr)
      return ask_windows_on_arm(*row);
    Answer answer;
    answer.verdict = PlanVerdict::no_build;
    answer.cpu_only = true;
    if (!why_not_) return answer;
    // Whatever the driver that is there: it is no single card then that has to go.
    if (request_.cards.size() > 1 && request_.os != "wsl")
      answer.conflict = host_conflict(request_, knowledge_);
    if (!answer.conflict) answer.conflict = find_conflict(request_, {}, knowledge_);
    answer.cause = cause_of(answer.conflict, request_, knowledge_);
    explain_nothing(answer, request_, chooser_.candidates());
    add_without_a_card(answer);
    add_driver_among_several(answer);
    return answer;
  }

  // The driver that is needed once the rest of the conflict is changed too.
  void add_driver_among_several(Answer& answer) const {
    if (!answer.conflict || answer.conflict->also_change.empty()) return;
    if (!answer.conflict->asks_for("driver")) return;
    Request changed = request_;
    const auto other = [] { return Fact<DottedVersion>::unknown("another one"); };
    if (answer.conflict->asks_for("glibc")) changed.glibc = other();
    if (answer.conflict->asks_for("python")) changed.python = other();
    const Answer then = Solver(changed, knowledge_, false).answer();
    answer.after_driver = then.after_driver;
    std::copy_if(then.why.begin(), then.why.end(), std::back_inserter(answer.why),
                 [](const Said& why) { return why.key.starts_with("solve.why.driver-too-"); });
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
    add_jetson_alternatives(answer, rows, wish_, request_);
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

  // Cards that only the flavour of the kernel module parts: the right one drives the rest.
  std::string when_without(const Answer& other) const {
    const bool flavors = flavors_conflict(request_.cards, request_.os);
    if (other.after_driver)
      return flavors ? "solve.when.without-card-driver-flavor" : "solve.when.without-card-driver";
    return flavors ? "solve.when.without-card-flavor" : "solve.when.without-card";
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

  const Request& request_;
  const Knowledge& knowledge_;
  bool why_not_;
  Chooser chooser_;
  Wish wish_;
  std::optional<InstalledTorch> installed_;
};

}  // namespace

Answer solve_for_known_cards(const Request& request, const Knowledge& knowledge) {
  Answer answer = Solver(request, knowledge).answer();
  say_wsl(answer, request, knowledge);
  return answer;
}

}  // namespace kernelfit::solving
