// SPDX-License-Identifier: Apache-2.0
#include "cli/clipboard.h"

#include "base/text.h"

namespace kernelfit::cli {
namespace {

struct Way {
  std::vector<std::string> argv;
  std::string_view display;  // the variable without which it has nothing to ask; empty: none
};

const Way kWays[] = {
    {{"wl-paste", "--no-newline"}, "WAYLAND_DISPLAY"},
    {{"xclip", "-selection", "clipboard", "-o"}, "DISPLAY"},
    {{"xsel", "--clipboard", "--output"}, "DISPLAY"},
    {{"pbpaste"}, {}},
    {{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command",
      "[Console]::OutputEncoding=[Text.Encoding]::UTF8; Get-Clipboard -Raw"},
     {}},
};

// What the programs of a desktop need beside what every child sees.
constexpr std::string_view kDesktop[] = {"WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DISPLAY",
                                         "XAUTHORITY"};

Command command_of(const Way& way, const Host& host) {
  Command command;
  command.argv = way.argv;
  for (auto name : kDesktop) {
    if (auto value = host.env(name)) command.env[std::string(name)] = *value;
  }
  return command;
}

}  // namespace

tl::expected<std::string, Said> read_clipboard(const Host& host) {
  std::string refused;
  for (const Way& way : kWays) {
    const bool has_display = way.display.empty() || !host.env(way.display).value_or("").empty();
    if (!has_display) continue;
    auto ran = host.run(command_of(way, host));
    if (!ran) continue;
    if (ran->status == 0 || ran->truncated) return std::move(ran->out);
    const std::string why = ran->timed_out ? "" : std::string(trim(ran->err));
    refused = way.argv[0] + (why.empty() ? "" : ": " + why);
  }
  if (!refused.empty()) {
    return tl::unexpected(Said{"cli.error.clipboard", {{"problem", refused}}});
  }
  return tl::unexpected(Said{"cli.error.clipboard-none", {}});
}

}  // namespace kernelfit::cli
