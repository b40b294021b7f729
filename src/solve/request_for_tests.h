// SPDX-License-Identifier: Apache-2.0
// A question in one line, for tests of solve and plan.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "pyenv/requirement.h"
#include "solve/solve.h"

namespace kernelfit {

// Words "key=value": gpu (repeatable: a name, 8.6, 10de:2206; _ for a space), driver (or none), os,
// cpu, python (3.13t), glibc (or musl), jetpack, want (2.15.*), build, torch, torchvision,
// torchaudio, conda (its channel), pin (torchvision==0.21.0).
inline Request request_of(std::string_view words, const Knowledge& knowledge) {
  Request request;
  request.os = "linux";
  for (const std::string_view word : split_words(words)) {
    const std::size_t at = word.find('=');
    const std::string_view key = word.substr(0, at);
    const std::string value = replace_all(std::string(word.substr(at + 1)), "_", " ");
    const auto version = DottedVersion::parse(value);
    if (key == "gpu") {
      const auto gpu = gpu_from_text(value, knowledge);
      if (gpu) request.cards.push_back(identify(*gpu, knowledge));
    } else if (key == "driver") {
      request.driver =
          version ? Fact<DottedVersion>::given(*version) : Fact<DottedVersion>::absent("given");
    } else if (key == "python") {
      request.free_threaded = value.ends_with("t");
      request.python = Fact<DottedVersion>::given(
          dotted(request.free_threaded ? value.substr(0, value.size() - 1) : value));
    } else if (key == "os") {
      request.os = value;
    } else if (key == "cpu") {
      request.cpu_arch = replace_all(value, " ", "_");
    } else if (key == "glibc") {
      request.glibc =
          version ? Fact<DottedVersion>::given(*version) : Fact<DottedVersion>::absent("musl");
    } else if (key == "jetpack") {
      request.jetpack = value;
    } else if (key == "want") {
      request.wanted = *VersionSpecifier::parse("==" + value);
    } else if (key == "conda") {
      request.conda = true;
      request.conda_channel = value;
    } else if (key == "pin") {
      const auto pin = parse_requirement(value);
      if (pin) request.pins.push_back({pin->name, *VersionSpecifier::parse(pin->specifier), {}});
    } else if (key == "build") {
      request.wanted_build = value;
    } else {
      request.installed.push_back({std::string(key), value, {}});
    }
  }
  return request;
}

// "install 2.14.1 cu126 pip": what a table of cases compares.
inline std::string summary(const Answer& answer) {
  std::string out(text_of(answer.verdict));
  if (answer.choice)
    out +=
        " " + answer.choice->torch + " " + answer.choice->build_name + " " + answer.choice->channel;
  if (answer.after_driver) out += " driver " + answer.after_driver->text();
  if (answer.after_python) out += " python " + answer.after_python->text();
  return out;
}

inline bool says(const std::vector<Said>& sentences, std::string_view key) {
  for (const Said& sentence : sentences) {
    if (sentence.key == key) return true;
  }
  return false;
}

}  // namespace kernelfit
