// SPDX-License-Identifier: Apache-2.0
// The words that every command of a plan is made of: quoting for a shell, the interpreter, mirrors.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace kernelfit::planning {

std::string shell_of(const Request& request);  // "sh", "powershell"
bool is_windows(const Request& request);

// "torch==2.14.1+cu126" in double quotes: whole in sh, PowerShell and cmd alike.
std::string quoted(std::string_view spec);
// A path, quoted for the shell only where it needs it.
std::string path_word(std::string_view path, const Request& request);

// Where a wheel of a build comes from: an index, a page of links, or PyPI.
struct WheelSource {
  std::string flag, url;  // "--index-url", "https://…/whl/cu126"; empty: PyPI
  std::string pypi;       // a mirror of PyPI for everything else; empty: as configured
  bool mirrored = false;
};
WheelSource official_source(const InstallCommand& row);
// Nothing where the mirror has no wheels of this build.
std::optional<WheelSource> mirror_source(const InstallCommand& row, std::string_view mirror,
                                         const Knowledge& knowledge);
// "https://pypi.tuna.tsinghua.edu.cn/simple"; empty: the mirror has no PyPI.
std::string mirror_base(std::string_view mirror, std::string_view holds,
                        const Knowledge& knowledge);

}  // namespace kernelfit::planning
