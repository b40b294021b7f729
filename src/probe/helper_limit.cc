// SPDX-License-Identifier: Apache-2.0
#include "probe/helper_limit.h"

#include <algorithm>

namespace kernelfit {
namespace {

constexpr std::chrono::milliseconds kTogether{6000}, kAfterTheFirst{1000};

std::string seconds_text(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s"
                                  : std::to_string(time.count()) + " ms";
}

}  // namespace

void HelperLimit::note(std::string_view program, const std::string& what) const {
  std::string start = std::string(base_name(program)) + " ";
  bool said = std::ranges::any_of(
      problems_, [&](const std::string& problem) { return problem.starts_with(start); });
  if (!said) problems_.push_back(start + what);
}

Result<CommandResult> HelperLimit::run(const Command& command) const {
  if (command.argv.empty() || command.argv[0] == self_path()) return inner_.run(command);
  const std::string& program = command.argv[0];
  if (lost_ >= kTogether) {
    const std::string why = "was not asked: other programs took " + seconds_text(kTogether);
    note(program, why);
    return error(ErrorKind::timeout, std::string(base_name(program)) + " " + why);
  }
  Command limited = command;
  if (lost_.count() > 0) {
    limited.timeout = std::min({limited.timeout, kAfterTheFirst, kTogether - lost_});
  }
  Result<CommandResult> result = inner_.run(limited);
  if (result && result->timed_out) {
    lost_ += limited.timeout;
    note(program, "did not answer in " + seconds_text(limited.timeout));
  }
  return result;
}

}  // namespace kernelfit
