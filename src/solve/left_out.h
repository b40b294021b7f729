// SPDX-License-Identifier: Apache-2.0
// Cards that the present driver has dropped, beside others that it serves: no program of CUDA sees
// them, so torch is chosen for the others, and what is left out is named.
#pragma once
#include "solve/solve.h"

namespace kernelfit {

// Moves them from `cards` to `left_out`; where none would be left, they stay.
void leave_out_dropped(Request& request, const Machine& machine, const Judgement& judgement,
                       const Knowledge& knowledge);

namespace solving {

// Why they are left out, and the driver that serves all, where a torch goes with it: `for_all` is
// the answer for all of the cards.
void say_left_out(Answer& answer, const Answer& for_all, const Request& request);

bool is_about_left_out(const Said& caveat);
bool is_left_out(const Card& card, const Answer& answer);

// The request with every card.
Request with_left_out(Request request);

}  // namespace solving
}  // namespace kernelfit
