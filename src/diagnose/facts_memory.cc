// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts_memory.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/text.h"

namespace kernelfit {
namespace {

// "10.73 GiB" in MiB; nothing where it is no size.
std::optional<double> mebibytes(const std::string& text) {
  auto space = text.find(' ');
  if (space == std::string::npos || space == 0 || space > 16) return {};
  double value = 0, place = 0;
  for (char c : text.substr(0, space)) {
    if (c == '.' && place == 0) {
      place = 1;
    } else if (c < '0' || c > '9') {
      return {};
    } else if (place > 0) {
      value += (c - '0') * (place /= 10);
    } else {
      value = value * 10 + (c - '0');
    }
  }
  const std::string unit = lower(text.substr(space + 1));
  if (unit.starts_with('g')) return value * 1024;
  if (unit.starts_with('m')) return value;
  if (unit.starts_with('k')) return value / 1024;
  return unit.starts_with('b') ? std::optional(value / 1024 / 1024) : std::nullopt;
}

// What the messages of torch say, of every era, in MiB.
struct Numbers {
  std::optional<double> tried, total, free, allocated, reserved, own;
  double others = 0;  // of other processes by name
};

std::optional<double> first(const Machine& machine, std::string_view group) {
  for (const auto& event : machine.log) {
    auto field = event.fields.find(group);
    if (!event.id.starts_with("oom") || field == event.fields.end()) continue;
    if (auto size = mebibytes(field->second)) return size;
  }
  return {};
}

Numbers numbers_of(const Machine& machine) {
  Numbers out{first(machine, "tried"),     first(machine, "total"),    first(machine, "free"),
              first(machine, "allocated"), first(machine, "reserved"), {}};
  if (!out.reserved) out.reserved = first(machine, "cached");
  if (auto unused = first(machine, "unallocated"); unused && out.allocated) {
    out.reserved = *out.allocated + *unused;
  }
  for (const auto& event : machine.log) {
    auto used = event.fields.find("used");
    if (used == event.fields.end()) continue;
    auto size = mebibytes(used->second);
    if (event.id == "oom-this-process") out.own = size;
    if (event.id == "oom-process") out.others += size.value_or(0);
  }
  return out;
}

// A card's driver and context take some hundred MiB that no process is named for.
constexpr double kContexts = 1024;

bool held_by_others(const Numbers& seen) {
  double own = seen.own.value_or(seen.reserved.value_or(0));
  double rest = *seen.total - seen.free.value_or(0) - own - kContexts;
  if (seen.others > 0 && seen.own) rest = seen.others;
  return (seen.own || seen.reserved) && rest > *seen.total / 4 && rest >= *seen.tried;
}

std::string_view cause_of(const Numbers& seen) {
  if (!seen.tried || !seen.total) return "";
  if (*seen.tried > *seen.total || seen.allocated.value_or(0) > *seen.total) return "true";
  if (seen.free && *seen.free > 1.2 * *seen.tried) return "inconsistent";
  double unused = seen.reserved && seen.allocated ? *seen.reserved - *seen.allocated : 0;
  if (unused >= *seen.tried && unused >= *seen.total / 20) return "fragmentation";
  return held_by_others(seen) ? "other-process" : "true";
}

}  // namespace

void set_memory(Facts& facts, const Situation& situation) {
  facts.set_unknown("memory.cause");
  auto cause = cause_of(numbers_of(situation.machine));
  if (!cause.empty()) facts.set_known("memory.cause", std::string(cause), "pasted");
}

}  // namespace kernelfit
