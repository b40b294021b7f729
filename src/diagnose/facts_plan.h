// SPDX-License-Identifier: Apache-2.0
// The facts that stand for advice: what a plan chose, which driver is wanted, and their commands.
#pragma once
#include "diagnose/facts.h"

namespace kernelfit {

// "plan.torch", "plan.commands", …: of one environment, or of a fresh one (-1).
void set_plan(Facts& facts, const Situation& situation, int environment);

// "verdict.left_out": the plan is not for this card (solve/left_out.h).
void set_plan_of_card(Facts& facts, const Situation& situation, int environment, int gpu);

// "needed_driver.minimum", ".install", ".branch", ".commands": for the cards alone, or for `need`.
void set_needed_driver_of_cards(Facts& facts, const Situation& situation);
void set_needed_driver(Facts& facts, const Situation& situation, int environment,
                       const DriverNeed& need);

}  // namespace kernelfit
