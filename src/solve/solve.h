// SPDX-License-Identifier: Apache-2.0
// What to install: enumerate every build of torch, keep those that fit all cards, driver, system,
// Python and glibc, choose one, or say which smallest set of facts cannot hold together.
// Pure: a Request and the knowledge in, an Answer out. A Conflict is a value before it is a
// sentence.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "message/said.h"

namespace kernelfit {

struct Installed {
  std::string name;            // "torch", "torchvision"
  std::string version;         // "2.13.0+cu126"
  std::vector<GpuArch> archs;  // as read from its files; empty: by table
};

// What was asked of a package that belongs to one torch: torchvision, torchaudio, triton; or of
// torch itself, once more.
struct Pin {
  std::string package;       // normalised
  VersionSpecifier version;  // "==0.21.0"; empty: any
  std::string build;         // "cu126" of torchvision==0.21.0+cu126
};

struct Request {
  std::vector<Card> cards;     // empty: none known
  std::vector<Card> left_out;  // dropped by the present driver (solve/left_out.h)
  bool no_gpu = false;         // looked, and there is no NVIDIA GPU
  Fact<DottedVersion> driver;  // absent: none is loaded
  std::string os;              // "linux", "windows", "wsl"
  std::string os_name;         // "Debian GNU/Linux 12 (bookworm)"; empty: not known
  std::string cpu_arch = "x86_64";
  Fact<DottedVersion> python;     // unknown: any; the answer then names one
  Fact<DottedVersion> glibc;      // unknown: not a limit
  std::string jetpack, l4t;       // Jetson; empty elsewhere
  VersionSpecifier wanted;        // "==2.15.*"; empty: the newest
  std::string wanted_build;       // "cu126" of torch==2.13.0+cu126
  std::vector<Pin> pins;          // beside `wanted`: which torch goes with them
  std::vector<std::string> also;  // further packages that were asked for
  std::vector<Installed> installed;
  bool conda = false;         // the installed torch is a package of conda
  std::string conda_channel;  // "pytorch", "conda-forge"; empty: not known
  bool free_threaded = false;
};
// From what was found (or given) about a machine, for one of its environments (-1: none).
Request request_for(const Machine& machine, const Judgement& judgement, int environment);

enum class PlanVerdict {
  install,
  reinstall,
  keep,
  update_driver,
  change_python,
  fix_component,
  ask,
  no_build,
};
std::string_view text_of(PlanVerdict verdict);  // "update-driver"

// How a build runs on one card.
struct PerGpu {
  std::string gpu;                  // Card::label
  Verdict runs = Verdict::unknown;  // native, ptx_jit, partial, no_code
  std::optional<GpuArch> used;
  bool cudnn = true;  // its cuDNN has code for the card
};

struct Choice {
  const TorchBuild* build = nullptr;  // null for a Jetson choice
  const JetsonTorch* jetson = nullptr;
  std::string torch, build_name, channel;  // as the facts write them: "2.14.1", "cu126", "pip"
  std::string torchvision, torchaudio;     // "0.29.1", empty: no pair known
  DottedVersion python;                    // the one it is chosen for
  bool free_threaded = false;
  std::vector<std::string> wheel_tags;  // "cp312-cp312-manylinux_2_28_x86_64"
  DriverNeed driver;
  std::vector<PerGpu> per_gpu;
  Confidence confidence = Confidence::low;
  Said when;  // as an alternative: when it would be better
};

// The smallest set of facts that cannot hold together, and which to change.
struct Conflict {
  struct Part {
    std::string kind;   // "gpu", "driver", "python", "torch", "glibc", "os", "build", "jetpack"
    std::string value;  // "GeForce GTX 1060", "==2.15.*"
    Said because;       // what this fact asks of the others
  };
  std::vector<Part> parts;
  std::string change;  // the kind to change; empty: none would help
  Said advice;
  std::vector<std::string> also_change{};  // beside `change`, where neither helps alone
  bool asks_for(std::string_view kind) const;  // among what is to be changed?
};

struct VariantAnswer;  // one per chip of an ambiguous card

struct Answer {
  PlanVerdict verdict = PlanVerdict::ask;
  std::optional<Choice> choice;
  std::optional<DottedVersion> after_driver;  // what must change first
  std::optional<DottedVersion> after_python;
  std::vector<Said> why;
  std::vector<Choice> alternatives;  // best first
  std::vector<Said> caveats;
  std::vector<Said> avoid;      // what will not help here, and why
  std::vector<Said> questions;  // verdict ask: what would decide
  std::optional<Conflict> conflict;
  std::vector<VariantAnswer> variants;
  bool keeps_installed = false;  // update_driver: the installed torch stays
  bool cpu_only = false;         // nothing can run: CPU build or cloud
  bool in_part = false;          // a card, or a package that was asked for, is not served
  // Verdict no_build: what stands in the way, for the first line (solve/cause.h, "no-gpu" where
  // there is none). The card is only one of the causes: glibc, WSL, another system, one host.
  Said cause;
  // Verdict fix_component: what is there, and the version it should have (empty: rebuild it).
  struct Component {
    std::string package, version, wanted;
  };
  std::vector<Component> components;
};
struct VariantAnswer {
  Card card;
  Answer answer;
};

Answer solve(const Request& request, const Knowledge& knowledge);

// Every build with how it fits, before one is chosen: what the property test enumerates and
// `kernelfit torch --matrix` prints. In the order of the table.
// `platform_fits` is the only one that counts for builds of other systems: nothing else is then
// filled.
struct Candidate {
  const TorchBuild* build = nullptr;
  bool fits = false;  // runs on every card as things are
  std::vector<PerGpu> per_gpu;
  bool has_code = false;  // every card has SASS or PTX
  bool native = false;    // every card has SASS
  bool whole = false;     // and its cuDNN has code for every card
  Verdict driver = Verdict::unknown;
  DriverNeed need;
  std::optional<DottedVersion> driver_to_install;  // nothing: no driver can serve it
  bool python_fits = false, glibc_fits = false, platform_fits = false;
};
std::vector<Candidate> candidates(const Request& request, const Knowledge& knowledge);

}  // namespace kernelfit
