// SPDX-License-Identifier: Apache-2.0
#include "plan/jetson_commands.h"

#include <algorithm>

#include "base/text.h"
#include "plan/parts.h"
#include "solve/jetson.h"

namespace kernelfit::planning {
namespace {

// JetPack 6 images carry -igpu; JetPack 7 boards take the server-Arm image.
std::string container_image(const JetsonTorch& row) {
  return "nvcr.io/nvidia/pytorch:" + std::string(row.ngc_release) + "-py3" +
         (row.l4t.starts_with("R36") ? "-igpu" : "");
}

std::string digits_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= '0' && c <= '9') out += c;
  }
  return out;
}

// "6.1" -> "v61": the folder of NVIDIA's redistributables. Some rows name theirs ("jp/v512"); one
// that is for a whole line ("4.x") takes the board's own.
std::string wheel_folder(const JetsonTorch& row, const Request& request) {
  const std::size_t named = row.form.find("jp/");
  if (named != std::string_view::npos)
    return std::string(row.form.substr(named + 3, row.form.find(')', named) - named - 3));
  const bool line = contains(row.jetpack, "x") && !request.jetpack.empty();
  return "v" + digits_of(line ? std::string_view(request.jetpack) : row.jetpack);
}

struct Python {
  std::vector<std::string> make;  // a new environment
  std::string pip;                // "python3 -m pip"
};

Python python_for(const Choice& choice, const Request& request, const PlanOptions& options,
                  const Target& target) {
  if (target.new_environment) {
    const std::string version = choice.python.text(), folder = ".venv-" + version;
    return {{"python" + version + " -m venv " + folder}, folder + "/bin/python -m pip"};
  }
  const std::string here =
      options.interpreter.empty() ? "python3" : path_word(options.interpreter, request);
  return {{}, here + " -m pip"};
}

// pip calls any torch that is there satisfied, whatever board it was built for.
void remove_torch(std::vector<std::string>& lines, const Python& python, const Request& request) {
  const bool there =
      std::any_of(request.installed.begin(), request.installed.end(),
                  [](const Installed& installed) { return installed.name == "torch"; });
  if (there && python.make.empty()) lines.push_back(python.pip + " uninstall -y torch");
}

// numpy 1.19.5, the last for Python 3.6, crashes on these boards: its OpenBLAS takes their CPU for
// another (dusty-nv/jetson-inference#1023).
std::string numpy_for(const DottedVersion& python) {
  return quoted(python == dotted("3.6") ? "numpy<=1.19.4" : "numpy<2");
}

std::vector<CommandBlock> nvidia_wheel(const Choice& choice, const Request& request,
                                       const Python& python) {
  const std::string url = "https://developer.download.nvidia.com/compute/redist/jp/" +
                          wheel_folder(*choice.jetson, request) + "/pytorch/";
  CommandBlock block{"pip", "sh", python.make, {"plan.when.nvidia-wheel", {{"url", url}}}};
  remove_torch(block.lines, python, request);
  const std::string install = python.pip + " install ";
  block.lines.push_back(install + "filelock typing-extensions sympy networkx jinja2 fsspec " +
                        numpy_for(choice.python));
  block.lines.push_back(install + "--no-index --no-deps --pre --find-links " + url + " torch");
  return {std::move(block)};
}

std::vector<CommandBlock> community_wheel(const Choice& choice, const Request& request,
                                          const Python& python, const Knowledge& knowledge) {
  const std::string index = solving::community_index(*choice.jetson, request, knowledge);
  if (index.empty()) return {{"pip", "sh", {}, {"plan.when.jetson-community", {}}}};
  CommandBlock block{"pip", "sh", python.make, {}};
  remove_torch(block.lines, python, request);
  block.lines.push_back(python.pip + " install " +
                        quoted("torch==" + std::string(choice.jetson->torch)) + " --index-url " +
                        index);
  return {std::move(block)};
}

}  // namespace

std::vector<CommandBlock> jetson_blocks(const Choice& choice, const Request& request,
                                        const PlanOptions& options, const Target& target,
                                        const Knowledge& knowledge) {
  const JetsonTorch& row = *choice.jetson;
  const Python python = python_for(choice, request, options, target);
  if (solving::is_community(row)) return community_wheel(choice, request, python, knowledge);
  std::vector<CommandBlock> out;
  if (choice.build_name == "wheel") out = nvidia_wheel(choice, request, python);
  if (!solving::is_container(row)) return out;
  CommandBlock docker{"docker", "sh", {}, {"plan.when.container", {}}};
  docker.lines = {"sudo docker run --rm -it --runtime nvidia " + container_image(row)};
  out.push_back(std::move(docker));
  return out;
}

std::vector<Said> jetson_needs(const Choice& choice, const Knowledge& knowledge) {
  std::vector<Said> out;
  if (choice.jetson == nullptr || choice.build_name != "wheel") return out;
  if (solving::is_community(*choice.jetson)) return out;
  const Csv& table = knowledge.table("torch/jetson_needs.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.cell(row, "jetpack") != choice.jetson->jetpack ||
        choice.jetson->ngc_release < table.cell(row, "release_min"))
      continue;
    const std::string get(table.cell(row, "get"));
    const bool page = get.starts_with("https://");
    out.push_back({page ? "plan.note.jetson-needs-page" : "plan.note.jetson-needs-command",
                   {{"library", std::string(table.cell(row, "library"))},
                    {"check", std::string(table.cell(row, "check"))},
                    {"get", get}}});
  }
  return out;
}

}  // namespace kernelfit::planning
