// SPDX-License-Identifier: Apache-2.0
// Rules over a judged machine. A rule is one file, data/rules/KFnnnn-slug.md: its head says when it
// speaks (a condition over facts), its text what is true and what to do, in every language.
// Findings carry no sentences: `render_finding` (rule.h) fills the rule's text from `values`.
#pragma once
#include <string>
#include <vector>

#include "judge/judge.h"
#include "message/message.h"
#include "plan/plan.h"

namespace kernelfit {

enum class Severity { error, warning, note };
enum class Certainty { certain, likely, possible };
std::string_view text_of(Severity severity);
std::string_view text_of(Certainty certainty);

struct Evidence {
  Said what;            // "diagnose.evidence.capability"
  std::string value;    // as found; for people: value_text
  std::string source;   // "driver (NVML)", "/proc/driver/nvidia/version"
  bool absent = false;  // looked, and there is none
};
// "yes", "no" and what is absent, in the catalogue's language; anything else as it is.
std::string value_text(const Evidence& evidence, const Catalogue& say);

struct Fix {
  std::string id;           // names the text in the rule: "## Fix other-build"
  std::string action_kind;  // of schemas/doctor.schema.json: "install-build", "update-driver", …
  std::string action_target;  // "torch 2.13.0+cu126"
  std::vector<std::string> commands;
  Said when;  // what to know before they are pasted, or what is to be done in their place
};

struct Subject {
  int gpu = -1;  // indices into the Machine; -1: not about one
  int environment = -1;
  std::string library;
};

struct Finding {
  std::string code;  // "KF2001"
  std::string name;  // "wheel-arch-missing-newer-gpu"
  Severity severity = Severity::error;
  Certainty certainty = Certainty::certain;
  Subject subject;        // the first of those below
  std::vector<int> gpus;  // every GPU that the same cause holds for
  Fill values;            // what is known of the {placeholders} of the rule's text
  std::vector<Evidence> evidence;
  std::vector<Fix> fixes;            // best first
  std::vector<std::string> sources;  // ids of data/sources.toml
};

// What the rules look at, and what the report shows.
struct Situation {
  const Machine& machine;
  const Judgement& judgement;
  const std::vector<Plan>& plans;  // one per environment, then one for a fresh environment
  const Knowledge& knowledge;
};

// Ranked: the root cause first; what only follows from it is not listed.
std::vector<Finding> diagnose(const Situation& situation);

// `doctor --steps`: the walk a person would do by hand, in this order: hardware, driver, cuda,
// framework, environment.
struct Step {
  std::string id;     // "hardware.bus", "driver.loaded", "driver.version", …
  std::string stage;  // "hardware", "driver", "cuda", "framework", "environment"
  enum class State { passed, failed, skipped, unknown } state = State::unknown;
  Said says;
  std::string looked_at;  // "/sys/bus/pci/devices", "libcuda.so.1"
};
std::string_view text_of(Step::State state);
std::vector<Step> steps(const Situation& situation, const std::vector<Finding>& findings);

}  // namespace kernelfit
