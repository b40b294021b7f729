// SPDX-License-Identifier: Apache-2.0
// Takes out of an answer in JSON what must not be shared.
#pragma once
#include <string>

#include "host/redact.h"

namespace kernelfit {

// Tokens and passwords; with `what` names of people and machines as well. Only values are changed:
// a user called "driver" must not rename a field.
std::string redacted_json(const std::string& text, const Redaction* what = nullptr);

}  // namespace kernelfit
