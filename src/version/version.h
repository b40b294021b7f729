// SPDX-License-Identifier: Apache-2.0
// Version numbers of four kinds. Each is a plain value that parses, prints back and compares.
//
//   DottedVersion   drivers, CUDA, cuDNN, glibc, Python:  "535.183.01", "12.6", "3.12"
//   PackageVersion  Python packages, PEP 440:             "2.13.0+cu126", "2.6.0.dev20241222+cu126"
//   ComputeCapability                                      "8.6"   (also read from "sm_86", "86")
//   GpuArch         a code target as NVIDIA's tools write it: "sm_90a", "compute_90", "sm_120f"
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

// Numbers between dots. "535.183.01" keeps its text, compares by numbers; a missing part is 0,
// so 12.6 == 12.6.0 and 580 < 580.65.06.
class DottedVersion {
 public:
  DottedVersion() = default;
  // Digits and dots only, at most 6 parts of at most 9 digits; nothing otherwise.
  static std::optional<DottedVersion> parse(std::string_view text);
  // For literals that are known to be right: dotted("12.6"). What is none is empty.
  friend DottedVersion dotted(std::string_view text);

  int part(std::size_t index) const { return index < parts_.size() ? parts_[index] : 0; }
  std::size_t size() const { return parts_.size(); }
  int major() const { return part(0); }
  int minor() const { return part(1); }
  DottedVersion first(std::size_t count) const;  // 12.6.85 -> first(2) is 12.6
  const std::string& text() const { return text_; }
  bool empty() const { return parts_.empty(); }

  friend std::strong_ordering operator<=>(const DottedVersion& a, const DottedVersion& b);
  friend bool operator==(const DottedVersion& a, const DottedVersion& b) { return (a <=> b) == 0; }

 private:
  std::vector<int> parts_;
  std::string text_;
};
DottedVersion dotted(std::string_view text);

// PEP 440, whole: epoch, release, pre (a b rc), post, dev, local. Compares as pip does; a local
// version is greater than none ("2.13.0+cu126" > "2.13.0").
class PackageVersion {
 public:
  static std::optional<PackageVersion> parse(std::string_view text);
  const std::string& text() const { return text_; }      // as given, without white space
  std::string public_text() const;                       // "2.13.0" of "2.13.0+cu126"
  const std::string& local() const { return local_; }    // "cu126", normalised, empty: none
  int release(std::size_t index) const { return index < release_.size() ? release_[index] : 0; }
  std::size_t release_size() const { return release_.size(); }
  bool is_prerelease() const { return pre_ != kNone || dev_ >= 0; }
  bool is_postrelease() const { return post_ != kNone; }
  int epoch() const { return epoch_; }

  friend std::strong_ordering operator<=>(const PackageVersion& a, const PackageVersion& b);
  friend bool operator==(const PackageVersion& a, const PackageVersion& b) { return (a <=> b) == 0; }

 private:
  static constexpr int kNone = -1;
  std::string text_, local_;
  int epoch_ = 0;
  std::vector<int> release_;
  int pre_ = kNone;  // 0 a, 1 b, 2 rc
  // Wide enough for a date with a time: 2.6.0.dev20241222153000.
  std::int64_t pre_number_ = 0, post_ = kNone, dev_ = kNone;
};
std::strong_ordering operator<=>(const PackageVersion& a, const PackageVersion& b);

// A PEP 440 specifier set: "==2.15.*", ">=3.10,<3.13", "~=2.1", "!=2.0.1", "===1.0". Empty fits all.
class VersionSpecifier {
 public:
  static std::optional<VersionSpecifier> parse(std::string_view text);
  bool contains(const PackageVersion& version, bool allow_prereleases = true) const;
  const std::string& text() const { return text_; }
  bool empty() const { return clauses_.empty(); }

 private:
  struct Clause {
    std::string op;
    std::string text;  // the version as written, for === and .*
    PackageVersion version;
    bool prefix;  // ends in .*
  };
  std::string text_;
  std::vector<Clause> clauses_;
};

// CUDA C++ Programming Guide, "Compute Capabilities".
struct ComputeCapability {
  int major = 0;
  int minor = 0;

  // "8.6", "sm_86", "compute_86", "86", "12.0", "120". Suffixes a and f are refused.
  static std::optional<ComputeCapability> parse(std::string_view text);
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
  int number() const { return major * 10 + minor; }  // 86, 120: as in sm_86, sm_120
  static ComputeCapability from_number(int number) { return {number / 10, number % 10}; }
  auto operator<=>(const ComputeCapability&) const = default;
};

// What a piece of GPU code was compiled for.
struct GpuArch {
  enum class Kind { sass, ptx, lto };
  Kind kind = Kind::sass;
  int number = 0;        // 86, 120
  char suffix = 0;       // 0, 'a' (exactly this capability) or 'f' (its family)
  static std::optional<GpuArch> parse(std::string_view text);  // sm_, compute_, lto_
  std::string text() const;
  ComputeCapability capability() const { return ComputeCapability::from_number(number); }
  auto operator<=>(const GpuArch&) const = default;
};

// "sm_50 sm_60 sm_90a" and back; unknown words are left out.
std::vector<GpuArch> parse_arch_list(std::string_view words);
std::string arch_list_text(const std::vector<GpuArch>& archs);

}  // namespace kernelfit
