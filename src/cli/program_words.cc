// SPDX-License-Identifier: Apache-2.0
#include "cli/program_words.h"

#include <string_view>

#include "cli/flags.h"

namespace kernelfit::cli {
namespace {

// "--lang" of "--lang zh": the next word is its value.
bool takes_next(std::string_view word) {
  for (const auto& flag : flags()) {
    const bool named = word.starts_with("--") && word.substr(2) == flag.name;
    const bool lettered = word.size() == 2 && flag.letter != 0 && word[1] == flag.letter;
    if (named || lettered) return !flag.value.empty();
  }
  return false;
}

}  // namespace

ProgramWords split_off_program(const std::vector<std::string>& arguments) {
  bool runs = false, named = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const auto from = [&](std::size_t begin) {
      const auto first = arguments.begin();
      return ProgramWords{{first, first + static_cast<std::ptrdiff_t>(i)},
                          {first + static_cast<std::ptrdiff_t>(begin), arguments.end()}};
    };
    if (word == "--") {
      if (runs) return from(i + 1);
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      runs = runs || word == "--run";
      if (takes_next(word)) ++i;
    } else if (named && runs) {
      return from(i);
    } else {
      runs = runs || (!named && word == "run");
      named = true;
    }
  }
  return {arguments, {}};
}

}  // namespace kernelfit::cli
