// SPDX-License-Identifier: Apache-2.0
// `scan --json`, schemas/scan.schema.json.
#include "report/scan_json.h"

#include "report/json_parts.h"

namespace kernelfit::report {
namespace {

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json counts_json(const std::vector<ImageCount>& counts) {
  Json out = Json::array();
  for (const auto& count : counts) {
    Json one = Json::object();
    one.add("arch", count.arch.text());
    one.add("images", count.images);
    one.add("kernels", optional_json(count.kernels));
    one.add("empty", optional_json(count.empty));
    out.push(std::move(one));
  }
  return out;
}

Json bare_json(const std::vector<ImageCount>& counts) {
  Json out = Json::array();
  for (const auto& count : counts) {
    Json one = Json::object();
    one.add("arch", count.arch.text());
    one.add("images", count.images);
    out.push(std::move(one));
  }
  return out;
}

Json coverage_json(const std::vector<Covered>& covered) {
  Json out = Json::object();
  for (const auto& [capability, code] : covered) {
    out.add(capability.text(), text_of(code.verdict));
  }
  return out;
}

void add_counts(Json& out, const ScanCounts& counts) {
  out.add("sass", counts_json(counts.sass));
  out.add("ptx", counts_json(counts.ptx));
  out.add("lto", counts_json(counts.lto));
  out.add("bare", bare_json(counts.bare));
  Json relocatable = Json::object();
  relocatable.add("sass", counts_json(counts.relocatable_sass));
  relocatable.add("ptx", counts_json(counts.relocatable_ptx));
  out.add("relocatable", std::move(relocatable));
  out.add("compression", text_json(counts.compression));
  out.add("ptx_isa", version_json(counts.ptx_isa));
}

Json kernels_json(const FileScan& file) {
  Json out = Json::object();
  for (const auto& [arch, names] : file.kernel_names) out.add(arch.text(), strings_json(names));
  return out;
}

Json file_json(const FileScan& file, const ScanAnswer& answer) {
  Json out = Json::object();
  out.add("path", file.path);
  out.add("member", text_json(file.member));
  out.add("kind", file.kind);
  out.add("bytes", static_cast<std::int64_t>(file.size_bytes));
  add_counts(out, count_images(file));
  const DottedVersion cuda = toolkit_of(file);
  out.add("cuda_version", version_json(cuda));
  out.add("min_driver", version_json(minimum_driver(cuda, answer.knowledge)));
  out.add("needs", strings_json(file.needs ? file.needs->needed : file.imports));
  out.add("glibc", version_json(file.needs ? file.needs->glibc : DottedVersion()));
  out.add("coverage", coverage_json(coverage({binary_images(file)}, cuda, answer.knowledge)));
  if (!file.hip_targets.empty()) out.add("hip", strings_json(file.hip_targets));
  if (answer.kernels) out.add("kernels", kernels_json(file));
  out.add("problems", strings_json(file.problems));
  return out;
}

Json totals_json(const ScanAnswer& answer) {
  ScanCounts counts;
  std::int64_t bytes = 0;
  for (const auto& file : answer.scan.files) {
    counts.add(file);
    bytes += static_cast<std::int64_t>(file.size_bytes);
  }
  Json out = Json::object();
  out.add("files", answer.scan.files.size());
  out.add("files_seen", answer.scan.files_seen);
  out.add("bytes", bytes);
  add_counts(out, counts);
  return out;
}

Json verdict_json(const ScanVerdict& verdict) {
  Json out = Json::object();
  out.add("gpu", verdict.gpu);
  out.add("path", verdict.path);
  out.add("member", text_json(verdict.member));
  out.add("verdict", text_of(verdict.verdict));
  return out;
}

}  // namespace

std::string scan_json(const ScanAnswer& answer, const Catalogue& say) {
  Json out = head_json("scan", answer.knowledge);
  Json files = Json::array();
  for (const auto& file : answer.scan.files) files.push(file_json(file, answer));
  out.add("files", std::move(files));
  out.add("totals", totals_json(answer));
  if (!answer.verdicts.empty()) {
    Json verdicts = Json::array();
    for (const auto& verdict : answer.verdicts) verdicts.push(verdict_json(verdict));
    out.add("verdicts", std::move(verdicts));
  }
  out.add("problems", strings_json(answer.scan.problems));
  add_remarks(out, answer.remarks, say);
  return out.dump();
}

}  // namespace kernelfit::report
