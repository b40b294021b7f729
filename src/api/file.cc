// SPDX-License-Identifier: Apache-2.0
// kernelfit.h: a file, its entries, its images.
#include "api/handles.h"
#include "judge/coverage.h"

using kernelfit::api::guarded;
using kernelfit::api::item_at;

namespace {

kernelfit::Verdict verdict_on(const kernelfit_file& file, kernelfit::ComputeCapability card) {
  const bool tegra = kernelfit::is_tegra(card);
  return kernelfit::code_for({file.binary}, {card, tegra, false, file.toolkit}).verdict;
}

}  // namespace

const char* kernelfit_file_path(const kernelfit_file* file) {
  return file ? file->scan->path.c_str() : "";
}

const char* kernelfit_file_member(const kernelfit_file* file) {
  return file ? file->scan->member.c_str() : "";
}

const char* kernelfit_file_layer(const kernelfit_file* file) {
  return file ? file->scan->layer.c_str() : "";
}

const char* kernelfit_file_kind(const kernelfit_file* file) {
  return file ? file->scan->kind.c_str() : "";
}

uint64_t kernelfit_file_bytes(const kernelfit_file* file) {
  return file ? file->scan->size_bytes : 0;
}

const char* kernelfit_file_cpu_arch(const kernelfit_file* file) {
  return file ? file->scan->cpu_arch.c_str() : "";
}

const char* kernelfit_file_compression(const kernelfit_file* file) {
  return file ? file->compression.c_str() : "";
}

const char* kernelfit_file_cuda_version(const kernelfit_file* file) {
  return file ? file->toolkit.text().c_str() : "";
}

const char* kernelfit_file_min_driver(const kernelfit_file* file) {
  return file ? file->min_driver.c_str() : "";
}

const char* kernelfit_file_ptx_isa(const kernelfit_file* file) {
  return file ? file->ptx_isa.c_str() : "";
}

const char* kernelfit_file_glibc(const kernelfit_file* file) {
  return file && file->scan->needs ? file->scan->needs->glibc.text().c_str() : "";
}

const char* kernelfit_file_needs(const kernelfit_file* file, size_t index) {
  if (!file) return nullptr;
  const auto& names = file->scan->needs ? file->scan->needs->needed : file->scan->imports;
  return index < names.size() ? names[index].c_str() : nullptr;
}

const char* kernelfit_file_coverage(const kernelfit_file* file, int major, int minor) {
  auto verdict = kernelfit::Verdict::unknown;
  const bool possible = major > 0 && minor >= 0 && minor <= 9;
  if (file && possible) {
    guarded([&] {
      verdict = verdict_on(*file, {major, minor});
      return kernelfit::api::Ending();
    });
  }
  return text_of(verdict).data();  // of a literal
}

size_t kernelfit_entry_count(const kernelfit_file* file) {
  return file ? file->entries.size() : 0;
}

const kernelfit_entry* kernelfit_entry_at(const kernelfit_file* file, size_t index) {
  return file ? item_at(file->entries, index) : nullptr;
}

kernelfit_code kernelfit_entry_code(const kernelfit_entry* entry) {
  return entry ? entry->code : KERNELFIT_NONE;
}

kernelfit_place kernelfit_entry_place(const kernelfit_entry* entry) {
  return entry ? entry->place : KERNELFIT_IN_CONTAINER;
}

const char* kernelfit_entry_arch(const kernelfit_entry* entry) {
  return entry ? entry->arch.c_str() : "";
}

int kernelfit_entry_number(const kernelfit_entry* entry) {
  return entry ? entry->count.arch.number : 0;
}

char kernelfit_entry_suffix(const kernelfit_entry* entry) {
  return entry ? entry->count.arch.suffix : '\0';
}

const char* kernelfit_entry_compression(const kernelfit_entry* entry) {
  return entry ? entry->count.compression.c_str() : "";
}

int64_t kernelfit_entry_images(const kernelfit_entry* entry) {
  return entry ? entry->count.images : 0;
}

int64_t kernelfit_entry_kernels(const kernelfit_entry* entry) {
  return entry ? entry->count.kernels.value_or(-1) : 0;
}

int64_t kernelfit_entry_empty(const kernelfit_entry* entry) {
  return entry ? entry->count.empty.value_or(-1) : 0;
}

size_t kernelfit_image_count(const kernelfit_file* file) {
  return file ? file->images.size() : 0;
}

const kernelfit_image* kernelfit_image_at(const kernelfit_file* file, size_t index) {
  return file ? item_at(file->images, index) : nullptr;
}

kernelfit_code kernelfit_image_code(const kernelfit_image* image) {
  return image ? image->code : KERNELFIT_NONE;
}

kernelfit_place kernelfit_image_place(const kernelfit_image* image) {
  return image ? image->place : KERNELFIT_IN_CONTAINER;
}

const char* kernelfit_image_arch(const kernelfit_image* image) {
  return image ? image->arch.c_str() : "";
}

const char* kernelfit_image_compression(const kernelfit_image* image) {
  return image ? image->compression : "";
}

const char* kernelfit_image_section(const kernelfit_image* image) {
  return image ? image->section : "";
}

uint64_t kernelfit_image_offset(const kernelfit_image* image) {
  return image ? image->offset : 0;
}

uint64_t kernelfit_image_stored_bytes(const kernelfit_image* image) {
  return image ? image->stored_bytes : 0;
}

uint64_t kernelfit_image_code_bytes(const kernelfit_image* image) {
  return image ? image->code_bytes : 0;
}

int64_t kernelfit_image_kernels(const kernelfit_image* image) {
  return image ? image->kernels : 0;
}
