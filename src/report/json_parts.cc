// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

#include "report/words.h"

namespace kernelfit::report {

Json head_json(std::string_view command, const Knowledge& knowledge) {
  Json out = Json::object();
  out.add("schema", "kernelfit." + std::string(command) + "/1");
  out.add("kernelfit", program_version());
  out.add("knowledge", knowledge.date());
  return out;
}

Json said_json(const std::vector<Said>& said, const Catalogue& say) {
  return array_json(said, [&](const Said& one) { return text_of(one, say); });
}

Json strings_json(const std::vector<std::string>& values) {
  return array_json(values, [](const std::string& value) { return value; });
}

Json archs_json(const std::vector<GpuArch>& archs) {
  return array_json(archs, [](const GpuArch& arch) { return arch.text(); });
}

Json version_json(const DottedVersion& version) {
  return version.empty() ? Json() : Json(version.text());
}
Json text_json(std::string_view text) {
  return text.empty() ? Json() : Json(text);
}
Json branch_json(int branch) {
  return branch == 0 ? Json() : Json(branch);
}

Json card_json(const Card& card) {
  Json out = Json::object();
  out.add("name", card.label);
  out.add("chip", text_json(card.chip));
  out.add("architecture", text_json(card.architecture));
  out.add("compute_capability", fact_json(card.capability));
  out.add("tegra", card.tegra);
  out.add("first_driver_branch", branch_json(card.first_branch));
  out.add("last_driver_branch", branch_json(card.last_branch));
  out.add("pci_ids", strings_json(card.pci_ids));
  out.add("variants", array_json(card.variants, card_json));
  return out;
}

Json need_json(const DriverNeed& need) {
  Json out = Json::object();
  out.add("minimum", version_json(need.minimum));
  out.add("maximum_branch", branch_json(need.last_branch));
  out.add("first_branch", branch_json(need.first_branch));
  out.add("impossible", need.impossible);
  return out;
}

Json commands_json(const std::vector<CommandBlock>& blocks, const Catalogue& say) {
  return array_json(blocks, [&](const CommandBlock& block) {
    Json item = Json::object();
    item.add("tool", block.tool);
    item.add("shell", block.shell);
    item.add("lines", strings_json(block.lines));
    if (!block.when.key.empty()) item.add("when", text_of(block.when, say));
    return item;
  });
}

Json conflict_json(const std::optional<Conflict>& conflict, const Catalogue& say) {
  if (!conflict) return {};
  Json out = Json::object();
  out.add("parts", array_json(conflict->parts, [&](const Conflict::Part& part) {
            Json item = Json::object();
            item.add("kind", part.kind);
            item.add("value", part.value);
            item.add("because", text_of(part.because, say));
            return item;
          }));
  out.add("change", text_json(conflict->change));
  if (!conflict->also_change.empty()) out.add("also_change", strings_json(conflict->also_change));
  out.add("advice", text_json(text_of(conflict->advice, say)));
  return out;
}

void add_remarks(Json& out, const Remarks& remarks, const Catalogue& say) {
  out.add("incomplete", remarks.incomplete);
  out.add("missing", said_json(remarks.missing, say));
  out.add("notes", said_json(remarks.notes, say));
}

}  // namespace kernelfit::report
