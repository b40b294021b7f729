// SPDX-License-Identifier: Apache-2.0
// `scan --json`, schemas/scan.schema.json.
#include "report/json_parts.h"
#include "report/scan_parts.h"

namespace kernelfit::report {
namespace {

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json images_json(const ImageCount& count) {
  Json one = Json::object();
  one.add("arch", count.arch.text());
  one.add("images", count.images);
  return one;
}

Json counts_json(const std::vector<ImageCount>& counts) {
  return array_json(counts, [](const ImageCount& count) {
    Json one = images_json(count);
    one.add("kernels", optional_json(count.kernels));
    one.add("empty", optional_json(count.empty));
    return one;
  });
}

// What is not known (a lone stub proves nothing) is left out.
Json coverage_json(const std::vector<Covered>& covered) {
  Json out = Json::object();
  for (const auto& [capability, code] : covered) {
    if (code.verdict != Verdict::unknown) out.add(capability.text(), text_of(code.verdict));
  }
  return out;
}

void add_counts(Json& out, const ScanCounts& counts) {
  out.add("sass", counts_json(counts.sass));
  out.add("ptx", counts_json(counts.ptx));
  out.add("lto", counts_json(counts.lto));
  out.add("bare", array_json(counts.bare, images_json));
  Json relocatable = Json::object();
  relocatable.add("sass", counts_json(counts.relocatable_sass));
  relocatable.add("ptx", counts_json(counts.relocatable_ptx));
  out.add("relocatable", std::move(relocatable));
  out.add("compression", text_json(counts.compression));
  out.add("ptx_isa", version_json(counts.ptx_isa));
}

Json sections_json(const FileScan& file) {
  return array_json(count_sections(file), [&](const auto& section) {
    Json one = Json::object();
    one.add("section", text_json(section.section));
    one.add("hidden", section.hidden);
    one.add("containers", section.counts.containers);
    one.add("images", section.counts.images());
    one.add("stub", is_stub(section, file));
    return one;
  });
}

Json kernels_json(const FileScan& file, const ScanAnswer& answer) {
  if (!answer.kernels) return {};
  Json out = Json::object();
  for (const auto& [arch, names] : file.kernel_names) {
    if (!answer.selection.takes(arch)) continue;
    out.add(arch.text(), strings_json(shown_names(names, answer.demangle)));
  }
  return out;
}

// Of the capabilities on which it runs at all.
Json missing_json(const FileScan& file, const std::vector<Covered>& covered,
                  const ScanAnswer& answer) {
  if (!answer.kernels) return {};
  Json out = Json::object();
  for (const auto& [capability, code] : covered) {
    if (!runs(code.verdict)) continue;
    const CodeRule rule{capability, is_tegra(capability), false, toolkit_of(file)};
    const auto missing = missing_kernels(file, rule);
    if (missing.empty()) continue;
    out.add(capability.text(), strings_json(shown_names(missing, answer.demangle)));
  }
  return out;
}

Json file_json(const FileScan& file, const ScanAnswer& answer) {
  Json out = Json::object();
  out.add("path", file.path);
  out.add("member", text_json(file.member));
  out.add("layer", text_json(file.layer));
  out.add("kind", file.kind);
  out.add("bytes", static_cast<std::int64_t>(file.size_bytes));
  out.add("cpu_arch", text_json(file.cpu_arch));
  add_counts(out, count_images(file, answer.selection));
  out.add("sections", sections_json(file));
  out.add("cuda_version", version_json(toolkit_of(file)));
  out.add("min_driver", version_json(minimum_driver(file, answer.knowledge)));
  out.add("needs", strings_json(file.needs ? file.needs->needed : file.imports));
  out.add("glibc", version_json(file.needs ? file.needs->glibc : DottedVersion()));
  const auto covered = read_coverage(file, answer.knowledge);
  out.add("coverage", coverage_json(covered));
  out.add("arch_flags", archs_json(parse_arch_list(file.torch_arch_flags)));
  out.add("hip", strings_json(file.hip_targets));
  out.add("kernels", kernels_json(file, answer));
  out.add("missing_kernels", missing_json(file, covered, answer));
  out.add("problems", strings_json(file.problems));
  return out;
}

Json totals_json(const ScanAnswer& answer) {
  ScanCounts counts;
  std::int64_t bytes = 0;
  for (const auto& file : answer.scan.files) {
    counts.add(file, answer.selection);
    bytes += static_cast<std::int64_t>(file.size_bytes);
  }
  Json out = Json::object();
  out.add("files", answer.scan.files.size());
  out.add("files_seen", answer.scan.files_seen);
  out.add("bytes", bytes);
  add_counts(out, counts);
  return out;
}

Json image_json(const ImageScan& image) {
  Json out = Json::object();
  out.add("path", image.path);
  out.add("member", text_json(image.member));
  out.add("name", text_json(image.name));
  out.add("platform", text_json(image.platform));
  out.add("other_platforms", strings_json(image.other_platforms));
  out.add("layers", array_json(image.layers, [](const ImageScan::Layer& layer) {
            Json one = Json::object();
            one.add("digest", text_json(layer.digest));
            one.add("bytes", static_cast<std::int64_t>(layer.size_bytes));
            return one;
          }));
  return out;
}

Json torch_json(const RemoteScan& remote) {
  if (remote.torch_version.empty()) return {};
  Json out = Json::object();
  out.add("version", remote.torch_version);
  out.add("cuda", text_json(remote.torch_cuda));
  out.add("hip", text_json(remote.torch_hip));
  return out;
}

Json remote_json(const RemoteScan& remote) {
  Json out = Json::object();
  out.add("url", remote.url);
  out.add("bytes", remote.size_bytes > 0 ? Json(remote.size_bytes) : Json());
  out.add("ranges", remote.ranges);
  out.add("fetched_bytes", remote.fetched_bytes);
  out.add("requests", remote.requests);
  out.add("whole", remote.whole);
  out.add("name", text_json(remote.name));
  out.add("version", text_json(remote.version));
  out.add("requires_python", text_json(remote.requires_python));
  out.add("requires_dist", strings_json(remote.requires_dist));
  out.add("tags", strings_json(remote.tags));
  out.add("torch", torch_json(remote));
  out.add("members", array_json(remote.members, [](const RemoteScan::Member& member) {
            Json one = Json::object();
            one.add("name", member.name);
            one.add("bytes", member.size_bytes);
            one.add("packed_bytes", optional_json(member.packed_bytes));
            one.add("hash", text_json(member.hash));
            return one;
          }));
  return out;
}

Json verdict_json(const ScanVerdict& verdict, const ScanAnswer& answer, const Catalogue& say) {
  const RunAnswer& run = verdict.answer;
  Json out = Json::object();
  out.add("gpu", verdict.gpu);
  out.add("name", verdict.card.label);
  const auto& capability = verdict.card.capability;
  out.add("compute_capability", capability.has() ? Json(capability->text()) : Json());
  out.add("path", verdict.file->path);
  out.add("member", text_json(verdict.file->member));
  out.add("verdict", text_of(run.verdict));
  out.add("used", run.code.used ? Json(run.code.used->text()) : Json());
  out.add("min_driver", version_json(run.need.minimum));
  out.add("max_branch", branch_json(run.need.last_branch));
  out.add("ptx_isa", version_json(run.need.ptx_isa));
  out.add("reason", text_json(run_reason(verdict, answer.knowledge, say)));
  return out;
}

Json claim_json(const TorchClaim& claim) {
  Json out = Json::object();
  out.add("path", claim.claims->path);
  out.add("member", text_json(claim.claims->member));
  out.add("claimed", archs_json(claim.claimed));
  out.add("library", claim.library ? Json(std::string(member_name(*claim.library))) : Json());
  out.add("held", archs_json(claim.held));
  out.add("differs", claim.differs());
  return out;
}

Json extracted_json(const std::optional<Extracted>& extracted) {
  if (!extracted) return {};
  Json out = Json::object();
  out.add("folder", extracted->folder);
  out.add("written", strings_json(extracted->written));
  out.add("same", strings_json(extracted->same));
  out.add("bytes", extracted->bytes);
  out.add("obfuscated", extracted->obfuscated);
  out.add("failed", extracted->failed);
  out.add("problems", strings_json(extracted->problems));
  return out;
}

}  // namespace

std::string scan_json(const ScanAnswer& answer, const Catalogue& say) {
  Json out = head_json("scan", answer.knowledge);
  out.add("files", array_json(answer.scan.files,
                              [&](const FileScan& file) { return file_json(file, answer); }));
  out.add("images", array_json(answer.scan.images, image_json));
  out.add("remote", array_json(answer.scan.remote, remote_json));
  out.add("totals", totals_json(answer));
  out.add("verdicts", array_json(answer.verdicts, [&](const ScanVerdict& verdict) {
            return verdict_json(verdict, answer, say);
          }));
  out.add("torch_claims", array_json(torch_claims(answer.scan), claim_json));
  out.add("extracted", extracted_json(answer.extracted));
  out.add("problems",
          array_json(answer.scan.problems, [](const auto& one) { return Json(one.line()); }));
  add_remarks(out, answer.remarks, say);
  return out.dump();
}

}  // namespace kernelfit::report
