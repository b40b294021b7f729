// SPDX-License-Identifier: Apache-2.0
// Record, save, open: the same questions have the same answers.
#include <gtest/gtest.h>

#include "base/text.h"
#include "host/host.h"
#include "host/parts.h"
#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

std::string text_of(const Result<std::string>& result) {
  return result ? *result : "error " + std::to_string(static_cast<int>(result.error().kind));
}
std::string text_of(const Result<FileInfo>& info) {
  if (!info) return "error " + std::to_string(static_cast<int>(info.error().kind));
  bool regular = info->kind == FileKind::regular;
  return std::to_string(static_cast<int>(info->kind)) + " " +
         std::to_string(regular ? info->size_bytes : 0);
}

std::string text_of(const Result<std::vector<DirEntry>>& entries) {
  if (!entries) return "error " + std::to_string(static_cast<int>(entries.error().kind));
  std::string out;
  for (const auto& entry : *entries) {
    out += entry.name + ":" + std::to_string(static_cast<int>(entry.kind)) + " ";
  }
  return out;
}

std::string text_of(const Result<CommandResult>& result) {
  if (!result) return "error " + std::to_string(static_cast<int>(result.error().kind));
  return std::to_string(result->status) + (result->timed_out ? " timed out" : "") +
         (result->truncated ? " truncated" : "") + " " + result->out + result->err;
}

// Everything a probe may ask, as one text.
std::string interview(const Host& host) {
  std::string out;
  for (const char* path :
       {"/proc/driver/nvidia/version", "/proc/driver/nvidia/gpus", "/proc/none", "/usr/local/cuda",
        "/usr/local/cuda/version.json", "/usr/local/cuda/none", "/etc/loop", "/lib/big.so",
        "/lib/unread.so", "/lib", "/sys/bus/pci/devices/0000:01:00.0",
        "/sys/bus/pci/devices/0000:01:00.0/driver", "/sys/bus/pci/devices", "/fifo", "/empty",
        "/empty.txt", "/usr/local/../local/cuda/./version.json", "/dangling"}) {
    out += std::string(path) + "\n";
    out += " read " + text_of(host.read_file(path)) + "\n";
    out += " info " + text_of(host.file_info(path)) + "\n";
    out += " link " + text_of(host.link_info(path)) + "\n";
    out += " list " + text_of(host.list_dir(path)) + "\n";
    out += " to " + text_of(host.read_link(path)) + "\n";
    out += " real " + text_of(host.real_path(path)) + "\n";
  }
  auto big = host.open_file("/lib/big.so");
  std::byte bytes[4] = {};
  for (std::uint64_t offset :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{1000}, std::uint64_t{1} << 31}) {
    auto status = big ? (*big)->read(offset, bytes) : Status(error(ErrorKind::bug, "not open"));
    out += status ? std::string(as_text(bytes)) : "unread";
    out += "\n";
  }
  for (auto argv : std::vector<std::vector<std::string>>{
           {"nvidia-smi", "-q"}, {"nvidia-smi"}, {"none"}, {"yes"}, {host.self_path(), "__nvml"}}) {
    Command command;
    command.argv = argv;
    out += "run " + argv.back() + ": " + text_of(host.run(command)) + "\n";
  }
  for (const char* name : {"PATH", "NONE", "EMPTY"}) {
    out += std::string(name) + "=" + host.env(name).value_or("(none)") + "\n";
  }
  return out + host.current_dir() + " " + host.home_dir() + " " + std::to_string(host.user_id());
}

// A machine with one of everything.
void write_machine(const TemporaryFolder& folder) {
  folder.write("machine/root/proc/driver/nvidia/version", "NVRM version: NVIDIA \xE4\xB8\xAD\n");
  folder.write("machine/root/usr/local/cuda-12.4/version.json", "{\"cuda\": 1}");
  folder.write("machine/root/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
  folder.write("machine/root/sys/bus/pci/drivers/nvidia/module", "");
  folder.write("machine/root/lib/unread.so", "12345");
  folder.write("machine/root/empty.txt", "");
  folder.write("machine/commands/smi.txt", "line 1\n\"quoted\" \\ back\n\tlast");
  PartsFile parts{std::uint64_t{1} << 31, {}, true};
  parts.add(0,
            "\x7f"
            "ELF\0\1\2\3");
  parts.add(1000, "tail");
  folder.write("machine/parts/big.kfparts", render_parts(parts));
  folder.write("machine/host.toml", R"(
home = "/root"
current_dir = "/usr/local"
user_id = 0
dirs = ["/empty"]
[env]
PATH = "/usr/bin:/bin"
EMPTY = ""
[[link]]
path = "/usr/local/cuda"
target = "/usr/local/cuda-12"
[[link]]
path = "/usr/local/cuda-12"
target = "cuda-12.4"
[[link]]
path = "/etc/loop"
target = "loop"
[[link]]
path = "/dangling"
target = "/nowhere"
[[link]]
path = "/sys/bus/pci/devices/0000:01:00.0/driver"
target = "../../drivers/nvidia"
[[denied]]
path = "/proc/driver/nvidia/gpus"
kind = "directory"
[[denied]]
path = "/fifo"
kind = "other"
error = "unsupported"
[[file]]
path = "/lib/big.so"
size_bytes = 2147483648
parts = "parts/big.kfparts"
fill = "zero"
[[command]]
argv = ["nvidia-smi", "-q"]
stdout = "commands/smi.txt"
err = "warning: x"
status = 15
[[command]]
argv = ["nvidia-smi"]
out = "half"
timed_out = true
status = 137
[[command]]
argv = ["yes"]
truncated = true
[[command]]
argv = ["kernelfit", "__nvml"]
out = "{}"
)");
}

TEST(RecordingHost, RoundTrip) {
  TemporaryFolder folder;
  write_machine(folder);
  auto machine = open_recorded_host(folder.path("machine"));
  ASSERT_TRUE(machine) << machine.error().text();
  std::string direct = interview(**machine);
  for (bool redact : {false, true}) {
    auto recording = record_host(**machine);
    EXPECT_EQ(interview(*recording), direct);
    auto copy = folder.path(redact ? "redacted" : "copy");
    auto saved = save_recording(*recording, copy, redact);
    ASSERT_TRUE(saved) << saved.error().text();
    auto again = open_recorded_host(copy);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(interview(**again), direct);
    // A recording of a recording is the same recording.
    auto second = record_host(**again);
    interview(*second);
    auto third = folder.path(redact ? "redacted2" : "copy2");
    ASSERT_TRUE(save_recording(*second, third, redact));
    EXPECT_EQ(folder.read(redact ? "redacted2/host.toml" : "copy2/host.toml"),
              folder.read(redact ? "redacted/host.toml" : "copy/host.toml"));
  }
}

TEST(RecordingHost, KeepsOnlyTheRangesThatWereRead) {
  TemporaryFolder folder;
  write_machine(folder);
  auto machine = open_recorded_host(folder.path("machine"));
  auto recording = record_host(**machine);
  interview(*recording);
  ASSERT_TRUE(save_recording(*recording, folder.path("copy"), true));
  std::uintmax_t total = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path("copy"))) {
    if (entry.is_regular_file()) total += entry.file_size();
  }
  EXPECT_LT(total, 10'000u);  // of a file of two gigabytes
}

TEST(RecordingHost, RefusesAFolderThatIsNotEmpty) {
  TemporaryFolder folder;
  folder.write("full/x", "");
  auto host = real_host();
  auto recording = record_host(*host);
  EXPECT_EQ(save_recording(*recording, folder.path("full"), true).error().kind, ErrorKind::usage);
  EXPECT_TRUE(save_recording(*recording, folder.path("new/deep"), true));
}

TEST(RecordingHost, LeavesOutWhatNamesPeople) {
  TemporaryFolder folder;
  folder.write("machine/root/etc/hostname", "hal9000\n");
  folder.write("machine/root/home/carol/venv/pyvenv.cfg", "home = /usr/bin\nprompt = carol\n");
  folder.write("machine/root/home/carol/venv/lib/python3.12/site-packages/torch/version.py", "v");
  folder.write("machine/root/home/carol/venv/lib/python3.12/site-packages/cudnn.so", "v");
  folder.write("machine/root/home/carol/venv/METADATA",
               "Name: x\nDirect: /home/carol/x\nHome: /home/carol\nmore of it, not read");
  folder.write("machine/root/home/carol/diary.txt", "secret thoughts");
  folder.write("machine/root/home/carol/letters/to-dave.txt", "more");
  folder.write("machine/root/home/carol/.config/pip/pip.conf",
               "index-url = https://carol:hunter2@pypi.example.org/simple\n");
  folder.write("machine/host.toml", R"(
home = "/home/carol"
current_dir = "/home/carol"
[env]
USER = "carol"
HF_TOKEN = "abc"
CUDA_VISIBLE_DEVICES = "GPU-9e4b2c3d"
[[command]]
argv = ["nvidia-smi", "-q", "-x"]
out = "<uuid>GPU-8f3a1b2c-1111-2222-3333-444455556666</uuid><uuid>GPU-9e4b2c3d-1111-2222-3333-444455556666</uuid>"
[[command]]
argv = ["dmesg"]
out = "Nov 30 hal9000 kernel: NVRM: x"
)");
  auto machine = open_recorded_host(folder.path("machine"));
  ASSERT_TRUE(machine) << machine.error().text();
  auto recording = record_host(**machine);
  for (const char* path : {"/home/carol", "/home/carol/letters", "/home/carol/venv",
                           "/home/carol/venv/lib/python3.12/site-packages"}) {
    ASSERT_TRUE(recording->list_dir(path)) << path;
  }
  for (const char* path : {"/home/carol/venv/pyvenv.cfg", "/home/carol/.config/pip/pip.conf",
                           "/home/carol/venv/lib/python3.12/site-packages/torch/version.py"}) {
    ASSERT_TRUE(recording->read_file(path)) << path;
  }
  for (auto argv : std::vector<std::vector<std::string>>{{"nvidia-smi", "-q", "-x"}, {"dmesg"}}) {
    Command command;
    command.argv = argv;
    ASSERT_TRUE(recording->run(command));
  }
  std::byte head[40];
  auto metadata = recording->open_file("/home/carol/venv/METADATA");
  ASSERT_TRUE(metadata);
  ASSERT_TRUE((*metadata)->read(0, head));
  recording->env("HF_TOKEN");
  recording->env("CUDA_VISIBLE_DEVICES");
  ASSERT_TRUE(save_recording(*recording, folder.path("copy"), true));

  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path("copy"))) {
    all += entry.path().string().substr(folder.path("copy").size()) + "\n";
    if (entry.is_regular_file()) {
      all += folder.read(std::filesystem::relative(entry.path(), folder.path()).string());
    }
  }
  for (const char* secret :
       {"carol", "hunter2", "abc", "hal9000", "diary", "letters", "8f3a1b2c", "thoughts"}) {
    EXPECT_FALSE(contains(all, secret)) << secret << " in\n" << all;
  }
  auto copy = open_recorded_host(folder.path("copy"));
  ASSERT_TRUE(copy) << copy.error().text();
  EXPECT_EQ((*copy)->home_dir(), "/home/user");
  EXPECT_EQ((*copy)->list_dir("/home/user")->size(), 2u);  // .config, venv
  auto packages = (*copy)->list_dir("/home/user/venv/lib/python3.12/site-packages");
  EXPECT_EQ(text_of(packages), "cudnn.so:0 torch:1 ");
  EXPECT_EQ((*copy)->env("CUDA_VISIBLE_DEVICES"), "GPU-00000002");
  EXPECT_EQ((*copy)->read_file("/home/user/.config/pip/pip.conf").value(),
            "index-url = https://***@pypi.example.org/simple\n");
}

TEST(RecordingHost, RecordsThisMachine) {
  TemporaryFolder folder;
  auto host = real_host();
  auto recording = record_host(*host);
  auto ask = [](const Host& at) {
    return text_of(at.read_file("/etc/os-release")) + text_of(at.real_path("/bin/sh")) +
           text_of(at.file_info("/etc/passwd")) + text_of(at.link_info("/proc/self")) +
           text_of(at.list_dir("/sys/bus/pci/devices"));
  };
  auto direct = ask(*recording);
  ASSERT_TRUE(save_recording(*recording, folder.path("copy"), false));
  auto copy = open_recorded_host(folder.path("copy"));
  ASSERT_TRUE(copy) << copy.error().text();
  EXPECT_EQ(ask(**copy), direct);
}

}  // namespace
}  // namespace kernelfit
