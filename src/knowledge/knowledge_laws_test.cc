// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every row of data/, whoever edits it. Where a law has exceptions, they are
// named here with their reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/json.h"
#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/probe_rows.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnown = Knowledge::embedded();
  return kKnown;
}

bool conflicts(const Basis& basis) {
  return basis.note.starts_with("CONFLICT");
}

std::optional<PackageVersion> package_version(std::string_view text) {
  return PackageVersion::parse(text);
}

// Sorted by key; two rows of one key only where a note says CONFLICT.
template <class Row, class Key>
void expect_sorted(const char* table, const std::vector<Row>& rows, Key key) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    auto before = key(rows[i - 1]), here = key(rows[i]);
    bool allowed = conflicts(rows[i].basis) || conflicts(rows[i - 1].basis);
    EXPECT_TRUE(before < here || (allowed && !(here < before)))
        << table << ": row " << i + 1 << " is out of order or doubled";
  }
}

TEST(KnowledgeLaws, RowsAreSortedAndUnique) {
  const auto& k = known();
  expect_sorted("products", k.products(), [](const GpuProduct& r) {
    return std::tuple(r.name, r.capability, r.chip, r.memory_gb);
  });
  expect_sorted("pci_ids", k.pci_rows(), [](const PciRow& r) {
    return std::tuple(r.device, r.subvendor, r.subdevice, r.name);
  });
  expect_sorted("releases", k.torch_releases(), [](const TorchRelease& r) { return r.version; });
  expect_sorted("builds", k.torch_builds(), [](const TorchBuild& r) {
    return std::tuple(r.version, r.platform, r.channel, r.build);
  });
  expect_sorted("driver_branches", k.driver_branches(),
                [](const DriverBranch& r) { return r.branch; });
  expect_sorted("toolkits", k.toolkits(), [](const CudaToolkit& r) { return r.cuda; });
  expect_sorted("driver_min", k.driver_minimums(),
                [](const CudaDriverMin& r) { return r.toolkit; });
  expect_sorted("libraries", k.library_archs(), [](const LibraryArch& r) {
    return std::tuple(r.library, package_version(r.version_min), package_version(r.version_max),
                      r.cuda, r.platform, r.capability_min, r.scope);
  });
  expect_sorted("install_commands", k.install_commands(), [](const InstallCommand& r) {
    return std::tuple(package_version(r.torch), r.manager, r.platform, r.build, r.command);
  });
  expect_sorted("python", k.python_torch(), [](const PythonTorch& r) {
    bool free_threaded = r.python.ends_with("t");
    auto number = r.python.substr(0, r.python.size() - (free_threaded ? 1 : 0));
    return std::tuple(dotted(number), package_version(r.torch), r.platform, r.wheel_tag,
                      r.platform_tag);
  });
  std::vector<std::string> problems;
  expect_sorted("tegra", tegra_rows(k, problems), [](const TegraRow& r) { return r.capability; });
  expect_sorted("jetpack", jetpack_rows(k, problems), [](const JetpackRow& r) { return r.l4t; });
  expect_sorted("packages", package_rows(k, problems), [](const PackageRow& r) { return r.name; });
  expect_sorted("cc_ranges", k.capability_ranges(), [](const CapabilityRange& r) {
    return std::tuple(r.capability, r.channel, r.platform, r.via);
  });
}

// Names are as PEP 503 normalises them, or the beginning of such a name and a *.
TEST(KnowledgeLaws, PackagesAreReadByWordsThatMeanSomething) {
  std::vector<std::string> problems;
  const auto packages = package_rows(known(), problems);
  for (const auto& row : packages) {
    bool plain = row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-*") ==
                 std::string_view::npos;
    EXPECT_TRUE(plain && row.name.find('*') >= row.name.size() - 1) << row.name;
    EXPECT_TRUE(row.reads == "seen" || row.reads == "table" || row.reads == "files" ||
                (row.reads == "torch" && row.name == "torch"))
        << row.name;
    EXPECT_EQ(row.reads == "files", !row.files.empty()) << row.name;
    for (auto pattern : split_words(row.files)) {
      const bool library = pattern.ends_with(".so") || pattern.ends_with(".so*") ||
                           pattern.ends_with(".pyd") || pattern.ends_with(".dll");
      const auto folder = pattern.substr(0, pattern.rfind('/') + 1);
      EXPECT_TRUE(library && folder.find('*') == folder.rfind('*')) << row.name << ": " << pattern;
    }
    if (row.pip_name.empty()) continue;
    EXPECT_TRUE(std::ranges::any_of(packages, [&](const auto& other) {
      return other.name == row.pip_name;
    })) << row.name;
  }
}

// The tables without a struct: the key columns, text order (torch in the order of versions).
TEST(KnowledgeLaws, PlainTablesAreSortedAndUnique) {
  struct Plain {
    const char* path;
    std::vector<const char*> key;
    bool torch_first;
  };
  for (const auto& table :
       {Plain{"torch/observed_arch_lists.csv",
              {"torch", "platform", "channel", "build", "method"},
              true},
        Plain{"torch/ngc_images.csv", {"image", "tag"}, false},
        Plain{"torch/jetson_needs.csv", {"jetpack", "library"}, false},
        Plain{"libraries/cuda_checks.csv", {"package", "versions"}, false},
        Plain{"claims.csv", {"claim"}, false}, Plain{"error_signatures.csv", {"id"}, false}}) {
    const Csv& csv = known().table(table.path);
    ASSERT_GT(csv.rows(), 0u) << table.path;
    auto key = [&](std::size_t row) {
      std::vector<std::string> cells;
      for (auto column : table.key) cells.emplace_back(csv.cell(row, column));
      auto version = table.torch_first ? package_version(cells.front()) : std::nullopt;
      return std::pair(version, cells);
    };
    for (std::size_t row = 1; row < csv.rows(); ++row) {
      EXPECT_TRUE(key(row - 1) < key(row)) << table.path << ": row " << row + 1;
    }
  }
}

TEST(KnowledgeLaws, TorchPinsReadAreSortedAndNameATorchThatIsKnown) {
  const Csv& csv = known().table("libraries/torch_pins.csv");
  ASSERT_GT(csv.rows(), 0u);
  std::pair<std::string, std::optional<PackageVersion>> before;
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    const std::pair here{std::string(csv.cell(row, "package")),
                         package_version(csv.cell(row, "version"))};
    ASSERT_TRUE(here.second) << row + 1;
    EXPECT_TRUE(before < here) << here.first << " " << here.second->text();
    before = here;
    const auto torch = VersionSpecifier::parse(csv.cell(row, "torch"));
    ASSERT_TRUE(torch) << row + 1;
    EXPECT_TRUE(
        std::ranges::any_of(known().torch_releases(),
                            [&](const auto& release) { return torch->contains(release.version); }))
        << here.first << " " << here.second->text();
  }
}

// Each release of torchvision and torchaudio has one row at most: which one is read must not
// matter.
TEST(KnowledgeLaws, CudaChecksAreReadByWordsThatMeanSomethingAndDoNotOverlap) {
  const Csv& csv = known().table("libraries/cuda_checks.csv");
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    const auto wanted = csv.cell(row, "torch_cuda");
    EXPECT_TRUE(wanted == "any" || wanted == "same-cudart" || wanted == "same-major" ||
                wanted == "same-minor")
        << wanted;
    ASSERT_TRUE(VersionSpecifier::parse(csv.cell(row, "versions"))) << row + 1;
  }
  for (const TorchRelease& release : known().torch_releases()) {
    for (auto [package, text] : {std::pair{"torchvision", release.torchvision},
                                 std::pair{"torchaudio", release.torchaudio}}) {
      const auto version = package_version(text);
      int rows = 0;
      for (std::size_t row = 0; version && row < csv.rows(); ++row) {
        rows += csv.cell(row, "package") == package &&
                VersionSpecifier::parse(csv.cell(row, "versions"))->contains(*version);
      }
      EXPECT_LE(rows, 1) << package << " " << text;
    }
  }
}

// NVIDIA's page of CUDA GPUs, and the device tree's names of the chips.
TEST(KnowledgeLaws, TegraChips) {
  std::vector<std::string> problems;
  std::map<std::string_view, std::string> found;
  for (const TegraRow& row : tegra_rows(known(), problems)) {
    if (!row.compatible.empty()) found[row.compatible] = row.capability.text();
  }
  const std::map<std::string_view, std::string> page = {
      {"nvidia,tegra124", "3.2"}, {"nvidia,tegra210", "5.3"}, {"nvidia,tegra186", "6.2"},
      {"nvidia,tegra194", "7.2"}, {"nvidia,tegra234", "8.7"}, {"nvidia,tegra264", "11.0"}};
  EXPECT_EQ(found, page);
  EXPECT_TRUE(problems.empty());
}

// NVIDIA's JetPack archive.
TEST(KnowledgeLaws, TheJetPackOfAnL4tRelease) {
  std::vector<std::string> problems;
  std::map<std::string, std::string_view> found;
  for (const JetpackRow& row : jetpack_rows(known(), problems)) found[row.l4t.text()] = row.jetpack;
  const std::pair<const char*, const char*> archive[] = {
      {"32.7.1", "4.6.1"}, {"35.1", "5.0.2"}, {"35.4.1", "5.1.2"},
      {"36.3", "6.0"},     {"36.4", "6.1"},   {"36.4.3", "6.2"},
      {"36.4.4", "6.2.1"}, {"38.2", "7.0"},   {"38.4", "7.1"}};
  for (const auto& [l4t, jetpack] : archive) EXPECT_EQ(found[l4t], jetpack) << l4t;
}

// A wheel's platform tag names the glibc that it asks for (PEP 600). The row of 2.6.0 stands for
// builds of both kinds: cu126 came from the new builder, the others from the old one.
TEST(KnowledgeLaws, TheGlibcOfAWheelIsThatOfItsTag) {
  std::size_t compared = 0;
  for (const auto& python : known().python_torch()) {
    const std::string_view tag = python.platform_tag;
    const std::size_t at = tag.find("manylinux_2_");
    if (at != 0 || contains(tag, ";") || python.torch == "2.6.0") continue;
    const std::string_view digits = tag.substr(12, tag.find('_', 12) - 12);
    for (const auto& build : known().torch_builds()) {
      if (build.version.text() != python.torch || build.platform != python.platform ||
          build.channel != "pip" || !contains_word(python.builds, build.build) ||
          build.glibc_min.empty())
        continue;
      ++compared;
      EXPECT_EQ(build.glibc_min, "2." + std::string(digits)) << python.torch << " " << build.build;
    }
  }
  EXPECT_GT(compared, 100u);
}

std::vector<std::string_view> tables() {
  std::vector<std::string_view> out;
  for (auto path : known().files_under("")) {
    if (path.ends_with(".csv")) out.push_back(path);
  }
  return out;
}

TEST(KnowledgeLaws, EverySourceResolvesAndEveryConfidenceIsAWord) {
  auto sources = parse_toml(known().file("sources.toml"));
  ASSERT_TRUE(sources);
  std::set<std::string> used;
  for (auto path : tables()) {
    const Csv& csv = known().table(path);
    const bool wordings = path.starts_with("paste/");  // what somebody printed: no doubt about it
    // Mirrors and others without facts of this kind.
    if (csv.column("confidence") < 0 && !wordings) continue;
    for (std::size_t row = 0; row < csv.rows(); ++row) {
      auto confidence = csv.cell(row, "confidence");
      EXPECT_TRUE(wordings || confidence == "high" || confidence == "medium" || confidence == "low")
          << path << ": row " << row + 1;
      std::string ids;
      for (auto column : {"source", "cc_source", "spec_source"}) {
        ids += std::string(csv.cell(row, column)) + " ";
      }
      EXPECT_FALSE(split_words(ids).empty()) << path << ": row " << row + 1 << " has no source";
      for (auto id : split_words(ids)) {
        EXPECT_TRUE(sources->at(id).is_object()) << path << ": row " << row + 1 << ": " << id;
        used.emplace(id);
      }
    }
  }
  for (const auto& [id, entry] : sources->members()) {
    EXPECT_TRUE(used.contains(id)) << "sources.toml: nothing rests on " << id;
    EXPECT_FALSE(entry.at("title").string().empty()) << id;
    EXPECT_FALSE(entry.at("kind").string().empty()) << id;
    EXPECT_FALSE(entry.at("read").string().empty()) << id;
  }
}

TEST(KnowledgeLaws, TextIsPlain) {
  for (auto path : tables()) {
    auto text = known().file(path);
    EXPECT_TRUE(text.ends_with("\n")) << path;
    EXPECT_FALSE(contains(text, "\r")) << path;
    EXPECT_FALSE(contains(text, "\n\n")) << path;
    EXPECT_FALSE(contains(text, ", ,") || contains(text, " \n")) << path << " is padded";
  }
}

// Targets of suffix 'a' and 'f' are of their plain capability.
TEST(KnowledgeLaws, EveryArchitectureIsOneThatAToolkitCompiles) {
  std::set<std::pair<GpuArch::Kind, int>> compiled;
  for (const auto& toolkit : known().toolkits()) {
    for (const auto& arch : toolkit.sass) compiled.insert({arch.kind, arch.number});
    for (const auto& arch : toolkit.ptx) compiled.insert({arch.kind, arch.number});
  }
  auto check = [&](std::string_view where, std::string_view words) {
    for (auto word : split_words(words)) {
      auto arch = GpuArch::parse(word);
      ASSERT_TRUE(arch) << where << ": " << word;
      EXPECT_TRUE(compiled.contains({arch->kind, arch->number})) << where << ": " << word;
    }
  };
  for (auto path : {"torch/builds.csv", "torch/observed_arch_lists.csv", "libraries/arch.csv"}) {
    const Csv& csv = known().table(path);
    for (std::size_t row = 0; row < csv.rows(); ++row) {
      check(path, csv.cell(row, "sass"));
      check(path, csv.cell(row, "ptx"));
    }
  }
}

const CudaToolkit* toolkit_of(const DottedVersion& cuda) {
  for (const auto& toolkit : known().toolkits()) {
    if (toolkit.cuda == cuda) return &toolkit;
  }
  return nullptr;
}

TEST(KnowledgeLaws, EachBuildIsWithinItsToolkit) {
  for (const auto& build : known().torch_builds()) {
    if (build.cuda.empty()) {
      EXPECT_TRUE(build.sass.empty() && build.ptx.empty()) << build.build;
      continue;
    }
    const auto* toolkit = toolkit_of(build.cuda);
    ASSERT_NE(toolkit, nullptr) << build.version.text() << " " << build.build;
    for (const auto& arch : build.sass) {
      EXPECT_NE(std::find(toolkit->sass.begin(), toolkit->sass.end(), arch), toolkit->sass.end())
          << build.version.text() << " " << build.build << ": " << arch.text();
    }
    for (const auto& arch : build.ptx) {
      EXPECT_NE(std::find(toolkit->ptx.begin(), toolkit->ptx.end(), arch), toolkit->ptx.end())
          << build.version.text() << " " << build.build << ": " << arch.text();
    }
  }
}

TEST(KnowledgeLaws, EachBuildHasADriverRowAReleaseAndAPython) {
  std::set<std::string> releases;
  for (const auto& release : known().torch_releases()) releases.insert(release.version.text());
  const auto& floors = known().driver_minimums();
  for (const auto& build : known().torch_builds()) {
    EXPECT_TRUE(releases.contains(build.version.text())) << build.version.text();
    EXPECT_FALSE(build.python.empty()) << build.version.text() << " " << build.build;
    if (build.cuda.empty()) continue;
    EXPECT_TRUE(std::any_of(floors.begin(), floors.end(), [&](const auto& row) {
      return row.cuda == build.cuda;
    })) << build.build;
  }
}

TEST(KnowledgeLaws, EachBuildHasAnInstallRowAndTheReverse) {
  std::set<std::string> builds, installs;
  for (const auto& row : known().torch_builds()) {
    builds.insert(row.version.text() + " " + std::string(row.platform) + " " +
                  std::string(row.build));
  }
  // CONFLICT: printed on the page for 1.8.1 to 1.9.1, though the channel holds no CUDA 11.3 build.
  for (const auto& row : known().install_commands()) {
    if (conflicts(row.basis)) continue;
    for (auto platform : split(row.platform, ';')) {
      installs.insert(std::string(row.torch) + " " + std::string(platform) + " " +
                      std::string(row.build));
    }
  }
  for (const auto& build : builds) EXPECT_TRUE(installs.contains(build)) << build;
  for (const auto& install : installs) EXPECT_TRUE(builds.contains(install)) << install;
}

TEST(KnowledgeLaws, EveryPythonOfABuildIsItsReleases) {
  std::map<std::string, const TorchRelease*> releases;
  for (const auto& release : known().torch_releases()) {
    releases[release.version.text()] = &release;
  }
  for (const auto& build : known().torch_builds()) {
    const auto& release = *releases.at(build.version.text());
    for (auto python : split_words(build.python)) {
      auto experimental = split(release.python_experimental, ';');
      bool tried =
          std::find(experimental.begin(), experimental.end(), python) != experimental.end();
      auto number = dotted(python.substr(0, python.find('t')));
      bool within = number >= dotted(release.python_min) && number <= dotted(release.python_max);
      EXPECT_TRUE(tried || within) << build.version.text() << " " << build.build << ": " << python;
    }
  }
}

TEST(KnowledgeLaws, ACardHasOneCapability) {
  std::map<int, ComputeCapability> by_device;
  for (const auto& row : known().pci_rows()) {
    auto [at, added] = by_device.try_emplace(row.device, row.capability);
    EXPECT_EQ(at->second, row.capability) << "10de:" << std::hex << row.device;
  }
  // A name with several capabilities says that it is ambiguous, and names the others.
  std::map<std::string_view, std::set<std::string>> by_name;
  for (const auto& row : known().products()) by_name[row.name].insert(row.capability.text());
  for (const auto& row : known().products()) {
    EXPECT_EQ(row.ambiguous, by_name[row.name].size() > 1) << row.name;
    if (!row.ambiguous) continue;
    auto others = by_name[row.name];
    others.erase(row.capability.text());
    std::set<std::string> listed;
    for (auto word : split(row.capability_alternatives, ';')) listed.emplace(word);
    EXPECT_EQ(listed, others) << row.name;
  }
}

// A product's PCI ids are in the PCI table with the product's capability.
TEST(KnowledgeLaws, ProductsAndPciIdsAgree) {
  std::map<std::string, ComputeCapability> by_device;
  for (const auto& row : known().pci_rows()) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "%04X", static_cast<unsigned>(row.device) & 0xffffu);
    by_device[hex] = row.capability;
  }
  for (const auto& row : known().products()) {
    for (auto id : split_words(row.pci_ids)) {
      auto at = by_device.find(std::string(id.substr(0, 4)));
      ASSERT_NE(at, by_device.end()) << row.name << ": " << id;
      EXPECT_EQ(at->second, row.capability) << row.name << ": " << id;
    }
  }
}

TEST(KnowledgeLaws, VersionsParse) {
  auto check = [](std::string_view text, const char* what) {
    if (!text.empty()) {
      EXPECT_TRUE(package_version(text)) << what << ": " << text;
    }
  };
  for (const auto& row : known().torch_releases()) {
    check(row.torchvision, "torchvision");
    check(row.torchaudio, "torchaudio");
    check(row.triton, "triton");
    EXPECT_TRUE(DottedVersion::parse(row.python_min)) << row.python_min;
    EXPECT_TRUE(DottedVersion::parse(row.python_max)) << row.python_max;
    EXPECT_LE(dotted(row.python_min), dotted(row.python_max)) << row.version.text();
  }
  for (const auto& row : known().torch_builds()) {
    check(row.cudnn, "cudnn");
    check(row.nccl, "nccl");
    check(row.cuda_full, "cuda_full");
    if (!row.glibc_min.empty()) {
      EXPECT_TRUE(DottedVersion::parse(row.glibc_min)) << row.glibc_min;
    }
    for (auto python : split_words(row.python)) {
      if (python.ends_with("t")) python.remove_suffix(1);
      EXPECT_TRUE(DottedVersion::parse(python)) << row.version.text() << ": " << python;
    }
  }
  for (const auto& row : known().install_commands()) check(row.torch, "install");
  for (const auto& row : known().python_torch()) check(row.torch, "python");
}

TEST(KnowledgeLaws, RangesAreNotEmpty) {
  for (const auto& row : known().driver_branches()) {
    EXPECT_LE(row.capability_min, row.capability_max) << row.branch;
    auto ends = split(row.windows_versions, '-');
    ASSERT_LE(ends.size(), 2u);
    EXPECT_LE(parse_int(ends.front()).value(), parse_int(ends.back()).value()) << row.branch;
  }
  for (const auto& row : known().library_archs()) {
    auto low = ComputeCapability::parse(row.capability_min);
    std::string_view maximum = row.capability_max;  // "9.0", "9.0?", "any", ""
    if (maximum.ends_with('?')) maximum.remove_suffix(1);
    auto high = ComputeCapability::parse(maximum);
    EXPECT_TRUE(low) << row.library;
    EXPECT_TRUE(high || maximum.empty() || maximum == "any") << row.library << ": " << maximum;
    if (low && high) {
      EXPECT_LE(*low, *high) << row.library << " " << row.version_min;
    }
    auto first = package_version(row.version_min), last = package_version(row.version_max);
    if (first && last) {
      EXPECT_LE(*first, *last) << row.library;
    }
  }
  for (const auto& row : known().capability_ranges()) {
    EXPECT_LE(*package_version(row.first_torch), *package_version(row.last_torch));
    EXPECT_FALSE(row.first_builds.empty() || row.last_builds.empty());
  }
}

// docs/knowledge.md: exactly one default per release, but none for 1.8.2 (LTS, never on PyPI) and
// for 0.4.1 (its row says: PyPI lists nothing before 1.0).
TEST(KnowledgeLaws, OnePypiDefaultPerRelease) {
  std::map<std::string, int> defaults;
  for (const auto& build : known().torch_builds()) {
    EXPECT_TRUE(build.pypi_default == "yes" || build.pypi_default == "no" ||
                build.pypi_default.empty() || build.pypi_default == "unknown");
    if (build.pypi_default == "yes" && build.platform == "linux-x86_64") {
      ++defaults[build.version.text()];
    }
  }
  for (const auto& release : known().torch_releases()) {
    auto version = release.version.text();
    EXPECT_EQ(defaults[version], version == "1.8.2" || version == "0.4.1" ? 0 : 1) << version;
  }
}

TEST(KnowledgeLaws, DriverFloorsRiseWithTheToolkit) {
  DottedVersion linux_floor, windows_floor, linux_minor, windows_minor;
  auto rises = [](DottedVersion& before, std::string_view cell, const CudaDriverMin& row) {
    auto here = DottedVersion::parse(cell);
    if (!here) return;  // "N/A" and empty
    EXPECT_GE(*here, before) << row.toolkit.text();
    before = *here;
  };
  for (const auto& row : known().driver_minimums()) {
    if (conflicts(row.basis)) continue;
    // 13.4.0 is the developer preview's floor, higher than the release's.
    if (row.toolkit.text() != "13.4.0") {
      rises(linux_floor, row.linux_min, row);
      rises(windows_floor, row.windows_min, row);
    }
    rises(linux_minor, row.minor_compat_linux, row);
    rises(windows_minor, row.minor_compat_windows, row);
  }
}

TEST(KnowledgeLaws, BranchesRise) {
  const auto& branches = known().driver_branches();
  for (std::size_t i = 1; i < branches.size(); ++i) {
    const auto& before = branches[i - 1];
    const auto& here = branches[i];
    EXPECT_LT(dotted(before.windows_versions.substr(0, 3)),
              dotted(here.windows_versions.substr(0, 3)))
        << here.branch;
    // 435 reports CUDA 10.1 on Linux though 430 reports 10.2 (a note says so).
    if (here.branch == 435) continue;
    EXPECT_LE(before.max_cuda, here.max_cuda) << here.branch;
    EXPECT_LE(before.max_ptx_isa, here.max_ptx_isa) << here.branch;
  }
}

TEST(KnowledgeLaws, TheLastBranchFitsTheCard) {
  std::map<std::string, const DriverBranch*> branches;
  for (const auto& branch : known().driver_branches()) {
    branches[std::to_string(branch.branch)] = &branch;
  }
  for (const auto& row : known().products()) {
    if (contains(row.last_driver_branch, "L4T") || contains(row.last_driver_branch, "JetPack")) {
      EXPECT_EQ(row.form, "tegra") << row.name;
      continue;
    }
    bool legacy = row.capability < ComputeCapability{7, 5};
    EXPECT_EQ(row.last_driver_branch == "current", !legacy) << row.name;
    if (row.last_driver_branch == "current") continue;
    auto at = branches.find(std::string(row.last_driver_branch));
    ASSERT_NE(at, branches.end()) << row.name;
    EXPECT_GE(row.capability, at->second->capability_min) << row.name;
    EXPECT_LE(row.capability, at->second->capability_max) << row.name;
    int expected = row.capability.major == 1   ? 340
                   : row.capability.major == 2 ? 390
                   : row.capability.major == 3 ? 470
                                               : 580;
    EXPECT_EQ(at->second->branch, expected) << row.name;
  }
}

TEST(KnowledgeLaws, ToolkitsOnlyGrowAndDropInOrder) {
  for (const auto& toolkit : known().toolkits()) {
    EXPECT_FALSE(toolkit.sass.empty()) << toolkit.cuda.text();
    for (const auto& arch : toolkit.sass) {
      bool has_ptx = std::any_of(toolkit.ptx.begin(), toolkit.ptx.end(), [&](const auto& ptx) {
        return ptx.number == arch.number && ptx.suffix == arch.suffix;
      });
      EXPECT_TRUE(has_ptx || arch.number == 21) << toolkit.cuda.text() << ": " << arch.text();
    }
  }
}

// Every printed get_arch_list() is the table's list for that build.
TEST(KnowledgeLaws, PrintedArchListsAreTheTables) {
  const Csv& observed = known().table("torch/observed_arch_lists.csv");
  int compared = 0;
  for (std::size_t row = 0; row < observed.rows(); ++row) {
    if (!contains(observed.cell(row, "method"), "get_arch_list")) continue;
    bool found = false, equal = false;
    auto sass = parse_arch_list(observed.cell(row, "sass"));
    for (const auto& build : known().torch_builds()) {
      if (build.version.text() != observed.cell(row, "torch")) continue;
      if (build.platform != observed.cell(row, "platform")) continue;
      if (build.channel != observed.cell(row, "channel")) continue;
      if (build.build != observed.cell(row, "build")) continue;
      found = true;
      equal = equal || build.sass == sass;
    }
    if (!found) continue;
    ++compared;
    EXPECT_TRUE(equal) << observed.cell(row, "torch") << " " << observed.cell(row, "build");
  }
  EXPECT_GE(compared, 19);  // docs/knowledge.md
}

}  // namespace
}  // namespace kernelfit
