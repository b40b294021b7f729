// SPDX-License-Identifier: Apache-2.0
// kernelfit scan: which GPU code is inside files, folders, archives, environments.
#include <algorithm>
#include <chrono>
#include <optional>

#include "base/text.h"
#include "cli/context.h"
#include "cli/exit_status.h"
#include "cli/progress.h"
#include "cli/scan_extract.h"
#include "host/http.h"
#include "host/interrupt.h"
#include "judge/card.h"
#include "report/scan.h"

namespace kernelfit::cli {
namespace {

// What the flags say, read and checked.
struct Request {
  Selection selection;
  ScanQuestion question;
  std::chrono::seconds timeout{30};  // of a server
  std::optional<Said> problem;
};

GpuArch::Kind kind_of(std::string_view word) {
  if (word == "sass") return GpuArch::Kind::sass;
  return word == "ptx" ? GpuArch::Kind::ptx : GpuArch::Kind::lto;
}

void read_selection(const Args& args, Request& request) {
  for (const auto& text : args.values("sm")) {
    const auto choice = ArchChoice::parse(text);
    if (!choice) request.problem = Said{"cli.error.sm", {{"value", text}}};
    if (choice) request.selection.archs.push_back(*choice);
  }
  for (const auto& word : args.values("kind")) request.selection.kinds.push_back(kind_of(word));
  request.selection.members = args.values("member");
}

void read_cards(const Context& context, Request& request) {
  const Args& args = context.args;
  for (const auto& text : args.values("gpu")) {
    auto gpu = gpu_from_text(text, context.knowledge);
    if (gpu) {
      request.question.gpus.emplace_back(text, std::move(*gpu));
    } else {
      Fill values = {{"value", text}, {"problem", gpu.error().text()}};
      request.problem = Said{"cli.error.gpu", std::move(values)};
    }
  }
  for (const char* flag : {"driver", "os", "cpu-arch"}) {
    if (args.has(flag) && request.question.gpus.empty() && !request.problem) {
      request.problem = Said{"cli.error.scan-needs-gpu", {{"flag", "--" + std::string(flag)}}};
    }
  }
}

void read_driver(const Args& args, Request& request) {
  if (!args.has("driver")) return;
  const std::string text = args.value("driver");
  request.question.driver = driver_from_text(text);
  if (!request.question.driver) {
    request.problem = Said{"cli.error.driver", {{"value", text}}};
  }
}

// A comparison or an extraction of a file that was not read would be an answer that is wrong.
void read_remote(const Args& args, Request& request) {
  if (args.has("timeout")) {
    const auto seconds = parse_int(args.value("timeout"));
    if (!seconds || *seconds < 1 || *seconds > 3600) {
      request.problem = Said{"cli.error.timeout", {{"value", args.value("timeout")}}};
    } else {
      request.timeout = std::chrono::seconds(*seconds);
    }
  }
  const bool url = std::ranges::any_of(args.words, is_http_url);
  for (const char* flag : {"diff", "extract"}) {
    if (url && args.has(flag) && !args.has("deep")) {
      request.problem = Said{"cli.error.scan-deep", {{"flag", "--" + std::string(flag)}}};
    }
  }
}

// What looks like a file's name and cannot be one.
void refuse_other_sources(const Args& args, Request& request) {
  for (const auto& word : args.words) {
    if (word.empty()) request.problem = Said{"cli.error.scan-what", {}};
    if (word == "-") request.problem = Said{"cli.error.scan-stdin", {}};
    if (word == "http://" || word == "https://") {
      request.problem = Said{"cli.error.scan-url", {{"value", word}}};
    } else if (contains(word, "://") && !is_http_url(word)) {
      request.problem =
          Said{"cli.error.scan-scheme", {{"value", word.substr(0, word.find("://") + 3)}}};
    }
  }
}

// As it may be printed: of a URL without what may be secret.
std::string shown_word(const std::string& word) {
  return is_http_url(word) ? shown_url(word) : word;
}

Request read_request(const Context& context) {
  Request request;
  read_selection(context.args, request);
  read_cards(context, request);
  read_driver(context.args, request);
  read_remote(context.args, request);
  refuse_other_sources(context.args, request);
  request.question.os = context.args.value("os");
  request.question.cpu_arch = context.args.value("cpu-arch");
  const std::size_t words = context.args.words.size();
  if (words == 0) request.problem = Said{"cli.error.scan-what", {}};
  if (context.args.has("diff") && words != 2) request.problem = Said{"cli.error.scan-diff", {}};
  if (context.args.has("diff") && (context.args.has("extract") || context.args.has("gpu"))) {
    request.problem = Said{"cli.error.scan-diff-alone", {}};
  }
  return request;
}

ScanOptions options_for(const Args& args, const Request& request, const InterruptFlag& interrupt,
                        Progress& progress) {
  ScanOptions options;
  options.kernels = args.has("kernels");
  options.sections_only = args.has("sections");
  options.deep = args.has("deep");
  options.timeout = request.timeout;
  options.cancelled = &interrupt.flag();
  if (progress.shows()) options.progress = [&](std::string_view path) { progress.at(path); };
  return options;
}

Outcome interrupted(const Context& context) {
  return {.status = kInterrupted, .text = {}, .problem = context.say("cli.interrupted")};
}

int status_of(ScanOutcome outcome) {
  switch (outcome) {
    case ScanOutcome::fits: return kFits;
    case ScanOutcome::does_not_fit: return kDoesNotFit;
    case ScanOutcome::no_answer: return kNoAnswer;
    case ScanOutcome::in_part: break;
  }
  return kInPart;
}

// What was scanned, and of --member what no file is called.
struct Scanned {
  ScanReport scan;
  std::vector<std::string> unmatched;
};

// --sm and --kind choose what is shown of a file; what the file is, all its images tell.
Scanned keep_members(ScanReport scan, const Selection& selection) {
  std::vector<std::string> unmatched = unmatched_members(scan, selection);
  std::erase_if(scan.files, [&](const FileScan& file) { return !selection.takes(file); });
  return {std::move(scan), std::move(unmatched)};
}

Scanned scan_one(const std::vector<std::string>& paths, const Context& context,
                 const Request& request, const InterruptFlag& interrupt) {
  Progress progress(context);
  return keep_members(
      scan_paths(context.here, paths, options_for(context.args, request, interrupt, progress)),
      request.selection);
}

Scanned scan_extracting(const Context& context, const Request& request,
                        const InterruptFlag& interrupt, Extraction& extraction) {
  Progress progress(context);
  ScanOptions options = options_for(context.args, request, interrupt, progress);
  options.wants_image = [&](const FileScan& file, const FatbinEntry& entry) {
    return request.selection.takes(file) && request.selection.takes(entry.arch);
  };
  options.on_image = [&](const FileScan& file, const ScannedImage& image, Bytes decoded) {
    if (!interrupt.flag()) extraction.take(file, image, decoded);
  };
  return keep_members(scan_paths(context.here, context.args.words, options), request.selection);
}

std::vector<std::string> names_of(const ScanQuestion& question) {
  std::vector<std::string> out;
  for (const auto& [text, gpu] : question.gpus) out.push_back(text);
  return out;
}

// A typing error in a script must not look like "no code". Where something could not be read, the
// member may be there.
bool no_member_of_that_name(const Scanned& scanned) {
  const ScanReport& scan = scanned.scan;
  return !scanned.unmatched.empty() && scan.files.empty() && read_whole(scan) &&
         std::ranges::all_of(scan.remote, &RemoteScan::whole);
}

std::string said_or_nothing(const std::optional<Said>& said, const Catalogue& say) {
  return said ? say(said->key, said->values) : std::string();
}

Outcome answer_scan(const Scanned& scanned, std::optional<Extracted> extracted,
                    const Request& request, const Context& context) {
  const Args& args = context.args;
  const ScanReport& scan = scanned.scan;
  if (no_member_of_that_name(scanned)) {
    return usage(context, {"cli.error.scan-member", {{"value", scanned.unmatched[0]}}});
  }
  const auto& driver = request.question.driver;
  ScanAnswer answer{scan,
                    context.knowledge,
                    request.selection,
                    names_of(request.question),
                    judge_scan(scan, request.question, context.knowledge),
                    driver ? driver->value_or({}) : DottedVersion(),
                    args.has("kernels"),
                    args.has("demangle"),
                    args.has("archs"),
                    std::move(extracted),
                    scanned.unmatched,
                    {}};
  const int status = status_of(conclude(answer));
  answer.remarks.notes = context.notes;
  const auto none = nothing_selected(scan, request.selection);
  if (none) answer.remarks.notes.push_back(*none);
  Outcome out{
      .status = status, .text = render_scan(answer, context.style, context.say), .problem = {}};
  // A bare list has no room for it.
  if (args.has("archs")) out.problem = said_or_nothing(none, context.say);
  return out;
}

Outcome scan_and_extract(const Context& context, const Request& request,
                         const InterruptFlag& interrupt) {
  const std::string where = context.args.value("extract");
  auto folder = OutputFolder::open(where);
  if (!folder) {
    Fill values = {{"file", where}, {"problem", folder.error().message}};
    return usage(context, {"cli.error.write", std::move(values)});
  }
  Extraction extraction(std::move(*folder), context.args.words);
  const Scanned scanned = scan_extracting(context, request, interrupt, extraction);
  if (interrupt.flag()) {
    extraction.take_back();
    return interrupted(context);
  }
  Extracted extracted = extraction.result(scanned.scan, request.selection);
  if (extracted.written.empty()) extraction.take_back();  // not a folder for nothing
  return answer_scan(scanned, std::move(extracted), request, context);
}

std::vector<std::string> problems_of(const ScanReport& scan) {
  std::vector<std::string> out;
  for (const auto& problem : scan.problems) out.push_back(problem.line());
  for (const auto& file : scan.files) {
    for (const auto& problem : file.problems) {
      out.push_back(PlaceProblem{file.path, file.member, problem}.line());
    }
  }
  return out;
}

Outcome compare(const Context& context, const Request& request, const InterruptFlag& interrupt) {
  const auto& words = context.args.words;
  Scanned of_a = scan_one({words[0]}, context, request, interrupt);
  Scanned of_b = scan_one({words[1]}, context, request, interrupt);
  if (interrupt.flag()) return interrupted(context);
  if (no_member_of_that_name(of_a) && no_member_of_that_name(of_b)) {
    return usage(context, {"cli.error.scan-member", {{"value", of_a.unmatched[0]}}});
  }
  const auto none_a = nothing_selected(of_a.scan, request.selection);
  const auto none_b = nothing_selected(of_b.scan, request.selection);
  for (Scanned* side : {&of_a, &of_b}) keep_selected(side->scan, request.selection);
  const ScanReport &a = of_a.scan, &b = of_b.scan;
  const std::string name_a = shown_word(words[0]), name_b = shown_word(words[1]);
  ScanDiff diff{name_a,
                name_b,
                compare_scans({a, name_a}, {b, name_b}),
                {},
                context.knowledge,
                context.args.has("kernels"),
                context.args.has("demangle"),
                {}};
  for (const auto* side : {&a, &b}) {
    for (auto& problem : problems_of(*side)) diff.problems.push_back(std::move(problem));
  }
  diff.remarks.notes = context.notes;
  if (none_a && none_b) diff.remarks.notes.push_back(*none_b);
  if (!read_whole(a) || !read_whole(b)) {
    const std::string count = std::to_string(diff.problems.size());
    diff.remarks.missing = {{"report.scan.missing.faulty", {{"count", count}}}};
    diff.remarks.incomplete = true;
  }
  int status = diff.differs() ? kDoesNotFit : kFits;
  if (diff.remarks.incomplete && !diff.surely_differs()) status = kInPart;
  if (nothing_read(a) || nothing_read(b)) status = kNoAnswer;
  return {.status = status,
          .text = render_scan_diff(diff, context.style, context.say),
          .problem = none_a && none_b ? said_or_nothing(none_b, context.say) : std::string()};
}

}  // namespace

Outcome cmd_scan(const Context& context) {
  const Request request = read_request(context);
  if (request.problem) return usage(context, *request.problem);
  const InterruptFlag interrupt;
  if (context.args.has("diff")) return compare(context, request, interrupt);
  if (context.args.has("extract")) return scan_and_extract(context, request, interrupt);
  const Scanned scan = scan_one(context.args.words, context, request, interrupt);
  if (interrupt.flag()) return interrupted(context);
  return answer_scan(scan, std::nullopt, request, context);
}

}  // namespace kernelfit::cli
