// SPDX-License-Identifier: Apache-2.0
// What `kernelfit plan` is asked to install: a torch, and packages beside it. The command line and
// requirements files are read alike, as PEP 508 has it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message/said.h"
#include "pyenv/marker.h"
#include "pyenv/requirement.h"
#include "solve/solve.h"

namespace kernelfit::cli {

struct Wish {
  std::string text;         // without its marker: "torchvision==0.21.0", "./dist/x.whl"
  Requirement requirement;  // no name: an address or a path that does not tell
  std::string build;        // "cu126" of torch+cu126
  std::optional<Marker> marker;
  bool constraint = false;  // of a -c file: holds only where its package is asked for
};

struct Wishes {
  std::vector<Wish> all;
  std::vector<Said> notes;  // what of the files takes no part
};

// "torch", "torch[opt-einsum] >=2.1,<2.4", "torch==2.13.0+cu126", "torch+cu126",
// "torch==2.6.0; sys_platform == 'linux'", "torchvision==0.21.0", an address, a path. A word that
// pip would not take is the problem.
std::optional<Said> add_wish(std::string_view word, Wishes& wishes, bool constraint = false);

// What the wishes are for one machine and Python: those whose marker holds, all of them together.
// Two wishes of which one rules the other out are the problem; what no release of torch meets
// together is for solve to say.
struct Granted {
  std::vector<Said> notes;
  std::optional<Said> problem;
};
Granted apply_wishes(const Wishes& wishes, const Knowledge& knowledge, Request& request);

// PEP 508's variables as they would be there. Python's only where it is known.
MarkerValues marker_values(const Request& request);

}  // namespace kernelfit::cli
