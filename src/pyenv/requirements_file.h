// SPDX-License-Identifier: Apache-2.0
// A requirements file as pip reads it (pip's documentation, "Requirements File Format"): its
// encoding, its logical lines, what each of them is. Files that it names are the caller's to read.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

// UTF-8 of what the file's byte order mark says it is: UTF-8, UTF-16 or UTF-32; without one as it
// is. What is no text in it becomes U+FFFD.
std::string decoded_text(std::string_view bytes);

struct RequirementsLine {
  enum class Kind {
    requirement,   // text: "torch[x]==2.6.0; os_name == 'posix'", an address or a path
    editable,      // text: what follows -e
    requirements,  // text: the file that -r names
    constraints,   // text: the file that -c names
    option,        // text: "--index-url", an option that pip knows
    unknown,       // text: an option that pip does not know, or one without its value
  };
  std::size_t number = 0;  // from 1, of its first line
  Kind kind = Kind::requirement;
  std::string text;

  friend bool operator==(const RequirementsLine&, const RequirementsLine&) = default;
};
// Of decoded text. Comments are gone, continued lines are one.
std::vector<RequirementsLine> parse_requirements(std::string_view text);

}  // namespace kernelfit
