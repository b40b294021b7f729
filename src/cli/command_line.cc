// SPDX-License-Identifier: Apache-2.0
// The one file that knows CLI11 (2.1 to 2.4). One flat parser holds every flag, so that flags may
// stand before or after the command; which of them the command takes is looked up in the table.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/flags.h"
#include "cli/program_words.h"

namespace kernelfit::cli {
namespace {

using Strings = std::vector<std::string>;

std::string spelling(const Flag& flag) {
  std::string out = "--" + std::string(flag.name);
  if (flag.letter != 0) out = "-" + std::string(1, flag.letter) + "," + out;
  return out;
}

std::string dashed(std::string_view name) {
  return "--" + std::string(name);
}

// ------------------------------------------------------------------ CLI11

struct Typed {
  Strings words, unknown;
  std::map<std::string, Strings, std::less<>> flags;
};

void add_flags(CLI::App& app, std::map<std::string, Strings, std::less<>>& values) {
  for (const auto& flag : flags()) {
    std::string name(flag.name);
    if (flag.value.empty()) {
      app.add_flag(spelling(flag));
      continue;
    }
    app.add_option(spelling(flag), values[name])
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

void keep_typed_flags(const CLI::App& app, std::map<std::string, Strings, std::less<>>& values) {
  for (const auto& flag : flags()) {
    bool typed = app.count("--" + std::string(flag.name)) > 0;
    if (!typed) values.erase(std::string(flag.name));
    if (typed) values[std::string(flag.name)];
  }
}

// "--gpu: 1 required TEXT missing" of CLI11 names the flag first.
Said problem_of(const CLI::ParseError& error) {
  std::string text = error.what();
  std::string flag = text.substr(0, text.find_first_of(": ,"));
  if (!flag.starts_with("-")) return {"cli.error.usage", {{"problem", text}}};
  return {"cli.error.needs-value", {{"flag", flag}}};
}

// What no flag took: words, and flags that are not in the table. After `--` all are words.
void sort_out(const Strings& remaining, Typed& typed) {
  bool only_words = false;
  for (const auto& word : remaining) {
    bool is_flag = !only_words && word.size() > 1 && word[0] == '-';
    if (is_flag && word == "--") {
      only_words = true;
    } else {
      (is_flag ? typed.unknown : typed.words).push_back(word);
    }
  }
}

// "--json=yes": CLI11 takes it for "--json".
std::optional<Said> switch_with_value(const Strings& arguments) {
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    const auto equals = argument.find('=');
    if (!argument.starts_with("--") || equals == std::string::npos) continue;
    const std::string name = argument.substr(2, equals - 2);
    const Flag* flag = find_flag(name);
    if (flag != nullptr && flag->value.empty()) {
      return Said{"cli.error.no-value", {{"flag", dashed(name)}}};
    }
  }
  return {};
}

std::optional<Said> parse(const Strings& arguments, Typed& typed) {
  if (auto problem = switch_with_value(arguments)) return problem;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.allow_windows_style_options(false);
  add_flags(app, typed.flags);
  try {
    Strings reversed(arguments.rbegin(), arguments.rend());  // CLI11 takes them from the back
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return problem_of(error);
  }
  keep_typed_flags(app, typed.flags);
  sort_out(app.remaining(), typed);
  return {};
}

// ------------------------------------------------- what the tables allow

Strings flag_names(unsigned kinds) {
  Strings out;
  for (const auto& flag : flags()) {
    if ((flag.on & kinds) != 0) out.push_back(dashed(flag.name));
  }
  return out;
}

Strings command_names() {
  Strings out;
  for (const auto& command : commands()) {
    if (!command.hidden) out.emplace_back(command.name);
  }
  return out;
}

Said with_nearest(std::string key, Fill values, std::string_view typed, const Strings& known) {
  std::string near = nearest(typed, known);
  if (!near.empty()) {
    key += "-near";
    values.emplace_back("nearest", near);
  }
  return {std::move(key), std::move(values)};
}

// "arm64" and "amd64", as Docker, Windows and macOS write them, are the choice they stand for.
void replace_aliases(Args& args) {
  for (auto& [name, values] : args.flags) {
    for (const auto alias : split_words(find_flag(name)->aliases)) {
      const auto equals = alias.find('=');
      for (auto& value : values) {
        if (lower(value) == alias.substr(0, equals)) value = alias.substr(equals + 1);
      }
    }
  }
}

std::optional<Said> check_choice(const Flag& flag, const Strings& values) {
  for (const auto& value : values) {
    if (flag.choices.empty() || contains_word(flag.choices, value)) continue;
    Strings choices;
    for (auto choice : split_words(flag.choices)) choices.emplace_back(choice);
    return Said{"cli.error.choice",
                {{"flag", dashed(flag.name)},
                 {"choices", "`" + join(choices, "`, `") + "`"},
                 {"value", value}}};
  }
  return {};
}

std::optional<Said> check_flag(const Flag& flag, const Args& args) {
  const Strings& values = args.values(flag.name);
  if ((flag.on & args.command->kinds) == 0) {
    return Said{"cli.error.not-here",
                {{"flag", dashed(flag.name)}, {"command", std::string(args.command->name)}}};
  }
  if (values.size() > 1 && !flag.repeatable) {
    return Said{"cli.error.once", {{"flag", dashed(flag.name)}}};
  }
  bool empty = std::any_of(values.begin(), values.end(), [](const auto& v) { return v.empty(); });
  if (empty) return Said{"cli.error.needs-value", {{"flag", dashed(flag.name)}}};
  return check_choice(flag, values);
}

std::optional<Said> check(const Args& args, const Strings& unknown) {
  if (!unknown.empty()) {
    std::string name = unknown[0].substr(0, unknown[0].find('='));
    return with_nearest("cli.error.unknown-flag", {{"flag", name}}, name,
                        flag_names(args.command->kinds));
  }
  for (const auto& [name, values] : args.flags) {
    if (auto problem = check_flag(*find_flag(name), args)) return problem;
  }
  const std::string format = args.value("format");
  if (args.has("json") && !format.empty() && format != "json") {
    return Said{"cli.error.contradict", {{"first", "--json"}, {"second", "--format " + format}}};
  }
  bool takes_words = !args.command->words.empty();
  if (!takes_words && !args.words.empty()) {
    return Said{"cli.error.extra-word", {{"word", args.words[0]}}};
  }
  return {};
}

}  // namespace

std::string Args::value(std::string_view flag) const {
  const auto& all = values(flag);
  return all.empty() ? std::string() : all.back();
}

const std::vector<std::string>& Args::values(std::string_view flag) const {
  static const std::vector<std::string> kNone;
  auto it = flags.find(flag);
  return it == flags.end() ? kNone : it->second;
}

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  line.args.command = find_command("doctor");
  Typed typed;
  ProgramWords split = split_off_program(arguments);
  line.problem = parse(split.own, typed);
  line.args.program = std::move(split.program);
  line.args.flags = std::move(typed.flags);
  replace_aliases(line.args);
  if (!typed.words.empty()) {
    const Command* command = find_command(typed.words[0]);
    line.args.named = command != nullptr;
    if (command != nullptr) line.args.command = command;
    if (command == nullptr && !line.problem) {
      line.problem = with_nearest("cli.error.unknown-command", {{"command", typed.words[0]}},
                                  typed.words[0], command_names());
    }
    line.args.words.assign(typed.words.begin() + 1, typed.words.end());
  }
  if (!line.problem) line.problem = check(line.args, typed.unknown);
  if (line.args.has("run")) line.args.command = find_command("run");
  return line;
}

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
  constexpr std::size_t kFar = 3;
  std::string best;
  std::size_t best_distance = kFar;
  for (const auto& word : known) {
    std::vector<std::size_t> row(word.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 1; i <= typed.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        std::size_t change = diagonal + (typed[i - 1] == word[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
      }
    }
    if (row.back() < best_distance && row.back() < typed.size()) {
      best = word;
      best_distance = row.back();
    }
  }
  return best;
}

}  // namespace kernelfit::cli
