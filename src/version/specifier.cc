// SPDX-License-Identifier: Apache-2.0
// PEP 440, "Version specifiers".
#include <algorithm>

#include "base/text.h"
#include "version/version.h"

namespace kernelfit {
namespace {

constexpr std::string_view kOperators[] = {"===", "~=", "==", "!=", "<=", ">=", "<", ">"};

bool same_release_prefix(const PackageVersion& version, const PackageVersion& prefix,
                         std::size_t parts) {
  for (std::size_t i = 0; i < parts; ++i) {
    if (version.release(i) != prefix.release(i)) return false;
  }
  return version.epoch() == prefix.epoch();
}

// The version as comparison operators other than == with a local see it: without its local part.
PackageVersion public_part(const PackageVersion& version) {
  return *PackageVersion::parse(version.public_text());
}

// "V2.6.0" -> "2.6.0": all of normalisation that === undoes in practice.
std::string without_v(std::string_view text) {
  std::string small = lower(text);
  return small.starts_with('v') ? small.substr(1) : small;
}

bool same_release(const PackageVersion& a, const PackageVersion& b) {
  return same_release_prefix(a, b, std::max(a.release_size(), b.release_size()));
}

}  // namespace

std::optional<VersionSpecifier> VersionSpecifier::parse(std::string_view text) {
  VersionSpecifier out;
  out.text_ = trim(text);
  if (out.text_.empty()) return out;
  for (auto part : split(out.text_, ',')) {
    part = trim(part);
    if (part.empty()) continue;
    auto op = std::find_if(std::begin(kOperators), std::end(kOperators),
                           [&](auto candidate) { return part.starts_with(candidate); });
    if (op == std::end(kOperators)) return {};
    Clause clause;
    clause.op = *op;
    clause.text = trim(part.substr(op->size()));
    clause.prefix = clause.text.ends_with(".*");
    if (clause.prefix && clause.op != "==" && clause.op != "!=") return {};
    std::string number =
        clause.prefix ? clause.text.substr(0, clause.text.size() - 2) : clause.text;
    auto version = PackageVersion::parse(number);
    if (!version && clause.op != "===") return {};
    if (version) clause.version = *version;
    if (clause.op == "~=" && clause.version.release_size() < 2) return {};
    bool exact = clause.op == "==" || clause.op == "!=" || clause.op == "===";
    if (!exact && !clause.version.local().empty()) return {};  // ">=2.1+cu121" is no specifier
    out.clauses_.push_back(std::move(clause));
  }
  return out;
}

bool VersionSpecifier::contains(const PackageVersion& version, bool allow_prereleases) const {
  if (!allow_prereleases && version.is_prerelease()) return false;
  PackageVersion plain = public_part(version);
  return std::all_of(clauses_.begin(), clauses_.end(), [&](const Clause& clause) {
    const PackageVersion& bound = clause.version;
    if (clause.op == "===") return without_v(version.text()) == without_v(clause.text);
    if (clause.op == "==" || clause.op == "!=") {
      bool equal = clause.prefix ? same_release_prefix(version, bound, bound.release_size())
                   : bound.local().empty() ? plain == bound
                                           : version == bound;
      return equal == (clause.op == "==");
    }
    if (clause.op == "~=") {
      return plain >= bound && same_release_prefix(version, bound, bound.release_size() - 1);
    }
    if (clause.op == ">=") return plain >= bound;
    if (clause.op == "<=") return plain <= bound;
    // Exclusive comparison does not admit a pre-release of the bound, nor a post-release or a local
    // version of it, unless the bound is one itself.
    if (clause.op == "<") {
      bool excluded =
          version.is_prerelease() && !bound.is_prerelease() && same_release(version, bound);
      return plain < bound && !excluded;
    }
    bool post = version.is_postrelease() && !bound.is_postrelease();
    bool excluded = (post || !version.local().empty()) && same_release(version, bound);
    return plain > bound && !excluded;
  });
}

}  // namespace kernelfit
