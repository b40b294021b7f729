// SPDX-License-Identifier: Apache-2.0
// NVIDIA's chip names: two letters for the generation, then a number whose last digit is the class,
// the smaller the bigger the chip: GP102 over GP104, GP106, GP107, GP108.
#include "probe/faster_order.h"

#include <algorithm>

namespace kernelfit {
namespace {

struct Chip {
  int generation = 0;       // 0: not known
  int worst = 0, best = 0;  // class of the slowest and of the fastest card made of it
};

int generation_of(std::string_view letters) {
  constexpr struct {
    std::string_view letters;
    int generation;
  } kGenerations[] = {{"GF", 1}, {"GK", 2}, {"GM", 3}, {"GP", 4}, {"GV", 5}, {"TU", 5},
                      {"GA", 6}, {"AD", 7}, {"GH", 7}, {"GB", 8}, {"GR", 9}};
  for (const auto& one : kGenerations) {
    if (letters == one.letters) return one.generation;
  }
  return 0;
}

// Chips for computing (GA100, GK210) are made into cards that are cut down further than others; a
// TU116 is a chip of class 6 without some of its units. Boards (GK20A, GB10B) have no class.
Chip chip_of_name(std::string_view name) {
  if (name.size() < 5) return {};
  const std::string_view digits = name.substr(2, 3);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  const int last = digits[2] - '0';
  Chip chip{generation_of(name.substr(0, 2)), last, last};
  if (last == 0) chip.worst = 3;
  if (name.starts_with("TU11")) chip.worst = 10 + last;
  return chip;
}

// The smallest chips are sold so much cut down that a generation says nothing of them.
constexpr int kSmallest = 7;

bool beats(const Chip& a, const Chip& b) {
  if (a.generation == 0 || b.generation == 0 || a.worst >= kSmallest) return false;
  const int newer = a.generation - b.generation;
  if (newer < 1) return false;
  return newer == 1 ? a.worst + 2 <= b.best : a.worst <= b.best;
}

}  // namespace

bool is_faster_chip(std::string_view a, std::string_view b) {
  return beats(chip_of_name(a), chip_of_name(b));
}

std::size_t sort_by_speed(std::vector<Gpu*>& gpus,
                          const std::function<std::string(const Gpu&)>& chip_of) {
  const auto same = [](const Gpu* a, const Gpu* b) {
    return a->name.has() && b->name.is(*a->name);
  };
  const auto leads = [&](const Gpu* one, const Gpu* other) {
    if (one == other || same(one, other)) return true;
    return chip_of && is_faster_chip(chip_of(*one), chip_of(*other));
  };
  for (std::size_t place = 0; place < gpus.size(); ++place) {
    const auto rest = gpus.begin() + static_cast<std::ptrdiff_t>(place);
    const auto first = std::find_if(rest, gpus.end(), [&](const Gpu* one) {
      return std::all_of(rest, gpus.end(), [&](const Gpu* other) { return leads(one, other); });
    });
    if (first == gpus.end()) return place;
    std::rotate(rest, first, first + 1);
  }
  return gpus.size();
}

}  // namespace kernelfit
