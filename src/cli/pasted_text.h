// SPDX-License-Identifier: Apache-2.0
// Where a text to be read comes from.
#pragma once
#include <string>

#include "host/host.h"
#include "paste/paste.h"

namespace kernelfit::cli {

void read_stdin(PasteReader& paste);
// A file of any size in pieces; what tells no size (/proc, a pipe) whole, up to what a host reads.
Status read_text(const Host& host, const std::string& path, PasteReader& paste);

}  // namespace kernelfit::cli
