// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "pyenv/index_page.h"
#include "pyenv/marker.h"
#include "pyenv/metadata.h"
#include "pyenv/pyvenv_cfg.h"
#include "pyenv/requirement.h"
#include "pyenv/requirements_file.h"

namespace kernelfit {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto metadata = parse_metadata(text)) {
    for (const auto& line : metadata->requires_dist) (void)parse_requirement(line);
  }
  for (const auto& line : parse_requirements(decoded_text(text))) {
    const auto requirement = parse_requirement(line.text);
    const auto marker = Marker::parse(requirement ? requirement->marker : line.text);
    if (marker) (void)marker->holds({{"os_name", "posix"}});
  }
  (void)parse_index_page(text);
  (void)parse_dist_folder(text);
  (void)parse_installer(text);
  (void)parse_direct_url(text);
  (void)parse_pth(text);
  (void)path_of_file_url(text);
  (void)parse_pyvenv_cfg(text);
  return 0;
}

}  // namespace kernelfit
