// SPDX-License-Identifier: Apache-2.0
#include "pyenv/wheel_tags.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxTags = 1000;
constexpr std::size_t kMaxText = 4096;

// PEP 600: the older names are aliases.
struct LegacyManylinux {
  std::string_view prefix;
  int major, minor;
};
constexpr LegacyManylinux kLegacy[] = {
    {"manylinux1_", 2, 5}, {"manylinux2010_", 2, 12}, {"manylinux2014_", 2, 17}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The architecture as platform tags write it.
std::string_view linux_arch(std::string_view cpu_arch) {
  if (cpu_arch == "amd64" || cpu_arch == "x64") return "x86_64";
  return cpu_arch == "arm64" ? "aarch64" : cpu_arch;
}

std::string windows_tag(std::string_view cpu_arch) {
  const std::string_view arch = linux_arch(cpu_arch);
  if (arch == "x86_64") return "win_amd64";
  return arch == "aarch64" ? "win_arm64" : "win32";
}

// Wheels of x86 start at glibc 2.5 (manylinux1), those of all others at 2.17 (manylinux2014).
DottedVersion first_glibc(std::string_view arch) {
  return arch == "x86_64" || arch == "i686" ? dotted("2.5") : dotted("2.17");
}

// What may be left out of a check to see why a tag does not fit.
struct Ignored {
  bool python = false, abi = false, os = false, cpu_arch = false, glibc = false;
};

// "3.12" as tags write it: "312". Empty python: no number.
std::string nodot(const DottedVersion& python) {
  return python.empty() ? "" : std::to_string(python.major()) + std::to_string(python.minor());
}

struct PythonTag {
  std::string_view kind;  // "cp", "py", "pp"
  int major = 0;
  int minor = -1;  // -1: py3
};

std::optional<PythonTag> parse_python_tag(std::string_view tag) {
  PythonTag out;
  out.kind = tag.substr(0, 2);
  const std::string_view digits = tag.substr(std::min<std::size_t>(2, tag.size()));
  if (digits.empty() || digits.size() > 4 || !std::ranges::all_of(digits, is_digit)) {
    return std::nullopt;
  }
  out.major = digits[0] - '0';
  if (digits.size() > 1) out.minor = static_cast<int>(*parse_int(digits.substr(1)));
  return out;
}

// "pypy310_pp73" for Python 3.10.
bool pypy_abi_fits(std::string_view abi, const WheelTarget& target) {
  return abi.starts_with("pypy" + nodot(target.python) + "_");
}

// The ABI names of CPython's own minor version: cp312, cp313t, cp37m, cp27mu.
std::vector<std::string> cpython_abis(const WheelTarget& target) {
  const std::string base = "cp" + nodot(target.python);
  const int number = target.python.major() * 100 + target.python.minor();
  if (target.free_threaded) return {base + "t"};
  if (number >= 308) return {base};
  if (number >= 303) return {base + "m"};
  return target.os == "windows" ? std::vector{base + "m"} : std::vector{base + "mu", base + "m"};
}

// Whether the ABI is right for a tag whose Python is the target's own implementation.
bool own_abi_fits(const WheelTag& tag, const PythonTag& python, const WheelTarget& target) {
  if (tag.abi == "none") return true;
  if (target.implementation == "pp") return target.python.empty() || pypy_abi_fits(tag.abi, target);
  if (tag.abi == "abi3") return !target.free_threaded && python.major == 3;
  if (target.python.empty()) return tag.abi.ends_with('t') == target.free_threaded;
  const std::vector<std::string> abis = cpython_abis(target);
  return std::ranges::find(abis, tag.abi) != abis.end();
}

bool python_fits(const WheelTag& tag, const WheelTarget& target, const Ignored& ignored) {
  const auto python = parse_python_tag(tag.python);
  if (!python) return false;
  const bool generic = python->kind == "py";
  if (!generic && python->kind != target.implementation) return false;
  if (generic && tag.abi != "none") return false;
  if (!generic && python->minor < 0) return false;  // "cp3" names no Python
  // A stable-ABI wheel runs on its own Python and on every later one; abi3 begins with 3.2.
  const bool later_too = generic || (tag.abi == "abi3" && python->minor >= 2);
  if (!ignored.python && !target.python.empty()) {
    if (python->major != target.python.major()) return false;
    if (later_too && python->minor > target.python.minor()) return false;
    if (!later_too && python->minor != target.python.minor()) return false;
  }
  if (generic || ignored.abi) return true;
  WheelTarget as_tagged = target;
  if (ignored.python || target.python.empty()) {
    as_tagged.python = dotted(std::to_string(python->major) + "." + std::to_string(python->minor));
  }
  return own_abi_fits(tag, *python, as_tagged);
}

// manylinux_2_28_x86_64, musllinux_1_2_aarch64, linux_x86_64, win_amd64, any
struct PlatformTag {
  std::string_view kind;  // "any", "manylinux", "musllinux", "linux", "win", "other"
  DottedVersion libc;
  std::string arch;
};

// "2_28_x86_64" behind manylinux_ or musllinux_.
PlatformTag libc_tag(std::string_view kind, std::string_view rest) {
  PlatformTag out{kind, {}, {}};
  const std::size_t minor = rest.find('_');
  const std::size_t arch = minor == std::string_view::npos ? minor : rest.find('_', minor + 1);
  if (arch == std::string_view::npos) return {"other", {}, {}};
  auto version = DottedVersion::parse(replace_all(std::string(rest.substr(0, arch)), "_", "."));
  if (!version) return {"other", {}, {}};
  out.libc = *version;
  out.arch = rest.substr(arch + 1);
  return out;
}

PlatformTag parse_platform(std::string_view tag) {
  if (tag == "any") return {"any", {}, {}};
  if (tag.starts_with("manylinux_")) return libc_tag("manylinux", tag.substr(10));
  if (tag.starts_with("musllinux_")) return libc_tag("musllinux", tag.substr(10));
  for (const auto& legacy : kLegacy) {
    if (!tag.starts_with(legacy.prefix)) continue;
    PlatformTag out{"manylinux", {}, std::string(tag.substr(legacy.prefix.size()))};
    out.libc = dotted(std::to_string(legacy.major) + "." + std::to_string(legacy.minor));
    const bool x86 = out.arch == "x86_64" || out.arch == "i686";
    return x86 || legacy.minor == 17 ? out : PlatformTag{"other", {}, {}};
  }
  if (tag.starts_with("linux_")) return {"linux", {}, std::string(tag.substr(6))};
  if (tag.starts_with("win")) return {"win", {}, std::string(tag)};
  return {"other", {}, {}};
}

bool libc_fits(const PlatformTag& tag, const WheelTarget& target) {
  const DottedVersion& have = tag.kind == "musllinux" ? target.musl_version : target.glibc;
  if (tag.kind == "manylinux" && tag.libc < first_glibc(tag.arch)) return false;
  return have.empty() || (tag.libc.major() == have.major() && tag.libc <= have);
}

bool platform_fits(std::string_view text, const WheelTarget& target, const Ignored& ignored) {
  const PlatformTag tag = parse_platform(text);
  if (tag.kind == "any") return true;
  if (tag.kind == "other") return ignored.os;
  if (tag.kind == "win") {
    const bool os = target.os == "windows" || ignored.os;
    return os && (tag.arch == windows_tag(target.cpu_arch) || ignored.cpu_arch);
  }
  const bool other_libc =
      (tag.kind == "manylinux" && target.musl) || (tag.kind == "musllinux" && !target.musl);
  const bool os = (target.os != "windows" && target.os != "macos" && !other_libc) || ignored.os;
  const bool arch = tag.arch == linux_arch(target.cpu_arch) || ignored.cpu_arch;
  return os && arch && (tag.kind == "linux" || ignored.glibc || libc_fits(tag, target));
}

bool fits(const WheelTag& tag, const WheelTarget& target, const Ignored& ignored) {
  if (tag.platform == "any" && tag.abi != "none") return false;  // code is never for any platform
  return python_fits(tag, target, ignored) && platform_fits(tag.platform, target, ignored);
}

bool any_fits(const std::vector<WheelTag>& tags, const WheelTarget& target,
              const Ignored& ignored) {
  return std::ranges::any_of(tags, [&](const WheelTag& tag) { return fits(tag, target, ignored); });
}

bool has_empty(const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words, [](std::string_view word) { return word.empty(); });
}

std::string undo_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code =
        text[i] == '%' && i + 2 < text.size() ? parse_hex(text.substr(i + 1, 2)) : std::nullopt;
    out += code ? static_cast<char>(*code) : text[i];
    if (code) i += 2;
  }
  return out;
}

// PEP 825: ^[0-9a-z_.]+$
bool is_variant_label(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
  });
}

std::vector<std::string> platforms_of(const WheelTarget& target) {
  const std::string arch(linux_arch(target.cpu_arch));
  if (target.os == "windows") return {windows_tag(target.cpu_arch)};
  if (target.os == "macos") return {};
  std::vector<std::string> out;
  if (target.musl) {
    for (int minor = target.musl_version.minor(); !target.musl_version.empty() && minor >= 0;
         --minor) {
      out.push_back("musllinux_" + std::to_string(target.musl_version.major()) + "_" +
                    std::to_string(minor) + "_" + arch);
    }
  } else if (!target.glibc.empty()) {
    const int first = target.glibc.major() == 2 ? first_glibc(arch).minor() : 0;
    for (int minor = target.glibc.minor(); minor >= first; --minor) {
      out.push_back("manylinux_" + std::to_string(target.glibc.major()) + "_" +
                    std::to_string(minor) + "_" + arch);
      for (const auto& legacy : kLegacy) {
        if (legacy.major != target.glibc.major() || legacy.minor != minor) continue;
        if (minor != 17 && first != 5) continue;
        out.push_back(std::string(legacy.prefix) + arch);
      }
    }
  }
  out.push_back("linux_" + arch);
  return out;
}

}  // namespace

Result<std::vector<WheelTag>> parse_wheel_tags(std::string_view text) {
  const std::string lowered = lower(text);
  const auto parts = split(lowered, '-');
  if (parts.size() != 3 || text.size() > kMaxText) {
    return error(ErrorKind::malformed, "a tag has three parts: " + printable(text.substr(0, 200)));
  }
  const auto pythons = split(parts[0], '.'), abis = split(parts[1], '.');
  const auto platforms = split(parts[2], '.');
  if (has_empty(pythons) || has_empty(abis) || has_empty(platforms) ||
      pythons.size() * abis.size() * platforms.size() > kMaxTags) {
    return error(ErrorKind::malformed, "not a tag: " + printable(text.substr(0, 200)));
  }
  std::vector<WheelTag> tags;
  for (std::string_view python : pythons) {
    for (std::string_view abi : abis) {
      for (std::string_view platform : platforms) {
        tags.push_back({std::string(python), std::string(abi), std::string(platform)});
      }
    }
  }
  return tags;
}

Result<WheelName> parse_wheel_name(std::string_view file_name) {
  constexpr std::string_view kSuffix = ".whl";
  file_name = file_name.substr(0, file_name.find_first_of("#?"));
  file_name = file_name.substr(file_name.find_last_of("/\\") + 1);
  const std::string shown = printable(file_name.substr(0, 200));
  if (!file_name.ends_with(kSuffix)) {
    return error(ErrorKind::malformed, "not a wheel's name: " + shown);
  }
  file_name.remove_suffix(kSuffix.size());
  const std::string name = undo_percent(file_name);
  std::vector<std::string_view> parts = split(name, '-');
  if (parts.size() < 5 || parts.size() > 7) {
    return error(ErrorKind::malformed, "a wheel's name has 5 to 7 parts: " + shown);
  }
  WheelName out;
  out.name = parts[0];
  out.version = parts[1];
  // The build tag begins with a digit, a Python tag never does; what stands behind the platform is
  // the variant label.
  std::size_t tags = 2;
  if (!parts[2].empty() && is_digit(parts[2][0])) out.build = parts[tags++];
  if (parts.size() == tags + 4) {
    out.variant = parts[tags + 3];
    if (!is_variant_label(out.variant)) {
      return error(ErrorKind::malformed, "not a variant label in: " + shown);
    }
  } else if (parts.size() != tags + 3) {
    return error(ErrorKind::malformed, "the parts of a wheel's name do not fit: " + shown);
  }
  if (out.name.empty() || !PackageVersion::parse(out.version)) {
    return error(ErrorKind::malformed, "not a package version in: " + shown);
  }
  KF_TRY(out.tags, parse_wheel_tags(std::string(parts[tags]) + "-" + std::string(parts[tags + 1]) +
                                    "-" + std::string(parts[tags + 2])));
  return out;
}

bool tag_fits(const WheelTag& tag, const WheelTarget& target) {
  return fits(tag, target, {});
}

bool any_tag_fits(const std::vector<WheelTag>& tags, const WheelTarget& target) {
  return any_fits(tags, target, {});
}

bool wheel_fits(const WheelName& wheel, const WheelTarget& target) {
  return any_tag_fits(wheel.tags, target);
}

std::string_view why_unfit(const std::vector<WheelTag>& tags, const WheelTarget& target) {
  struct Step {
    std::string_view name;
    Ignored ignored;
  };
  // One thing at a time first, then ever more together: the last one added is what differs.
  const Step kSteps[] = {
      {"", {}},
      {"glibc", {.glibc = true}},
      {"python", {.python = true}},
      {"abi", {.abi = true}},
      {"python", {.python = true, .abi = true}},
      {"python", {.python = true, .abi = true, .glibc = true}},
      {"cpu_arch", {.python = true, .abi = true, .cpu_arch = true, .glibc = true}},
      {"os", {.python = true, .abi = true, .os = true, .cpu_arch = true, .glibc = true}},
  };
  for (const auto& step : kSteps) {
    if (any_fits(tags, target, step.ignored)) return step.name;
  }
  return "python";
}

std::optional<DottedVersion> glibc_of_tag(std::string_view platform_tag) {
  const PlatformTag tag = parse_platform(lower(platform_tag));
  return tag.kind == "manylinux" ? std::optional(tag.libc) : std::nullopt;
}

std::vector<WheelTag> compatible_tags(const WheelTarget& target) {
  std::vector<WheelTag> out;
  const std::string number = nodot(target.python), own = target.implementation + number;
  const std::vector<std::string> platforms = platforms_of(target);
  auto add = [&](const std::string& python, const std::string& abi) {
    for (const auto& platform : platforms) out.push_back({python, abi, platform});
  };
  const int major = target.python.major(), minor = target.python.minor();
  const bool cpython = target.implementation == "cp";
  if (cpython) {
    for (const auto& abi : cpython_abis(target)) add(own, abi);
    const bool stable = major == 3 && minor >= 2 && !target.free_threaded;
    if (stable) add(own, "abi3");
    add(own, "none");
    for (int older = minor - 1; stable && older >= 2; --older) {
      add("cp" + std::to_string(major) + std::to_string(older), "abi3");
    }
  } else {
    add(own, "pypy" + number + "_pp73");
    add(own, "none");
  }
  std::vector<std::string> generic = {"py" + number, "py" + std::to_string(major)};
  for (int older = minor - 1; older >= 0; --older) {
    generic.push_back("py" + std::to_string(major) + std::to_string(older));
  }
  for (const auto& python : generic) add(python, "none");
  out.push_back({own, "none", "any"});
  for (const auto& python : generic) out.push_back({python, "none", "any"});
  return out;
}

}  // namespace kernelfit
