// SPDX-License-Identifier: Apache-2.0
// kernelfit torch: what is known of a release, or the matrix of all.
#include "cli/context.h"
#include "cli/exit_status.h"

namespace kernelfit::cli {
namespace {

struct Place {
  const char* channel;
  const char* platform;
};
constexpr Place kPlaces[] = {
    {"pip", "linux-x86_64"},           {"pip", "windows-x86_64"},
    {"pip", "linux-aarch64"},          {"conda-forge", "linux-x86_64"},
    {"conda-pytorch", "linux-x86_64"}, {"third-party-nelsonliu", "linux-x86_64"},
};

// --os and --cpu-arch choose; a terminal gets one platform, a program or a document all.
bool is_wanted(const Place& place, const Context& context) {
  std::string os = context.args.value("os");
  std::string arch = context.args.value("cpu-arch");
  bool chosen = !os.empty() || !arch.empty();
  if (!chosen && context.style.format != Format::terminal) return true;
  if (os.empty() || os == "wsl") os = "linux";
  if (arch.empty()) arch = "x86_64";
  bool fits = place.platform == os + "-" + arch;
  return fits && (chosen || context.style.verbose || std::string_view(place.channel) == "pip");
}

Outcome matrix(const Context& context) {
  std::vector<Matrix> matrices;
  for (const auto& place : kPlaces) {
    if (!is_wanted(place, context)) continue;
    Matrix one = torch_matrix(place.channel, place.platform, context.knowledge);
    if (!one.rows.empty()) matrices.push_back(std::move(one));
  }
  if (matrices.empty()) return usage(context, {"cli.error.no-platform", {}});
  return {.status = kFits,
          .text = render_matrices(matrices, context.knowledge, context.style, context.say),
          .problem = {}};
}

}  // namespace

Outcome cmd_torch(const Context& context) {
  const auto& words = context.args.words;
  if (context.args.has("matrix")) {
    if (words.empty()) return matrix(context);
    return usage(context, {"cli.error.extra-word", {{"word", words[0]}}});
  }
  if (words.size() > 1) return usage(context, {"cli.error.extra-word", {{"word", words[1]}}});
  std::string version = words.empty() ? std::string() : words[0];
  for (std::string_view prefix : {"torch==", "torch", "v"}) {
    if (version.starts_with(prefix)) version.erase(0, prefix.size());
  }
  auto page = torch_page(version, context.knowledge);
  if (!page) return usage(context, {"cli.error.torch-version", {{"value", version}}});
  return {.status = kFits,
          .text = render_torch(*page, context.knowledge, context.style, context.say),
          .problem = {}};
}

}  // namespace kernelfit::cli
