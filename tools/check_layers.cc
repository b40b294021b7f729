// SPDX-License-Identifier: Apache-2.0
// check_layers ROOT: reads ROOT/src/LAYERS and every file of ROOT/src, and prints what breaks the
// house rules, one line each:
//
//   src/base/x.h:2: base may not include elf
//   src/probe/x.cc:3: only host includes <unistd.h>
//   src/judge/x.cc:4: only cli prints
//   src/judge/x.h:5: kernelfit::Subject is defined in src/diagnose/x.h too
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

// Where the system begins. A name that ends in a slash is a folder of headers.
static constexpr std::string_view kSystemHeaders[] = {
    "unistd.h", "windows.h", "dlfcn.h",  "spawn.h",    "fcntl.h",  "poll.h",    "dirent.h",
    "link.h",   "pthread.h", "signal.h", "csignal",    "netdb.h",  "termios.h", "winsock2.h",
    "fstream",  "sys/",      "linux/",   "filesystem", "direct.h", "io.h",      "process.h"};
static constexpr std::string_view kPrinting[] = {"std::cout",  "std::cerr", "std::printf(",
                                                 "std::puts(", "(stdout",   "(stderr"};
static constexpr std::string_view kOutside[] = {"getenv(",      "std::system(", "popen(",
                                                "system_clock", "std::exit(",   "std::abort("};

struct House {
  fs::path root;
  std::map<std::string, int> layer_of;
  std::map<std::string, fs::path> defined_in;  // "kernelfit::Subject" -> the header
  int faults = 0;

  void fault(const fs::path& file, int line, const std::string& what) {
    std::printf("%s:%d: %s\n", fs::relative(file, root).generic_string().c_str(), line,
                what.c_str());
    ++faults;
  }
};

static bool read_layers(House& house) {
  std::ifstream in(house.root / "src" / "LAYERS");
  int layer = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string room; words >> room;) house.layer_of[room] = layer;
    ++layer;
  }
  return !house.layer_of.empty();
}

static bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](auto end) { return text.ends_with(end); });
}

// The header of an #include line, with its quote or bracket in front: `"base/text.h`, `<string`.
static std::string include_of(std::string_view line) {
  auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line[start] != '#') return {};
  auto word = line.find("include", start);
  if (word == std::string_view::npos) return {};
  auto open = line.find_first_of("\"<", word);
  if (open == std::string_view::npos) return {};
  return std::string(line.substr(open, line.find_first_of("\">", open + 1) - open));
}

static bool is_system_header(std::string_view header) {
  return std::any_of(std::begin(kSystemHeaders), std::end(kSystemHeaders), [&](auto known) {
    return known.ends_with('/') ? header.starts_with(known) : header == known;
  });
}

static void check_include(House& house, const fs::path& file, int line, const std::string& room,
                          const std::string& include) {
  auto header = include.substr(1);
  if (include[0] == '<') {
    bool test = ends_with_any(file.string(), {"_test.cc", "_fuzz.cc", "_for_tests.h"});
    bool outside = is_system_header(header) && room != "host";
    if (outside && !test) {  // a test may lay out what a probe has to find
      house.fault(file, line, "only host includes <" + header + ">");
    }
    if (header == "iostream" && room != "cli" && !test) house.fault(file, line, "only cli prints");
    return;
  }
  auto other = header.substr(0, header.find('/'));
  auto it = house.layer_of.find(other);
  if (other == room) return;
  if (it == house.layer_of.end()) {
    house.fault(file, line, "\"" + header + "\" is in no room of src/LAYERS");
  } else if (it->second >= house.layer_of[room]) {
    house.fault(file, line, room + " may not include " + other);
  }
}

static bool holds_any(std::string_view line, auto& words) {
  auto code = line.substr(0, line.find("//"));
  return std::any_of(std::begin(words), std::end(words),
                     [&](auto word) { return code.find(word) != std::string_view::npos; });
}

// Two structs of one name in one namespace share their constructors, whichever the linker keeps: the
// program breaks only where the compiler does not inline them.
static void check_definition(House& house, const fs::path& file, int number, std::string_view line,
                             std::string& space) {
  if (line.starts_with("namespace ")) space = line.substr(10, line.find(' ', 10) - 10);
  bool type = line.starts_with("struct ") || line.starts_with("class ");
  if (!type || line.find('{') == std::string_view::npos) return;
  line.remove_prefix(line.find(' ') + 1);
  std::string name = space + "::" + std::string(line.substr(0, line.find_first_of(" :{<")));
  auto [known, is_new] = house.defined_in.emplace(name, file);
  if (is_new || known->second == file) return;
  auto other = fs::relative(known->second, house.root).generic_string();
  house.fault(file, number, name + " is defined in " + other + " too");
}

static void check_file(House& house, const fs::path& file, const std::string& room) {
  bool test = ends_with_any(file.string(), {"_test.cc", "_fuzz.cc", "_for_tests.h"});
  std::ifstream in(file);
  int number = 0;
  std::string space;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (file.extension() == ".h") check_definition(house, file, number, line, space);
    auto include = include_of(line);
    if (!include.empty()) check_include(house, file, number, room, include);
    if (test) continue;
    if (room != "cli" && holds_any(line, kPrinting)) house.fault(file, number, "only cli prints");
    if (room != "host" && holds_any(line, kOutside)) {
      house.fault(file, number, "only host asks the system");
    }
  }
}

int main(int argc, char** argv) {
  House house;
  if (argc == 2) house.root = argv[1];
  if (argc != 2 || !read_layers(house)) {
    std::fprintf(stderr, "usage: check_layers ROOT (with src/LAYERS in it)\n");
    return 2;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(house.root / "src")) {
    if (ends_with_any(entry.path().string(), {".h", ".cc"})) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    auto room = fs::relative(file, house.root / "src").begin()->string();
    if (house.layer_of.count(room) == 0) {
      house.fault(file, 1, room + " is in no layer of src/LAYERS");
    } else {
      check_file(house, file, room);
    }
  }
  std::printf("%zu files, %d faults\n", files.size(), house.faults);
  return house.faults == 0 ? 0 : 1;
}
