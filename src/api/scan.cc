// SPDX-License-Identifier: Apache-2.0
// kernelfit.h: versions, options, scans.
#include <algorithm>

#include "api/handles.h"
#include "base/text.h"
#include "report/report.h"

namespace kernelfit::api {
namespace {

constexpr std::size_t kProblemsInMessage = 8;

ScanOptions scan_options(const kernelfit_options& options) {
  ScanOptions out;
  out.kernels = options.kernels;
  out.sections_only = options.sections_only;
  out.deep = options.deep;
  out.threads = options.threads;
  out.cancelled = &options.cancelled;
  return out;
}

std::string scan_message(const Contents& contents, const Remarks& remarks) {
  std::string out = message_of(remarks, contents.say());
  std::size_t shown = 0;
  for (const auto& one : contents.problems()) {
    if (shown++ == kProblemsInMessage) return out + "\n...";
    if (!out.empty()) out += '\n';
    out += one.problem.line();
  }
  return out;
}

Ending open_scan(const char* path, const kernelfit_options& options, kernelfit_scan& scan) {
  const Catalogue say = load_catalogue(options.language);
  if (path == nullptr || *path == '\0') return {KERNELFIT_BAD_ARGUMENT, say("api.error.path")};
  const auto host = real_host();
  ScanReport report = scan_paths(*host, {path}, scan_options(options));
  if (options.cancelled) return {KERNELFIT_CANCELLED, say("api.error.cancelled")};
  auto contents = std::make_shared<Contents>(std::move(report), options.kernels, options.language);
  Ending ending = contents->with_answer({}, [&](const ScanAnswer& answer, ScanOutcome outcome) {
    return Ending{status_of(outcome), scan_message(*contents, answer.remarks)};
  });
  scan.contents = std::move(contents);
  return ending;
}

Ending set_language(kernelfit_options& options, const std::string& language) {
  const auto known = languages();
  if (std::ranges::find(known, language) == known.end()) return {KERNELFIT_BAD_ARGUMENT, {}};
  options.language = language;
  return {};
}

}  // namespace
}  // namespace kernelfit::api

using namespace kernelfit::api;  // NOLINT(google-build-using-namespace): C functions have none

int kernelfit_abi_version() {
  return KERNELFIT_ABI_VERSION;
}

const char* kernelfit_version() {
  return kernelfit::program_version().data();  // of a literal
}

const char* kernelfit_knowledge_date() {
  static const LateText date;
  return date.get([] { return std::string(kernelfit::Knowledge::embedded().date()); });
}

kernelfit_options* kernelfit_options_new() {
  return new (std::nothrow) kernelfit_options;
}

void kernelfit_options_free(kernelfit_options* options) {
  delete options;
}

kernelfit_status kernelfit_options_set_kernels(kernelfit_options* options, int on) {
  if (!options) return KERNELFIT_BAD_ARGUMENT;
  options->kernels = on != 0;
  return KERNELFIT_OK;
}

kernelfit_status kernelfit_options_set_sections_only(kernelfit_options* options, int on) {
  if (!options) return KERNELFIT_BAD_ARGUMENT;
  options->sections_only = on != 0;
  return KERNELFIT_OK;
}

kernelfit_status kernelfit_options_set_deep(kernelfit_options* options, int on) {
  if (!options) return KERNELFIT_BAD_ARGUMENT;
  options->deep = on != 0;
  return KERNELFIT_OK;
}

kernelfit_status kernelfit_options_set_threads(kernelfit_options* options, int threads) {
  if (!options || threads < 0) return KERNELFIT_BAD_ARGUMENT;
  options->threads = threads;
  return KERNELFIT_OK;
}

kernelfit_status kernelfit_options_set_language(kernelfit_options* options, const char* language) {
  if (!options || !language) return KERNELFIT_BAD_ARGUMENT;
  return guarded([&] { return set_language(*options, language); }).status;
}

void kernelfit_options_cancel(kernelfit_options* options) {
  if (options) options->cancelled = true;
}

kernelfit_status kernelfit_open(const char* path, const kernelfit_options* options,
                                kernelfit_scan** scan) {
  return make_handle(scan, [&](kernelfit_scan& into) {
    const kernelfit_options usual;
    return open_scan(path, options ? *options : usual, into);
  });
}

void kernelfit_close(kernelfit_scan* scan) {
  delete scan;
}

kernelfit_status kernelfit_scan_status(const kernelfit_scan* scan) {
  return scan ? scan->ending.status : KERNELFIT_BAD_ARGUMENT;
}

const char* kernelfit_message(const kernelfit_scan* scan) {
  return scan ? scan->ending.text() : "";
}

const char* kernelfit_scan_json(const kernelfit_scan* scan) {
  if (!scan || !scan->contents) return "";
  return scan->json.get([&] { return scan->contents->json({}); });
}

size_t kernelfit_file_count(const kernelfit_scan* scan) {
  return scan && scan->contents ? scan->contents->files().size() : 0;
}

const kernelfit_file* kernelfit_file_at(const kernelfit_scan* scan, size_t index) {
  return scan && scan->contents ? item_at(scan->contents->files(), index) : nullptr;
}

size_t kernelfit_problem_count(const kernelfit_scan* scan) {
  return scan && scan->contents ? scan->contents->problems().size() : 0;
}

const kernelfit_problem* kernelfit_problem_at(const kernelfit_scan* scan, size_t index) {
  return scan && scan->contents ? item_at(scan->contents->problems(), index) : nullptr;
}

const char* kernelfit_problem_path(const kernelfit_problem* problem) {
  return problem ? problem->problem.path.c_str() : "";
}

const char* kernelfit_problem_member(const kernelfit_problem* problem) {
  return problem ? problem->problem.member.c_str() : "";
}

uint64_t kernelfit_problem_offset(const kernelfit_problem* problem) {
  return problem ? problem->offset : KERNELFIT_NO_OFFSET;
}

const char* kernelfit_problem_text(const kernelfit_problem* problem) {
  return problem ? problem->problem.text.c_str() : "";
}
