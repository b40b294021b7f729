// SPDX-License-Identifier: Apache-2.0
// The machine a question is about: what was found, changed by what was given. What is given
// replaces what was found. With --gpu, --python, --os or --jetpack the question is about another
// machine: no environment, package, glibc or driver found here takes part, only what is given; the
// rest is then unknown, not absent (docs/contract.md 1).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "machine/machine.h"

namespace kernelfit::cli {

// What the what-if flags say, read and checked.
struct WhatIf {
  std::vector<Gpu> gpus;                // --gpu
  std::optional<DottedVersion> driver;  // --driver V
  bool no_driver = false;               // --driver none
  std::string os, cpu_arch;             // --os, --cpu-arch
  std::string arm_card;                 // the first card that sits in Arm machines only
  std::optional<DottedVersion> python, glibc, cuda;
  bool free_threaded = false;      // --python 3.13t
  std::vector<Library> installed;  // --installed, as libraries
  std::string jetpack, l4t;        // --jetpack and what it implies
  DottedVersion jetpack_cuda;
  std::string jetpack_boards;             // "7.2, 8.7": it runs on several, and nobody told which
  std::vector<std::string> environments;  // --env, absolute
  bool use_cache = true;                  // false: --no-cache

  bool hypothetical() const {
    return !gpus.empty() || python.has_value() || !os.empty() || !jetpack.empty();
  }
};

struct ReadWhatIf {
  WhatIf what_if;
  std::optional<Said> problem;
};
ReadWhatIf read_what_if(const Args& args, const Host& host, const Knowledge& knowledge);

// That Arm builds are meant, or that `--cpu-arch x86_64` is against what the card is.
std::optional<Said> arm_note(const WhatIf& what_if);

// Pure: `found` is what was found on the machine at hand.
Machine apply_what_if(Machine found, const WhatIf& what_if);

// Looks as far as the question needs, or takes the pasted one; then applies.
Machine machine_for(const WhatIf& what_if, const Context& context);

// The first --env that is there no environment for: nothing there, or no Python's folder.
std::optional<Said> environment_problem(const WhatIf& what_if, const Machine& machine,
                                        const Host& host);

}  // namespace kernelfit::cli
