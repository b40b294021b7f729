// SPDX-License-Identifier: Apache-2.0
// Removes what names a person or a machine from a text that is meant to be shared: user names and
// home folders, host names, GPU UUIDs, serial numbers, MAC and IP addresses, tokens, passwords in
// URLs. What a diagnosis needs stays: versions (8.9.7.29 is cuDNN, not an address), PCI addresses,
// and which UUID is the same as which other.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct Redaction {
  std::vector<std::string> user_names;  // replaced by "user", "user2", …
  std::vector<std::string> host_names;  // replaced by "host"
  // "8f3a1b2c-…": the first becomes 00000001-0000-…, so that texts redacted one by one agree. A
  // UUID that is not listed counts on from here within its text.
  std::vector<std::string> uuids;
};

std::string redact(std::string_view text, const Redaction& what);
// Only what must never be printed at all: tokens and passwords.
std::string redact_secrets(std::string_view text);
// HF_TOKEN, --password, aws_secret_access_key: its value must never be printed.
bool is_secret_name(std::string_view name);
// Adds the UUIDs that redact() would replace, each once.
void collect_uuids(std::string_view text, std::vector<std::string>& into);

}  // namespace kernelfit
