// SPDX-License-Identifier: Apache-2.0
// kf_embed DATA_DIR OUT.cc: writes every file under DATA_DIR as a string_view of literals.
// Literals are kept below 16 KiB each (MSVC limits one literal to 64 KiB after concatenation).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static std::string literal_of(const std::string& text) {
  std::string out = "\"";
  int column = 0;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n\"\n\"";
      column = 0;
      continue;
    }
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\%03o", byte);
      out += buffer;
    } else {
      out += c;
    }
    if (++column >= 200) {
      out += "\"\n\"";
      column = 0;
    }
  }
  return out + "\"";
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fs::path root = argv[1];
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), root).generic_string());
  }
  std::sort(names.begin(), names.end());
  std::ofstream out(argv[2], std::ios::binary);
  out << "#include \"base/embedded.h\"\nnamespace kernelfit {\nnamespace {\n"
         "using namespace std::string_view_literals;\n"
         "constexpr EmbeddedFile kFiles[] = {\n";
  for (const auto& name : names) {
    std::ifstream in(root / name, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    out << "{\"" << name << "\"sv,\n" << literal_of(text) << "sv},\n";
  }
  out << "};\n}  // namespace\n"
         "std::span<const EmbeddedFile> embedded_files() { return kFiles; }\n"
         "}  // namespace kernelfit\n";
  return out.good() ? 0 : 1;
}
