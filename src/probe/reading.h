// SPDX-License-Identifier: Apache-2.0
// Small words that the probes share: files as trimmed text, and facts made of errors.
#pragma once
#include <string>
#include <string_view>

#include "base/text.h"
#include "host/host.h"
#include "machine/machine.h"

namespace kernelfit {

// The file's text without white space and zero bytes around it; empty where it cannot be read.
std::string read_trimmed(const Host& host, std::string_view path);

// What to say of a file that could not be read: absent where there is none, else unknown and why.
template <typename T>
Fact<T> fact_of_error(const Error& error, std::string_view source) {
  if (error.kind == ErrorKind::not_found) return Fact<T>::absent(std::string(source));
  return Fact<T>::unknown(error.text(), std::string(source));
}

constexpr std::string_view kTegraRelease = "/etc/nv_tegra_release";

bool is_wsl(const Machine& machine);
bool is_windows(const Machine& machine);
bool is_jetson(const Machine& machine);

}  // namespace kernelfit
