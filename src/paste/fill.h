// SPDX-License-Identifier: Apache-2.0
// From what was found in the lines to the facts of a machine. What was told first is kept.
#pragma once
#include "knowledge/knowledge.h"
#include "machine/machine.h"
#include "paste/paste.h"
#include "pyenv/gpu_packages.h"

namespace kernelfit {

class MachineFiller {
 public:
  MachineFiller(Paste& paste, const Knowledge& knowledge);

  // The named groups of a message or a fact. `listed`: the text lists the machine's cards (a table,
  // collect_env); else it names one in passing.
  void fill(const LogEvent& event, bool listed);
  void finish();  // what follows from all of it: the build, the system

 private:
  void set_gpu(const LogEvent& event, bool listed);
  void set_torch_parts(const LogEvent& event);
  void set_driver(const LogEvent& event);
  void set_system(const LogEvent& event);
  void set_branch();
  void set_package(const std::string& name, const std::string& version, const LogEvent& event);
  void set_library(const std::string& name, const std::string& version, const LogEvent& event);
  void add_gpu(const LogEvent& event, const std::string& name);
  Gpu* named(const std::string& name);
  Environment& environment();
  Library& library(const std::string& name);
  void tell(std::string what, std::string value, const LogEvent& event);

  Paste& paste_;
  const Knowledge& knowledge_;
  GpuPackages packages_;
  bool listed_ = false;
  std::string cuda_build_, cuda_source_, archs_, archs_source_;
};


}  // namespace kernelfit
