// SPDX-License-Identifier: Apache-2.0
#include "cli/online.h"

#include <algorithm>

#include "host/http.h"
#include "plan/parts.h"
#include "pyenv/index_page.h"
#include "pyenv/wheel_tags.h"
#include "scan/http_file.h"
#include "solve/pairs.h"
#include "solve/python_fit.h"

namespace kernelfit::cli {
namespace {

constexpr std::chrono::milliseconds kSilence{5'000};    // of one page
constexpr std::int64_t kAltogetherMs = 20'000;          // for all of them
constexpr std::size_t kLargest = std::size_t{8} << 20;  // an index page of torch is below 1 MiB

// JSON where the server has it (PEP 691), links where not.
constexpr std::string_view kAccept =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, "
    "text/html;q=0.1";

// A page of files, and the files that have to be on it.
struct Question {
  std::string name;  // of the package, "torch"
  std::string version;
  std::string url;
};

class Online {
 public:
  Online(const Plan& plan, const Request& request, const Context& context)
      : plan_(plan),
        request_(request),
        context_(context),
        pypi_(planning::mirror_base("official", "pypi", context.knowledge)) {
    end_ = context.here.clock_ms() + kAltogetherMs;
  }

  std::vector<Said> notes() {
    const auto& choice = plan_.answer.choice;
    if (!choice || choice->build == nullptr || choice->channel != "pip") {
      out_.push_back({"cli.online.nothing", {}});
      return out_;
    }
    for (const Question& question : questions(*choice)) ask(question);
    return std::move(out_);
  }

 private:
  // A flat page holds all packages of a build; an index has a page for each.
  std::string page(const planning::WheelSource& source, std::string_view package) const {
    std::string base = !source.url.empty() ? source.url : source.pypi;
    if (base.empty()) base = pypi_;
    while (base.ends_with('/')) base.pop_back();
    if (source.flag == "-f") return source.url;
    return base + "/" + std::string(package) + "/";
  }

  std::vector<Question> questions(const Choice& choice) const {
    const InstallCommand* row = solving::install_row(*choice.build, context_.knowledge);
    if (row == nullptr) return {};
    const auto specs = solving::specs_for(*choice.build, row, request_.pins, context_.knowledge);
    std::vector<planning::WheelSource> sources = {planning::official_source(*row)};
    const std::string mirror = context_.args.value("mirror");
    if (auto other = planning::mirror_source(*row, mirror, context_.knowledge))
      sources.insert(sources.begin(), *std::move(other));
    std::vector<Question> out;
    for (const auto& source : sources) {
      out.push_back({"torch", specs.torch, page(source, "torch")});
      if (!specs.torchvision.empty())
        out.push_back({"torchvision", specs.torchvision, page(source, "torchvision")});
      // Without a local version it does not come from here.
      if (contains(specs.torchaudio, "+"))
        out.push_back({"torchaudio", specs.torchaudio, page(source, "torchaudio")});
    }
    add_pypi(out, *choice.build, *row, mirror);
    return out;
  }

  // The form without an index, where a plan has one beside the index's; torchaudio comes from
  // there also where the index is not known to have it.
  void add_pypi(std::vector<Question>& out, const TorchBuild& build, const InstallCommand& row,
                const std::string& mirror) const {
    const auto& knowledge = context_.knowledge;
    const InstallCommand* pypi = solving::pypi_row(build, knowledge);
    planning::WheelSource source;
    source.pypi = planning::mirror_base(mirror, "pypi", knowledge);
    const auto add = [&](const char* package, const std::string& version) {
      if (!version.empty()) out.push_back({package, version, page(source, package)});
    };
    if (pypi != nullptr && pypi != &row) {
      const auto specs = solving::specs_for(build, pypi, request_.pins, knowledge);
      add("torch", specs.torch);
      add("torchvision", specs.torchvision);
      return add("torchaudio", specs.torchaudio);
    }
    const auto specs = solving::specs_for(build, &row, request_.pins, knowledge);
    if (contains(specs.torch, "+") && !contains(specs.torchaudio, "+"))
      add("torchaudio", specs.torchaudio);
  }

  void ask(const Question& question) {
    const Fill about = {{"page", shown_url(question.url)},
                        {"package", question.name},
                        {"version", question.version}};
    const auto text = page_text(question.url);
    if (!text) return say("cli.online.not-checked", about, {{"problem", text.error().text()}});
    const auto files = parse_index_page(*text);
    if (files.empty()) return say("cli.online.no-page", about, {});
    const IndexFile* found = find(files, question);
    if (found == nullptr) {
      say("cli.online.has-not", about, {});
    } else {
      const char* key = found->yanked ? "cli.online.withdrawn"
                        : found->size ? "cli.online.has-size"
                                      : "cli.online.has";
      const auto mib = found->size.value_or(0) >> 20;
      say(key, about, {{"file", printable(found->name)}, {"mib", std::to_string(mib)}});
    }
    if (question.name == "torch") say_newer(files, about);
  }

  void say(std::string key, Fill values, const Fill& more) {
    values.insert(values.end(), more.begin(), more.end());
    out_.push_back({std::move(key), std::move(values)});
  }

  Result<std::string> page_text(const std::string& url) const {
    const std::int64_t left = end_ - context_.here.clock_ms();
    if (left <= 0) return error(ErrorKind::timeout, "the time for all pages is over");
    HttpRequest request;
    request.url = url;
    request.accept = kAccept;
    request.timeout =
        std::min(kSilence, std::chrono::milliseconds(std::max<std::int64_t>(left, 1000)));
    KF_TRY(const auto answer, http_get(context_.here, request));
    if (answer->head().status != 200)
      return error(ErrorKind::not_found, status_text(answer->head().status));
    std::string out;
    std::vector<std::byte> part(std::size_t{64} << 10);
    for (;;) {
      KF_TRY(const std::size_t got, answer->read(part));
      if (got == 0) return out;
      out += as_text(Bytes(part).first(got));
      if (out.size() > kLargest) return error(ErrorKind::unsupported, "the page is too long");
      if (context_.here.clock_ms() > end_)
        return error(ErrorKind::timeout, "the server was too slow");
    }
  }

  WheelTarget target() const {
    const Choice& choice = *plan_.answer.choice;
    WheelTarget out;
    out.python = choice.python;
    out.free_threaded = choice.free_threaded;
    out.os = request_.os;
    out.cpu_arch = request_.cpu_arch;
    if (request_.glibc.has()) out.glibc = *request_.glibc;
    return out;
  }

  // The version of a wheel of torch for this Python and system; nothing for another file.
  std::optional<PackageVersion> version_in(const IndexFile& file, std::string_view package) const {
    const auto wheel = parse_wheel_name(file.name);
    if (!wheel || lower(wheel->name) != package || !wheel_fits(*wheel, target()))
      return std::nullopt;
    return PackageVersion::parse(wheel->version);
  }

  const IndexFile* find(const std::vector<IndexFile>& files, const Question& question) const {
    const auto wanted = PackageVersion::parse(question.version);
    const IndexFile* found = nullptr;
    for (const IndexFile& file : files) {
      const auto version = version_in(file, question.name);
      if (!version || !wanted || *version != *wanted) continue;
      if (found == nullptr || found->yanked) found = &file;
    }
    return found;
  }

  // Newer than every release of the table: what the knowledge cannot judge.
  void say_newer(const std::vector<IndexFile>& files, const Fill& about) {
    std::optional<PackageVersion> newest;
    for (const TorchRelease& release : context_.knowledge.torch_releases()) {
      if (!newest || *newest < release.version) newest = release.version;
    }
    const auto known = newest;
    for (const IndexFile& file : files) {
      const auto version = version_in(file, "torch");
      const auto release = version ? PackageVersion::parse(version->public_text()) : std::nullopt;
      if (release && !file.yanked && !release->is_prerelease() && (!newest || *newest < *release))
        newest = release;
    }
    if (newest && known && *known < *newest)
      say("cli.online.newer", about, {{"newer", newest->public_text()}, {"known", known->text()}});
  }

  const Plan& plan_;
  const Request& request_;
  const Context& context_;
  std::string pypi_;
  std::int64_t end_ = 0;
  std::vector<Said> out_;
};

}  // namespace

std::vector<Said> online_notes(const Plan& plan, const Request& request, const Context& context) {
  return Online(plan, request, context).notes();
}

}  // namespace kernelfit::cli
