// SPDX-License-Identifier: Apache-2.0
// Removes what names a person or a machine from a text that is meant to be shared: user names and
// home folders, host names, GPU UUIDs, serial numbers, MAC addresses, tokens, passwords in URLs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct Redaction {
  std::vector<std::string> user_names;  // replaced by "user"
  std::vector<std::string> host_names;  // replaced by "host"
};

std::string redact(std::string_view text, const Redaction& what);
// Only what must never be printed at all: tokens and passwords.
std::string redact_secrets(std::string_view text);

}  // namespace kernelfit
