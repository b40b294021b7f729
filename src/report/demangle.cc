// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>

#include "report/scan.h"
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace kernelfit {

std::string demangled(const std::string& name) {
#if __has_include(<cxxabi.h>)
  constexpr std::size_t kLongest = 16'384;
  if (!name.starts_with("_Z") || name.size() > kLongest) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status == 0 && text) return text.get();
#endif
  return name;
}

}  // namespace kernelfit
