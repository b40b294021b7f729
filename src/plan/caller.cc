// SPDX-License-Identifier: Apache-2.0
#include "plan/caller.h"

#include "plan/parts.h"

namespace kernelfit::planning {
namespace {

std::string python_name(const Choice& choice) {
  return choice.python.text() + (choice.free_threaded ? "t" : "");
}

// `'C:\Program Files\Python\python.exe' -m pip` needs the call operator in PowerShell.
std::string call(const std::string& word, const Request& request) {
  return is_windows(request) && word.starts_with('"') ? "& " + word : word;
}

}  // namespace

Caller caller_here(const Request& request, const PlanOptions& options) {
  std::string pip = "python -m pip", target;
  if (!options.interpreter.empty()) {
    const std::string python = path_word(options.interpreter, request);
    pip = call(python, request) + " -m pip";
    target = " --python " + python;
  }
  return {pip + " install",
          "uv pip install" + target,
          pip + " uninstall -y",
          "uv pip uninstall" + target,
          {},
          {}};
}

Caller caller_new(const Choice& choice, const Request& request) {
  const std::string python = python_name(choice);
  const std::string folder = ".venv-" + python;
  Caller out;
  out.pip_make = {(is_windows(request) ? "py -" + python : "python" + python) + " -m venv " +
                  folder};
  out.uv_make = {"uv venv --python " + python + " " + folder};
  out.pip = (is_windows(request) ? folder + "\\Scripts\\python" : folder + "/bin/python") +
            " -m pip install";
  out.uv = "uv pip install --python " + folder;
  return out;
}

}  // namespace kernelfit::planning
