// SPDX-License-Identifier: Apache-2.0
#include "cli/requirement_files.h"

#include <algorithm>

#include "cli/paths.h"
#include "host/piped_input.h"
#include "pyenv/metadata.h"
#include "pyenv/requirements_file.h"

namespace kernelfit::cli {
namespace {

using Kind = RequirementsLine::Kind;
using Problem = std::optional<Said>;

constexpr std::size_t kMostFiles = 200;
constexpr std::size_t kMostWishes = 20'000;

bool is_address(std::string_view name) {
  return contains(name, "://") || name.starts_with("file:");
}

class Reader {
 public:
  Reader(const Context& context, Wishes& wishes) : context_(context), wishes_(wishes) {}

  Problem read(const std::string& name, const std::string& path, bool constraints) {
    auto text = text_of(name, path);
    if (!text) return Said{"cli.error.read", {{"file", name}, {"problem", text.error().text()}}};
    if (++files_ > kMostFiles) return Said{"cli.error.too-many-files", {{"file", name}}};
    open_.push_back(real_path(path));
    std::vector<std::string> options;
    for (const auto& line : parse_requirements(decoded_text(*text))) {
      if (auto problem = take(line, path, constraints, options))
        return in_file(name, line, *problem);
    }
    open_.pop_back();
    if (!options.empty())
      wishes_.notes.push_back(
          {"cli.note.options", {{"file", name}, {"options", join(options, ", ")}}});
    return {};
  }

 private:
  // `-r -` and `-r <(…)` are pipes, which a Host never waits for.
  Result<std::string> text_of(const std::string& name, const std::string& path) const {
    if (name == "-") return read_piped(name);
    auto text = context_.here.read_file(path);
    const auto info = context_.here.file_info(path);
    return !text && info && info->kind == FileKind::other ? read_piped(path) : text;
  }

  std::string real_path(const std::string& path) const {
    return context_.here.real_path(path).value_or(path);
  }

  Said in_file(const std::string& name, const RequirementsLine& line, const Said& problem) const {
    // What is said of a file below names that file.
    if (problem.key == "cli.error.in-file") return problem;
    return {"cli.error.in-file",
            {{"file", name},
             {"line", std::to_string(line.number)},
             {"problem", context_.say(problem.key, problem.values)}}};
  }

  Problem take(const RequirementsLine& line, const std::string& path, bool constraints,
               std::vector<std::string>& options) {
    if (line.kind == Kind::unknown) return Said{"cli.error.option", {{"option", line.text}}};
    if (line.kind == Kind::option) {
      const bool told = std::find(options.begin(), options.end(), line.text) != options.end();
      if (!told && line.text != "--hash") options.push_back(line.text);
      return {};
    }
    const std::string text = with_variables(line.text);
    if (line.kind == Kind::requirements || line.kind == Kind::constraints)
      return below(text, path, line.kind == Kind::constraints);
    if (wishes_.all.size() >= kMostWishes) return Said{"cli.error.too-many-lines", {}};
    if (line.kind == Kind::requirement) return add_wish(text, wishes_, constraints);
    Wish editable;
    editable.text = "-e " + text;
    wishes_.all.push_back(std::move(editable));
    return {};
  }

  // Beside the file that names it. An address would need the network.
  Problem below(const std::string& name, const std::string& path, bool constraints) {
    const std::string local = name.starts_with("file:") ? path_of_file_url(name) : name;
    if (is_address(local)) {
      wishes_.notes.push_back({"cli.note.file-address", {{"file", name}}});
      return {};
    }
    const bool absolute = absolute_path(local, context_.here) == local;
    const std::string whole = absolute ? local : join_path(parent_path(path), local);
    if (std::find(open_.begin(), open_.end(), real_path(whole)) != open_.end())
      return Said{"cli.error.file-circle", {{"file", name}}};
    return read(name, whole, constraints);
  }

  // ${NAME} of capitals, digits and _, where it is set: as pip, and nothing else of a shell.
  std::string with_variables(std::string text) const {
    std::size_t at = 0;
    while ((at = text.find("${", at)) != std::string::npos) {
      const std::size_t end = text.find('}', at);
      if (end == std::string::npos) break;
      const std::string name = text.substr(at + 2, end - at - 2);
      const bool is_name =
          !name.empty() &&
          name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
      const auto value = is_name ? context_.here.env(name) : std::nullopt;
      if (value && !value->empty()) text.replace(at, end + 1 - at, *value);
      at += value ? value->size() : 2;
    }
    return text;
  }

  const Context& context_;
  Wishes& wishes_;
  std::vector<std::string> open_;  // the files that led here
  std::size_t files_ = 0;
};

}  // namespace

std::optional<Said> read_requirement_files(const Context& context, Wishes& wishes) {
  Reader reader(context, wishes);
  for (const auto& file : context.args.values("requirement")) {
    const std::string path = file == "-" ? join_path(context.here.current_dir(), "-")
                                         : absolute_path(file, context.here);
    if (auto problem = reader.read(file, path, false)) return problem;
  }
  return {};
}

}  // namespace kernelfit::cli
