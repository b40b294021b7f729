// SPDX-License-Identifier: Apache-2.0
// Goes through folders and archives and gives each binary to scan/binary.h. For this room only.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "codec/codec.h"
#include "host/host.h"
#include "host/http.h"
#include "oci/image.h"
#include "oci/overlay.h"
#include "scan/binary.h"
#include "scan/budget.h"
#include "scan/peek_stream.h"
#include "scan/reread.h"
#include "scan/scan.h"
#include "scan/threads.h"

namespace kernelfit {

using FileId = std::pair<std::uint64_t, std::uint64_t>;  // device, inode

// Where something lies, and how it was come by.
struct Place {
  std::string path;
  std::string member;                        // empty: the file itself
  std::string layer;                         // of a container image
  int depth = 0;                             // archives around it
  bool named = false;                        // on the command line: it is always reported
  std::shared_ptr<Budget> budget = nullptr;  // of the file around it
  std::string fault = {};    // of its bytes as such: a wrong checksum, an end too early. What was
                             // seen in them is told all the same.
  bool unpacked = false;     // what packs it is off: its name is of the packed
  bool faults_told = false;  // who walks the archive tells what is wrong with its bytes
  bool on_disk = false;      // `path` itself: what it names beside it can be there
  std::vector<FileId> thin_around = {};  // thin archives that name it, one in the other

  Place inside(std::string_view name) const;
  FileScan begin() const;         // a file there, nothing read yet
  std::string_view name() const;  // without what it lies in
};

// What a Python environment is full of and no GPU code is ever in: not even opened.
bool is_text_name(std::string_view name);
// Whatever may hold GPU code, or files that do, by its first bytes.
bool may_hold_code(Bytes front);
constexpr std::size_t kScanFront = 4096;  // as many of them as are looked at

struct ImageWork;   // scan_image.cc
struct RemoteWork;  // scan_remote.cc

class Scanner {
 public:
  Scanner(const Host& host, const ScanOptions& options) : host_(host), options_(options) {}
  ScanReport run(const std::vector<std::string>& paths);

 private:
  void path(const Place& place);
  void folder(const std::string& path, int depth);
  void entries_of(const std::string& path, const std::vector<DirEntry>& entries, int depth);
  void file(const Place& place);
  // Something that can be read in place; `keep` outlives the jobs that are made of it.
  void access(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  void zip(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  void zip_members(const std::shared_ptr<const RandomAccess>& access, const ZipDirectory& directory,
                   const Place& place);
  bool zip_behind(std::shared_ptr<const RandomAccess>& access, Bytes front, BinaryKind kind,
                  const Place& place);
  void zip_member(const std::shared_ptr<const RandomAccess>& access, const ZipMember& member,
                  const Place& place);
  // What begins with no format: true where that is told, or nothing is in it.
  bool leave_unread(Bytes front, std::uint64_t size, const Place& place);
  void ar(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  void thin_ar(const ArDirectory& directory, const Place& place);
  void beside_thin_ar(const Place& beside, const Place& archive, const std::string& name);
  // Something that runs past. `size`: where it is known, else the largest number.
  void stream(std::unique_ptr<ByteStream> stream, std::uint64_t size, const Place& place,
              const Reopen& reopen = {});
  void unpack(Codec codec, std::unique_ptr<ByteStream> packed, const Place& place,
              const Reopen& reopen);
  void take(ByteStream& stream, const Place& place);
  void data_stream(PeekStream& stream, std::uint64_t size, const Place& place,
                   const Reopen& reopen);
  void tar(ByteStream& stream, const Place& place);

  // Container images (scan_image.cc). False: it is none, and is read as what it is.
  bool image_in_tar(const std::shared_ptr<const RandomAccess>& access, const Place& place);
  bool image_in_folder(const std::string& path, const std::vector<DirEntry>& entries);
  void images(const std::shared_ptr<const ImageFiles>& files, bool in_order, const Place& place);
  void image(const std::shared_ptr<ImageWork>& work);
  void list_layer(ImageWork& work, std::size_t layer, const std::function<void(LayerMember)>& take);
  void layer_contents(const ImageWork& work, std::size_t layer);
  void layer_problem(const ImageWork& work, std::size_t layer, const std::string& text);

  Result<std::shared_ptr<const RandomAccess>> open(const std::string& path) const;
  // Files on servers (scan_remote.cc).
  void url(const std::string& url);
  void sent_whole(std::unique_ptr<HttpAnswer> answer, RemoteWork& work);
  void sent_range(HttpAnswer& answer, RemoteWork& work);
  void remote_zip(RemoteWork& work);
  bool told_by_record(RemoteWork& work);
  void read_member(const ZipMember& member, ByteStream& content, bool listed, RemoteWork& work);
  void read_through(std::unique_ptr<ByteStream> stream, const ZipDirectory* known,
                    RemoteWork& work);
  void in_memory(std::vector<std::byte> bytes, RemoteWork& work);
  void finish(RemoteWork& work);

  bool too_deep(const Place& place);
  static bool told_already(const Place& place);
  bool cancelled() const { return options_.cancelled && *options_.cancelled; }
  void add(FileScan file, const Place& place);
  void unreadable(const Place& place, const std::string& problem);
  void problem(const Place& place, const std::string& text);
  void remark(const Place& place, const std::string& text);  // nothing is missing for it
  // False where the same file or folder came by already under another name.
  bool first_time(const FileInfo& info);

  const Host& host_;
  const ScanOptions& options_;
  JobQueue jobs_;
  std::mutex mutex_;
  ScanReport report_;
  std::set<FileId> seen_;
};

}  // namespace kernelfit
