// SPDX-License-Identifier: Apache-2.0
// Every Python of this machine, with what of its packages concerns GPUs.
#include <algorithm>

#include "probe/environments.h"
#include "probe/probes.h"

namespace kernelfit {
namespace {

// Opening large libraries of many environments on a cold disk takes its time too.
constexpr std::int64_t kReadBudgetFactor = 4;

void describe(const PythonPlace& place, Environment& environment) {
  environment.path = place.prefix;
  environment.kind = place.kind;
  environment.active = place.active;
  environment.interpreter = place.interpreter.empty()
                                ? Fact<std::string>::absent(place.prefix)
                                : Fact<std::string>::known(place.interpreter, place.prefix);
  if (!place.python) {
    environment.python = Fact<DottedVersion>::unknown("no file says which Python it is");
    return;
  }
  environment.python = Fact<DottedVersion>::known(place.python->version, place.prefix);
  environment.implementation = Fact<std::string>::known(place.python->implementation, place.prefix);
  environment.free_threaded = place.python->free_threaded;
}

// PEP 668: the marker stands in the standard library's folder.
bool is_externally_managed(const Host& host, const PythonPlace& place) {
  if (place.kind == "venv" || place.kind == "conda" || !place.python) return false;
  const std::string folder = "python" + place.python->version.first(2).text();
  return host.exists(
             join_path(join_path(join_path(place.prefix, "lib"), folder), "EXTERNALLY-MANAGED")) ||
         (place.prefix == "/usr" && host.exists("/usr/lib/python3/EXTERNALLY-MANAGED"));
}

Environment read_environment(const Host& host, const GpuPackages& known, const PythonPlace& place,
                             const BinaryReading& reading) {
  Environment environment;
  describe(place, environment);
  environment.externally_managed = is_externally_managed(host, place);
  const std::vector<Site> sites = read_sites(host, place, environment.problems);
  read_packages(host, known, sites, environment);
  read_libraries(host, known, sites, reading, environment);
  return environment;
}

// An application's folder, or a further Python of /usr, is worth a line only with such a library.
bool is_worth_a_line(const PythonPlace& place, const Environment& environment) {
  if (place.active || place.given || !environment.libraries.empty()) return true;
  return !place.application && !place.other_python;
}

}  // namespace

void probe_environments(const Host& host, const ProbeOptions& options, Machine& machine) {
  const TimeLimit limit(host, options.environment_budget_ms * kReadBudgetFactor);
  const TimeLimit search(host, options.search_budget_ms);
  ScanCache cache(host, options.use_cache && options.complete_scans);
  for (const auto& place : find_pythons(host, options, machine.problems)) {
    const bool late = limit.is_over() && !place.active && !place.given;
    const BinaryReading reading{options.read_binaries && !late,
                                options.complete_scans ? &search : nullptr, &cache};
    Environment environment = read_environment(host, options.packages, place, reading);
    if (!is_worth_a_line(place, environment)) continue;
    if (late && options.read_binaries && !environment.libraries.empty()) {
      environment.problems.push_back(place.prefix +
                                     ": its libraries were not opened, the time was up");
    }
    machine.environments.push_back(std::move(environment));
  }
  cache.save();
  std::ranges::stable_sort(machine.environments, std::ranges::greater(), &Environment::active);
}

}  // namespace kernelfit
