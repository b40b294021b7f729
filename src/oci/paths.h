// SPDX-License-Identifier: Apache-2.0
// Paths inside an image, as names only: nothing here touches a file. Private to the room.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

// "usr/lib/x" of "./usr//lib/./x/" and of "/usr/lib/x". ".." goes one up and stops at the root, as
// it does in a container.
std::string clean_path(std::string_view path);
// "x" of "usr/lib/x".
std::string_view base_part(std::string_view path);
// What a link at `path` leads to: beside it, or from the root where the target begins with '/'.
std::string beside(std::string_view path, std::string_view target);

}  // namespace kernelfit
