// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif

#include "base/text.h"
#include "host/dynamic_library.h"

namespace kernelfit {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& path_or_name) {
  void* handle = dlopen(path_or_name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return DynamicLibrary(handle);
  const char* reason = dlerror();
  std::string text = reason == nullptr ? path_or_name + ": cannot be loaded" : reason;
  // glibc: "libcuda.so.1: cannot open shared object file: No such file or directory". The same
  // words name a library that this one needs, so the name must stand first.
  bool missing = text.starts_with(path_or_name) && contains(text, "No such file");
  return error(missing ? ErrorKind::not_found : ErrorKind::unsupported, printable(text));
}

void* DynamicLibrary::symbol(const char* name) const {
  return dlsym(handle_, name);
}

std::string DynamicLibrary::path() const {
#ifdef __linux__
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) return map->l_name;
#endif
  return {};
}

}  // namespace kernelfit
