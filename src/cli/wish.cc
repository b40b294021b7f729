// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.h"

#include <algorithm>

#include "base/visible.h"
#include "pyenv/wheel_tags.h"
#include "solve/python_fit.h"
#include "solve/wish.h"

namespace kernelfit::cli {
namespace {

constexpr std::size_t kShown = 80;  // of a word that is none

// ---------------------------------------------------------------- words

bool names_torch(std::string_view word) {
  constexpr std::string_view kTorch = "torch";
  if (!word.starts_with(kTorch)) return false;
  const char next = word.size() > kTorch.size() ? word[kTorch.size()] : '=';
  return std::string_view("=<>!~+ [(;@").find(next) != std::string_view::npos;
}

// What pip takes besides a name: an address, a path, a file.
bool is_place(std::string_view word) {
  if (word.find_first_of(" \t") != std::string_view::npos || visible(word) != word) return false;
  return contains(word, "://") || word.starts_with("file:") || word.starts_with('/') ||
         word.starts_with("./") || word.starts_with("../") || word == "." ||
         word.ends_with(".whl") || word.ends_with(".tar.gz");
}

// The release that a wheel's name tells, wherever it lies.
void read_wheel_name(std::string_view place, Requirement& into) {
  place = place.substr(0, place.find_first_of("#?"));
  if (!place.ends_with(".whl")) return;
  const auto wheel = parse_wheel_name(place);
  const std::string specifier = wheel ? "==" + wheel->version : std::string();
  if (!wheel || !VersionSpecifier::parse(specifier)) return;
  if (into.name.empty()) {
    const auto named = parse_requirement(wheel->name);
    if (named) into.name = named->name;
  }
  into.specifier = specifier;
}

// "torch+cu126": a build and no version, which is no PEP 508.
std::optional<Wish> build_alone(std::string_view word) {
  const std::size_t plus = word.find('+');
  if (plus == std::string_view::npos || trim(word.substr(0, plus)) != "torch") return std::nullopt;
  Wish out;
  out.text = word;
  out.requirement.name = "torch";
  out.build = trim(word.substr(plus + 1));
  const bool word_alone =
      !out.build.empty() && lower(out.build).find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyz0123456789.") == std::string::npos;
  return word_alone ? std::optional(std::move(out)) : std::nullopt;
}

// An address, with a marker behind white space and a semicolon.
std::optional<Wish> place_alone(std::string_view word) {
  const std::size_t semicolon = word.find(" ;");
  const std::string_view place = trim(word.substr(0, semicolon));
  if (!is_place(place)) return std::nullopt;
  Wish out;
  out.text = place;
  out.requirement.url = place;
  if (semicolon != std::string_view::npos)
    out.requirement.marker = trim(word.substr(semicolon + 2));
  read_wheel_name(place, out.requirement);
  return out;
}

std::optional<Wish> wish_in(std::string_view word) {
  if (auto build = build_alone(word)) return build;
  auto requirement = parse_requirement(word);
  if (!requirement) return place_alone(word);
  if (!requirement->url.empty() && !is_place(requirement->url)) return std::nullopt;
  Wish out;
  out.requirement = *std::move(requirement);
  const auto& marker = out.requirement.marker;
  out.text =
      marker.empty() ? word : trim(word.substr(0, word.rfind(';', word.size() - marker.size())));
  read_wheel_name(out.requirement.url, out.requirement);
  return out;
}

// -------------------------------------------------------------- markers

// Counts it? Where no Python is known, the one that a plan would name.
bool counts(const Wish& wish, const MarkerValues& values, const Knowledge& knowledge,
            std::vector<Said>& notes) {
  if (!wish.marker) return true;
  const Fill about = {{"package", wish.text}, {"marker", wish.requirement.marker}};
  MarkerTruth truth = wish.marker->holds(values);
  if (truth == MarkerTruth::unknown && !values.contains("python_version")) {
    MarkerValues supposed = values;
    supposed["python_version"] = solving::common_python(knowledge).text();
    truth = wish.marker->holds(supposed);
    Fill with = about;
    with.emplace_back("python", supposed["python_version"]);
    if (truth != MarkerTruth::unknown) notes.push_back({"cli.note.marker-python", std::move(with)});
  }
  if (truth == MarkerTruth::unknown) notes.push_back({"cli.note.marker-unknown", about});
  if (truth == MarkerTruth::no) notes.push_back({"cli.note.marker-left-out", about});
  return truth != MarkerTruth::no;
}

// ------------------------------------------------------------- together

bool belongs_to_torch(std::string_view name) {
  return name == "torchvision" || name == "torchaudio" || name == "triton";
}

void say_address(const Wish& wish, std::vector<Said>& notes) {
  const Requirement& asked = wish.requirement;
  if (asked.url.empty()) return;
  const bool told = !asked.specifier.empty();
  notes.push_back(
      {told ? "cli.note.address" : "cli.note.address-unknown",
       {{"package", asked.name}, {"version", told ? asked.specifier.substr(2) : std::string()}}});
}

void add_specifier(const VersionSpecifier& specifier, VersionSpecifier& into) {
  if (specifier.empty() || into.text() == specifier.text()) return;
  const std::string both = into.empty() ? specifier.text() : into.text() + "," + specifier.text();
  if (auto joined = VersionSpecifier::parse(both)) into = *std::move(joined);
}

void add_torch(const Wish& wish, const solving::NamedBuild& named, Request& request) {
  const std::string& build = wish.build.empty() ? named.build : wish.build;
  if (!build.empty() && !request.wanted_build.empty() && build != request.wanted_build) {
    request.pins.push_back({"torch", named.version, build});
    return;
  }
  add_specifier(named.version, request.wanted);
  if (!build.empty()) request.wanted_build = build;
}

bool is_asked_for(std::string_view name, const std::vector<const Wish*>& wishes) {
  return std::any_of(wishes.begin(), wishes.end(), [&](const Wish* wish) {
    return !wish->constraint && wish->requirement.name == name;
  });
}

void add_to_request(const Wish& wish, Request& request, std::vector<Said>& notes) {
  const std::string& name = wish.requirement.name;
  const auto named = solving::without_build(
      VersionSpecifier::parse(wish.requirement.specifier).value_or(VersionSpecifier()));
  const bool with_torch = belongs_to_torch(name);
  if (with_torch || name == "torch") say_address(wish, notes);
  if (name == "torch") return add_torch(wish, named, request);
  if (!wish.constraint || !with_torch) request.also.push_back(wish.text);
  const bool pins = with_torch && !(named.version.empty() && named.build.empty());
  if (pins) request.pins.push_back({name, named.version, named.build});
}

// "numpy==1.26.4" and "numpy>=2": no version is both. A local version that only one of the two
// names parts nothing: 2.6.0+cu124 is 2.6.0.
bool rules_out(const Wish& exact, const Wish& other) {
  const std::string_view specifier = exact.requirement.specifier;
  if (!specifier.starts_with("==") || exact.requirement.name != other.requirement.name)
    return false;
  const auto version =
      PackageVersion::parse(specifier.substr(specifier.starts_with("===") ? 3 : 2));
  auto asked = VersionSpecifier::parse(other.requirement.specifier);
  if (version && asked && version->local().empty()) asked = solving::without_build(*asked).version;
  return version && asked && !asked->contains(*version);
}

// Of what is installed at all: torch always is, and what belongs to it is chosen with it.
std::optional<Said> contradiction(const std::vector<const Wish*>& wishes) {
  for (const Wish* exact : wishes) {
    const std::string& name = exact->requirement.name;
    if (name.empty() || (name != "torch" && !belongs_to_torch(name) && !is_asked_for(name, wishes)))
      continue;
    for (const Wish* other : wishes) {
      if (rules_out(*exact, *other))
        return Said{"cli.error.no-version", {{"first", exact->text}, {"second", other->text}}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Said> add_wish(std::string_view word, Wishes& wishes, bool constraint) {
  word = trim(word);
  auto wish = wish_in(word);
  if (!wish) {
    const char* key = names_torch(word) ? "cli.error.torch-spec" : "cli.error.package";
    return Said{key, {{"value", std::string(word.substr(0, kShown))}}};
  }
  wish->constraint = constraint;
  if (!wish->requirement.marker.empty()) {
    wish->marker = Marker::parse(wish->requirement.marker);
    if (!wish->marker)
      return Said{"cli.error.marker", {{"value", wish->requirement.marker.substr(0, kShown)}}};
  }
  wishes.all.push_back(*std::move(wish));
  return {};
}

MarkerValues marker_values(const Request& request) {
  const bool windows = request.os == "windows";
  MarkerValues out = {{"os_name", windows ? "nt" : "posix"},
                      {"sys_platform", windows ? "win32" : "linux"},
                      {"platform_system", windows ? "Windows" : "Linux"},
                      {"platform_machine", request.cpu_arch},
                      {"implementation_name", "cpython"},
                      {"platform_python_implementation", "CPython"},
                      {"extra", ""}};
  if (windows) out["platform_machine"] = request.cpu_arch == "aarch64" ? "ARM64" : "AMD64";
  if (!request.python.has()) return out;
  out["python_version"] = request.python->first(2).text();
  if (request.python->size() > 2) out["python_full_version"] = request.python->text();
  return out;
}

Granted apply_wishes(const Wishes& wishes, const Knowledge& knowledge, Request& request) {
  Granted out;
  out.notes = wishes.notes;
  const MarkerValues values = marker_values(request);
  std::vector<const Wish*> held;
  for (const Wish& wish : wishes.all) {
    if (counts(wish, values, knowledge, out.notes)) held.push_back(&wish);
  }
  out.problem = contradiction(held);
  for (const Wish* wish : held) {
    const std::string& name = wish->requirement.name;
    const bool matters =
        !wish->constraint || name == "torch" || belongs_to_torch(name) || is_asked_for(name, held);
    if (matters) add_to_request(*wish, request, out.notes);
  }
  for (const Pin& pin : request.pins) {
    if (request.wanted_build.empty()) request.wanted_build = pin.build;
  }
  return out;
}

}  // namespace kernelfit::cli
