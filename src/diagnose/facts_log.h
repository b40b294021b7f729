// SPDX-License-Identifier: Apache-2.0
// What a pasted log says: "log.<message>", its named groups, and how often.
#pragma once
#include "diagnose/facts.h"

namespace kernelfit {

// "log.no-kernel-image", "log.driver-too-old.found", "log.count.no-kernel-image" for every message
// of data/paste/messages.csv: absent where a pasted text does not hold it, unknown where nothing
// was pasted. "paste.failure": the first message that is no context.
void set_log(Facts& facts, const Situation& situation);

// Is there a message (kind `run`) that a build or driver which does not fit the card explains?
bool tells_of_a_build(const Situation& situation);

}  // namespace kernelfit
