// SPDX-License-Identifier: Apache-2.0
#include "judge/evidence.h"

#include <algorithm>

#include "judge/evidence_parts.h"

namespace kernelfit {
namespace {

void add(std::vector<LibrarySubject>& subjects, std::optional<LibrarySubject> subject) {
  if (subject) subjects.push_back(*std::move(subject));
}

bool is_subject(const std::vector<LibrarySubject>& subjects, std::string_view library) {
  return std::any_of(subjects.begin(), subjects.end(),
                     [&](const LibrarySubject& one) { return one.library == library; });
}

// What a toolkit cannot compile for, nothing built with it holds; what it can, is not known.
CodeVerdict code_by_toolkit(const LibrarySubject& subject, const CodeRule& rule) {
  CodeVerdict out;
  bool too_old = rule.capability < subject.range->minimum;
  bool too_new = !subject.range->listed_only && !subject.may_hold_ptx &&
                 rule.capability.major > subject.range->maximum.major;
  if (too_old || too_new) out.verdict = Verdict::no_code;
  return out;
}

// Runs where each of its files runs; where only some do, in part.
CodeVerdict code_of_each(const std::vector<BinaryImages>& binaries, const CodeRule& rule) {
  std::optional<CodeVerdict> worst;
  bool any_runs = false;
  for (const auto& binary : binaries) {
    auto one = code_for({binary}, rule, true);
    if (one.verdict == Verdict::unknown) continue;  // no code of its own
    any_runs = any_runs || runs(one.verdict);
    if (!worst || one.verdict > worst->verdict) worst = std::move(one);
  }
  if (!worst) return {};
  if (worst->verdict == Verdict::no_code && any_runs) {
    worst->verdict = Verdict::partial;
    worst->missing = {rule.capability};
  }
  return *worst;
}

}  // namespace

std::vector<LibrarySubject> subjects_of(const Environment& environment, Platform platform,
                                        std::string_view l4t, const Knowledge& knowledge) {
  std::vector<LibrarySubject> subjects;
  judging::TorchEvidence torch;
  if (const auto* library = environment.library("torch")) {
    torch = judging::torch_evidence(*library, environment, platform, l4t, knowledge);
    subjects.push_back(torch.subject);
    if (!torch.subject.cpu_only) {
      judging::add_parts_of_torch(subjects, environment, torch, knowledge);
      add(subjects, judging::linalg_evidence(*library, torch.subject, platform, knowledge));
    }
  }
  const judging::CodePackages packages(knowledge);
  for (const auto& library : environment.libraries) {
    if (library.name == "torch" || judging::is_nvidia_part(library.name)) continue;
    if (is_subject(subjects, library.name)) continue;  // triton, with the torch that takes it
    auto subject = judging::library_evidence(library, torch.subject, platform, knowledge);
    if (subject && (!subject->unlisted || packages.has(library.name))) {
      add(subjects, std::move(subject));
    }
  }
  for (const auto& package : environment.packages) {
    const bool judged = environment.library(package.name) != nullptr ||
                        is_subject(subjects, package.name) || judging::is_nvidia_part(package.name);
    if (judged || !packages.has(package.name)) continue;
    Library library;
    library.name = package.name;
    library.version = package.version;
    add(subjects, judging::library_evidence(library, torch.subject, platform, knowledge));
  }
  return subjects;
}

CodeVerdict code_of(const LibrarySubject& subject, const Card& card) {
  CodeRule rule = code_rule(card, subject.cuda);
  if (subject.by_toolkit) return code_by_toolkit(subject, rule);
  if (subject.each_file) return code_of_each(subject.binaries, rule);
  if (subject.basis == "file") return code_for(subject.binaries, rule, subject.dispatches);
  CodeVerdict out;
  if (!subject.table_archs.empty()) out = code_for(subject.table_archs, rule);
  if (!subject.range) return out;
  Verdict by_range = range_verdict(*subject.range, rule.capability);
  if (subject.table_archs.empty()) {
    out.verdict = by_range;
  } else if (by_range != Verdict::native) {
    out.verdict = Verdict::no_code;
  } else if (out.verdict == Verdict::no_code) {
    out.verdict = Verdict::unknown;
  }
  return out;
}

}  // namespace kernelfit
