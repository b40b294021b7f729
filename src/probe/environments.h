// SPDX-License-Identifier: Apache-2.0
// The parts of the environment probe: find the Pythons, read their packages, read the libraries
// among them. Python is never started; everything is read from names and small files.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/host.h"
#include "machine/machine.h"
#include "probe/probe.h"
#include "probe/scan_cache.h"
#include "pyenv/names.h"

namespace kernelfit {

// A Python that was found, before its packages are read.
struct PythonPlace {
  std::string prefix;              // sys.prefix: the folder that holds bin/ and lib/
  std::string kind;                // as Environment::kind
  std::string interpreter;         // path of its python, empty where none was seen
  std::optional<PythonId> python;  // as far as names and pyvenv.cfg say
  bool active = false;
  bool given = false;         // --env
  bool application = false;   // pipx, uv tool: nobody installs torch there, unless it is there
  bool other_python = false;  // a further version in a prefix that has several
  bool system_site = false;   // a venv that sees its base's packages too
  std::string base;           // of a venv: the folder of the Python it was made from
  std::string only_site;      // its packages lie here and nowhere else (Python of Windows' store)
};

// A folder that Python imports packages from, with what is in it.
struct Site {
  std::string path;
  bool user_site = false;
  std::vector<DirEntry> entries;  // sorted by name
  bool by_pth = false;            // a *.pth file of another site added it

  const DirEntry* entry(std::string_view name) const;
};

// Milliseconds that are left of what looking around may cost.
class TimeLimit {
 public:
  TimeLimit(const Host& host, std::int64_t budget_ms)
      : host_(host), end_ms_(host.clock_ms() + budget_ms) {}
  bool is_over() const { return host_.clock_ms() >= end_ms_; }

 private:
  const Host& host_;
  std::int64_t end_ms_;
};

// The active one first, then those of PATH, those near the current folder, those of the named
// roots. Each prefix once. What could not be looked at is a line in `problems`.
std::vector<PythonPlace> find_pythons(const Host& host, const ProbeOptions& options,
                                      std::vector<std::string>& problems);

// One place: what is this folder? Nothing where no Python environment is there.
std::optional<PythonPlace> read_python_place(const Host& host, std::string_view prefix);
// The place that a python program belongs to: ~/.venv/bin/python -> ~/.venv.
std::optional<PythonPlace> place_of_program(const Host& host, std::string_view program);

// The folders of sys.path that hold packages, in import order. One that cannot be read is a
// problem.
std::vector<Site> read_sites(const Host& host, const PythonPlace& place,
                             std::vector<std::string>& problems);

// Fills packages and problems of `environment`.
void read_packages(const Host& host, const GpuPackages& known, const std::vector<Site>& sites,
                   Environment& environment);

// How the files of libraries are read.
struct BinaryReading {
  bool any = true;  // false: none is opened
  // How long to search what lies outside the sections made for GPU code; null: those alone.
  const TimeLimit* search = nullptr;
  ScanCache* cache = nullptr;
};

// Fills libraries from packages and their files.
void read_libraries(const Host& host, const GpuPackages& known, const std::vector<Site>& sites,
                    const BinaryReading& reading, Environment& environment);

// The GPU code of each file, grouped by architecture set.
std::vector<Result<BinaryImages>> read_binaries(const Host& host,
                                                const std::vector<std::string>& paths,
                                                const BinaryReading& reading);

// The first `limit_bytes` of a regular file. Never blocks.
Result<std::string> read_head(const Host& host, std::string_view path, std::size_t limit_bytes);

}  // namespace kernelfit
