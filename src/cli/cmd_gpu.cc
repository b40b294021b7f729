// SPDX-License-Identifier: Apache-2.0
// kernelfit gpu: what is known of a card.
#include "cli/exit_status.h"
#include "cli/probe_tables.h"
#include "cli/what_if.h"

namespace kernelfit::cli {
namespace {

GpuReport::Asked asked(const std::string& query, const Gpu& gpu, const Knowledge& knowledge) {
  return {query, card_pages(identify(gpu, knowledge), knowledge)};
}

// `kernelfit gpu GT 730` and `kernelfit gpu "GT 730" K80` both mean what they look like.
std::optional<Said> read_words(const std::vector<std::string>& words, GpuReport& report) {
  std::string together = join(words, " ");
  auto one = gpu_from_text(together, report.knowledge);
  if (one) {
    report.cards.push_back(asked(together, *one, report.knowledge));
    return {};
  }
  for (const auto& word : words) {
    auto gpu = gpu_from_text(word, report.knowledge);
    if (!gpu) {  // the whole is what was meant, unless it is one word
      return Said{"cli.error.gpu", {{"value", together}, {"problem", one.error().text()}}};
    }
    report.cards.push_back(asked(word, *gpu, report.knowledge));
  }
  return {};
}

void look_here(const Host& host, GpuReport& report) {
  auto wanted = [](std::string_view id) { return id != "environments" && id != "toolkits"; };
  const Machine machine = inspect(host, probe_options({}, report.knowledge), wanted);
  for (const auto& gpu : machine.gpus) report.cards.push_back(asked("", gpu, report.knowledge));
}

}  // namespace

Outcome cmd_gpu(const Context& context) {
  GpuReport report{{}, context.knowledge};
  if (context.args.words.empty()) look_here(context.host, report);
  if (!context.args.words.empty()) {
    if (auto problem = read_words(context.args.words, report)) return usage(context, *problem);
  }
  if (report.cards.empty()) return usage(context, {"cli.error.no-gpu-here", {}});
  return {.status = kFits, .text = render_gpu(report, context.style, context.say), .problem = {}};
}

}  // namespace kernelfit::cli
