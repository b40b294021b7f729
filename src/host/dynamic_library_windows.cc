// SPDX-License-Identifier: Apache-2.0
#include "host/dynamic_library.h"
#include "host/windows_text.h"

namespace kernelfit {

// A name is looked up in System32 only, where drivers put nvml.dll and nvcuda.dll; a path may bring
// libraries of its own folder along.
Result<DynamicLibrary> DynamicLibrary::open(const std::string& path_or_name) {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);  // no dialogue, an error
  bool path = path_or_name.find_first_of("/\\") != std::string::npos;
  DWORD where = path ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32
                     : LOAD_LIBRARY_SEARCH_SYSTEM32;
  HMODULE module = LoadLibraryExW(wide_path(path_or_name).c_str(), nullptr, where);
  if (module == nullptr) return windows_error(GetLastError(), path_or_name);
  return DynamicLibrary(reinterpret_cast<void*>(module));
}

void* DynamicLibrary::symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

std::string DynamicLibrary::path() const {
  wchar_t buffer[32768];
  return narrow({buffer, GetModuleFileNameW(static_cast<HMODULE>(handle_), buffer, 32768)});
}

}  // namespace kernelfit
