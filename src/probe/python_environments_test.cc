// SPDX-License-Identifier: Apache-2.0
// Pythons as they lie on disks. Each test builds a machine's folders and says what must be seen.
#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "elf/elf_file.h"
#include "probe/environments.h"
#include "probe/library_files.h"
#include "probe/recorded_folder_for_tests.h"

namespace kernelfit {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* kVenv = "/home/user/ai/.venv";

std::string metadata(const std::string& name, const std::string& version) {
  return "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n\ntext\n";
}

// A distribution as pip leaves it.
void add_dist(RecordedFolder& host, const std::string& site, const std::string& name,
              const std::string& version, const std::string& installer = "pip") {
  std::string file_name = name;
  for (char& c : file_name) c = c == '-' ? '_' : c;
  const std::string folder = site + "/" + file_name + "-" + version + ".dist-info";
  host.file(folder + "/METADATA", metadata(name, version)).file(folder + "/INSTALLER", installer);
}

void add_torch(RecordedFolder& host, const std::string& site, const std::string& version,
               const std::string& cuda, const std::string& installer = "pip") {
  add_dist(host, site, "torch", version, installer);
  host.file(site + "/torch/version.py", "__version__ = '" + version + "'\ncuda = " +
                                            (cuda.empty() ? "None" : "'" + cuda + "'") + "\n");
}

std::string add_venv(RecordedFolder& host, const std::string& prefix = kVenv,
                     const std::string& python = "3.12.3", const std::string& more = {}) {
  host.file(prefix + "/pyvenv.cfg", "home = /usr/bin\nversion = " + python + "\n" + more);
  const std::string folder = "python" + dotted(python).first(2).text();
  host.file(prefix + "/bin/python3", "");
  return prefix + "/lib/" + folder + "/site-packages";
}

const Environment* find(const Machine& machine, std::string_view path) {
  for (const auto& environment : machine.environments) {
    if (environment.path == path) return &environment;
  }
  return nullptr;
}

TEST(Environments, ReadTheActiveVenvFirst) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  host.env("VIRTUAL_ENV", kVenv).env("PATH", std::string(kVenv) + "/bin:/usr/bin");
  add_torch(host, site, "2.13.0+cu126", "12.6", "uv");
  add_dist(host, site, "requests", "2.32.0");
  add_dist(host, site, "nvidia-cudnn-cu12", "9.5.1.17");
  host.file("/usr/bin/python3.11", "").link("/usr/bin/python3", "python3.11");
  host.file("/usr/lib/python3.11/os.py", "").file("/usr/lib/python3/dist-packages/README", "");
  host.file("/usr/lib/python3.11/EXTERNALLY-MANAGED", "[externally-managed]\n");
  Machine machine = host.inspect();
  ASSERT_EQ(machine.environments.size(), 2u);
  const Environment& venv = machine.environments[0];
  EXPECT_EQ(venv.path, kVenv);
  EXPECT_EQ(venv.kind, "venv");
  EXPECT_TRUE(venv.active);
  EXPECT_FALSE(venv.externally_managed);
  EXPECT_EQ(venv.python->text(), "3.12.3");
  ASSERT_EQ(venv.packages.size(), 2u);  // requests does not concern GPUs
  EXPECT_EQ(venv.packages[0].name, "nvidia-cudnn-cu12");
  EXPECT_EQ(venv.packages[1].manager, "uv");
  ASSERT_FALSE(venv.libraries.empty());
  EXPECT_EQ(venv.libraries[0].name, "torch");
  EXPECT_EQ(*venv.libraries[0].build, "cu126");
  EXPECT_EQ(venv.libraries[0].cuda->text(), "12.6");
  const Environment& system = machine.environments[1];
  EXPECT_EQ(system.path, "/usr");
  EXPECT_EQ(system.kind, "system");
  EXPECT_EQ(system.python->text(), "3.11");
  EXPECT_TRUE(system.externally_managed);
  EXPECT_FALSE(system.active);
}

struct {
  const char* version;
  const char* cuda;
  const char* build;  // "": unknown
} constexpr kBuilds[] = {
    {"2.13.0+cu126", "12.6", "cu126"},
    {"2.2.1", "12.1", "cu121"},
    {"2.2.0+cpu", "", "cpu"},
    {"2.4.0", "", "cpu"},
    {"1.0.1", "9.0.176", "cu90"},
    {"2.10.0a0+gite67e3d9", "13.0", "cu130"},
    {"2.5.0a0+872d972e41.nv24.08", "12.6", "cu126"},
};

TEST(Environments, NameTheBuildOfTorch) {
  for (const auto& c : kBuilds) {
    SCOPED_TRACE(c.version);
    RecordedFolder host;
    add_torch(host, add_venv(host), c.version, c.cuda);
    Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
    ASSERT_EQ(machine.environments.size(), 1u);
    const Library* torch = machine.environments[0].library("torch");
    ASSERT_NE(torch, nullptr);
    EXPECT_EQ(torch->version, c.version);
    EXPECT_EQ(*torch->build, c.build);
    EXPECT_EQ(torch->cuda.is_absent(), std::string(c.cuda).empty());
  }
}

// PyPI's Windows wheel is 2.3.1 in its METADATA and 2.3.1+cpu in version.py.
TEST(Environments, TakeTheLongerVersion) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_dist(host, site, "torch", "2.3.1");
  host.file(site + "/torch/version.py", "__version__ = '2.3.1+cpu'\ncuda = None\n");
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Environment* venv = find(machine, kVenv);
  ASSERT_NE(venv, nullptr);
  EXPECT_EQ(venv->package("torch")->version, "2.3.1");
  EXPECT_EQ(venv->library("torch")->version, "2.3.1+cpu");
}

// pip goes by METADATA, Python imports the files: an upgrade that did not end leaves both.
TEST(Environments, SayWhereMetadataAndFilesNameTwoBuilds) {
  struct Case {
    const char *recorded, *found;
    bool contradict;
  };
  for (const Case& c : {Case{"2.13.0+cu126", "2.13.0+cu130", true},
                        {"2.13.0+cu126", "2.7.1+cu118", true},
                        {"2.13.0", "2.13.0+cu130", false},  // PyPI's METADATA leaves it out
                        {"2.8.0a0+5228986c39.nv25.5", "2.8.0a0+5228986c39.nv25.05", false},
                        {"2.1.0", "2.1.0.post300", false}}) {
    RecordedFolder host;
    const std::string site = add_venv(host);
    add_dist(host, site, "torch", c.recorded);
    host.file(site + "/torch/version.py",
              "__version__ = '" + std::string(c.found) + "'\ncuda = '12.6'\n");
    Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
    const Environment* venv = find(machine, kVenv);
    ASSERT_NE(venv, nullptr);
    const Library* torch = venv->library("torch");
    ASSERT_NE(torch, nullptr);
    const bool said = std::ranges::any_of(torch->problems, [](const std::string& problem) {
      return problem.find("/METADATA says ") != std::string::npos;
    });
    EXPECT_EQ(said, c.contradict) << c.recorded << " " << c.found;
  }
}

TEST(Environments, ReadCondaRecords) {
  RecordedFolder host;
  const std::string prefix = "/home/user/miniconda3/envs/ai", meta = prefix + "/conda-meta/";
  host.file(meta + "python-3.10.12-hd12c33a_0_cpython.json", "{}");
  host.file(meta + "pytorch-2.1.0-py3.10_cuda11.8_cudnn8.7.0_0.json",
            fixture("pyenv/conda_meta/pytorch-2.1.0-py3.10_cuda11.8.json"));
  const std::string site = prefix + "/lib/python3.10/site-packages";
  host.file(site + "/torch-2.1.0-py3.10.egg-info/PKG-INFO", metadata("torch", "2.1.0"));
  host.file(site + "/torch/version.py", "__version__ = '2.1.0'\ncuda = '11.8'\n");
  host.file("/home/user/.conda/environments.txt", "/home/user/miniconda3\n" + prefix + "\n");
  Machine machine = host.inspect();
  const Environment* conda = find(machine, prefix);
  ASSERT_NE(conda, nullptr);
  EXPECT_EQ(conda->kind, "conda");
  EXPECT_EQ(conda->python->text(), "3.10.12");
  ASSERT_EQ(conda->packages.size(), 1u);  // the egg-info is conda's own
  EXPECT_EQ(conda->packages[0].name, "torch");
  EXPECT_EQ(conda->packages[0].channel, "pytorch");
  EXPECT_EQ(conda->packages[0].build, "py3.10_cuda11.8_cudnn8.7.0_0");
  ASSERT_EQ(conda->libraries.size(), 1u);
  EXPECT_EQ(*conda->libraries[0].build, "cuda11.8");
}

// case 292 and its like: pip over conda's files. Both stay, the one whose files are there leads.
TEST(Environments, KeepPipOverConda) {
  RecordedFolder host;
  const std::string prefix = "/home/user/miniconda3", meta = prefix + "/conda-meta/";
  host.file(meta + "python-3.10.12-hd12c33a_0_cpython.json", "{}");
  host.file(meta + "pytorch-1.13.0-py3.10_cpu_0.json",
            fixture("pyenv/conda_meta/pytorch-1.13.0-py3.10_cpu.json"));
  add_torch(host, prefix + "/lib/python3.10/site-packages", "2.4.0+cu121", "12.1");
  Machine machine = host.env("CONDA_PREFIX", prefix).inspect();
  const Environment* conda = find(machine, prefix);
  ASSERT_NE(conda, nullptr);
  EXPECT_TRUE(conda->active);
  ASSERT_EQ(conda->packages.size(), 2u);
  EXPECT_EQ(conda->packages[0].version, "2.4.0+cu121");
  EXPECT_EQ(conda->packages[1].manager, "conda");
  ASSERT_EQ(conda->libraries.size(), 1u);  // one folder
  EXPECT_EQ(*conda->libraries[0].build, "cu121");
}

// case 245: an old torch in ~/.local is imported instead of the conda or system one.
TEST(Environments, SeeTheUsersSiteBeforeTheSystems) {
  RecordedFolder host;
  host.file("/usr/bin/python3.7", "").link("/usr/bin/python3", "python3.7").env("PATH", "/usr/bin");
  host.file("/usr/lib/python3.7/os.py", "");
  add_torch(host, "/home/user/.local/lib/python3.7/site-packages", "1.1.0", "9.0.176");
  add_torch(host, "/usr/local/lib/python3.7/dist-packages", "1.4.0", "10.1");
  Machine machine = host.inspect();
  const Environment* system = find(machine, "/usr");
  ASSERT_NE(system, nullptr);
  ASSERT_EQ(system->libraries.size(), 2u);
  EXPECT_EQ(system->libraries[0].version, "1.1.0");
  EXPECT_EQ(system->libraries[1].version, "1.4.0");
  EXPECT_TRUE(system->packages[0].user_site);
  EXPECT_FALSE(system->packages[1].user_site);
}

TEST(Environments, LeaveTheUsersSiteOutWherePythonDoes) {
  const std::string user_site = "/home/user/.local/lib/python3.12/site-packages";
  RecordedFolder plain;
  add_venv(plain);
  add_torch(plain, user_site, "1.1.0", "9.0");
  EXPECT_TRUE(find(plain.inspect(), kVenv) == nullptr);  // not near the current folder
  RecordedFolder active;
  add_venv(active);
  add_torch(active, user_site, "1.1.0", "9.0");
  EXPECT_TRUE(active.env("VIRTUAL_ENV", kVenv).inspect().environments[0].libraries.empty());
  RecordedFolder shared;
  add_torch(shared, add_venv(shared, kVenv, "3.12.3", "include-system-site-packages = true\n"),
            "2.4.0", "12.1");
  add_torch(shared, user_site, "1.1.0", "9.0");
  Machine machine = shared.env("VIRTUAL_ENV", kVenv).inspect();
  ASSERT_EQ(machine.environments[0].libraries.size(), 2u);
  EXPECT_EQ(machine.environments[0].libraries[0].version, "2.4.0");  // the venv's own comes first
  EXPECT_EQ(machine.environments[0].libraries[1].version, "1.1.0");
}

// `python setup.py develop` of a source tree: easy-install.pth and torch.egg-link lead to it.
TEST(Environments, FollowASourceTreeBuiltInPlace) {
  RecordedFolder host;
  const std::string site = add_venv(host), tree = "/home/user/pytorch";
  host.file(site + "/easy-install.pth", "import sys; sys.__plen = len(sys.path)\n" + tree + "\n");
  host.file(site + "/torch.egg-link", tree + "\n.");
  host.file(tree + "/torch.egg-info/PKG-INFO", metadata("torch", "1.8.0a0+1a92802"));
  host.file(tree + "/torch/version.py", "__version__ = '1.8.0a0+1a92802'\ncuda = '11.1'\n");
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  ASSERT_EQ(machine.environments.size(), 1u);
  const Environment& venv = machine.environments[0];
  ASSERT_EQ(venv.libraries.size(), 1u);
  EXPECT_EQ(venv.libraries[0].location, tree + "/torch");
  EXPECT_EQ(*venv.libraries[0].build, "cu111");
  EXPECT_EQ(venv.package("torch")->version, "1.8.0a0+1a92802");
  EXPECT_TRUE(venv.libraries[0].problems.empty());
}

// `pip install -e .` since 2022: a hook, and direct_url.json (PEP 610) that names the tree.
TEST(Environments, FollowAnEditableInstall) {
  RecordedFolder host;
  const std::string site = add_venv(host), tree = "/home/user/src/py torch";
  add_dist(host, site, "torch", "2.10.0a0+gite67e3d9");
  const std::string dist = site + "/torch-2.10.0a0+gite67e3d9.dist-info";
  host.file(dist + "/RECORD", "")
      .file(dist + "/direct_url.json",
            "{\"dir_info\": {\"editable\": true}, \"url\": \"file:///home/user/src/py%20torch\"}");
  host.file(
      site + "/__editable__.torch-2.10.0a0.pth",
      "import __editable___torch_2_10_0a0_finder; __editable___torch_2_10_0a0_finder.install()");
  host.file(tree + "/torch/version.py", "__version__ = '2.10.0a0+gite67e3d9'\ncuda = '13.0'\n");
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments.at(0).library("torch");
  ASSERT_NE(torch, nullptr);
  EXPECT_EQ(torch->location, tree + "/torch");
  EXPECT_EQ(torch->cuda.value_or({}).text(), "13.0");
  EXPECT_TRUE(torch->problems.empty());
}

// `python setup.py install` leaves a folder with everything in it.
TEST(Environments, ReadEggs) {
  RecordedFolder host;
  const std::string site = add_venv(host, kVenv, "3.8.10");
  const std::string egg = "torch_scatter-2.0.9-py3.8-linux-x86_64.egg";
  add_torch(host, site, "1.9.0+cu111", "11.1");
  host.file(site + "/easy-install.pth", "./" + egg + "\n");
  host.file(site + "/" + egg + "/EGG-INFO/PKG-INFO", metadata("torch-scatter", "2.0.9"));
  host.file(site + "/" + egg + "/torch_scatter/_scatter_cuda.so",
            fixture("fatbin/libcu118_vadd.so"));
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Environment& venv = machine.environments.at(0);
  ASSERT_EQ(venv.libraries.size(), 2u);
  EXPECT_EQ(venv.libraries[1].name, "torch-scatter");
  EXPECT_EQ(venv.libraries[1].version, "2.0.9");
  EXPECT_EQ(venv.libraries[1].binaries.size(), 1u);
}

// uv links the minor version's name to the release's folder; both are one Python.
TEST(Environments, ReadTheReleaseBehindUvsLink) {
  RecordedFolder host;
  const std::string root = "/home/user/.local/share/uv/python/";
  host.file(root + "cpython-3.12.11-linux-x86_64-gnu/bin/python3", "");
  host.file(root + "cpython-3.12.11-linux-x86_64-gnu/lib/python3.12/os.py", "");
  host.link(root + "cpython-3.12-linux-x86_64-gnu", "cpython-3.12.11-linux-x86_64-gnu");
  Machine machine = host.inspect();
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].kind, "uv");
  EXPECT_EQ(machine.environments[0].python->text(), "3.12.11");
}

TEST(Environments, ReadThePythonOfWindowsStore) {
  RecordedFolder host("windows");
  const std::string id = "PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0";
  const std::string local = "/C/Users/user/AppData/Local";
  add_torch(host, local + "/Packages/" + id + "/LocalCache/local-packages/Python311/site-packages",
            "2.4.0+cu121", "12.1");
  host.file(local + "/Packages/Microsoft.WindowsTerminal_8wekyb3d8bbwe/x", "");
  host.file(local + "/Microsoft/WindowsApps/" + id + "/python.exe", "");
  host.env("LOCALAPPDATA", "C:\\Users\\user\\AppData\\Local");
  Machine machine = host.inspect();
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].python->text(), "3.11");
  EXPECT_EQ(machine.environments[0].library("torch")->version, "2.4.0+cu121");
  EXPECT_EQ(machine.environments[0].interpreter.value_or(""),
            "C:\\Users\\user\\AppData\\Local\\Microsoft\\WindowsApps\\" + id + "\\python.exe");
}

TEST(Environments, FindEveryKind) {
  RecordedFolder host;
  const std::string uv =
      "/home/user/.local/share/uv/python/cpython-3.13.0+freethreaded-linux-x86_64-gnu";
  host.file(uv + "/bin/python3", "").file(uv + "/lib/python3.13t/os.py", "");
  const std::string pyenv = "/home/user/.pyenv/versions/3.9.18";
  host.file(pyenv + "/bin/python3", "").file(pyenv + "/lib/python3.9/os.py", "");
  add_venv(host, "/home/user/venv");
  add_venv(host, "/home/user/.cache/pypoetry/virtualenvs/app-x1-py3.11", "3.11.4");
  add_venv(host, "/home/user/.local/share/hatch/env/virtual/app/x1/app", "3.11.4");
  const std::string pipx = "/home/user/.local/share/pipx/venvs/";
  add_venv(host, pipx + "black");
  add_torch(host, add_venv(host, pipx + "whisper"), "2.4.0+cu121", "12.1");
  add_venv(host, "/data/kernel-venv");
  host.file("/home/user/.local/share/jupyter/kernels/ai/kernel.json",
            "{\"argv\": [\"/data/kernel-venv/bin/python3\", \"-m\", \"ipykernel_launcher\"]}");
  Machine machine = host.inspect();
  struct {
    std::string path;
    const char* kind;
    const char* python;
  } const kCases[] = {
      {uv, "uv", "3.13.0"},
      {pyenv, "pyenv", "3.9.18"},
      {"/home/user/venv", "venv", "3.12.3"},
      {"/home/user/.cache/pypoetry/virtualenvs/app-x1-py3.11", "venv", "3.11.4"},
      {"/home/user/.local/share/hatch/env/virtual/app/x1/app", "venv", "3.11.4"},
      {pipx + "whisper", "pipx", "3.12.3"},
      {"/data/kernel-venv", "venv", "3.12.3"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.path);
    const Environment* environment = find(machine, c.path);
    ASSERT_NE(environment, nullptr);
    EXPECT_EQ(environment->kind, c.kind);
    EXPECT_EQ(environment->python->text(), c.python);
  }
  EXPECT_EQ(machine.environments.size(), std::size(kCases));  // not pipx's black
  EXPECT_TRUE(find(machine, uv)->free_threaded);
}

TEST(Environments, FollowPyenvsShims) {
  RecordedFolder host;
  for (const char* version : {"3.9.18", "3.11.7"}) {
    const std::string prefix = std::string("/home/user/.pyenv/versions/") + version;
    host.file(prefix + "/bin/python3", "");
    host.file(prefix + "/lib/python" + dotted(version).first(2).text() + "/os.py", "");
  }
  host.file("/home/user/.pyenv/shims/python", "#!/usr/bin/env bash\n");
  host.file("/home/user/.pyenv/version", "3.9.18\n").file("/home/user/.python-version", "3.11.7\n");
  Machine machine = host.env("PATH", "/home/user/.pyenv/shims:/usr/bin").inspect();
  ASSERT_EQ(machine.environments.size(), 2u);
  EXPECT_EQ(machine.environments[0].python->text(), "3.11.7");
  EXPECT_TRUE(machine.environments[0].active);
}

TEST(Environments, ReadWindowsFolders) {
  RecordedFolder host("windows");
  const std::string prefix = "/C/Users/user/ai/.venv";
  host.file(prefix + "/pyvenv.cfg", "home = C:\\Python312\r\nversion = 3.12.10\r\n");
  host.file(prefix + "/Scripts/python.exe", "MZ");
  add_torch(host, prefix + "/Lib/site-packages", "2.13.0+cu130", "13.0");
  host.file("/C/Python312/python.exe", "MZ").file("/C/Python312/python312.dll", "MZ");
  Machine machine = host.env("VIRTUAL_ENV", "C:\\Users\\user\\ai\\.venv").inspect();
  ASSERT_EQ(machine.environments.size(), 2u);
  EXPECT_TRUE(machine.environments[0].active);
  EXPECT_EQ(machine.environments[0].python->text(), "3.12.10");
  EXPECT_EQ(machine.environments[0].library("torch")->version, "2.13.0+cu130");
  EXPECT_EQ(machine.environments[1].path, "C:\\Python312");
  EXPECT_EQ(machine.environments[1].python->text(), "3.12");
}

TEST(Environments, TakeGivenOnesInAnyForm) {
  for (const char* given : {"", "/bin/python3", "/lib/python3.12/site-packages"}) {
    SCOPED_TRACE(given);
    RecordedFolder host;
    add_torch(host, add_venv(host), "2.4.0+cu121", "12.1");
    add_venv(host, "/home/user/.venv");
    ProbeOptions options;
    options.environments = {kVenv + std::string(given)};
    options.only_given_environments = true;
    Machine machine = host.inspect(options);
    ASSERT_EQ(machine.environments.size(), 1u);
    EXPECT_EQ(machine.environments[0].path, kVenv);
    EXPECT_NE(machine.environments[0].library("torch"), nullptr);
  }
  RecordedFolder host;
  ProbeOptions options;
  options.environments = {"/nowhere"};
  options.only_given_environments = true;
  Machine machine = host.inspect(options);
  EXPECT_TRUE(machine.environments.empty());
  EXPECT_EQ(machine.problems.back(), "/nowhere: not a Python environment");
}

TEST(Environments, GroupTheCodeOfAFile) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu124", "12.4");
  host.file(site + "/torch/lib/libtorch_cuda.so", fixture("fatbin/libcu124_two_tu.so"));
  host.file(site + "/torch/lib/libtorch_cuda_linalg.so", fixture("fatbin/libcu130_vadd_rdc.so"));
  add_dist(host, site, "flash-attn", "2.8.3");
  host.file(site + "/flash_attn/__init__.py", "");
  host.file(site + "/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so",
            fixture("fatbin/libcu130_vadd.so"));
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_EQ(torch->binaries.size(), 2u);
  ASSERT_EQ(torch->binaries[0].groups.size(), 1u);
  const ContainerGroup& group = torch->binaries[0].groups[0];
  EXPECT_EQ(arch_list_text(group.archs), "sm_80 sm_86 compute_86");
  EXPECT_EQ(group.containers, 2);
  EXPECT_EQ(group.images, 6);
  EXPECT_EQ(torch->binaries[0].ptx_isa.text(), "8.4");  // CUDA 12.4
  EXPECT_EQ(torch->binaries[0].compression, "lz4");
  ASSERT_EQ(torch->binaries[1].groups.size(), 2u);  // linked images, and what they were linked from
  EXPECT_NE(torch->binaries[1].groups[0].relocatable, torch->binaries[1].groups[1].relocatable);
  const Library* flash = machine.environments[0].library("flash-attn");
  ASSERT_EQ(flash->binaries.size(), 1u);
  EXPECT_EQ(arch_list_text(flash->binaries[0].groups[0].archs),
            "sm_75 sm_90a sm_100f sm_120 compute_120");
}

TEST(Environments, ReadNvidiasLibraries) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.15.0+cu130", "13.0");
  add_dist(host, site, "nvidia-cudnn-cu13", "9.26.0.51");
  add_dist(host, site, "nvidia-cublas", "13.4.1.3");
  const std::string code = fixture("fatbin/libcu130_vadd.so");
  for (const char* part : {"ops.so.9", "cnn.so.9", "adv.so.9", "graph.so.9", "ext.so.9"}) {
    host.file(site + "/nvidia/cudnn/lib/libcudnn_" + part, code);
  }
  host.link(site + "/nvidia/cudnn/lib/libcudnn_ops.so.9.26", "libcudnn_ops.so.9");
  host.file(site + "/nvidia/cu13/lib/libcublas.so.13", code);
  host.file(site + "/nvidia/cu13/lib/libcublasLt.so.13", code);
  host.file(site + "/nvidia/cu13/lib/libcufft.so.12", code);  // of no package that is here
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  auto files = [&](std::string_view name) {
    std::string out;
    for (const auto& binary : machine.environments[0].library(name)->binaries) {
      out += std::string(base_name(binary.file)) + " ";
    }
    return out;
  };
  EXPECT_EQ(files("nvidia-cudnn-cu13"), "libcudnn_ops.so.9 libcudnn_cnn.so.9 libcudnn_adv.so.9 ");
  EXPECT_EQ(files("nvidia-cublas"), "libcublas.so.13 libcublasLt.so.13 ");
}

TEST(Environments, ReadWhatTorchBringsAlong) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.0.1+cu118", "11.8");
  const std::string code = fixture("fatbin/libcu118_vadd.so");
  for (const char* name : {"torch_cuda.so", "cudnn.so.8", "cudnn_ops_infer.so.8",
                           "cudnn_cnn_train.so.8", "cublas.so.11", "cublasLt.so.11", "c10.so"}) {
    host.file(site + "/torch/lib/lib" + name, code);
  }
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  std::string names;
  for (const auto& binary : machine.environments[0].library("torch")->binaries) {
    names += std::string(base_name(binary.file)) + " ";
  }
  EXPECT_EQ(names,
            "libtorch_cuda.so libcudnn_ops_infer.so.8 libcudnn_cnn_train.so.8 libcublas.so.11 "
            "libcublasLt.so.11 ");
}

// Fat binaries outside the sections that are made for them: cuFFT keeps nearly all of its there.
TEST(Environments, ReadHiddenCode) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu118", "11.8");
  host.file(site + "/torch/lib/libtorch_cuda.so", fixture("fatbin/fatbin_in_data_section.so"));
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_EQ(torch->binaries.size(), 1u);
  EXPECT_EQ(torch->binaries[0].groups[0].section, ".data");
}

// A library whose sections with one of these words in their names are zeros.
std::string emptied_library(const std::vector<std::string>& words) {
  std::string bytes = fixture("fatbin/libcu124_vadd.so");
  const auto whole = parse_elf(BufferAccess(as_bytes(bytes)));
  EXPECT_TRUE(whole);
  if (!whole) return bytes;
  for (const auto& section : whole->sections) {
    const bool named = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return contains(section.name, word);
    });
    if (!named) continue;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(section.offset), section.size_bytes,
                '\0');
  }
  return bytes;
}

// Below 64 kB zeros could be the padding between two containers; alone they are a loss.
TEST(Environments, ASectionOfZerosIsAFault) {
  const std::string bytes = emptied_library({".nv_fatbin"});
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu124", "12.4");
  host.file(site + "/torch/lib/libtorch_cuda.so", bytes);
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments[0].library("torch");
  EXPECT_TRUE(torch->binaries.empty());
  ASSERT_EQ(torch->problems.size(), 1u);
  EXPECT_NE(torch->problems[0].find(".nv_fatbin holds no container"), std::string::npos);
}

// A real library, but none of torch's: no table speaks for it.
TEST(Environments, ATorchLibraryWithoutGpuCodeIsAFault) {
  std::string bytes = emptied_library({"fatbin", "FatBin"});
  for (const std::string_view word : {"nv_fatbin", "nvFatBin", "nv_relfatbin"})
    bytes = replace_all(std::move(bytes), word, std::string(word.size(), 'x'));
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu124", "12.4");
  host.file(site + "/torch/lib/libtorch_cuda.so", bytes);
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments[0].library("torch");
  EXPECT_TRUE(torch->binaries.empty());
  EXPECT_EQ(torch->problems,
            std::vector<std::string>{site + "/torch/lib/libtorch_cuda.so: holds no GPU code"});
}

TEST(Environments, ReadWindowsLibraries) {
  RecordedFolder host("windows");
  const std::string venv = "C:\\Users\\user\\ai";
  auto file = [&](const std::string& name, const std::string& text) {
    host.file("/C/Users/user/ai/" + name, text);
  };
  file("pyvenv.cfg", "home = C:\\Python312\nversion = 3.12.3\n");
  file("Scripts/python.exe", "");
  const std::string site = "Lib/site-packages/";
  file(site + "torch-2.7.1+cu118.dist-info/METADATA", metadata("torch", "2.7.1+cu118"));
  file(site + "torch/version.py", "__version__ = '2.7.1+cu118'\ncuda = '11.8'\n");
  file(site + "torch/lib/torch_cuda.dll", fixture("fatbin/vadd_pe.dll"));
  file(site + "torch/lib/cudnn_ops64_9.dll", fixture("fatbin/vadd_pe.dll"));
  Machine machine = host.env("VIRTUAL_ENV", venv).inspect();
  ASSERT_FALSE(machine.environments.empty());
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_NE(torch, nullptr);
  ASSERT_EQ(torch->binaries.size(), 2u);
  EXPECT_EQ(base_name(torch->binaries[1].file), "cudnn_ops64_9.dll");
  EXPECT_FALSE(torch->binaries[0].groups.empty());
}

TEST(Environments, ReadBitsandbytesForTorchsCuda) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu121", "12.1");
  add_dist(host, site, "bitsandbytes", "0.43.0");
  for (const char* number : {"118", "121", "124"}) {
    host.file(site + "/bitsandbytes/libbitsandbytes_cuda" + number + ".so",
              fixture("fatbin/libcu118_vadd.so"));
  }
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* library = machine.environments[0].library("bitsandbytes");
  ASSERT_NE(library, nullptr);
  ASSERT_EQ(library->binaries.size(), 1u);
  EXPECT_TRUE(library->binaries[0].file.ends_with("libbitsandbytes_cuda121.so"));
  EXPECT_EQ(library->other_binaries,
            (std::vector<std::string>{"libbitsandbytes_cuda118.so", "libbitsandbytes_cuda124.so"}));
  EXPECT_EQ(*library->build, "cu121");
}

TEST(Bitsandbytes, ChoosesAsItsLoaderDoes) {
  const std::vector<std::string> names = {
      "/s/libbitsandbytes_cuda117.so", "/s/libbitsandbytes_cuda117_nocublaslt.so",
      "/s/libbitsandbytes_cuda121.so", "/s/libbitsandbytes_cuda124.so",
      "/s/libbitsandbytes_cpu.so"};
  EXPECT_EQ(choose_bitsandbytes(names, dotted("12.4"), ""), names[3]);
  EXPECT_EQ(choose_bitsandbytes(names, dotted("12.3"), ""), names[2]);
  EXPECT_EQ(choose_bitsandbytes(names, dotted("11.7"), ""), names[0]);
  EXPECT_EQ(choose_bitsandbytes(names, dotted("13.0"), ""), "");
  EXPECT_EQ(choose_bitsandbytes(names, DottedVersion(), ""), names[3]);
  EXPECT_EQ(choose_bitsandbytes(names, dotted("12.4"), "117"), names[0]);
  EXPECT_EQ(choose_bitsandbytes({}, dotted("12.4"), ""), "");
}

// One line each, the rest stands.
TEST(Environments, SayWhatCannotBeRead) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_torch(host, site, "2.4.0+cu121", "12.1");
  host.file(site + "/torchvision-0.19.0+cu121.dist-info/METADATA", "\xff\xfe broken");
  host.file(site + "/torchaudio-2.4.0+cu121.dist-info/RECORD", "");
  host.file(site + "/torch/lib/libtorch_cuda.so",
            fixture("fatbin/libcu124_vadd.so").substr(0, 20'000));
  host.file(site + "/torch/lib/libtorch_cuda_linalg.so", fixture("fatbin/libcu124_vadd.so"));
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Environment& venv = machine.environments[0];
  ASSERT_EQ(venv.problems.size(), 2u);
  EXPECT_NE(venv.problems[0].find("torchaudio-2.4.0+cu121.dist-info/METADATA"), std::string::npos);
  EXPECT_EQ(venv.problems[1],
            site + "/torchvision-0.19.0+cu121.dist-info/METADATA: there is no Name");
  EXPECT_EQ(venv.package("torchvision")->version, "0.19.0+cu121");
  const Library* torch = venv.library("torch");
  ASSERT_EQ(torch->problems.size(), 1u);
  EXPECT_EQ(torch->problems[0].rfind(site + "/torch/lib/libtorch_cuda.so: offset ", 0), 0u)
      << torch->problems[0];
  EXPECT_EQ(torch->binaries.size(), 1u);
}

// A fat binary alone, and a library whose section table is all zeros, cannot be imported.
TEST(Environments, AFileThatIsNoLibraryIsOneLine) {
  std::string zeros = fixture("fatbin/libcu124_vadd.so");
  std::fill(zeros.begin() + 4096, zeros.end(), '\0');
  for (const std::string& bytes : {fixture("fatbin/fault_header_only.fatbin"), zeros}) {
    RecordedFolder host;
    const std::string site = add_venv(host);
    add_torch(host, site, "2.4.0+cu121", "12.1");
    host.file(site + "/torch/lib/libtorch_cuda.so", bytes);
    Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
    const Library* torch = machine.environments[0].library("torch");
    ASSERT_EQ(torch->problems.size(), 1u);
    EXPECT_TRUE(torch->problems[0].starts_with(site + "/torch/lib/libtorch_cuda.so: offset "))
        << torch->problems[0];
    EXPECT_TRUE(torch->binaries.empty());
  }
}

TEST(Environments, RefuseAHugeVersionFile) {
  RecordedFolder host;
  const std::string site = add_venv(host);
  add_dist(host, site, "torch", "2.10.0+cu128");
  host.file(site + "/torch/__init__.py", "");
  host.toml("[[file]]\npath = \"" + site +
            "/torch/version.py\"\nsize_bytes = 1073741824\nfill = \"zero\"");
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_NE(torch, nullptr);
  ASSERT_EQ(torch->problems.size(), 1u);
  EXPECT_NE(torch->problems[0].find("1073741824"), std::string::npos);
  EXPECT_EQ(*torch->build, "cu128");  // the version still says it
}

TEST(Environments, SurviveLoopsOfLinks) {
  RecordedFolder host;
  add_venv(host, "/home/user/.virtualenvs/ai");
  host.link("/home/user/.virtualenvs/a", "b").link("/home/user/.virtualenvs/b", "a");
  host.link("/home/user/.virtualenvs/same", "ai").link("/home/user/.virtualenvs/up", "..");
  Machine machine = host.inspect();
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].path, "/home/user/.virtualenvs/ai");
  EXPECT_FALSE(machine.problems.empty());
}

TEST(Environments, SayWhenAFolderIsDenied) {
  RecordedFolder host;
  add_venv(host);
  host.toml("[[denied]]\npath = \"" + std::string(kVenv) +
            "/lib/python3.12/site-packages\"\nkind = \"directory\"");
  Machine machine = host.env("VIRTUAL_ENV", kVenv).inspect();
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].problems.size(), 1u);
}

#ifndef _WIN32
// A pipe in the place of a file would hang whoever opens it: it is refused, with its name.
TEST(Environments, RefusePipes) {
  const std::filesystem::path prefix =
      std::filesystem::path(testing::TempDir()) / ("kernelfit_pipes_" + std::to_string(getpid()));
  const std::filesystem::path site = prefix / "lib/python3.12/site-packages";
  std::filesystem::create_directories(site / "torch/lib");
  std::filesystem::create_directories(site / "torch-2.4.0.dist-info");
  std::ofstream(prefix / "pyvenv.cfg") << "version = 3.12.3\n";
  for (const char* name : {"torch/version.py", "torch/lib/libtorch_cuda.so",
                           "torch-2.4.0.dist-info/METADATA", "torch-2.4.0.dist-info/INSTALLER"}) {
    ASSERT_EQ(mkfifo((site / name).c_str(), 0600), 0) << name;
  }
  ProbeOptions options = with_tables();
  options.environments = {prefix.string()};
  options.only_given_environments = true;
  Machine machine;
  probe_environments(*real_host(), options, machine);
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].problems.size(), 1u);
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_NE(torch, nullptr);
  EXPECT_EQ(torch->version, "2.4.0");
  EXPECT_EQ(torch->problems.size(), 2u);
  std::filesystem::remove_all(prefix);
}
#endif

}  // namespace
}  // namespace kernelfit
