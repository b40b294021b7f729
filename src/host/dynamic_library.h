// SPDX-License-Identifier: Apache-2.0
// A shared library loaded while the program runs (dlopen, LoadLibrary). Only the NVML child does
// that: a driver library may crash or hang, and its process is then lost.
//
//   Result<DynamicLibrary> nvml = DynamicLibrary::open("libnvidia-ml.so.1");
//   if (auto* init = nvml->function<int()>("nvmlInit_v2")) init();
//
// The library stays loaded until the process ends: driver libraries start threads.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace kernelfit {

class DynamicLibrary {
 public:
  // A path, or a name that the loader looks up. not_found where there is no such file; else what
  // the loader says ("libcuda.so.1: file too short").
  static Result<DynamicLibrary> open(const std::string& path_or_name);

  // nullptr where the library has no such symbol: every symbol is optional.
  void* symbol(const char* name) const;
  template <typename Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(symbol(name));
  }
  // The file that was loaded; empty where the system does not tell.
  std::string path() const;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace kernelfit
