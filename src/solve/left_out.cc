// SPDX-License-Identifier: Apache-2.0
#include "solve/left_out.h"

#include <algorithm>

#include "base/text.h"
#include "solve/fitter.h"

namespace kernelfit {
namespace {

// Of a name with several chips: whichever it is.
bool is_dropped(const Card& card, const Request& request, const Knowledge& knowledge) {
  const DriverOs os = solving::driver_os(request);
  if (card.variants.empty()) return driver_dropped(card, *request.driver, os, knowledge);
  return std::all_of(card.variants.begin(), card.variants.end(), [&](const Card& variant) {
    return driver_dropped(variant, *request.driver, os, knowledge);
  });
}

// The driver counts the card among its own, whatever the table says.
bool is_listed(const Card& card, const Machine& machine, const Judgement& judgement) {
  for (std::size_t i = 0; i < machine.gpus.size() && i < judgement.cards.size(); ++i) {
    if (judgement.cards[i].label == card.label && machine.gpus[i].index >= 0 &&
        !machine.gpus[i].given)
      return true;
  }
  return false;
}

int last_branch(const Card& card, DriverOs os) {
  int last = last_branch_of(card, os);
  for (const Card& variant : card.variants) last = std::max(last, last_branch_of(variant, os));
  return last;
}

std::string labels_of(const std::vector<Card>& cards) {
  std::vector<std::string> labels;
  for (const Card& card : cards) {
    if (std::find(labels.begin(), labels.end(), card.label) == labels.end())
      labels.push_back(card.label);
  }
  return join(labels, ", ");
}

Fill values_of(const Card& card, const Request& request) {
  return {{"gpu", card.label},
          {"value", card.label},
          {"driver", request.driver->text()},
          {"last", std::to_string(last_branch(card, solving::driver_os(request)))}};
}

// Who names a card and the driver asked for both: they are what cannot hold together.
Conflict conflict_of(const Request& request, const Answer& for_all) {
  Conflict out;
  for (const Card& card : request.left_out)
    out.parts.push_back(
        {"gpu", card.label, {"solve.conflict.gpu-dropped", values_of(card, request)}});
  const std::string present = request.driver->text();
  out.parts.push_back({"driver", present, {"solve.conflict.driver", {{"value", present}}}});
  const bool by_chip = !for_all.variants.empty();
  const auto& driver = for_all.after_driver;
  out.change = driver || by_chip ? "driver" : "gpu";
  out.advice = {driver    ? "solve.conflict.change.driver-for-all"
                : by_chip ? "solve.conflict.change.driver-by-chip"
                          : "solve.conflict.change.left-out",
                {{"gpu", labels_of(request.left_out)},
                 {"value", present},
                 {"driver", driver ? driver->text() : ""}}};
  return out;
}

}  // namespace

void leave_out_dropped(Request& request, const Machine& machine, const Judgement& judgement,
                       const Knowledge& knowledge) {
  if (!request.driver.has() || request.cards.size() < 2) return;
  std::vector<Card> served, dropped;
  for (const Card& card : request.cards) {
    const bool out = is_dropped(card, request, knowledge) && !is_listed(card, machine, judgement);
    (out ? dropped : served).push_back(card);
  }
  if (served.empty()) return;
  request.cards = std::move(served);
  request.left_out = std::move(dropped);
}

namespace solving {

bool is_about_left_out(const Said& caveat) {
  return caveat.key == "solve.caveat.left-out";
}

bool is_left_out(const Card& card, const Answer& answer) {
  return std::any_of(answer.caveats.begin(), answer.caveats.end(), [&](const Said& caveat) {
    return is_about_left_out(caveat) && caveat.values.front().second == card.label;
  });
}

Request with_left_out(Request request) {
  request.cards.insert(request.cards.end(), request.left_out.begin(), request.left_out.end());
  request.left_out.clear();
  return request;
}

void say_left_out(Answer& answer, const Answer& for_all, const Request& request) {
  answer.in_part = true;
  for (const Card& card : request.left_out)
    answer.caveats.insert(answer.caveats.begin(),
                          {"solve.caveat.left-out", values_of(card, request)});
  if (request.driver.state() == FactState::given && !answer.conflict)
    answer.conflict = conflict_of(request, for_all);
  if (!for_all.choice || !for_all.after_driver || !answer.choice) return;
  Choice alternative = *for_all.choice;
  alternative.when = {
      "solve.when.driver-for-all",
      {{"gpu", labels_of(request.left_out)}, {"driver", for_all.after_driver->text()}}};
  answer.alternatives.push_back(std::move(alternative));
}

}  // namespace solving
}  // namespace kernelfit
