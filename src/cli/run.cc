// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <exception>
#include <ostream>

#include "cli/context.h"
#include "cli/exit_status.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/knowledge_files.h"
#include "cli/pasted_text.h"
#include "cli/paths.h"
#include "cli/settings.h"
#include "cli/shared_text.h"
#include "report/age.h"

namespace kernelfit::cli {
namespace {

struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool ascii = false;  // a terminal that has no more
};

// The one mark beyond ASCII that the English texts use; a name or a path stays what it is.
std::string as_shown(std::string text, const Streams& streams) {
  return streams.ascii ? replace_all(std::move(text), "…", "...") : text;
}

int fail(const Streams& streams, const Catalogue& say, const Said& problem) {
  std::string line = say("cli.error", {{"problem", say(problem.key, problem.values)}});
  streams.err << as_shown(std::move(line), streams) << '\n';
  return kNoAnswer;
}

// Of the stream that the answer goes to.
Console console_for(const Command& command, Console console) {
  if (!command.on_error) return console;
  console.is_terminal = console.error_is_terminal;
  console.columns = console.error_columns;
  return console;
}

// stdout (stderr where stdout is a program's), or the file of --output.
int deliver(const std::string& whole, int status, const Args& args, const Streams& streams,
            const Catalogue& say) {
  const std::string text = as_shown(whole, streams);
  std::string file = args.value("output");
  if (file.empty() && args.command->on_error) {
    streams.err << text << std::flush;
    return status;
  }
  if (file.empty()) {
    streams.out << text << std::flush;
    return streams.out ? status : fail(streams, say, {"cli.error.write-out", {}});
  }
  if (Status written = write_file(file, text); !written) {
    Fill values = {{"file", file}, {"problem", written.error().text()}};
    const int unwritten = fail(streams, say, {"cli.error.write", std::move(values)});
    return args.command->on_error ? status : unwritten;  // the program's own status stays
  }
  return status;
}

// --host FILE of a command that judges: not a recorded folder, but what somebody pasted.
bool is_text(const Args& args, const Host& here) {
  if (!args.has("host") || (args.command->kinds & kJudges) == 0) return false;
  const auto info = here.file_info(absolute_path(args.value("host"), here));
  return info && info->kind != FileKind::directory;
}

int run_command(const Host& here, const Args& args, const Style& style, const Catalogue& say,
                const Console& console, const Streams& streams) {
  const bool pasted = is_text(args, here);
  std::unique_ptr<Host> recorded;
  if (args.has("host") && !pasted) {
    auto opened = open_recorded_host(args.value("host"));
    if (!opened)
      return fail(streams, say, {"cli.error.host", {{"problem", opened.error().text()}}});
    recorded = std::move(*opened);
  }
  const Host& host = recorded ? *recorded : here;
  auto knowledge = knowledge_for(args.value("knowledge"), here);
  if (!knowledge) {
    return fail(streams, say, {"cli.error.knowledge", {{"problem", knowledge.error().text()}}});
  }
  auto refuse = [&](const std::string& problem) {
    return fail(streams, say, {"cli.error.knowledge", {{"problem", problem}}});
  };
  // A folder of one's own is read whole: what is wrong in it comes before any answer from it.
  if (!knowledge->problems().empty()) return refuse(knowledge->problems().front());
  std::optional<Paste> paste;
  if (pasted) {
    PasteReader reader(*knowledge);
    const Status read = read_text(here, absolute_path(args.value("host"), here), reader);
    if (!read) return fail(streams, say, {"cli.error.host", {{"problem", read.error().text()}}});
    paste = reader.finish();
    if (paste->blank) return fail(streams, say, {"cli.error.explain-empty", {}});
  }
  const std::string today = host.is_recorded() ? "" : console.today;
  Context context{args,       host,       here,  paste ? &paste->machine : nullptr,
                  *knowledge, say,        style, age_notes(*knowledge, today),
                  console,    streams.err};
  context.style.home = host.home_dir();
  Outcome outcome = args.command->run(context);
  if (!outcome.problem.empty()) {
    std::string line = say("cli.error", {{"problem", redact_secrets(outcome.problem)}});
    streams.err << as_shown(std::move(line), streams) << '\n';
  }
  if (const auto& problems = knowledge->problems(); !problems.empty()) {
    return refuse(problems.front());
  }
  if (outcome.text.empty()) return outcome.status;
  return deliver(shared_text(outcome.text, context), outcome.status, args, streams, say);
}

int run_unguarded(const Host& here, const std::vector<std::string>& arguments,
                  const Console& console, Streams streams) {
  CommandLine line = parse_command_line(arguments);
  const Args& args = line.args;
  Variable variable = [&](std::string_view name) { return here.env(name); };
  Style style = style_for(args, variable, console_for(*args.command, console));
  Catalogue say = load_catalogue(style.language);
  streams.ascii = !style.unicode && style.format == Format::terminal;
  if (line.problem) return fail(streams, say, *line.problem);
  if (args.has("version")) {
    const std::string text = "kernelfit " + std::string(program_version()) + "\n";
    return deliver(text, kFits, args, streams, say);
  }
  if (args.has("help")) {
    std::string text = args.named ? command_help(*args.command, style, say) : help_text(style, say);
    return deliver(text, kFits, args, streams, say);
  }
  return run_command(here, args, style, say, console, streams);
}

int report_bug(const char* what, std::ostream& err) {
  Catalogue say = load_catalogue("en");
  err << say("cli.bug", {{"version", std::string(program_version())}, {"what", what}}) << '\n';
  return kBug;
}

}  // namespace

int run(const Host& host, const std::vector<std::string>& arguments, std::ostream& out,
        std::ostream& err, const Console& console) {
  try {
    return run_unguarded(host, arguments, console, {out, err});
  } catch (const std::exception& bug) {
    return report_bug(bug.what(), err);
  } catch (...) {
    return report_bug("an exception of no known kind", err);
  }
}

}  // namespace kernelfit::cli
