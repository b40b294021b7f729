// SPDX-License-Identifier: Apache-2.0
// `kernelfit torch`: one release with its builds.
#include "report/json_parts.h"
#include "report/markdown.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string pair_of(const TorchRelease& release) {
  std::vector<std::string> parts;
  auto add = [&](std::string_view name, std::string_view version) {
    if (!version.empty()) parts.push_back(std::string(name) + " " + std::string(version));
  };
  add("torchvision", release.torchvision);
  add("torchaudio", release.torchaudio);
  add("triton", release.triton);
  return join(parts, ", ");
}

std::string default_note(const TorchBuild& build, const Catalogue& say) {
  return build.pypi_default == "yes" ? say("report.torch.default") : std::string();
}

std::string archs_of(const TorchBuild& build, const Catalogue& say) {
  if (build.cuda.empty()) return say("report.torch.no-cuda");
  std::string sass = arch_list_text(build.sass);
  std::string ptx = arch_list_text(build.ptx);
  if (sass.empty() && ptx.empty()) return say("report.torch.archs-unknown");
  return ptx.empty() ? sass : sass + " " + ptx;
}

std::string confidence_of(const Basis& basis, const Catalogue& say) {
  return say("report.confidence." + std::string(text_of(basis.confidence)));
}

bool is_cpu(const TorchBuild& build) {
  return build.cuda.empty();
}

std::vector<Row> build_rows(const TorchPage& page, const Catalogue& say) {
  std::vector<Row> rows;
  std::string last;
  for (const auto& item : page.builds) {
    const TorchBuild& build = *item.build;
    if (is_cpu(build) && build.pypi_default != "yes") continue;  // what plain pip gives is shown
    std::string group = std::string(build.platform) + " " + std::string(build.channel);
    if (group != last) {
      if (!rows.empty()) rows.push_back({{" "}});
      rows.push_back(
          {{std::string(build.platform) + ", " + channel_text(build.channel, say), Ink::strong}});
    }
    last = group;
    bool windows = build.platform.starts_with("windows");
    const DriverNeed& need = windows ? item.driver_windows : item.driver_linux;
    std::string driver = need.minimum.text();
    if (!driver.empty()) driver = say("report.torch.driver", {{"driver", driver}});
    rows.push_back({{std::string(build.build)},
                    {driver},
                    {confidence_of(build.basis, say), Ink::dim},
                    {archs_of(build, say)},
                    {default_note(build, say), Ink::good}});
  }
  return rows;
}

std::string torch_terminal(const TorchPage& page, const Style& style, const Catalogue& say) {
  const TorchRelease& release = *page.release;
  std::string out = paint("torch " + release.version.text(), Ink::strong, style) + "   " +
                    std::string(release.date) + "\n\n";
  std::vector<Row> head = {
      {{"Python", Ink::dim}, {join(page.pythons, " ")}},
      {{say("report.plan.label.with"), Ink::dim}, {pair_of(release)}},
      {{say("report.column.source"), Ink::dim}, {std::string(release.basis.sources), Ink::dim}}};
  std::erase_if(head, [](const Row& row) { return row[1].text.empty(); });
  out += lay_out(head, {}, style) + "\n";
  std::string group;
  std::vector<Row> rows = build_rows(page, say);
  std::vector<Row> part;
  auto flush = [&] {
    out += lay_out(part, {.indent = 4, .hang = 3}, style);
    part.clear();
  };
  for (const auto& row : rows) {  // a title row has one cell, and its builds align below it
    if (row.size() > 1) {
      part.push_back(row);
      continue;
    }
    flush();
    out += row[0].text == " " ? "\n" : "  " + paint(row[0].text, row[0].ink, style) + "\n";
  }
  flush();
  return out;
}

std::string torch_markdown(const TorchPage& page, const Catalogue& say) {
  const TorchRelease& release = *page.release;
  std::string out = "## torch " + release.version.text() + "\n\n";
  out += md_list({"Python: " + join(page.pythons, " "),
                  say("report.plan.label.with") + ": " + pair_of(release)});
  std::vector<std::vector<std::string>> rows;
  for (const auto& item : page.builds) {
    const TorchBuild& build = *item.build;
    const DriverNeed& need =
        build.platform.starts_with("windows") ? item.driver_windows : item.driver_linux;
    rows.push_back({std::string(build.platform), channel_text(build.channel, say),
                    std::string(build.build), archs_of(build, say), need.minimum.text(),
                    default_note(build, say), confidence_of(build.basis, say)});
  }
  return out + "\n" +
         md_table(
             {say("report.column.platform"), say("report.column.channel"),
              say("report.column.build"), say("report.column.archs"), say("report.column.driver"),
              say("report.column.default"), say("report.column.confidence")},
             rows);
}

Json build_json(const BuildPage& item) {
  const TorchBuild& build = *item.build;
  std::vector<std::string> pythons;
  for (auto python : split_words(build.python)) pythons.emplace_back(python);
  std::vector<std::string> sources;
  for (auto source : split_words(build.basis.sources)) sources.emplace_back(source);
  Json out = Json::object();
  out.add("platform", build.platform);
  out.add("channel", build.channel);
  out.add("build", build.build);
  out.add("local_version", text_json(build.local_version));
  out.add("cuda", version_json(build.cuda));
  out.add("cuda_full", text_json(build.cuda_full));
  out.add("cudnn", text_json(build.cudnn));
  out.add("sass", archs_json(build.sass));
  out.add("ptx", archs_json(build.ptx));
  out.add("python", strings_json(pythons));
  out.add("glibc_min", text_json(build.glibc_min));
  out.add("pypi_default", build.pypi_default == "yes");
  Json driver = Json::object();
  driver.add("linux", version_json(item.driver_linux.minimum));
  driver.add("windows", version_json(item.driver_windows.minimum));
  out.add("driver_minimum", std::move(driver));
  out.add("arch_basis", text_json(build.arch_basis));
  out.add("sources", strings_json(sources));
  out.add("confidence", text_of(build.basis.confidence));
  return out;
}

Json torch_json(const TorchPage& page, const Knowledge& knowledge) {
  const TorchRelease& release = *page.release;
  Json out = head_json("torch", knowledge);
  Json about = Json::object();
  about.add("torch", release.version.text());
  about.add("date", text_json(release.date));
  about.add("python", strings_json(page.pythons));
  about.add("torchvision", text_json(release.torchvision));
  about.add("torchaudio", text_json(release.torchaudio));
  about.add("triton", text_json(release.triton));
  about.add("confidence", text_of(release.basis.confidence));
  out.add("release", std::move(about));
  Json builds = Json::array();
  for (const auto& item : page.builds) builds.push(build_json(item));
  out.add("builds", std::move(builds));
  out.add("incomplete", false);
  return out;
}

}  // namespace
}  // namespace report

std::string render_torch(const TorchPage& page, const Knowledge& knowledge, const Style& style,
                         const Catalogue& say) {
  switch (style.format) {
    case Format::json: return report::torch_json(page, knowledge).dump();
    case Format::markdown: return report::torch_markdown(page, say);
    case Format::terminal: break;
  }
  return report::torch_terminal(page, style, say);
}

}  // namespace kernelfit
