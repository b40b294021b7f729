// SPDX-License-Identifier: Apache-2.0
#include "plan/python_commands.h"

#include <algorithm>

#include "base/text.h"
#include "plan/caller.h"
#include "plan/conda.h"
#include "plan/parts.h"
#include "plan/wheel_file.h"
#include "solve/cpu.h"
#include "solve/pairs.h"
#include "solve/python_fit.h"

namespace kernelfit::planning {
namespace {

using solving::install_row;
using solving::pypi_row;
using solving::Specs;
using solving::specs_for;

std::string spec(std::string_view package, std::string_view version) {
  return quoted(std::string(package) + "==" + std::string(version));
}

// torchaudio only where the same source is known to have it.
std::vector<std::string> spec_words(const Specs& specs, bool on_index) {
  std::vector<std::string> out = {spec("torch", specs.torch)};
  if (!specs.torchvision.empty()) out.push_back(spec("torchvision", specs.torchvision));
  const bool local = contains(specs.torch, "+");  // else the index names no build: 2.5.1 of aarch64
  const bool audio =
      !specs.torchaudio.empty() && (!on_index || !local || contains(specs.torchaudio, "+"));
  if (audio) out.push_back(spec("torchaudio", specs.torchaudio));
  return out;
}

// uv's name of a flag. --default-index and not --index-url: a UV_DEFAULT_INDEX that is set, as
// people with a PyPI mirror do, would win over the latter.
std::string uv_flag(const std::string& flag) {
  if (flag == "-f") return "--find-links";
  return flag == "--index-url" ? "--default-index" : flag;
}

void add_source(std::string& pip, std::string& uv, const WheelSource& source) {
  if (!source.pypi.empty()) {
    pip += " --index-url " + source.pypi;
    uv += " --default-index " + source.pypi;
  }
  if (source.flag.empty()) return;
  pip += " " + source.flag + " " + source.url;
  uv += " " + uv_flag(source.flag) + " " + source.url;
}

// Files are broken, versions are right: nothing but force reads them again, and only these.
void add_force(std::string& pip, std::string& uv, const std::vector<std::string>& packages) {
  pip += " --force-reinstall --no-deps";
  for (const std::string& package : packages) uv += " --reinstall-package " + package;
}

struct PipForm {
  std::vector<std::string> specs;
  WheelSource source;
  bool damaged = false;
  Said when;
  std::vector<std::string> uninstall;  // first
};

std::vector<CommandBlock> pip_and_uv(const PipForm& form, const Caller& caller,
                                     const Request& request) {
  std::string pip = caller.pip, uv = caller.uv;
  if (form.damaged) add_force(pip, uv, {"torch"});
  const std::vector<std::string> specs =
      form.damaged ? std::vector<std::string>{form.specs.front()} : form.specs;
  for (const std::string& word : specs) pip += " " + word, uv += " " + word;
  add_source(pip, uv, form.source);
  CommandBlock pip_block{"pip", shell_of(request), caller.pip_make, form.when};
  CommandBlock uv_block{"uv", shell_of(request), caller.uv_make, form.when};
  if (!form.uninstall.empty() && !form.damaged && !caller.pip_remove.empty()) {
    pip_block.lines.push_back(caller.pip_remove + " " + join(form.uninstall, " "));
    uv_block.lines.push_back(caller.uv_remove + " " + join(form.uninstall, " "));
  }
  pip_block.lines.push_back(pip);
  uv_block.lines.push_back(uv);
  // uv serves no Python 2.
  if (request.python.has() && request.python->major() < 3) return {std::move(pip_block)};
  return {std::move(pip_block), std::move(uv_block)};
}

void append(std::vector<CommandBlock>& to, std::vector<CommandBlock> from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

// "https://nelsonliu.me/files/…" -> "nelsonliu.me"
std::string host_of(std::string_view url) {
  const std::size_t start = url.find("://");
  if (start == std::string_view::npos) return std::string(url);
  const std::string_view rest = url.substr(start + 3);
  return std::string(rest.substr(0, rest.find('/')));
}

// The files of one build, by name; nothing where the tables do not say what they are called.
std::optional<PipForm> file_form(const TorchBuild& build, const InstallCommand& row,
                                 const Specs& specs, const Target& target,
                                 const Knowledge& knowledge) {
  PipForm form;
  form.damaged = target.damaged;
  form.when = {"plan.when.wheel-file", {{"torch", specs.torch}}};
  for (const auto& [package, version] :
       {std::pair(std::string_view("torch"), specs.torch), {"torchvision", specs.torchvision}}) {
    if (version.empty()) continue;
    const std::string url = wheel_url(package, version, row, build, target.python, knowledge);
    if (package == "torch" && url.empty()) return std::nullopt;
    form.specs.push_back(url.empty() ? spec(package, version) : url);
  }
  return form;
}

// A build of an index or a page of wheels: the mirror's form first where one was asked for.
std::vector<PipForm> wheel_forms(const TorchBuild& build, const Request& request,
                                 const PlanOptions& options, const Target& target,
                                 const Knowledge& knowledge) {
  std::vector<PipForm> out;
  const InstallCommand* row = install_row(build, knowledge);
  if (row == nullptr) return out;
  const Specs specs = specs_for(build, row, request.pins, knowledge);
  const bool on_index = row->index_flag == "--index-url";
  PipForm form{spec_words(specs, on_index), official_source(*row), target.damaged, {}, {}};
  form.uninstall = to_uninstall(specs, build, request);
  if (is_ambiguous(*row, build, knowledge)) {
    auto named = file_form(build, *row, specs, target, knowledge);
    if (!named) return out;
    named->uninstall = form.uninstall;
    return {*std::move(named)};
  }
  if (build.channel.starts_with("third-party"))
    form.when = {"plan.when.third-party", {{"host", host_of(row->index_url)}}};
  else if (!form.uninstall.empty())
    form.when = {"plan.when.uninstall-first", {{"torch", specs.torch}}};
  if (const auto mirror = mirror_source(*row, options.mirror, knowledge)) {
    PipForm mirrored = form;
    mirrored.source = *mirror;
    mirrored.when = {"plan.when.mirror", {{"mirror", options.mirror}}};
    out.push_back(std::move(mirrored));
    form.when = {"plan.when.official", {}};
  }
  out.push_back(std::move(form));
  return out;
}

// The default index's build by its plain name: right only where no torch is there yet.
std::optional<PipForm> pypi_form(const TorchBuild& build, const DottedVersion& python,
                                 const Request& request, const PlanOptions& options,
                                 const Knowledge& knowledge) {
  const InstallCommand* row = pypi_row(build, knowledge);
  if (row == nullptr || row == install_row(build, knowledge)) return std::nullopt;
  // 1.13.1 for Python 3.11 is on the index alone.
  if (solving::is_experimental(build, python, knowledge)) return std::nullopt;
  const Specs specs = specs_for(build, row, request.pins, knowledge);
  PipForm form{spec_words(specs, false), {}, false, {"plan.when.pypi", {}}, {}};
  form.source.pypi = mirror_base(options.mirror, "pypi", knowledge);
  return form;
}

// What PyPI has is surer than what an index is assumed to have.
bool pypi_first(const TorchBuild& build, const Target& target, const Knowledge& knowledge) {
  const InstallCommand* pypi = pypi_row(build, knowledge);
  const InstallCommand* index = install_row(build, knowledge);
  return target.clean && pypi != nullptr && index != nullptr &&
         pypi->basis.confidence >= index->basis.confidence;
}

bool has_torch(const Request& request) {
  return std::any_of(request.installed.begin(), request.installed.end(),
                     [](const Installed& installed) { return installed.name == "torch"; });
}

// A conda torch under a pip one: both are imported as one, so conda's goes first.
void remove_conda_torch(std::vector<CommandBlock>& blocks, const Request& request,
                        const PlanOptions& options) {
  const bool conda = std::any_of(
      request.installed.begin(), request.installed.end(), [](const Installed& installed) {
        return installed.name == "torch" && contains(installed.version, "+cuda");
      });
  if (!conda && !request.conda) return;
  const std::string line = conda_remove_line(request, options);
  for (CommandBlock& block : blocks) block.lines.insert(block.lines.begin(), line);
}

// The source of a torch's pairs: a mirror's where one was asked for.
PipForm pair_source(const InstallCommand& row, const PlanOptions& options,
                    const Knowledge& knowledge) {
  PipForm form;
  if (const auto mirror = mirror_source(row, options.mirror, knowledge)) {
    form.source = *mirror;
    form.when = {"plan.when.mirror", {{"mirror", options.mirror}}};
  } else {
    form.source = official_source(row);
  }
  return form;
}

// The files of wheels whose version does not name their CUDA.
PipForm pair_files(const std::vector<Answer::Component>& pairs, const Choice& torch,
                   const InstallCommand& row, const Knowledge& knowledge) {
  PipForm form;
  for (const Answer::Component& pair : pairs) {
    const std::string url =
        wheel_url(pair.package, pair.wanted, row, *torch.build, torch.python, knowledge);
    form.specs.push_back(url.empty() ? spec(pair.package, pair.wanted) : url);
    if (!url.empty()) form.when = {"plan.when.wheel-file", {{"torch", torch.torch}}};
  }
  return form;
}

// The lines of two forms, tool by tool.
std::vector<CommandBlock> one_after_another(const std::vector<PipForm>& forms, const Caller& caller,
                                            const Request& request) {
  std::vector<CommandBlock> out;
  for (const PipForm& form : forms) {
    if (form.specs.empty()) continue;
    std::vector<CommandBlock> blocks = pip_and_uv(form, caller, request);
    if (out.empty()) {
      out = std::move(blocks);
      continue;
    }
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].lines.insert(out[i].lines.end(), blocks[i].lines.begin(), blocks[i].lines.end());
  }
  return out;
}

// pip takes what is there, 0.12.1+cu102, for the 0.12.1 that is wanted.
bool is_taken_for(const Answer::Component& pair, const Request& request) {
  return std::any_of(
      request.installed.begin(), request.installed.end(), [&](const Installed& installed) {
        return installed.name == pair.package && installed.version.starts_with(pair.wanted + "+");
      });
}

// torchvision and torchaudio beside a torch that stays.
std::vector<CommandBlock> pair_blocks(const std::vector<Answer::Component>& pairs,
                                      const Choice& torch, const Caller& caller,
                                      const Request& request, const PlanOptions& options,
                                      const Knowledge& knowledge) {
  const InstallCommand* row = install_row(*torch.build, knowledge);
  if (row == nullptr) return {};
  if (is_ambiguous(*row, *torch.build, knowledge))
    return pip_and_uv(pair_files(pairs, torch, *row, knowledge), caller, request);
  PipForm index = pair_source(*row, options, knowledge), pypi;
  for (const Answer::Component& pair : pairs) {
    // PyPI's torchaudio serves every CUDA of its major; an index that stands for all need not have
    // it, one beside PyPI may have the same version for this CUDA, which pip takes then.
    const bool elsewhere = pair.package == "torchaudio" && !contains(pair.wanted, "+") &&
                           row->index_flag == "--index-url";
    PipForm& form = elsewhere ? pypi : index;
    form.specs.push_back(spec(pair.package, pair.wanted));
    if (is_taken_for(pair, request)) form.uninstall.push_back(pair.package);
  }
  return one_after_another({index, pypi}, caller, request);
}

}  // namespace

std::vector<CommandBlock> install_blocks(const Choice& choice, const Request& request,
                                         const PlanOptions& options, const Target& target,
                                         const Knowledge& knowledge) {
  if (choice.build == nullptr) return {};
  const TorchBuild& build = *choice.build;
  if (choice.channel.starts_with("conda"))
    return conda_blocks(choice, request, options, target, knowledge);
  const Caller caller =
      target.new_environment ? caller_new(choice, request) : caller_here(request, options);
  Target here = target;
  here.python = choice.python;
  std::vector<PipForm> forms = wheel_forms(build, request, options, here, knowledge);
  const bool there = has_torch(request) && !target.new_environment;
  if (auto pypi = pypi_form(build, choice.python, request, options, knowledge);
      pypi && !there && !target.damaged)
    forms.insert(pypi_first(build, target, knowledge) ? forms.begin() : forms.end(), *pypi);
  std::vector<CommandBlock> out;
  for (const PipForm& form : forms) append(out, pip_and_uv(form, caller, request));
  if (!target.new_environment) remove_conda_torch(out, request, options);
  return out;
}

std::vector<CommandBlock> component_blocks(const std::vector<Answer::Component>& components,
                                           const Choice& torch, const Request& request,
                                           const PlanOptions& options, const Knowledge& knowledge) {
  const Caller caller = caller_here(request, options);
  std::vector<Answer::Component> pairs, rebuilt;
  for (const Answer::Component& component : components)
    (component.wanted.empty() ? rebuilt : pairs).push_back(component);
  std::vector<CommandBlock> out;
  if (!pairs.empty() && torch.build != nullptr && torch.channel.starts_with("conda"))
    append(out, conda_blocks(torch, request, options, {}, knowledge));
  else if (!pairs.empty() && torch.build != nullptr)
    append(out, pair_blocks(pairs, torch, caller, request, options, knowledge));
  for (const Answer::Component& component : rebuilt)
    append(out, rebuild_blocks(component, request, caller.pip));
  return out;
}

std::vector<CommandBlock> cpu_blocks(const Request& request, const PlanOptions& options,
                                     const Knowledge& knowledge) {
  const TorchBuild* best = solving::cpu_build(request, {}, false, knowledge);
  if (best == nullptr) return {};
  Choice choice;
  choice.build = best;
  choice.channel = "pip";
  choice.python = request.python.has() ? request.python->first(2) : DottedVersion();
  std::vector<CommandBlock> out = install_blocks(choice, request, options, {}, knowledge);
  for (CommandBlock& block : out) block.when = {"plan.when.cpu", {}};
  return out;
}

}  // namespace kernelfit::planning
