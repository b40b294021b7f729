// SPDX-License-Identifier: Apache-2.0
// Packages that stand beside torch and bring GPU code of their own (flash-attn, vllm, xformers,
// bitsandbytes, …): whether they serve the cards, and whether they ask for one torch. By table
// (libraries/arch.csv); what is said never changes what is chosen.
#pragma once
#include "solve/solve.h"

namespace kernelfit::solving {

// Caveats for what was asked for, and for what is installed where it will not do. `cuda`: of torch.
void say_companions(Answer& answer, const Request& request, const DottedVersion& cuda,
                    const Knowledge& knowledge);

// Does a caveat say that what stands beside torch has to be exchanged with it?
bool is_about_one_torch(const Said& caveat);
// Does it say that the choice is no official build?
bool is_about_third_party(const Said& caveat);

// Is the card older than this package supports at all? Building it again is of no use then.
bool is_below_floor(std::string_view package, std::string_view version, const DottedVersion& cuda,
                    const Request& request, const Card& card, const Knowledge& knowledge);

}  // namespace kernelfit::solving
