// SPDX-License-Identifier: Apache-2.0
// transcript PROGRAM [--update] FILE.md…: runs what the ```console blocks of Markdown files show.
//
//   ```console
//   $ kernelfit doctor --host tests/hosts/t4
//   one line of output
//   ...
//   the last line
//   [exit 1]
//   ```
//
// Each `$ ` line runs through sh, with PROGRAM's folder first on PATH, in the current folder; a
// line that starts with `> ` goes on with it. Its output, both streams, must be what follows: `...`
// is any number of lines, `[exit N]` ends a command that fails. --update writes what was seen.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

static Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    out.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

static void drop_blank_end(Lines& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

// A line of "..." is any number of lines.
static bool matches(const Lines& expected, std::size_t i, const Lines& got, std::size_t j) {
  for (; i < expected.size(); ++i, ++j) {
    if (expected[i] == "...") {
      for (std::size_t skip = j; skip <= got.size(); ++skip) {
        if (matches(expected, i + 1, got, skip)) return true;
      }
      return false;
    }
    if (j >= got.size() || expected[i] != got[j]) return false;
  }
  return j == got.size();
}

static Lines run(const std::string& command) {
  std::string text;
  // The shell reads `command` as its own line, so that its 2>&1 holds for all of it.
  FILE* pipe = popen(("exec 2>&1 </dev/null\n" + command).c_str(), "r");
  if (pipe == nullptr) return {"could not start a shell"};
  char buffer[4096];
  while (std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, size);
  int raw = pclose(pipe);
  int status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  Lines out = lines_of(text);
  drop_blank_end(out);
  if (status != 0) out.push_back("[exit " + std::to_string(status) + "]");
  return out;
}

static void print_lines(const char* title, const Lines& lines) {
  std::printf("~~~ %s\n", title);
  for (const auto& line : lines) std::printf("%s\n", line.c_str());
}

struct Score {
  int passed = 0, failed = 0;
};

// Reads a file from its top and rebuilds it, block by block, command by command.
class Transcript {
 public:
  Transcript(std::string name, Lines lines, Score& score)
      : name_(std::move(name)), lines_(std::move(lines)), score_(score) {}

  Lines checked() {
    bool console = false;
    std::string fence;
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (fence.empty() && is_fence(line)) {
        fence = line.substr(0, line.find_first_not_of("` "));
        console = line.substr(fence.size()) == "console";
      } else if (line == fence) {
        fence.clear();
        console = false;
      } else if (console && line.starts_with("$ ")) {
        command(fence);
        continue;
      }
      out_.push_back(line);
      ++at_;
    }
    return out_;
  }

 private:
  static bool is_fence(const std::string& line) { return line.starts_with("```"); }

  void command(const std::string& fence) {
    std::size_t first = at_;
    std::string text = lines_[at_].substr(2);
    out_.push_back(lines_[at_++]);
    while (at_ < lines_.size() && lines_[at_].starts_with("> ")) {
      text += "\n" + lines_[at_].substr(2);
      out_.push_back(lines_[at_++]);
    }
    Lines expected;
    while (at_ < lines_.size() && lines_[at_] != fence && !lines_[at_].starts_with("$ ")) {
      expected.push_back(lines_[at_++]);
    }
    std::size_t blank = expected.size();
    drop_blank_end(expected);
    blank -= expected.size();
    Lines got = run(text);
    bool same = matches(expected, 0, got, 0);
    ++(same ? score_.passed : score_.failed);
    if (!same) {
      std::printf("%s:%zu: $ %s\n", name_.c_str(), first + 1, text.c_str());
      print_lines("expected", expected);
      print_lines("got", got);
      std::printf("~~~\n");
    }
    const Lines& kept = same ? expected : got;
    out_.insert(out_.end(), kept.begin(), kept.end());
    out_.insert(out_.end(), blank, "");
  }

  std::string name_;
  Lines lines_, out_;
  Score& score_;
  std::size_t at_ = 0;
};

static bool check(const std::string& name, bool update, Score& score) {
  std::ifstream in(name, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "could not read %s\n", name.c_str());
    return false;
  }
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  int failed_before = score.failed;
  Lines out = Transcript(name, lines_of(text), score).checked();
  if (!update || score.failed == failed_before) return true;
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  for (const auto& line : out) file << line << '\n';
  return file.good();
}

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc), files;
  bool update = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--update")
      update = true;
    else
      files.push_back(words[i]);
  }
  if (files.empty()) {
    std::fprintf(stderr, "usage: transcript PROGRAM [--update] FILE.md…\n");
    return 2;
  }
  const char* path = std::getenv("PATH");
  std::string with = fs::absolute(words[0]).parent_path().string() + ":" + (path ? path : "");
  setenv("PATH", with.c_str(), 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  for (auto name : {"LANGUAGE", "KERNELFIT_LANG", "COLUMNS", "CLICOLOR_FORCE", "FORCE_COLOR"}) {
    unsetenv(name);
  }
  Score score;
  bool readable = true;
  for (const auto& file : files) readable = check(file, update, score) && readable;
  std::printf("%d passed, %d failed\n", score.passed, score.failed);
  if (!readable || score.passed + score.failed == 0) return 2;
  return score.failed == 0 || update ? 0 : 1;
}
