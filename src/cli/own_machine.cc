// SPDX-License-Identifier: Apache-2.0
#include "cli/own_machine.h"

#include "base/text.h"
#include "cli/paths.h"
#include "cli/probe_tables.h"
#include "probe/probe.h"

namespace kernelfit::cli {
namespace {

constexpr std::string_view kElsewhere = "ssh srun sbatch salloc kubectl oc mosh sky ray";
// Without a folder in their name they are of the active environment, or of the first python of
// PATH.
constexpr std::string_view kOfPython = "torchrun accelerate deepspeed ipython jupyter pytest";

bool is_python(std::string_view program) {
  return base_name(program).starts_with("python");
}

// By the program's own path where it has one.
ProbeOptions options_for(const std::string& program, const Context& context) {
  std::vector<std::string> named;
  if (is_python(program) && contains(program, "/")) {
    named.push_back(absolute_path(program, context.host));
  }
  ProbeOptions options = probe_options(std::move(named), context.knowledge);
  options.use_cache = false;
  return options;
}

}  // namespace

bool add_own_machine(Machine& told, const Context& context) {
  const std::string& program = context.args.program[0];
  if (contains_word(kElsewhere, base_name(program))) return false;
  const bool cards = told.gpus.empty(), driver = told.driver.version.is_unknown();
  const bool environment =
      told.environments.empty() && (is_python(program) || contains_word(kOfPython, program));
  if (!(cards || driver || environment)) return false;
  const auto wanted = [&](std::string_view probe) {
    return is_card_probe(probe) || (environment && probe == "environments");
  };
  Machine found = inspect(context.host, options_for(program, context), wanted);
  if (found.gpus.empty()) return false;
  if (cards) told.gpus = std::move(found.gpus);
  if (driver) told.driver = std::move(found.driver);
  if (environment && !found.environments.empty()) {
    told.environments.push_back(std::move(found.environments.front()));
  }
  return true;
}

}  // namespace kernelfit::cli
