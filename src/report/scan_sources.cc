// SPDX-License-Identifier: Apache-2.0
// Where scanned files were found, where that is more than a path: which platform of a container
// image was read.
#include "base/text.h"
#include "base/visible.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

std::string image_line(const ImageScan& image, const Style& style, const Catalogue& say) {
  const std::string name = image.name.empty() ? short_path(image.path, style) : image.name;
  std::vector<std::string> parts = {say("report.scan.image", {{"name", visible(name)}})};
  if (!image.platform.empty()) parts.push_back(visible(image.platform));
  parts.push_back(
      say("report.scan.image.layers", {{"count", std::to_string(image.layers.size())}}));
  if (!image.other_platforms.empty()) {
    const std::string others = visible(join(image.other_platforms, " "));
    parts.push_back(say("report.scan.image.others", {{"platforms", others}}));
  }
  return join(parts, "   ");
}

}  // namespace

std::vector<std::string> source_lines(const ScanAnswer& answer, const Style& style,
                                      const Catalogue& say) {
  std::vector<std::string> lines;
  for (const auto& image : answer.scan.images) lines.push_back(image_line(image, style, say));
  return lines;
}

}  // namespace kernelfit::report
