// SPDX-License-Identifier: Apache-2.0
// What is not read though it may hold code: "no GPU code" would be an answer about nothing. For
// this room only.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace kernelfit {

// False for what is named as a library or an archive.
bool may_be_empty(std::string_view name);
// A zip may stand behind one: PEX, zipapp.
bool is_script(Bytes front);

// Why something that begins with no format that is read stays unread: an archive of a kind that is
// not read, a package that is none. Empty where there is nothing to read in it.
std::string why_not_read(std::string_view name, Bytes front, std::uint64_t size_bytes);

}  // namespace kernelfit
