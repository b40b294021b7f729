// SPDX-License-Identifier: Apache-2.0
// Values into text, pure: nothing here looks at the machine or asks for more facts.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "diagnose/diagnose.h"
#include "diagnose/rule.h"
#include "message/message.h"

namespace kernelfit {

enum class Format { terminal, json, markdown };

struct Style {
  Format format = Format::terminal;
  bool color = false;     // a terminal, or --color=always
  bool unicode = true;    // false: "ok", "no", "??" only and no box characters
  int columns = 80;
  bool verbose = false, quiet = false;
  std::string home;       // shortened to ~ on terminals
  std::string language = "en";
};

struct DoctorReport {
  const Situation& situation;
  std::vector<Finding> findings;
  std::vector<Step> steps;         // empty without --steps
  std::vector<std::string> checks; // doctor CHECK…: empty means all
  const std::vector<Rule>& rules;
  bool incomplete = false;
};

std::string render_doctor(const DoctorReport& report, const Style& style, const Catalogue& say);
std::string render_plan(const Request& request, const Plan& plan, const Style& style,
                        const Catalogue& say, const Knowledge& knowledge);
std::string render_gpu(const std::vector<Card>& cards, const Style& style, const Catalogue& say,
                       const Knowledge& knowledge);
std::string render_torch(std::string_view version, const Style& style, const Catalogue& say,
                         const Knowledge& knowledge);
std::string render_matrix(const Style& style, const Catalogue& say, const Knowledge& knowledge);

// A finding as contract.md 3 prints it; its texts in the catalogue's language.
Json finding_json(const Finding& finding, const DoctorReport& report, const Catalogue& say);

}  // namespace kernelfit
