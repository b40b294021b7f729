// SPDX-License-Identifier: Apache-2.0
#include "judge/scanned.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace kernelfit {
namespace {

// "libcudart.so.12" → 12, "libcublasLt.so.11" → 11, "cudart64_110.dll" → 11.0.
DottedVersion cuda_in(std::string_view library) {
  const std::string name = lower(library);
  for (std::string_view prefix : {"libcudart.so.", "libcublas.so.", "libcublaslt.so."}) {
    if (name.starts_with(prefix)) return dotted(name.substr(prefix.size()));
  }
  const std::string_view windows = "cudart64_";
  if (!name.starts_with(windows)) return {};
  const auto number = parse_int(name.substr(windows.size(), name.find('.') - windows.size()));
  if (!number) return {};
  if (*number < 100) return dotted(std::to_string(*number));
  return dotted(std::to_string(*number / 10) + "." + std::to_string(*number % 10));
}

// Tegra boards, GB10: the card and its CPU are one.
bool sits_in_arm(const Card& card) {
  return card.tegra || card.form == "superchip";
}

// A .dll is nothing to Linux, an aarch64 library nothing to an x86 machine. What belongs to no
// system (a cubin, a .fatbin) fits all.
bool fits_system(const FileScan& file, const RunQuestion& question) {
  const bool windows_file = file.kind.starts_with("pe-") || file.kind == "coff-object";
  const bool linux_file = file.kind.starts_with("elf-");
  if (windows_file && !question.os.empty() && question.os != "windows") return false;
  if (linux_file && question.os == "windows") return false;
  const std::string cpu = question.cpu_arch.empty() && sits_in_arm(question.card)
                              ? std::string("aarch64")
                              : question.cpu_arch;
  return file.cpu_arch.empty() || cpu.empty() || file.cpu_arch == cpu;
}

// The highest ISA of the PTX that the card would get: all of it has to be compiled.
DottedVersion isa_of(const FileScan& file, const GpuArch& used) {
  DottedVersion isa;
  for (const auto& container : file.containers) {
    for (const auto& image : container.images) {
      if (image.entry.arch == used) isa = std::max(isa, image.entry.ptx_isa);
    }
  }
  for (const auto& [target, version] : file.ptx_texts) {
    if (target == used) isa = std::max(isa, version);
  }
  return isa;
}

DriverOs os_of(const FileScan& file, const RunQuestion& question) {
  if (question.os.empty()) return driver_os_of(file);
  return question.os == "linux" ? DriverOs::linux : DriverOs::windows;  // WSL has Windows' driver
}

// Where no toolkit is known, the ISA of the PTX alone may decide.
Verdict driver_verdict(const RunAnswer& answer, const Fact<DottedVersion>& driver, DriverOs os,
                       bool toolkit_known, const Knowledge& knowledge) {
  const Verdict served = driver_serves(driver, answer.need, os, knowledge);
  if (served != Verdict::native && served != Verdict::unknown) return served;
  const bool isa_decides = answer.code.needs_ptx && !answer.need.ptx_isa.empty();
  if (!toolkit_known && !isa_decides) return Verdict::unknown;
  if (served == Verdict::native) return answer.code.verdict;
  if (!isa_decides || !driver.has()) return Verdict::unknown;
  const auto* branch = branch_of(*driver, os, knowledge);
  if (branch == nullptr) return Verdict::unknown;
  return branch->max_ptx_isa < answer.need.ptx_isa ? Verdict::driver_too_old : answer.code.verdict;
}

}  // namespace

DottedVersion toolkit_of(const FileScan& file) {
  DottedVersion newest = file.toolkit;
  for (const auto& cubin : file.bare) newest = std::max(newest, cubin.toolkit);
  if (!newest.empty()) return newest;
  for (const auto& library : file.needs ? file.needs->needed : file.imports) {
    newest = std::max(newest, cuda_in(library));
  }
  return newest;
}

DriverOs driver_os_of(const FileScan& file) {
  const bool windows = file.kind.starts_with("pe-") || file.kind == "coff-object";
  return windows ? DriverOs::windows : DriverOs::linux;
}

DottedVersion minimum_driver(const FileScan& file, const Knowledge& knowledge) {
  const DottedVersion cuda = toolkit_of(file);
  if (cuda.empty()) return {};
  return driver_needed(cuda, "", false, {}, driver_os_of(file), knowledge).minimum;
}

int branch_for_ptx(const DottedVersion& isa, const Knowledge& knowledge) {
  if (isa.empty()) return 0;
  for (const auto& branch : knowledge.driver_branches()) {
    if (branch.max_ptx_isa >= isa) return branch.branch;
  }
  return 0;
}

std::vector<std::string> missing_kernels(const FileScan& file, const CodeRule& rule) {
  std::set<std::string_view> all, served;
  for (const auto& [arch, names] : file.kernel_names) {
    all.insert(names.begin(), names.end());
    if (serves(arch, rule)) served.insert(names.begin(), names.end());
  }
  std::vector<std::string> out;
  for (auto name : all) {
    if (!served.contains(name)) out.emplace_back(name);
  }
  return out;
}

RunAnswer file_runs(const FileScan& file, const RunQuestion& question, const Knowledge& knowledge) {
  RunAnswer out;
  if (!question.card.capability.has()) return out;
  const DottedVersion toolkit = toolkit_of(file);
  const DriverOs os = os_of(file, question);
  out.code = code_for({binary_images(file)}, code_rule(question.card, toolkit));
  out.need = driver_needed(toolkit, "", false, {question.card}, os, knowledge);
  if (out.code.needs_ptx) out.need.ptx_isa = isa_of(file, *out.code.used);
  out.verdict = out.code.verdict;
  // What could not be read may be what is missed.
  if (out.verdict == Verdict::no_code && !file.problems.empty()) out.verdict = Verdict::unknown;
  if (!fits_system(file, question)) {
    out.verdict = Verdict::broken;
  } else if (runs(out.verdict) && question.driver) {
    out.verdict = driver_verdict(out, *question.driver, os, !toolkit.empty(), knowledge);
  }
  return out;
}

}  // namespace kernelfit
