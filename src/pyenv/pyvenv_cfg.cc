// SPDX-License-Identifier: Apache-2.0
#include "pyenv/pyvenv_cfg.h"

#include "base/text.h"

namespace kernelfit {
namespace {

// "3.12.3", "3.12.3.final.0" (virtualenv), "3.13.0+" (a build from source)
DottedVersion version_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) ++end;
  while (end > 0 && text[end - 1] == '.') --end;
  return DottedVersion::parse(text.substr(0, end)).value_or(DottedVersion());
}

}  // namespace

PyvenvCfg parse_pyvenv_cfg(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // edited with Windows' Notepad
  PyvenvCfg out;
  for (std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string key = lower(trim(line.substr(0, equals)));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "home") out.home = printable(value);
    if (key == "uv") out.uv = printable(value);
    if (key == "implementation") out.python.implementation = lower(printable(value));
    if (key == "include-system-site-packages") out.system_site = lower(value) == "true";
    if (key == "version" || key == "version_info") {
      if (auto version = version_of(value); version.size() > out.python.version.size()) {
        out.python.version = version;
      }
    }
  }
  return out;
}

}  // namespace kernelfit
