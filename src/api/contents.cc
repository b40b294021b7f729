// SPDX-License-Identifier: Apache-2.0
// From a ScanReport to what the handles show.
#include <charconv>
#include <limits>

#include "api/handles.h"
#include "host/console.h"
#include "report/age.h"
#include "report/redacted_json.h"

namespace kernelfit::api {
namespace {

kernelfit_code code_of(const GpuArch& arch) {
  switch (arch.kind) {
    case GpuArch::Kind::sass: return KERNELFIT_SASS;
    case GpuArch::Kind::ptx: return KERNELFIT_PTX;
    case GpuArch::Kind::lto: break;
  }
  return KERNELFIT_LTO;
}

void add_entries(std::vector<kernelfit_entry>& entries, const std::vector<ImageCount>& counts,
                 kernelfit_place place) {
  for (const auto& count : counts) {
    entries.push_back({code_of(count.arch), place, count, count.arch.text()});
  }
}

std::vector<kernelfit_entry> list_entries(const ScanCounts& counts) {
  std::vector<kernelfit_entry> out;
  add_entries(out, counts.sass, KERNELFIT_IN_CONTAINER);
  add_entries(out, counts.ptx, KERNELFIT_IN_CONTAINER);
  add_entries(out, counts.lto, KERNELFIT_IN_CONTAINER);
  add_entries(out, counts.relocatable_sass, KERNELFIT_RELOCATABLE);
  add_entries(out, counts.relocatable_ptx, KERNELFIT_RELOCATABLE);
  add_entries(out, counts.bare, KERNELFIT_BARE);
  return out;
}

kernelfit_image image_of(const GpuArch& arch, kernelfit_place place) {
  kernelfit_image out;
  out.code = code_of(arch);
  out.place = place;
  out.arch = arch.text();
  return out;
}

void add_images(std::vector<kernelfit_image>& images, const ScannedContainer& container,
                bool apart) {
  for (const auto& [entry, kernels] : container.images) {
    const bool relocatable = apart && entry.arch.kind != GpuArch::Kind::lto;
    images.push_back(
        image_of(entry.arch, relocatable ? KERNELFIT_RELOCATABLE : KERNELFIT_IN_CONTAINER));
    kernelfit_image& image = images.back();
    image.section = container.section.c_str();
    image.compression = entry.compression.c_str();
    image.offset = entry.offset;
    image.stored_bytes = entry.stored_bytes;
    image.code_bytes = entry.code_bytes;
    image.kernels = kernels.value_or(-1);
  }
}

std::vector<kernelfit_image> list_images(const FileScan& file) {
  std::vector<kernelfit_image> out;
  for (const auto& container : file.containers) {
    add_images(out, container, is_apart(file, container));
  }
  for (const auto& [target, isa] : file.ptx_texts) {
    out.push_back(image_of(target, KERNELFIT_IN_CONTAINER));
  }
  for (const auto& cubin : file.bare) {
    out.push_back(image_of(cubin.arch, KERNELFIT_BARE));
    out.back().offset = cubin.offset;
    out.back().kernels = cubin.kernels.value_or(-1);
  }
  return out;
}

// 4711 of "offset 4711: …".
std::uint64_t offset_in(std::string_view text) {
  constexpr std::string_view kWord = "offset ";
  if (!text.starts_with(kWord)) return KERNELFIT_NO_OFFSET;
  std::uint64_t offset = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + kWord.size(), end, offset);
  return read.ec == std::errc() ? offset : KERNELFIT_NO_OFFSET;
}

}  // namespace

kernelfit_file list_file(const FileScan& file, const Knowledge& knowledge) {
  const ScanCounts counts = count_images(file);
  return {&file,
          binary_images(file),
          toolkit_of(file),
          counts.compression,
          minimum_driver(file, knowledge).text(),
          counts.ptx_isa.text(),
          list_entries(counts),
          list_images(file)};
}

std::vector<kernelfit_problem> list_problems(const ScanReport& report) {
  std::vector<kernelfit_problem> out;
  for (const auto& file : report.files) {
    for (const auto& text : file.problems) {
      out.push_back({{file.path, file.member, text}, offset_in(text)});
    }
  }
  for (const auto& problem : report.problems) out.push_back({problem, offset_in(problem.text)});
  return out;
}

kernelfit_status status_of(ScanOutcome outcome) {
  switch (outcome) {
    case ScanOutcome::fits: return KERNELFIT_OK;
    case ScanOutcome::does_not_fit: return KERNELFIT_DOES_NOT_FIT;
    case ScanOutcome::no_answer: return KERNELFIT_NO_ANSWER;
    case ScanOutcome::in_part: break;
  }
  return KERNELFIT_IN_PART;
}

std::string message_of(const Remarks& remarks, const Catalogue& say) {
  std::vector<std::string> lines;
  for (const auto& [key, values] : remarks.missing) lines.push_back(say(key, values));
  return join(lines, "\n");
}

Contents::Contents(ScanReport report, bool kernels, const std::string& language)
    : report_(std::move(report)),
      kernels_(kernels),
      say_(load_catalogue(language)),
      knowledge_(Knowledge::embedded()) {
  files_.reserve(report_.files.size());
  for (const auto& file : report_.files) files_.push_back(list_file(file, knowledge_));
  problems_ = list_problems(report_);
}

ScanAnswer Contents::answer_to(const ScanQuestion& question) const {
  std::vector<std::string> gpus;
  for (const auto& [text, gpu] : question.gpus) gpus.push_back(text);
  return {report_,
          knowledge_,
          {},
          std::move(gpus),
          judge_scan(report_, question, knowledge_),
          question.driver ? question.driver->value_or({}) : DottedVersion(),
          kernels_,
          false,
          false,
          std::nullopt,
          {},
          {}};
}

std::string Contents::json(const ScanQuestion& question) const {
  Style style;
  style.format = Format::json;
  style.language = say_.language();
  return with_answer(question, [&](ScanAnswer& answer, ScanOutcome) {
    answer.remarks.notes = age_notes(knowledge_, real_console().today);
    return redacted_json(render_scan(answer, style, say_));
  });
}

Result<Gpu> Contents::gpu(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  return gpu_from_text(text, knowledge_);
}

const kernelfit_file* Contents::handle_of(const FileScan* file) const {
  return &files_[static_cast<std::size_t>(file - report_.files.data())];
}

}  // namespace kernelfit::api
