// SPDX-License-Identifier: Apache-2.0
// A host that passes every question on to another one; what derives from it answers some itself.
#pragma once
#include "host/host.h"

namespace kernelfit {

class ForwardingHost : public Host {
 public:
  explicit ForwardingHost(const Host& inner) : inner_(inner) {}  // `inner` outlives it

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
  Result<CommandResult> run(const Command& command) const override { return inner_.run(command); }
  std::string self_path() const override { return inner_.self_path(); }
  std::optional<std::string> env(std::string_view name) const override { return inner_.env(name); }
  std::string current_dir() const override { return inner_.current_dir(); }
  std::string home_dir() const override { return inner_.home_dir(); }
  int user_id() const override { return inner_.user_id(); }
  std::int64_t clock_ms() const override { return inner_.clock_ms(); }
  Result<std::string> read_cache(std::string_view name) const override {
    return inner_.read_cache(name);
  }
  Status write_cache(std::string_view name, std::string_view text) const override {
    return inner_.write_cache(name, text);
  }

 protected:
  const Host& inner_;
};

}  // namespace kernelfit
