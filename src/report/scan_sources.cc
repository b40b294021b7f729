// SPDX-License-Identifier: Apache-2.0
// Where scanned files were found, where that is more than a path: which platform of a container
// image was read, and what of a file on a server.
#include <algorithm>

#include "base/text.h"
#include "base/visible.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

constexpr std::size_t kShownMembers = 5;

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

std::string remote_head(const RemoteScan& remote, const Catalogue& say) {
  std::vector<std::string> parts = {visible(remote.url)};
  if (remote.size_bytes > 0) parts.push_back(size_text(remote.size_bytes));
  parts.push_back(say("report.scan.remote.read", {{"size", size_text(remote.fetched_bytes)},
                                                  {"count", std::to_string(remote.requests)}}));
  return join(parts, "   ");
}

std::string wheel_line(const RemoteScan& remote, const Style& style, const Catalogue& say) {
  if (remote.name.empty()) return {};
  std::vector<std::string> parts = {visible(remote.name + " " + remote.version)};
  if (!remote.tags.empty()) {
    const bool all = style.verbose || remote.tags.size() == 1;
    parts.push_back(visible(all ? join(remote.tags, " ") : remote.tags.front()) +
                    (all ? "" : " …"));
  }
  if (!remote.requires_python.empty()) {
    parts.push_back(
        say("report.scan.remote.python", {{"versions", visible(remote.requires_python)}}));
  }
  return join(parts, "   ");
}

std::string torch_line(const RemoteScan& remote, const Catalogue& say) {
  if (remote.torch_version.empty()) return {};
  const std::string version = visible(remote.torch_version);
  if (!remote.torch_cuda.empty()) {
    return say("report.scan.remote.cuda", {{"version", version}, {"cuda", remote.torch_cuda}});
  }
  if (!remote.torch_hip.empty()) {
    return say("report.scan.remote.hip",
               {{"version", version}, {"hip", visible(remote.torch_hip)}});
  }
  return say("report.scan.remote.no-cuda", {{"version", version}});
}

// The largest of what may hold GPU code.
std::string members_line(const RemoteScan& remote, const Style& style, const Catalogue& say) {
  std::vector<const RemoteScan::Member*> members;
  for (const auto& member : remote.members) {
    if (member.size_bytes > 0 && may_hold_code_by_name(member.name)) members.push_back(&member);
  }
  if (members.empty()) return {};
  std::ranges::stable_sort(members, std::ranges::greater(),
                           [](const auto* member) { return member->size_bytes; });
  const std::size_t all = members.size();
  if (!style.verbose && all > kShownMembers) members.resize(kShownMembers);
  std::vector<std::string> parts;
  for (const auto* member : members) {
    parts.push_back(visible(member->name) + " " + size_text(member->size_bytes));
  }
  std::string out = say("report.scan.remote.members", {{"members", join(parts, "   ")}});
  if (all == members.size()) return out;
  return out + "   " +
         say("report.scan.remote.more", {{"count", std::to_string(all - members.size())}});
}

std::string deep_line(const RemoteScan& remote, const Catalogue& say) {
  if (remote.whole) return {};
  const std::string size =
      remote.size_bytes > 0 ? size_text(remote.size_bytes) : say("report.scan.remote.size-unknown");
  return say(remote.ranges ? "report.scan.remote.deep" : "report.scan.remote.no-ranges",
             {{"size", size}});
}

}  // namespace

std::vector<SourceLine> source_lines(const ScanAnswer& answer, const Style& style,
                                     const Catalogue& say) {
  std::vector<SourceLine> lines;
  for (const auto& image : answer.scan.images) lines.push_back({0, image_line(image, style, say)});
  for (const auto& remote : answer.scan.remote) {
    lines.push_back({0, remote_head(remote, say)});
    for (auto& text : {wheel_line(remote, style, say), torch_line(remote, say),
                       remote.whole ? std::string() : members_line(remote, style, say),
                       deep_line(remote, say)}) {
      if (!text.empty()) lines.push_back({2, text});
    }
  }
  return lines;
}

}  // namespace kernelfit::report
