// SPDX-License-Identifier: Apache-2.0
#include "knowledge/knowledge.h"

#include <algorithm>
#include <map>

#include "base/embedded.h"
#include "base/json.h"
#include "knowledge/probe_rows.h"
#include "knowledge/schema.h"

namespace kernelfit {
namespace {

std::string_view embedded_text(std::string_view path) {
  auto files = embedded_files();
  auto at = std::lower_bound(files.begin(), files.end(), path,
                             [](const EmbeddedFile& file, auto name) { return file.path < name; });
  return at != files.end() && at->path == path ? at->text : std::string_view();
}

// One that stands in data/, or a rule of one's own.
bool is_known_file(std::string_view path) {
  bool is_rule = path.starts_with("rules/") && path.ends_with(".md");
  auto files = embedded_files();
  return is_rule || std::ranges::any_of(files, [&](const auto& file) { return file.path == path; });
}

}  // namespace

// A table is read when first asked for; a command that asks for two tables reads two.
struct Knowledge::Tables {
  std::vector<std::pair<std::string, std::string>> files;  // sorted by path
  std::vector<std::string> problems;
  std::map<std::string, Csv, std::less<>> raw;
  std::string date;

  std::optional<std::vector<GpuProduct>> products;
  std::optional<std::vector<PciRow>> pci_rows;
  std::optional<std::vector<TorchRelease>> releases;
  std::optional<std::vector<TorchBuild>> builds;
  std::optional<std::vector<DriverBranch>> branches;
  std::optional<std::vector<CudaToolkit>> toolkits;
  std::optional<std::vector<CudaDriverMin>> driver_minimums;
  std::optional<std::vector<LibraryArch>> libraries;
  std::optional<std::vector<InstallCommand>> installs;
  std::optional<std::vector<PythonTorch>> pythons;
  std::optional<std::vector<JetsonTorch>> jetsons;
  std::optional<std::vector<CapabilityRange>> ranges;

  std::string_view file(std::string_view path) const;
  const Csv& table(std::string_view path);
  template <class Row>
  const std::vector<Row>& rows(std::optional<std::vector<Row>>& cache, std::string_view path,
                               std::span<const Field<Row>> fields,
                               std::string_view source_column = "source") {
    if (!cache) cache = load_rows<Row>(table(path), path, fields, problems, source_column);
    return *cache;
  }
};

std::string_view Knowledge::Tables::file(std::string_view path) const {
  auto at = std::lower_bound(files.begin(), files.end(), path,
                             [](const auto& given, auto name) { return given.first < name; });
  if (at != files.end() && at->first == path) return at->second;
  return embedded_text(path);
}

const Csv& Knowledge::Tables::table(std::string_view path) {
  auto at = raw.find(path);
  if (at != raw.end()) return at->second;
  auto csv = Csv::parse(file(path));
  if (!csv) problems.push_back(std::string(path) + ": " + csv.error().text());
  // Without a row every answer would be "there is none", which nobody means to say.
  if (csv && csv->rows() == 0 && is_known_file(path))
    problems.push_back(std::string(path) + ": holds no rows");
  return raw.emplace(path, csv ? *std::move(csv) : Csv()).first->second;
}

Knowledge::Knowledge() : tables_(std::make_unique<Tables>()) {}
Knowledge::Knowledge(Knowledge&&) noexcept = default;
Knowledge& Knowledge::operator=(Knowledge&&) noexcept = default;
Knowledge::~Knowledge() = default;

Knowledge Knowledge::embedded() {
  Knowledge knowledge;
  auto head = parse_toml(embedded_text("knowledge.toml"));
  if (head) knowledge.tables_->date = head->at("date").string();
  return knowledge;
}

Result<Knowledge> Knowledge::with_files(std::vector<std::pair<std::string, std::string>> files) {
  if (std::ranges::none_of(files, [](const auto& file) { return is_known_file(file.first); })) {
    return error(ErrorKind::not_found, "holds no knowledge: no file of it is one of data/");
  }
  Knowledge knowledge;
  std::sort(files.begin(), files.end());
  knowledge.tables_->files = std::move(files);
  auto head = parse_toml(knowledge.file("knowledge.toml"));
  if (!head) return tl::unexpected(std::move(head).error().in("knowledge.toml"));
  knowledge.tables_->date = head->at("date").string();
  knowledge.read_all();  // a file that a person wrote: say at once what is wrong in it
  return knowledge;
}

void Knowledge::read_all() const {
  products(), pci_rows(), torch_releases(), torch_builds(), driver_branches(), toolkits();
  driver_minimums(), library_archs(), install_commands(), python_torch(), jetson_torch();
  capability_ranges();
  jetpack_rows(*this, tables_->problems), package_rows(*this, tables_->problems);
  for (const auto& [path, text] : tables_->files) {
    if (path.ends_with(".csv") && is_known_file(path)) table(path);
  }
}

std::string_view Knowledge::date() const {
  return tables_->date;
}
const Csv& Knowledge::table(std::string_view path) const {
  return tables_->table(path);
}
std::string_view Knowledge::file(std::string_view path) const {
  return tables_->file(path);
}
const std::vector<std::string>& Knowledge::problems() const {
  return tables_->problems;
}

std::vector<std::string_view> Knowledge::files_under(std::string_view folder) const {
  std::vector<std::string_view> out;
  auto under = [&](std::string_view path) {
    return path.starts_with(folder) &&
           (folder.empty() || folder.ends_with('/') || path.substr(folder.size()).starts_with('/'));
  };
  for (const auto& file : embedded_files()) {
    if (under(file.path)) out.push_back(file.path);
  }
  for (const auto& [path, text] : tables_->files) {
    if (under(path)) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const std::vector<GpuProduct>& Knowledge::products() const {
  return tables_->rows<GpuProduct>(tables_->products, "gpus/products.csv", kProductFields,
                                   "cc_source");
}
const std::vector<PciRow>& Knowledge::pci_rows() const {
  return tables_->rows<PciRow>(tables_->pci_rows, "gpus/pci_ids.csv", kPciFields);
}
const std::vector<TorchRelease>& Knowledge::torch_releases() const {
  return tables_->rows<TorchRelease>(tables_->releases, "torch/releases.csv", kReleaseFields);
}
const std::vector<TorchBuild>& Knowledge::torch_builds() const {
  return tables_->rows<TorchBuild>(tables_->builds, "torch/builds.csv", kBuildFields);
}
const std::vector<DriverBranch>& Knowledge::driver_branches() const {
  return tables_->rows<DriverBranch>(tables_->branches, "cuda/driver_branches.csv", kBranchFields);
}
const std::vector<CudaToolkit>& Knowledge::toolkits() const {
  return tables_->rows<CudaToolkit>(tables_->toolkits, "cuda/toolkits.csv", kToolkitFields);
}
const std::vector<CudaDriverMin>& Knowledge::driver_minimums() const {
  return tables_->rows<CudaDriverMin>(tables_->driver_minimums, "cuda/driver_min.csv",
                                      kDriverMinFields);
}
const std::vector<LibraryArch>& Knowledge::library_archs() const {
  return tables_->rows<LibraryArch>(tables_->libraries, "libraries/arch.csv", kLibraryFields);
}
const std::vector<InstallCommand>& Knowledge::install_commands() const {
  return tables_->rows<InstallCommand>(tables_->installs, "torch/install_commands.csv",
                                       kInstallFields);
}
const std::vector<PythonTorch>& Knowledge::python_torch() const {
  return tables_->rows<PythonTorch>(tables_->pythons, "torch/python.csv", kPythonFields);
}
const std::vector<JetsonTorch>& Knowledge::jetson_torch() const {
  return tables_->rows<JetsonTorch>(tables_->jetsons, "torch/jetson.csv", kJetsonFields);
}
const std::vector<CapabilityRange>& Knowledge::capability_ranges() const {
  return tables_->rows<CapabilityRange>(tables_->ranges, "torch/cc_ranges.csv", kRangeFields);
}

}  // namespace kernelfit
