// SPDX-License-Identifier: Apache-2.0
// One limit for all small programs that probes start (modinfo, dkms, ldconfig, nvidia-smi, …). On a
// sick machine they hang one after another: the first may take its 5 s, each further one 1 s, and
// after 6 s no more are started. What hung or was left out is one line each. The child that asks
// the driver has a limit of its own.
#pragma once
#include <string>
#include <vector>

#include "host/host.h"

namespace kernelfit {

class HelperLimit : public Host {
 public:
  explicit HelperLimit(const Host& inner) : inner_(inner) {}  // `inner` outlives it

  // "dmesg did not answer in 5 s", "dkms was not asked: …"; one a program.
  const std::vector<std::string>& problems() const { return problems_; }

  Result<CommandResult> run(const Command& command) const override;

  OsFamily os() const override { return inner_.os(); }
  std::string name() const override { return inner_.name(); }
  bool is_recorded() const override { return inner_.is_recorded(); }
  Result<std::string> read_file(std::string_view path, std::size_t limit_bytes) const override {
    return inner_.read_file(path, limit_bytes);
  }
  Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const override {
    return inner_.open_file(path);
  }
  Result<std::vector<DirEntry>> list_dir(std::string_view path) const override {
    return inner_.list_dir(path);
  }
  Result<FileInfo> file_info(std::string_view path) const override {
    return inner_.file_info(path);
  }
  Result<FileInfo> link_info(std::string_view path) const override {
    return inner_.link_info(path);
  }
  Result<std::string> read_link(std::string_view path) const override {
    return inner_.read_link(path);
  }
  Result<std::string> real_path(std::string_view path) const override {
    return inner_.real_path(path);
  }
  std::string self_path() const override { return inner_.self_path(); }
  std::optional<std::string> env(std::string_view name) const override { return inner_.env(name); }
  std::string current_dir() const override { return inner_.current_dir(); }
  std::string home_dir() const override { return inner_.home_dir(); }
  int user_id() const override { return inner_.user_id(); }
  std::int64_t clock_ms() const override { return inner_.clock_ms(); }

 private:
  void note(std::string_view program, const std::string& what) const;

  const Host& inner_;
  mutable std::chrono::milliseconds lost_{0};  // to programs that did not answer
  mutable std::vector<std::string> problems_;
};

}  // namespace kernelfit
