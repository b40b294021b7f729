// SPDX-License-Identifier: Apache-2.0
// Wheel file names and the tags they carry: does this wheel install on this Python, here?
// PEP 425 (tags), 427 (names, build tag), 513/571/599/600 (manylinux), 656 (musllinux),
// 703 (free-threaded ABI), 825 (a variant label behind the platform tag).
// tests/wheel_tags_oracle_test.py judges this room by PyPI's `packaging`.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "version/version.h"

namespace kernelfit {

// One tag: "cp312-cp312-manylinux_2_28_x86_64". Compared as lower case.
struct WheelTag {
  std::string python, abi, platform;
  std::string text() const { return python + "-" + abi + "-" + platform; }
  auto operator<=>(const WheelTag&) const = default;
};

struct WheelName {
  std::string name;            // as written: "torch", "nvidia_cublas_cu12"
  std::string version;         // "2.13.0+cu126": %2B is undone
  std::string build;           // "1", "0_gitabc"; empty: none
  std::vector<WheelTag> tags;  // compressed sets expanded: py2.py3-none-any is two
  std::string variant;         // PEP 825 label, "null" is the null variant; empty: none
};
// A path or URL may stand in front. Errors say what is wrong with the name.
Result<WheelName> parse_wheel_name(std::string_view file_name);

// "cp38.cp39-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64" -> every combination.
Result<std::vector<WheelTag>> parse_wheel_tags(std::string_view text);

// The Python that a wheel would be installed for. CPython unless said otherwise.
struct WheelTarget {
  DottedVersion python;               // "3.12"; empty: any Python fits
  bool free_threaded = false;         // 3.13t
  std::string implementation = "cp";  // "cp", "pp"
  std::string os = "linux";           // "linux", "wsl", "windows"; "macos" takes `any` only
  std::string cpu_arch = "x86_64";  // as uname says: "x86_64", "aarch64"; Windows "amd64" is x86_64
  DottedVersion glibc;              // empty: not a limit
  bool musl = false;                // Alpine: musllinux tags; `glibc` is then not looked at
  DottedVersion musl_version;       // empty: not a limit
};

bool tag_fits(const WheelTag& tag, const WheelTarget& target);
bool any_tag_fits(const std::vector<WheelTag>& tags, const WheelTarget& target);
bool wheel_fits(const WheelName& wheel, const WheelTarget& target);

// Why no tag fits, for the first thing that differs over all of them: "python", "abi", "os",
// "cpu_arch", "glibc"; empty: one fits. What comes nearest decides: a wheel that only needs a
// newer glibc is "glibc", even where it also has tags for other systems.
std::string_view why_unfit(const std::vector<WheelTag>& tags, const WheelTarget& target);

// The oldest glibc that a platform tag needs: manylinux_2_28_x86_64 and legacy manylinux1 (2.5),
// manylinux2010 (2.12), manylinux2014 (2.17). Nothing: the tag does not speak of glibc.
std::optional<DottedVersion> glibc_of_tag(std::string_view platform_tag);

// All tags that the target installs, best first: what pip calls supported tags. `glibc` (or the
// musl version) must be set on Linux for manylinux tags to appear.
std::vector<WheelTag> compatible_tags(const WheelTarget& target);

}  // namespace kernelfit
