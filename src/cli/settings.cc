// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit::cli {
namespace {

constexpr int kNarrowest = 40, kWidest = 120;
constexpr int kWithoutTerminal = 120;  // a file or a pipe has no width

std::string value_of(const Variable& variable, std::string_view name) {
  return variable(name).value_or("");
}

bool is_on(const std::string& value) {
  return !value.empty() && value != "0";
}

Format format_for(const Args& args) {
  std::string format = args.value("format");
  if (args.has("json") || format == "json") return Format::json;
  return format == "markdown" ? Format::markdown : Format::terminal;
}

int columns_for(const Variable& variable, const Console& console) {
  auto columns = parse_int(value_of(variable, "COLUMNS"));
  std::int64_t wanted = columns.value_or(console.columns);
  if (wanted <= 0) wanted = console.is_terminal ? 80 : kWithoutTerminal;
  return static_cast<int>(std::clamp<std::int64_t>(wanted, kNarrowest, kWidest));
}

// zh_CN.GBK: what is written is UTF-8, and would be garbage there; English is ASCII everywhere.
bool has_other_charset(const Variable& variable, const Console& console) {
  if (console.unicode) return false;
  for (auto name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = lower(value_of(variable, name));
    if (locale.empty()) continue;
    return contains(locale, ".") && !contains(locale, "utf-8") && !contains(locale, "utf8");
  }
  return false;
}

}  // namespace

std::string language_for(const Args& args, const Variable& variable, const Console& console) {
  std::vector<std::string> candidates = {args.value("lang"), value_of(variable, "KERNELFIT_LANG")};
  const bool named = !candidates[0].empty() || !candidates[1].empty();
  if (!named && has_other_charset(variable, console)) return "en";
  for (auto name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    candidates.push_back(value_of(variable, name));
  }
  candidates.push_back(console.user_language);
  return choose_language(candidates);
}

bool color_for(const Args& args, const Variable& variable, const Console& console) {
  std::string flag = args.value("color");
  if (flag == "always" || flag == "never") return flag == "always";
  if (!value_of(variable, "NO_COLOR").empty()) return false;
  if (is_on(value_of(variable, "CLICOLOR_FORCE")) || is_on(value_of(variable, "FORCE_COLOR"))) {
    return true;
  }
  if (value_of(variable, "CLICOLOR") == "0" || !console.is_terminal || args.has("output")) {
    return false;
  }
  return value_of(variable, "TERM") != "dumb";
}

bool unicode_for(const Variable& variable, const Console& console) {
  if (console.unicode) return true;
  for (auto name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = lower(value_of(variable, name));
    if (!locale.empty()) return contains(locale, "utf-8") || contains(locale, "utf8");
  }
  return false;
}

Style style_for(const Args& args, const Variable& variable, const Console& console) {
  Style style;
  style.format = format_for(args);
  style.language = language_for(args, variable, console);
  style.color = style.format == Format::terminal && color_for(args, variable, console);
  style.unicode = unicode_for(variable, console) || style.format == Format::markdown;
  style.columns = columns_for(variable, console);
  style.quiet = args.has("quiet");
  style.verbose = args.has("verbose");
  return style;
}

}  // namespace kernelfit::cli
