// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.h"

#include <cstdio>

namespace kernelfit {

std::string_view text_of(FactState state) {
  switch (state) {
    case FactState::known: return "known";
    case FactState::given: return "given";
    case FactState::absent: return "absent";
    case FactState::unknown: break;
  }
  return "unknown";
}

std::string PciId::text() const {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%04x:%04x", static_cast<unsigned>(vendor) & 0xffffU,
                static_cast<unsigned>(device) & 0xffffU);
  return buffer;
}

std::string text_of(const std::string& value) { return value; }
std::string text_of(const DottedVersion& value) { return value.text(); }
std::string text_of(const ComputeCapability& value) { return value.text(); }
std::string text_of(const PciId& value) { return value.text(); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }

std::string line_source(const Machine& machine, int line) {
  const LogFile* file = nullptr;
  for (const auto& one : machine.log_files) {
    if (one.lines_before < line) file = &one;
  }
  const std::string number = std::to_string(line - (file == nullptr ? 0 : file->lines_before));
  return (file == nullptr ? "line " : file->name + ":") + number;
}

const Library* Environment::library(std::string_view name) const {
  for (const auto& library : libraries) {
    if (library.name == name) return &library;
  }
  return nullptr;
}
const Package* Environment::package(std::string_view name) const {
  for (const auto& package : packages) {
    if (package.name == name) return &package;
  }
  return nullptr;
}

}  // namespace kernelfit
