// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/host.h"
#include "host/parts.h"
#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

std::unique_ptr<Host> open(const TemporaryFolder& folder) {
  auto host = open_recorded_host(folder.path());
  EXPECT_TRUE(host) << host.error().text();
  return host ? std::move(*host) : nullptr;
}

TEST(RecordedHost, PlaysALinuxMachine) {
  TemporaryFolder folder;
  folder.write("root/proc/driver/nvidia/version", "NVRM version: x\n");
  folder.write("root/usr/local/cuda-12.4/version.json", "{}");
  folder.write("root/sys/bus/pci/devices/0000%3A01%3A00.0/vendor", "0x10de\n");
  folder.write("root/sys/bus/pci/devices/0000:02:00.0/vendor", "0x8086\n");
  folder.write("commands/smi.txt", "a table\n");
  folder.write("host.toml", R"(
os = "linux"
home = "/home/user"
current_dir = "/home/user/project"
user_id = 1001
dirs = ["/opt/conda/conda-meta"]
[env]
PATH = "/usr/bin"
EMPTY = ""
[[link]]
path = "/usr/local/cuda"
target = "cuda-12.4"
[[link]]
path = "/etc/loop"
target = "/etc/loop"
[[link]]
path = "/sys/bus/pci/devices/0000:01:00.0/driver"
target = "../../../../bus/pci/drivers/nvidia"
[[denied]]
path = "/proc/driver/nvidia/gpus"
kind = "directory"
[[denied]]
path = "/proc/driver/nvidia/version"
[[command]]
argv = ["nvidia-smi", "-q"]
stdout = "commands/smi.txt"
err = "warning"
status = 9
[[command]]
argv = ["nvidia-smi"]
timed_out = true
[[command]]
argv = ["dmesg"]
error = "denied"
)");
  auto host = open(folder);
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(host->os(), OsFamily::linux);
  EXPECT_TRUE(host->is_recorded());
  EXPECT_EQ(host->user_id(), 1001);
  EXPECT_EQ(host->env("PATH"), "/usr/bin");
  EXPECT_EQ(host->env("EMPTY"), "");
  EXPECT_FALSE(host->env("HOME").has_value());

  EXPECT_EQ(host->read_file("/proc/driver/nvidia/version").error().kind, ErrorKind::denied);
  EXPECT_TRUE(host->exists("/proc/driver/nvidia/version"));
  EXPECT_EQ(host->list_dir("/proc/driver/nvidia/gpus").error().kind, ErrorKind::denied);
  EXPECT_EQ(host->read_file("/proc/driver/nvidia/gpus/0/x").error().kind, ErrorKind::denied);
  EXPECT_EQ(host->read_file("/proc/driver").error().kind, ErrorKind::unsupported);
  EXPECT_EQ(host->read_file("/proc/version").error().kind, ErrorKind::not_found);

  EXPECT_EQ(host->read_file("/usr/local/cuda/version.json").value(), "{}");
  EXPECT_EQ(host->real_path("/usr/local/cuda/version.json").value(),
            "/usr/local/cuda-12.4/version.json");
  EXPECT_EQ(host->real_path("/usr/local/cuda/../cuda").value(), "/usr/local/cuda-12.4");
  EXPECT_EQ(host->link_info("/usr/local/cuda")->kind, FileKind::symlink);
  EXPECT_EQ(host->file_info("/usr/local/cuda")->kind, FileKind::directory);
  EXPECT_EQ(host->read_link("/usr/local/cuda").value(), "cuda-12.4");
  EXPECT_EQ(host->file_info("/etc/loop").error().kind, ErrorKind::malformed);
  EXPECT_EQ(host->read_link("/sys/bus/pci/devices/0000:01:00.0/driver").value(),
            "../../../../bus/pci/drivers/nvidia");

  auto entries = host->list_dir("/sys/bus/pci/devices");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].name, "0000:01:00.0");
  EXPECT_EQ(host->read_file("/sys/bus/pci/devices/0000:01:00.0/vendor").value(), "0x10de\n");
  EXPECT_EQ(host->read_file("/sys/bus/pci/devices/0000:02:00.0/vendor").value(), "0x8086\n");
  EXPECT_TRUE(host->is_dir("/opt/conda/conda-meta"));
  EXPECT_TRUE(host->is_dir("/home/user/project"));
  EXPECT_TRUE(host->is_dir("/home/user"));

  Command command;
  command.argv = {"nvidia-smi", "-q"};
  auto result = host->run(command);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "a table\n");
  EXPECT_EQ(result->err, "warning");
  EXPECT_EQ(result->status, 9);
  command.argv = {"nvidia-smi"};
  EXPECT_TRUE(host->run(command)->timed_out);
  command.argv = {"dmesg"};
  EXPECT_EQ(host->run(command).error().kind, ErrorKind::denied);
  command.argv = {"lspci"};
  EXPECT_EQ(host->run(command).error().kind, ErrorKind::not_found);
}

TEST(RecordedHost, PlaysAWindowsMachine) {
  TemporaryFolder folder;
  folder.write("root/C/Windows/System32/nvcuda.dll", "MZ");
  folder.write("root/C/Python312/Lib/site-packages/torch/version.py", "x");
  folder.write("host.toml", R"(
os = "windows"
home = 'C:\Users\user'
[env]
Path = 'C:\Windows\System32'
[[link]]
path = 'C:\Python'
target = 'C:\Python312'
)");
  auto host = open(folder);
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(host->os(), OsFamily::windows);
  EXPECT_EQ(host->read_file("C:\\Windows\\System32\\nvcuda.dll").value(), "MZ");
  EXPECT_EQ(host->read_file("c:\\windows\\system32\\NVCUDA.DLL").value(), "MZ");
  EXPECT_EQ(host->read_file("C:/Windows/System32/nvcuda.dll").value(), "MZ");
  EXPECT_EQ(host->real_path("c:\\python\\lib").value(), "C:\\Python312\\Lib");
  EXPECT_EQ(host->env("PATH"), "C:\\Windows\\System32");
  EXPECT_EQ(host->user_id(), -1);
  EXPECT_EQ(host->list_dir("C:\\Python312").value()[0].name, "Lib");
  EXPECT_TRUE(host->is_dir("C:\\"));
  EXPECT_TRUE(host->is_dir("C:\\Users\\user"));
}

TEST(RecordedHost, LargeFilesInParts) {
  TemporaryFolder folder;
  PartsFile parts{std::uint64_t{2} << 30, {}, false};
  parts.add(0,
            "\x7f"
            "ELF");
  parts.add(1000, "tail");
  folder.write("parts/big.kfparts", render_parts(parts));
  folder.write("host.toml", R"(
[[file]]
path = "/lib/big.so"
size_bytes = 2147483648
parts = "parts/big.kfparts"
[[file]]
path = "/lib/zero.so"
size_bytes = 2147483648
fill = "zero"
[[file]]
path = "/lib/small"
size_bytes = 3
fill = "zero"
[[listing]]
path = "/usr/lib"
files = ["libcudart.so.12"]
dirs = ["gcc"]
)");
  auto host = open(folder);
  ASSERT_NE(host, nullptr);
  auto file = host->open_file("/lib/big.so");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->size(), std::uint64_t{2} << 30);
  std::byte four[4];
  ASSERT_TRUE((*file)->read(1000, four));
  EXPECT_EQ(as_text(four), "tail");
  EXPECT_EQ((*file)->read(500, four).error().kind, ErrorKind::unsupported);
  EXPECT_EQ((*file)->read(std::uint64_t{2} << 30, four).error().kind, ErrorKind::truncated);
  EXPECT_EQ(host->read_file("/lib/big.so").error().kind, ErrorKind::unsupported);
  EXPECT_TRUE((*host->open_file("/lib/zero.so"))->read(5000, four));
  EXPECT_EQ(host->read_file("/lib/small").value(), std::string(3, '\0'));
  EXPECT_EQ(host->list_dir("/usr/lib")->size(), 2u);
  EXPECT_TRUE(host->exists("/usr/lib/libcudart.so.12"));
  EXPECT_EQ(host->read_file("/usr/lib/libcudart.so.12").error().kind, ErrorKind::unsupported);
}

TEST(RecordedHost, RefusesWhatIsNotADescription) {
  struct {
    const char *toml, *says;
  } cases[] = {
      {"os = \"beos\"", "os is"},
      {"oss = \"linux\"", "unknown key `oss`"},
      {"os = ", "line 1"},
      {"[[command]]\nout = \"x\"", "without argv"},
      {"[[command]]\nargv = [\"a\"]\nstdout = \"../../etc/passwd\"", "not a path below"},
      {"[[command]]\nargv = [\"a\"]\nstdout = \"/etc/passwd\"", "not a path below"},
      {"[[command]]\nargv = [\"a\"]\nstdout = \"commands/link\"", "a link"},
      {"[[command]]\nargv = [\"a\"]\nstdout = \"commands/none.txt\"", "none.txt"},
      {"[[file]]\npath = \"/x\"\nsize_bytes = 1\nparts = \"../x\"", "not a path below"},
  };
  for (const auto& c : cases) {
    TemporaryFolder folder;
    folder.write("host.toml", c.toml);
    folder.write("commands/x.txt", "");
    std::filesystem::create_symlink("/etc/passwd", folder.path("commands/link"));
    auto host = open_recorded_host(folder.path());
    ASSERT_FALSE(host) << c.toml;
    EXPECT_NE(host.error().text().find(c.says), std::string::npos) << host.error().text();
  }
  TemporaryFolder folder;
  EXPECT_EQ(open_recorded_host(folder.path()).error().kind, ErrorKind::not_found);
}

// A recording comes from a stranger: a link in it must not show this machine's files.
TEST(RecordedHost, DoesNotFollowLinksOfTheDisk) {
  TemporaryFolder folder;
  folder.write("root/etc/real", "x");
  std::filesystem::create_symlink("/etc", folder.path("root/outside"));
  std::filesystem::create_symlink("/etc/passwd", folder.path("root/etc/passwd"));
  folder.write("host.toml", "");
  auto host = open(folder);
  ASSERT_NE(host, nullptr);
  EXPECT_FALSE(host->exists("/outside/passwd"));
  EXPECT_FALSE(host->exists("/etc/passwd"));
  EXPECT_TRUE(host->exists("/etc/real"));
}

// Every machine that is kept can be played back, and says what it must be taken for.
TEST(RecordedHost, OpensEveryMachineOfTheTests) {
  auto disk = real_host();
  std::string folder = std::string(KF_TESTS_DIR) + "/hosts";
  auto entries = disk->list_dir(folder);
  ASSERT_TRUE(entries) << entries.error().text();
  for (const auto& entry : *entries) {
    if (entry.kind != FileKind::directory) continue;
    auto path = join_path(folder, entry.name);
    auto host = open_recorded_host(path);
    EXPECT_TRUE(host) << host.error().text();
    EXPECT_TRUE(disk->exists(join_path(path, "README.md"))) << path;
  }
}

}  // namespace
}  // namespace kernelfit
