// SPDX-License-Identifier: Apache-2.0
#include "scan/scanner.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "base/owned_access.h"
#include "base/text.h"
#include "host/file_access.h"
#include "pe/pe_file.h"
#include "scan/binary.h"
#include "scan/collector.h"
#include "scan/not_read.h"
#include "scan/peek_stream.h"

namespace kernelfit {
namespace {

constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxUnpacked = std::uint64_t{1} << 40;
// A member of up to this size is read whole, so that its tables can be read in any order.
constexpr std::uint64_t kSmall = std::uint64_t{8} << 20;
// Of a stream as much is taken into memory. Data up to that size is searched for containers: a
// larger file is one of weights or records.
constexpr std::size_t kMostInMemory = std::size_t{64} << 20;
constexpr int kMaxFolderDepth = 64;

constexpr std::array kTexts = {".py",  ".pyc", ".pyi", ".txt", ".md",   ".rst", ".json",
                               ".h",   ".hpp", ".cuh", ".cu",  ".c",    ".cpp", ".html",
                               ".css", ".js",  ".xml", ".yml", ".toml", ".csv", ".cmake"};

// Stops being readable when the scan is cancelled: whatever runs over it comes to its end.
class CancellableAccess : public FileAccess {
 public:
  CancellableAccess(std::unique_ptr<RandomAccess> file, const std::atomic<bool>& cancelled)
      : file_(std::move(file)), cancelled_(cancelled) {}
  std::uint64_t size() const override { return file_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (cancelled_) return error(ErrorKind::timeout, "interrupted");
    return file_->read(offset, into);
  }
  std::uint64_t next_data(std::uint64_t from) const override {
    const FileAccess* file = as_file(*file_);
    return file ? file->next_data(from) : from;
  }
  bool in_memory(std::uint64_t offset) const override {
    const FileAccess* file = as_file(*file_);
    return !file || file->in_memory(offset);
  }
  void expect_far_apart(bool far_apart) const override {
    if (const FileAccess* file = as_file(*file_)) file->expect_far_apart(far_apart);
  }

 private:
  std::unique_ptr<RandomAccess> file_;
  const std::atomic<bool>& cancelled_;
};

// Every Python has 32-bit launchers for Windows (pip, setuptools). No CUDA since 7.0 has such a
// host: one that was not named is no fault of a folder.
bool is_32_bit(const RandomAccess& access) {
  const auto pe = parse_pe(access);
  return !pe && pe.error().kind == ErrorKind::unsupported;
}

// What there is of a stream up to the fault at which it ends, if it does.
struct Came {
  std::vector<std::byte> bytes;
  std::optional<Error> fault;  // ErrorKind::unsupported: there is more than `limit`
};

Came read_what_comes(ByteStream& stream, std::size_t limit) {
  Came out;
  std::array<std::byte, 16384> part;
  for (;;) {
    const auto got = stream.read(part);
    if (!got) out.fault = got.error();
    if (!got || *got == 0) return out;
    if (*got > limit - out.bytes.size()) {
      out.fault =
          Error{ErrorKind::unsupported, "longer than " + std::to_string(limit) + " bytes", {}};
      return out;
    }
    out.bytes.insert(out.bytes.end(), part.begin(),
                     part.begin() + static_cast<std::ptrdiff_t>(*got));
  }
}

// Messages of the host begin with the path, which every problem has already.
std::string without_path(const std::string& text, const std::string& path) {
  return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
}

bool is_worth_opening(std::string_view name, const FileInfo& info) {
  return info.size_bytes > 0 || !may_be_empty(name);
}

std::vector<std::byte> front_of(const RandomAccess& access) {
  std::vector<std::byte> front(
      static_cast<std::size_t>(std::min<std::uint64_t>(access.size(), kScanFront)));
  if (!access.read(0, front)) front.clear();
  return front;
}

}  // namespace

bool is_text_name(std::string_view name) {
  const std::string lower_name = lower(name);
  return std::ranges::any_of(kTexts, [&](std::string_view ending) {
    return lower_name.size() > ending.size() && lower_name.ends_with(ending);
  });
}

bool may_hold_code(Bytes front) {
  return sniff_codec(front) != Codec::stored || sniff_archive(front) != ArchiveKind::none ||
         sniff_binary(front) != BinaryKind::none;
}

FileScan Place::begin() const {
  FileScan file;
  file.path = path;
  file.member = member;
  file.layer = layer;
  if (!fault.empty()) file.problems.push_back(fault);
  return file;
}

Place Place::inside(std::string_view name) const {
  Place out = *this;
  out.member = member.empty() ? std::string(name) : member + "!" + std::string(name);
  out.depth = depth + 1;
  out.named = false;
  out.fault.clear();
  out.unpacked = false;
  out.on_disk = false;
  return out;
}

std::string_view Place::name() const {
  const std::string_view whole = member.empty() ? path : member;
  return whole.substr(whole.find_last_of("/!") + 1);  // npos + 1 is 0
}

ScanReport Scanner::run(const std::vector<std::string>& paths) {
  for (const auto& name : paths) {
    if (is_http_url(name)) {
      jobs_.add([this, name] { url(name); });
      continue;
    }
    jobs_.add([this, name] { path({name, "", "", 0, true}); });
  }
  jobs_.run(options_.threads);
  std::ranges::stable_sort(report_.files, [](const FileScan& a, const FileScan& b) {
    return std::tie(a.path, a.member) < std::tie(b.path, b.member);
  });
  std::ranges::sort(report_.problems, {}, &PlaceProblem::line);
  std::ranges::sort(report_.images, [](const ImageScan& a, const ImageScan& b) {
    return std::tie(a.path, a.member, a.name) < std::tie(b.path, b.member, b.name);
  });
  std::ranges::sort(report_.remote, {}, &RemoteScan::url);
  report_.cancelled = cancelled();
  return std::move(report_);
}

void Scanner::path(const Place& place) {
  const auto info = host_.file_info(place.path);
  if (!info) return unreadable(place, info.error().message);
  if (info->kind == FileKind::directory) return folder(place.path, 0);
  if (info->kind != FileKind::regular) return unreadable(place, "not a regular file");
  if (first_time(*info)) file(place);
}

void Scanner::folder(const std::string& path, int depth) {
  const Place here{path, "", "", 0, false};
  const auto info = host_.file_info(path);
  if (!info) return problem(here, info.error().message);
  if (!first_time(*info) || cancelled()) return;
  if (depth > kMaxFolderDepth) return problem(here, "folders are nested too deeply");
  const auto entries = host_.list_dir(path);
  if (!entries) return problem(here, entries.error().message);
  if (image_in_folder(path, *entries)) return;
  entries_of(path, *entries, depth);
}

// What may not even be looked at may be a library: one line tells of it.
void Scanner::entries_of(const std::string& path, const std::vector<DirEntry>& entries, int depth) {
  std::vector<std::string> denied;
  for (const auto& entry : entries) {
    const std::string child = join_path(path, entry.name);
    if (entry.kind == FileKind::directory) {
      folder(child, depth + 1);
      continue;
    }
    if (is_text_name(entry.name)) continue;
    const auto target = host_.file_info(child);
    if (!target && target.error().kind == ErrorKind::denied) denied.push_back(entry.name);
    if (!target) continue;  // else a link that leads nowhere
    if (target->kind == FileKind::directory) {
      folder(child, depth + 1);
    } else if (target->kind == FileKind::regular && is_worth_opening(entry.name, *target) &&
               first_time(*target)) {
      jobs_.add([this, child] { file({child, "", "", 0, false}); });
    }
  }
  if (denied.empty()) return;
  const std::string others =
      denied.size() > 1 ? " and " + std::to_string(denied.size() - 1) + " more" : "";
  problem({path, "", "", 0, false},
          "'" + printable(denied[0]) + "'" + others + " may not be read: permission denied");
}

void Scanner::file(const Place& place) {
  if (cancelled()) return;
  if (options_.progress) options_.progress(place.path);
  auto opened = open(place.path);
  if (!opened) return unreadable(place, opened.error().message);
  {
    const std::lock_guard lock(mutex_);
    ++report_.files_seen;
    report_.bytes_seen += static_cast<std::int64_t>((*opened)->size());
  }
  Place inside = place;
  inside.budget = std::make_shared<Budget>((*opened)->size());
  inside.on_disk = true;
  access(*opened, inside);
}

Result<std::shared_ptr<const RandomAccess>> Scanner::open(const std::string& path) const {
  KF_TRY(auto opened, host_.open_file(path));
  if (!options_.cancelled) return std::shared_ptr<const RandomAccess>(std::move(opened));
  return std::make_shared<CancellableAccess>(std::move(opened), *options_.cancelled);
}

void Scanner::access(const std::shared_ptr<const RandomAccess>& whole, const Place& place) {
  std::shared_ptr<const RandomAccess> access = whole;
  const std::vector<std::byte> front = front_of(*access);
  const ArchiveKind archive = sniff_archive(front);
  if (archive != ArchiveKind::none && too_deep(place)) return;
  const Codec codec = sniff_codec(front);
  const BinaryKind kind = sniff_binary(front);
  const bool holds_others = archive != ArchiveKind::none || codec != Codec::stored;
  // Of a file it is told with the file.
  if (!place.fault.empty() && (holds_others || kind == BinaryKind::none)) {
    problem(place, place.fault);
  }
  if (archive == ArchiveKind::zip) return zip(access, place);
  if (archive == ArchiveKind::ar || archive == ArchiveKind::thin_ar) return ar(access, place);
  if (holds_others) {
    if (image_in_tar(access, place)) return;
    const auto again = [access] { return std::make_unique<AccessStream>(*access); };
    return stream(again(), access->size(), place, again);
  }
  if (zip_behind(access, front, kind, place)) return;
  if (kind == BinaryKind::none && leave_unread(front, access->size(), place)) return;
  if (kind == BinaryKind::pe && !place.named && is_32_bit(*access)) return;
  FileScan file = place.begin();
  scan_binary_into(*access, options_, file);
  add(std::move(file), place);
}

bool Scanner::leave_unread(Bytes front, std::uint64_t size, const Place& place) {
  const std::string why = place.unpacked ? std::string() : why_not_read(place.name(), front, size);
  if (!why.empty()) unreadable(place, why);
  return !why.empty() || (!place.named && size > kMostInMemory);
}

void Scanner::stream(std::unique_ptr<ByteStream> from, std::uint64_t size, const Place& place,
                     const Reopen& reopen) {
  auto peeked = std::make_unique<PeekStream>(std::move(from));
  const Bytes front = peeked->front(kScanFront);
  const Codec codec = sniff_codec(front);
  if (codec != Codec::stored) return unpack(codec, std::move(peeked), place, reopen);
  const ArchiveKind archive = sniff_archive(front);
  if (archive == ArchiveKind::tar) return too_deep(place) ? void() : tar(*peeked, place);
  const BinaryKind kind = sniff_binary(front);
  if (kind == BinaryKind::none && archive == ArchiveKind::none) {
    return data_stream(*peeked, size, place, reopen);
  }
  const bool is_small = size == kUnknownSize && peeked->front(kSmall + 1).size() <= kSmall;
  if (size <= kSmall || is_small || archive != ArchiveKind::none) return take(*peeked, place);
  FileScan file = place.begin();
  scan_stream_into(*peeked, size, reopen, options_, file);
  if (!file.problems.empty() && told_already(place)) file.problems.clear();
  add(std::move(file), place);
}

void Scanner::unpack(Codec codec, std::unique_ptr<ByteStream> packed, const Place& place,
                     const Reopen& reopen) {
  if (too_deep(place)) return;
  Place inner = place;
  inner.on_disk = false;
  inner.unpacked = true;
  ++inner.depth;
  const auto plain = [&](std::unique_ptr<ByteStream> from) {
    return budgeted(decode(codec, std::move(from), kMaxUnpacked), place.budget);
  };
  Reopen again;
  if (reopen) again = [&] { return plain(reopen()); };
  stream(plain(std::move(packed)), kUnknownSize, inner, again);
}

// What can be read in any order once it is in memory.
void Scanner::take(ByteStream& stream, const Place& place) {
  auto [bytes, fault] = read_what_comes(stream, kMostInMemory);
  const bool nothing = bytes.empty() || (fault && fault->kind == ErrorKind::unsupported);
  if (fault && nothing) return unreadable(place, fault->text());
  Place come = place;
  if (fault) come.fault = fault->text();
  access(std::make_shared<OwnedBytes>(std::move(bytes)), come);
}

// What begins with no format. A script may have a zip behind it.
void Scanner::data_stream(PeekStream& stream, std::uint64_t size, const Place& place,
                          const Reopen& reopen) {
  if (const auto failed = stream.error(); failed && !place.named) {
    return unreadable(place, failed->text());
  }
  const Bytes front = stream.front(kScanFront);
  const bool script = is_script(front);
  if (script && size <= kMostInMemory) return take(stream, place);
  if (script && size != kUnknownSize) {
    return unreadable(place, "not read: a script this long has an archive in it; unpack it first");
  }
  if (leave_unread(front, front.empty() ? 0 : size, place)) return;
  if (size <= kSmall && !place.faults_told) return take(stream, place);
  FileScan file = place.begin();
  scan_stream_into(stream, size, reopen, options_, file);
  if (place.faults_told && !file.has_gpu_code()) file.problems.clear();
  if (!file.problems.empty() && told_already(place)) file.problems.clear();
  add(std::move(file), place);
}

bool Scanner::too_deep(const Place& place) {
  if (place.depth < options_.max_depth) return false;
  problem(place, "archives are nested more than " + std::to_string(options_.max_depth) + " deep");
  return true;
}

void Scanner::add(FileScan file, const Place& place) {
  if (place.budget && !place.budget->take_images(image_count(file))) {
    FileScan emptied = place.begin();
    emptied.kind = file.kind;
    emptied.size_bytes = file.size_bytes;
    emptied.problems = {"more images than " + place.path + " can hold; not listed"};
    file = std::move(emptied);
  }
  const bool says_something =
      file.has_gpu_code() || !file.problems.empty() || !file.torch_arch_flags.empty();
  if (!place.named && !says_something && !options_.all_files) return;
  const std::lock_guard lock(mutex_);
  report_.files.push_back(std::move(file));
}

// Of a bomb.
bool Scanner::told_already(const Place& place) {
  return place.budget && place.budget->spent() && !place.budget->first_to_tell();
}

void Scanner::unreadable(const Place& place, const std::string& text) {
  if (told_already(place)) return;
  FileScan file = place.begin();
  file.kind = "unreadable";
  file.unreadable = true;
  file.problems.push_back(without_path(text, place.path));
  add(std::move(file), place);
}

void Scanner::problem(const Place& place, const std::string& text) {
  if (told_already(place)) return;
  const std::lock_guard lock(mutex_);
  report_.problems.push_back({place.path, place.member, without_path(text, place.path), false});
}

void Scanner::remark(const Place& place, const std::string& text) {
  const std::lock_guard lock(mutex_);
  report_.problems.push_back({place.path, place.member, text, true});
}

bool Scanner::first_time(const FileInfo& info) {
  if (info.inode == 0) return true;  // a recorded host, or a system without inodes
  const std::lock_guard lock(mutex_);
  return seen_.emplace(info.device, info.inode).second;
}

std::string PlaceProblem::line() const {
  return (member.empty() ? path : path + "!" + member) + ": " + text;
}

ScanReport scan_paths(const Host& host, const std::vector<std::string>& paths,
                      const ScanOptions& options) {
  return Scanner(host, options).run(paths);
}

}  // namespace kernelfit
