// SPDX-License-Identifier: Apache-2.0
#include "solve/alternatives.h"

#include <algorithm>

#include "solve/explain.h"
#include "solve/jetson.h"

namespace kernelfit::solving {
namespace {

void add(Answer& answer, const Candidate& candidate, std::string_view when,
         const Chooser& chooser) {
  const auto same = [&](const Choice& other) {
    return other.torch == candidate.build->version.text() &&
           other.build_name == candidate.build->build && other.channel == candidate.build->channel;
  };
  if (same(*answer.choice) ||
      std::any_of(answer.alternatives.begin(), answer.alternatives.end(), same))
    return;
  Choice alternative = chooser.choice(candidate);
  alternative.when = {std::string(when),
                      {{"python", alternative.python.text()}, {"channel", alternative.channel}}};
  say_third_party(answer, alternative.channel);
  answer.alternatives.push_back(std::move(alternative));
}

std::string_view when_no_cudnn(const Candidate& candidate) {
  return candidate.build->cudnn.empty() ? "solve.when.cudnn-unknown" : "solve.when.no-cudnn";
}

// What other Pythons have that this one has not: a whole build, a newer or an official one.
void add_other_python(Answer& answer, const Found& found, const Chooser& chooser) {
  const Candidate& best = *found.candidate;
  const Candidate* official = chooser.of_any_python(true);
  if (!best.whole) {
    if (const Candidate* whole = chooser.of_any_python(false))
      add(answer, *whole, "solve.when.other-python", chooser);
  }
  const bool gives_more = official != nullptr && (!is_official(best.build->channel) ||
                                                  best.build->version < official->build->version);
  if (gives_more && !(official->python_fits && !found.python_changes))
    add(answer, *official, "solve.when.other-python", chooser);
}

// The version that was asked for, else the newest.
void add_community(Answer& answer, const std::vector<const JetsonTorch*>& rows, const Wish& wish,
                   const Request& request) {
  const JetsonTorch* best = nullptr;
  for (const JetsonTorch* row : rows) {
    if (!is_community(*row)) continue;
    if (best == nullptr || (!grants(*best, wish) && grants(*row, wish))) best = row;
  }
  if (best == nullptr) return;
  Choice community = jetson_choice(*best, JetsonForm::wheel, request);
  community.when = {"solve.when.community", {}};
  answer.alternatives.push_back(std::move(community));
}

const JetsonTorch* first_wheel(const std::vector<const JetsonTorch*>& rows,
                               const Request& request) {
  for (const JetsonTorch* row : rows) {
    if (!is_community(*row) && is_wheel_for(*row, request.python)) return row;
  }
  return nullptr;
}

}  // namespace

void add_alternatives(Answer& answer, const Found& found, const Request& request,
                      const Chooser& chooser) {
  const Candidate* newest = chooser.pick({}, found.driver_changes, found.python_changes);
  if (newest) add(answer, *newest, "solve.when.newest", chooser);
  const Candidate* pytorch = chooser.of_channel(1, found);
  const Candidate* forge = chooser.of_channel(2, found);
  if (pytorch && forge && forge->whole && forge->build->version >= pytorch->build->version)
    pytorch = nullptr;  // the pytorch channel ended with 2.5.1
  const Candidate& best = *found.candidate;
  const bool official = is_official(best.build->channel) && best.whole;
  const Candidate* third = chooser.of_channel(3, found);
  if (third && official && third->build->version <= best.build->version) third = nullptr;
  // Who rebuilds for old cards is of no use where the official channels have newer for this one.
  if (third && newest && newest->whole && is_official(newest->build->channel) &&
      third->build->version <= newest->build->version)
    third = nullptr;
  for (const Candidate* other : {pytorch, forge, third}) {
    if (other == nullptr) continue;
    add(answer, *other,
        !other->whole    ? when_no_cudnn(*other)
        : other == third ? "solve.when.third-party"
                         : "solve.when.conda",
        chooser);
  }
  if (request.python.has()) add_other_python(answer, found, chooser);
}

void add_without_wish(Answer& answer, const Found& found, const Chooser& chooser) {
  const bool unsure = found.candidate->build->basis.confidence == Confidence::low;
  if (!found.driver_changes && !found.python_changes && !unsure) return;
  if (const Candidate* other = chooser.pick({}, false, false))
    add(answer, *other,
        found.driver_changes   ? "solve.when.driver-stays"
        : found.python_changes ? "solve.when.python-stays"
                               : "solve.when.surer",
        chooser);
}

void say_what_driver_brings(Answer& answer, const Found& found, const Wish& wish,
                            const Request& request, const Chooser& chooser) {
  if (found.driver_changes || !request.driver.has()) return;
  const Candidate* other = chooser.pick(wish, true, found.python_changes);
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

void add_container(Answer& answer, const std::vector<const JetsonTorch*>& rows,
                   std::string_view newer_than, const Request& request) {
  const JetsonTorch* newest = nullptr;
  for (const JetsonTorch* row : rows) {
    if (is_container(*row) &&
        is_of_jetpack(*row, request) == is_of_jetpack(*rows.front(), request) &&
        (newest == nullptr || row->ngc_release > newest->ngc_release))
      newest = row;
  }
  if (newest == nullptr || newest->ngc_release <= newer_than) return;
  Choice container = jetson_choice(*newest, JetsonForm::container, request);
  container.when = {answer.after_python  ? "solve.when.container-python"
                    : newer_than.empty() ? "solve.when.nvidia-container"
                                         : "solve.when.container",
                    {}};
  answer.alternatives.push_back(std::move(container));
}

void add_jetson_alternatives(Answer& answer, const std::vector<const JetsonTorch*>& rows,
                             const Wish& wish, const Request& request) {
  const JetsonTorch& chosen = *answer.choice->jetson;
  if (answer.choice->build_name == "wheel") {
    add_container(answer, rows, answer.after_python ? "" : chosen.ngc_release, request);
  } else if (const JetsonTorch* wheel = first_wheel(rows, request)) {
    Choice other = jetson_choice(*wheel, JetsonForm::wheel, request);
    other.when = {"solve.when.jetson-wheel", {{"jetpack", std::string(wheel->jetpack)}}};
    answer.alternatives.push_back(std::move(other));
  }
  if (!is_community(chosen)) add_community(answer, rows, wish, request);
}

}  // namespace kernelfit::solving
