// SPDX-License-Identifier: Apache-2.0
#include "plan/parts.h"

#include "base/text.h"

namespace kernelfit::planning {
namespace {

struct MirrorRow {
  std::string base, layout;
};

std::optional<MirrorRow> mirror_row(std::string_view mirror, std::string_view holds,
                                    const Knowledge& knowledge) {
  const Csv& table = knowledge.table("mirrors.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "mirror") == mirror && table.cell(row, "holds") == holds)
      return MirrorRow{std::string(table.cell(row, "base")),
                       std::string(table.cell(row, "layout"))};
  }
  return std::nullopt;
}

}  // namespace

bool is_windows(const Request& request) {
  return request.os == "windows";
}
std::string shell_of(const Request& request) {
  return is_windows(request) ? "powershell" : "sh";
}

std::string quoted(std::string_view spec) {
  return "\"" + std::string(spec) + "\"";
}

std::string path_word(std::string_view path, const Request& request) {
  if (!is_windows(request)) return shell_quote(path);
  return contains(path, " ") ? "\"" + std::string(path) + "\"" : std::string(path);
}

WheelSource official_source(const InstallCommand& row) {
  if (row.index_flag.empty()) return {};
  return {std::string(row.index_flag), std::string(row.index_url), {}, false};
}

std::string mirror_base(std::string_view mirror, std::string_view holds,
                        const Knowledge& knowledge) {
  const auto row = mirror_row(mirror, holds, knowledge);
  return row ? row->base : std::string();
}

std::optional<WheelSource> mirror_source(const InstallCommand& row, std::string_view mirror,
                                         const Knowledge& knowledge) {
  const auto found = mirror_row(mirror, "torch", knowledge);
  const std::string official = mirror_base("official", "torch", knowledge);
  if (!found || official.empty() || !row.index_url.starts_with(official)) return std::nullopt;
  WheelSource out;
  out.mirrored = true;
  out.pypi = mirror_base(mirror, "pypi", knowledge);
  if (found->layout == "flat") {  // a folder of links for each build, whatever the official form
    out.flag = "-f";
    out.url = found->base + "/" + std::string(row.build) + "/";
    return out;
  }
  out.flag = row.index_flag;
  out.url = found->base + std::string(row.index_url.substr(official.size()));
  if (out.flag == "--index-url") out.pypi.clear();
  return out;
}

}  // namespace kernelfit::planning
