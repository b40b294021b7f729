// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include "cli/flags.h"
#include "report/layout.h"

namespace kernelfit::cli {
namespace {

using report::Ink;
using report::Row;

std::string spelling(const Flag& flag) {
  std::string out = flag.letter != 0 ? "-" + std::string(1, flag.letter) + ", " : "    ";
  out += "--" + std::string(flag.name);
  if (!flag.value.empty()) out += " " + std::string(flag.value);
  return out;
}

std::string brief(const Flag& flag, const Catalogue& say) {
  std::string text = say("cli.flag." + std::string(flag.name));
  if (flag.repeatable) text = say("cli.help.repeatable", {{"text", text}});
  if (flag.choices.empty()) return text;
  std::string choices = replace_all(std::string(flag.choices), " ", ", ");
  return say("cli.help.choices", {{"text", text}, {"choices", choices}});
}

std::string group_part(std::string_view group, unsigned kinds, const Style& style,
                       const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& flag : flags()) {
    if (flag.group == group && (flag.on & kinds) != 0) {
      rows.push_back({{spelling(flag), Ink::code}, {brief(flag, say)}});
    }
  }
  if (rows.empty()) return {};
  std::string title = say("cli.help.group." + std::string(group));
  return "\n" + report::paint(title, Ink::strong, style) + "\n" +
         report::lay_out(rows, {.indent = 2, .gap = 2}, style);
}

std::string flags_part(unsigned kinds, const Style& style, const Catalogue& say) {
  std::string out;
  for (auto group : {"command", "what-if", "output", "other"}) {
    out += group_part(group, kinds, style, say);
  }
  return out;
}

}  // namespace

std::string help_text(const Style& style, const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& command : commands()) {
    if (command.hidden) continue;
    std::string name(command.name);
    rows.push_back({{name, Ink::code}, {say("cli.command." + name)}});
  }
  std::string out = report::paragraph({}, say("cli.help.about"), 0, 0, style) + "\n";
  out += report::paint(say("cli.help.usage"), Ink::strong, style) +
         "\n  kernelfit [COMMAND] [OPTIONS]\n\n";
  out += report::paint(say("cli.help.commands"), Ink::strong, style) + "\n" +
         report::lay_out(rows, {}, style);
  out += group_part("output", kEvery, style, say) + group_part("other", kEvery, style, say);
  return out + "\n" + report::paragraph({}, say("cli.help.more"), 0, 0, style);
}

std::string command_help(const Command& command, const Style& style, const Catalogue& say) {
  std::string name(command.name);
  std::string out = report::paragraph({}, say("cli.command." + name), 0, 0, style) + "\n";
  std::string usage = "kernelfit " + name;
  if (!command.words.empty()) usage += " " + std::string(command.words);
  if (!command.words.starts_with("[OPTIONS]")) usage += " [OPTIONS]";
  out += report::paint(say("cli.help.usage"), Ink::strong, style) + "\n  " + usage + "\n\n";
  out += report::paragraph({}, say("cli.command." + name + ".text"), 0, 0, style);
  return out + flags_part(command.kinds, style, say);
}

}  // namespace kernelfit::cli
