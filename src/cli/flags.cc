// SPDX-License-Identifier: Apache-2.0
#include "cli/flags.h"

namespace kernelfit::cli {
namespace {

constexpr Flag kFlags[] = {
    {.name = "archs", .on = kScan, .group = "command"},
    {.name = "clipboard", .on = kPastes, .group = "command"},
    {.name = "color", .value = "WHEN", .choices = "auto always never", .group = "output"},
    {.name = "cpu-arch",
     .value = "ARCH",
     .choices = "x86_64 aarch64",
     .aliases = "amd64=x86_64 x64=x86_64 arm64=aarch64",
     .on = kJudges | kTorch | kScan,
     .group = "what-if"},
    {.name = "cuda", .value = "VERSION", .on = kJudges, .group = "what-if"},
    {.name = "deep", .on = kScan, .group = "command"},
    {.name = "demangle", .on = kScan, .group = "command"},
    {.name = "diff", .on = kScan, .group = "command"},
    {.name = "driver", .value = "VERSION", .on = kJudges | kScan, .group = "what-if"},
    {.name = "env", .value = "PATH", .repeatable = true, .on = kInspects, .group = "what-if"},
    {.name = "extract", .value = "DIR", .on = kScan, .group = "command"},
    {.name = "format",
     .letter = 'f',
     .value = "FORMAT",
     .choices = "terminal json markdown",
     .on = kReports,
     .group = "output"},
    {.name = "glibc", .value = "VERSION", .on = kJudges, .group = "what-if"},
    {.name = "gpu", .value = "GPU", .repeatable = true, .on = kJudges | kScan, .group = "what-if"},
    {.name = "help", .letter = 'h', .group = "other"},
    {.name = "host", .value = "DIR", .on = kInspects, .group = "what-if"},
    {.name = "installed",
     .value = "PACKAGE",
     .repeatable = true,
     .on = kJudges,
     .group = "what-if"},
    {.name = "jetpack", .value = "VERSION", .on = kJudges, .group = "what-if"},
    {.name = "json", .on = kReports, .group = "output"},
    {.name = "kernels", .on = kScan, .group = "command"},
    {.name = "kind",
     .value = "KIND",
     .choices = "sass ptx lto",
     .repeatable = true,
     .on = kScan,
     .group = "command"},
    {.name = "knowledge", .value = "DIR", .on = kKnows, .group = "other"},
    {.name = "lang", .value = "LANGUAGE", .choices = "en zh", .group = "output"},
    {.name = "list", .on = kDoctor, .group = "command"},
    {.name = "matrix", .on = kTorch, .group = "command"},
    {.name = "member", .value = "GLOB", .repeatable = true, .on = kScan, .group = "command"},
    {.name = "mirror",
     .value = "NAME",
     .choices = "tuna ustc aliyun nju sjtu",
     .on = kJudges,
     .group = "what-if"},
    {.name = "no-cache", .on = kJudges, .group = "other"},
    {.name = "no-redact", .on = kInspects | kExplain, .group = "output"},
    {.name = "offline", .value = "DIR", .on = kPlan, .group = "command"},
    {.name = "online", .on = kPlan, .group = "command"},
    {.name = "os",
     .value = "OS",
     .choices = "linux windows wsl",
     .on = kJudges | kTorch | kScan,
     .group = "what-if"},
    {.name = "output", .letter = 'o', .value = "FILE", .group = "output"},
    {.name = "python", .value = "VERSION", .on = kJudges, .group = "what-if"},
    {.name = "quiet", .letter = 'q', .group = "output"},
    {.name = "redact", .on = kInspects | kExplain, .group = "output"},
    {.name = "requirement",
     .letter = 'r',
     .value = "FILE",
     .repeatable = true,
     .on = kPlan,
     .group = "command"},
    {.name = "run", .on = kPastes, .group = "command"},
    {.name = "sections", .on = kScan, .group = "command"},
    {.name = "sm", .value = "ARCH", .repeatable = true, .on = kScan, .group = "command"},
    {.name = "steps", .on = kDoctor, .group = "command"},
    {.name = "timeout", .value = "SECONDS", .on = kScan, .group = "command"},
    {.name = "verbose", .letter = 'v', .group = "output"},
    {.name = "version", .letter = 'V', .group = "other"},
};

}  // namespace

std::span<const Flag> flags() {
  return kFlags;
}

const Flag* find_flag(std::string_view name) {
  for (const auto& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

}  // namespace kernelfit::cli
