// SPDX-License-Identifier: Apache-2.0
// What was copied last, through the program that the desktop has for it.
#pragma once
#include <string>

#include "host/host.h"
#include "message/said.h"

namespace kernelfit::cli {

// wl-paste under Wayland, xclip or xsel under X11, pbpaste, PowerShell (Windows and WSL). At most 4
// MiB: the first ones of a longer text.
tl::expected<std::string, Said> read_clipboard(const Host& host);

}  // namespace kernelfit::cli
