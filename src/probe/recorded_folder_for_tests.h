// SPDX-License-Identifier: Apache-2.0
// Builds a recorded host in a temporary folder, file by file, and inspects it. Tests only.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "probe/probes.h"
#include "probe/tables_for_tests.h"

namespace kernelfit {

class RecordedFolder {
 public:
  explicit RecordedFolder(std::string os = "linux") {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("kernelfit_") + test->test_suite_name() + "_" + test->name() +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(folder_ / "root");
    head_ << "os = \"" << os
          << "\"\nhome = \"/home/user\"\ncurrent_dir = \"/home/user\"\nuser_id = 1000\n";
  }
  ~RecordedFolder() { std::filesystem::remove_all(folder_); }

  RecordedFolder& file(const std::string& path, std::string_view text) {
    std::filesystem::path full = folder_ / "root" / path.substr(1);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
    return *this;
  }
  RecordedFolder& link(const std::string& path, const std::string& target) {
    tail_ << "[[link]]\npath = " << quoted(path) << "\ntarget = " << quoted(target) << "\n";
    return *this;
  }
  RecordedFolder& denied(const std::string& path) {
    tail_ << "[[denied]]\npath = " << quoted(path) << "\n";
    return *this;
  }
  RecordedFolder& env(const std::string& name, const std::string& value) {
    env_ << name << " = " << quoted(value) << "\n";
    return *this;
  }
  RecordedFolder& command(const std::vector<std::string>& argv, const std::string& out,
                          int status = 0, bool timed_out = false) {
    tail_ << "[[command]]\nargv = [";
    for (const std::string& word : argv) tail_ << quoted(word) << ", ";
    tail_ << "]\nout = " << quoted(out) << "\nstatus = " << status
          << "\ntimed_out = " << (timed_out ? "true" : "false") << "\n";
    return *this;
  }
  // A card on the bus: class 030000, with the kernel driver that holds it ("" for none).
  RecordedFolder& card(const std::string& address, const std::string& device,
                       const std::string& driver, const std::string& device_class = "0x030000",
                       const std::string& vendor = "0x10de") {
    std::string folder = "/sys/bus/pci/devices/" + address;
    file(folder + "/vendor", vendor + "\n").file(folder + "/device", device + "\n");
    file(folder + "/class", device_class + "\n");
    if (!driver.empty()) link(folder + "/driver", "../../../bus/pci/drivers/" + driver);
    return *this;
  }
  // A plain PC with this driver loaded.
  RecordedFolder& loaded(const std::string& version) {
    file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
        .file("/proc/sys/kernel/arch", "x86_64\n");
    file("/proc/modules", "nvidia 56713216 71 nvidia_uvm, Live 0x0000000000000000 (POE)\n");
    return file("/proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " + version +
                    "  Thu Jul 31 20:23:19 PDT 2014\nGCC version:  gcc version 12.2.0\n");
  }

  // Anything else that host.toml may say.
  RecordedFolder& toml(const std::string& text) {
    tail_ << text << "\n";
    return *this;
  }

  Machine inspect(const ProbeOptions& options = {},
                  const std::function<bool(std::string_view id)>& wanted = {}) {
    std::ofstream(folder_ / "host.toml") << head_.str() << "[env]\n" << env_.str() << tail_.str();
    Result<std::unique_ptr<Host>> host = open_recorded_host(folder_.string());
    EXPECT_TRUE(host) << (host ? "" : host.error().text());
    return host ? kernelfit::inspect(**host, with_tables(options), wanted) : Machine();
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n') {
        out += "\\n";
      } else if (c == '\t') {
        out += "\\t";
      } else if (c != '\r') {
        out += c;
      }
    }
    return out + "\"";
  }
  std::filesystem::path folder_;
  std::ostringstream head_, env_, tail_;
};

}  // namespace kernelfit
