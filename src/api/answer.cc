// SPDX-License-Identifier: Apache-2.0
// kernelfit.h: does it run on that card?
#include <optional>

#include "api/handles.h"
#include "base/visible.h"

namespace kernelfit::api {
namespace {

kernelfit_verdict list_verdict(const ScanVerdict& verdict, const ScanAnswer& answer,
                               const Contents& contents) {
  const auto& capability = verdict.card.capability;
  const auto& used = verdict.answer.code.used;
  return {verdict, contents.handle_of(verdict.file),
          capability.has() ? capability->text() : std::string(),
          used ? used->text() : std::string(),
          run_reason(verdict, answer.knowledge, contents.say())};
}

Ending bad_argument(const Catalogue& say, std::string_view key, const Fill& values) {
  return {KERNELFIT_BAD_ARGUMENT, say(key, values)};
}

// Nothing where the question is not understood; `problem` says so.
std::optional<ScanQuestion> read_question(const Contents& contents, const char* gpu,
                                          const char* driver, Ending& problem) {
  ScanQuestion question;
  auto card = contents.gpu(gpu);
  if (!card) {
    problem = bad_argument(contents.say(), "api.error.gpu",
                           {{"value", visible(gpu)}, {"problem", visible(card.error().text())}});
    return {};
  }
  question.gpus.emplace_back(gpu, std::move(*card));
  if (driver == nullptr) return question;
  question.driver = driver_from_text(driver);
  if (question.driver) return question;
  problem = bad_argument(contents.say(), "api.error.driver", {{"value", visible(driver)}});
  return {};
}

Ending judge(const kernelfit_scan* scan, const char* gpu, const char* driver,
             kernelfit_answer& answer) {
  if (!scan || !scan->contents) {
    return bad_argument(load_catalogue("en"), "api.error.scan", {});
  }
  const Contents& contents = *scan->contents;
  if (!gpu) return bad_argument(contents.say(), "api.error.no-gpu", {});
  Ending problem;
  auto question = read_question(contents, gpu, driver, problem);
  if (!question) return problem;
  std::vector<kernelfit_verdict> verdicts;
  Ending ending =
      contents.with_answer(*question, [&](const ScanAnswer& found, ScanOutcome outcome) {
        for (const auto& verdict : found.verdicts) {
          verdicts.push_back(list_verdict(verdict, found, contents));
        }
        return Ending{status_of(outcome), message_of(found.remarks, contents.say())};
      });
  answer.question = std::move(*question);
  answer.verdicts = std::move(verdicts);
  answer.contents = scan->contents;
  return ending;
}

}  // namespace
}  // namespace kernelfit::api

kernelfit_status kernelfit_judge(const kernelfit_scan* scan, const char* gpu, const char* driver,
                                 kernelfit_answer** answer) {
  return kernelfit::api::make_handle(answer, [&](kernelfit_answer& into) {
    return kernelfit::api::judge(scan, gpu, driver, into);
  });
}

void kernelfit_answer_close(kernelfit_answer* answer) {
  delete answer;
}

kernelfit_status kernelfit_answer_status(const kernelfit_answer* answer) {
  return answer ? answer->ending.status : KERNELFIT_BAD_ARGUMENT;
}

const char* kernelfit_answer_message(const kernelfit_answer* answer) {
  return answer ? answer->ending.text() : "";
}

const char* kernelfit_answer_json(const kernelfit_answer* answer) {
  if (!answer || !answer->contents) return "";
  return answer->json.get([&] { return answer->contents->json(answer->question); });
}

size_t kernelfit_verdict_count(const kernelfit_answer* answer) {
  return answer ? answer->verdicts.size() : 0;
}

const kernelfit_verdict* kernelfit_verdict_at(const kernelfit_answer* answer, size_t index) {
  return answer ? kernelfit::api::item_at(answer->verdicts, index) : nullptr;
}

const char* kernelfit_verdict_word(const kernelfit_verdict* verdict) {
  const auto word = verdict ? verdict->verdict.answer.verdict : kernelfit::Verdict::unknown;
  return text_of(word).data();  // of a literal
}

int kernelfit_verdict_runs(const kernelfit_verdict* verdict) {
  return verdict && kernelfit::runs(verdict->verdict.answer.verdict) ? 1 : 0;
}

const kernelfit_file* kernelfit_verdict_file(const kernelfit_verdict* verdict) {
  return verdict ? verdict->file : nullptr;
}

const char* kernelfit_verdict_gpu(const kernelfit_verdict* verdict) {
  return verdict ? verdict->verdict.card.label.c_str() : "";
}

const char* kernelfit_verdict_capability(const kernelfit_verdict* verdict) {
  return verdict ? verdict->capability.c_str() : "";
}

const char* kernelfit_verdict_used(const kernelfit_verdict* verdict) {
  return verdict ? verdict->used.c_str() : "";
}

const char* kernelfit_verdict_min_driver(const kernelfit_verdict* verdict) {
  return verdict ? verdict->verdict.answer.need.minimum.text().c_str() : "";
}

int kernelfit_verdict_max_branch(const kernelfit_verdict* verdict) {
  return verdict ? verdict->verdict.answer.need.last_branch : 0;
}

const char* kernelfit_verdict_reason(const kernelfit_verdict* verdict) {
  return verdict ? verdict->reason.c_str() : "";
}
