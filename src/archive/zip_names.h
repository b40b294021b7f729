// SPDX-License-Identifier: Apache-2.0
// Names of zip members as UTF-8. Private to the room.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

// `utf8`: the entry says so. Without it the name is code page 437 (APPNOTE 4.4.4, bit 11), though
// many tools write UTF-8 all the same: what is valid UTF-8 is taken as it is.
std::string zip_name(std::string_view raw, bool utf8);

}  // namespace kernelfit
