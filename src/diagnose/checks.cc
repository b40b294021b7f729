// SPDX-License-Identifier: Apache-2.0
#include "diagnose/checks.h"

#include <array>

#include "base/text.h"

namespace kernelfit {
namespace {

bool library_alone_fails(const Situation& situation, const Subject& subject, const Facts&) {
  for (const auto& verdict : situation.judgement.verdicts) {
    if (verdict.environment != subject.environment || verdict.gpu != subject.gpu) continue;
    if (verdict.library == "torch" && !runs(verdict.verdict)) return false;
  }
  return true;
}

constexpr std::array kChecks = {
    // The component fails where torch itself runs: then the component is at fault, not the wheel.
    Check{"library-alone-fails", library_alone_fails},
};

}  // namespace

std::span<const Check> checks() {
  return kChecks;
}

const Check* find_check(std::string_view name) {
  for (const auto& check : kChecks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

}  // namespace kernelfit
