// SPDX-License-Identifier: Apache-2.0
// Files on servers. Of a wheel whose server sends ranges, the directory at its end and a few small
// members are read, some hundred kilobytes; with ScanOptions::deep the whole stream goes through
// the scanner once and is not kept.
#include <algorithm>
#include <map>
#include <optional>

#include "base/borrowed_stream.h"
#include "base/owned_access.h"
#include "base/text.h"
#include "scan/http_file.h"
#include "scan/peek_stream.h"
#include "scan/scanner.h"
#include "scan/wheel_notes.h"

namespace kernelfit {

struct RemoteWork {
  HttpRequest request;
  Place place;
  RemoteScan about;
  std::optional<HttpFile> file;  // where the server sends ranges
};

namespace {

constexpr std::uint64_t kTail = std::uint64_t{256} << 10;    // what the last request brings anyway
constexpr std::uint64_t kZipTail = std::uint64_t{66} << 10;  // an end record, its longest comment
constexpr std::uint64_t kEnds = std::uint64_t{48} << 10;     // of a large directory, at either end
constexpr std::uint64_t kSmallWhole = std::uint64_t{8}
                                      << 20;                  // read without ranges, without --deep
constexpr std::uint64_t kNotesSpan = std::uint64_t{2} << 20;  // the notes of a wheel in one request
constexpr std::uint64_t kUnknownSize = ~std::uint64_t{0};

// Counts what comes, for the report.
class CountingStream : public ByteStream {
 public:
  CountingStream(std::unique_ptr<ByteStream> from, std::uint64_t& count)
      : from_(std::move(from)), count_(count) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    auto got = from_->read(into);
    if (got) count_ += *got;
    return got;
  }

 private:
  std::unique_ptr<ByteStream> from_;
  std::uint64_t& count_;
};

bool is_web_page(const HttpHead& head, Bytes front) {
  const std::string text =
      lower(trim(as_text(front.first(std::min<std::size_t>(front.size(), 512)))));
  const bool looks = text.starts_with("<!doctype html") || text.starts_with("<html");
  return looks || (head.field("content-type").starts_with("text/html") && text.starts_with("<"));
}

// Why an answer brings no file; empty for one that does.
std::string answer_fault(const HttpHead& head) {
  if (head.status != 200 && head.status != 206) return status_text(head.status);
  const std::string_view coding = head.field("content-encoding");
  if (coding.empty() || coding == "identity") return {};
  return "the server packs what it sends (" + printable(coding) + "), against the request";
}

constexpr std::string_view kWebPage = "the server sends a web page, not the file";

// Together where they lie together, as in every wheel.
Status prefetch_notes(const HttpFile& file, const std::vector<const ZipMember*>& notes) {
  std::uint64_t from = kUnknownSize, to = 0;
  constexpr std::uint64_t kHeader = 30 + 512;  // of a member, with its name
  for (const ZipMember* member : notes) {
    if (!member->name.ends_with(".py")) {
      from = std::min(from, member->offset);
      to = std::max(to, member->offset + member->packed_bytes + member->name.size() + kHeader);
    }
  }
  if (from >= to || to - from > kNotesSpan) return {};
  return file.prefetch(from, to - from);
}

std::vector<const ZipMember*> notes_of(const std::vector<ZipMember>& members) {
  std::vector<const ZipMember*> out;
  for (const auto& member : members) {
    if (is_wheel_note(member.name) && member.packed_bytes <= kNotesSpan) out.push_back(&member);
  }
  return out;
}

// What a member says; an error of the server is one, that of a member is not.
Status read_note(const RandomAccess& file, const ZipMember& member, RemoteScan& about) {
  const auto stream = open_member(file, member);
  const auto bytes = stream ? read_all(**stream, kMaxNote)
                            : Result<std::vector<std::byte>>(tl::unexpected(stream.error()));
  if (!bytes) return tl::unexpected(bytes.error());
  note(member.name, as_text(*bytes), about);
  return {};
}

bool holds_candidates(const auto& members) {
  return std::ranges::any_of(members, [](const auto& member) {
    return member.size_bytes > 0 && may_hold_code_by_name(member.name);
  });
}

const ZipMember* named(const std::vector<const ZipMember*>& notes, std::string_view ending) {
  const auto at = std::ranges::find_if(
      notes, [&](const ZipMember* note) { return note->name.ends_with(ending); });
  return at == notes.end() ? nullptr : *at;
}

// All files of a wheel stand in its RECORD; the directory has entries of folders beside them.
bool names_all(const std::vector<RemoteScan::Member>& record, std::uint64_t entries) {
  return record.size() <= entries && record.size() >= entries / 10 * 9;
}

// What RECORD cannot tell, where the ends of the directory do.
void add_known(const std::vector<ZipMember>& ends, std::vector<RemoteScan::Member>& members) {
  std::map<std::string, const ZipMember*> known;
  for (const auto& member : ends) known[printable(member.name)] = &member;
  for (auto& member : members) {
    const auto at = known.find(member.name);
    if (at == known.end()) continue;
    member.size_bytes = at->second->size_bytes;
    member.packed_bytes = at->second->packed_bytes;
  }
}

}  // namespace

bool may_hold_code_by_name(std::string_view name) {
  return !is_text_name(name) && name.find(".dist-info/") == std::string_view::npos;
}

void Scanner::url(const std::string& url) {
  RemoteWork work;
  work.request = {url, HttpRange{0, kScanFront - 1}, options_.timeout, options_.cancelled};
  work.place = {shown_url(url), "", "", 0, true};
  work.about.url = work.place.path;
  if (options_.progress) options_.progress(work.place.path);
  auto answer = http_get(host_, work.request);
  constexpr int kNoSuchRange = 416;  // of an empty file, or from a server that knows no ranges
  if (answer && (*answer)->head().status == kNoSuchRange) {
    work.request.range.reset();
    answer = http_get(host_, work.request);
  }
  if (!answer) return unreadable(work.place, answer.error().text());
  if (const std::string fault = answer_fault((*answer)->head()); !fault.empty()) {
    return unreadable(work.place, fault);
  }
  {
    const std::lock_guard lock(mutex_);
    ++report_.files_seen;
  }
  if ((*answer)->head().status == 206) return sent_range(**answer, work);
  sent_whole(std::move(*answer), work);
}

void Scanner::finish(RemoteWork& work) {
  if (work.file) {
    work.about.fetched_bytes += work.file->fetched();
    work.about.requests += work.file->requests();
  }
  note_file_name(file_name_of_url(work.request.url), work.about);
  const std::lock_guard lock(mutex_);
  report_.bytes_seen += static_cast<std::int64_t>(work.about.fetched_bytes);
  report_.remote.push_back(std::move(work.about));
}

// A small file that is there: read as one on a disk.
void Scanner::in_memory(std::vector<std::byte> bytes, RemoteWork& work) {
  const auto held = std::make_shared<OwnedBytes>(std::move(bytes));
  if (const auto directory = read_zip_directory(*held)) {
    note_members(*directory, work.about);
    for (const ZipMember* member : notes_of(directory->members)) {
      (void)read_note(*held, *member, work.about);  // the scan itself tells what is wrong
    }
  }
  work.about.whole = true;
  work.place.budget = std::make_shared<Budget>(held->size());
  access(held, work.place);
  finish(work);
}

// The server sends the whole file, whatever it was asked for.
void Scanner::sent_whole(std::unique_ptr<HttpAnswer> answer, RemoteWork& work) {
  work.about.size_bytes = answer->head().length().value_or(0);
  work.about.requests = 1;
  const HttpHead head = answer->head();
  auto stream = std::make_unique<PeekStream>(
      std::make_unique<CountingStream>(std::move(answer), work.about.fetched_bytes));
  const Bytes front = stream->front(kScanFront);
  if (stream->error()) return unreadable(work.place, stream->error()->text());
  if (is_web_page(head, front)) return unreadable(work.place, std::string(kWebPage));
  if (options_.deep) return read_through(std::move(stream), nullptr, work);
  if (work.about.size_bytes > kSmallWhole) return finish(work);
  auto bytes = read_all(*stream, kSmallWhole);
  if (bytes) {
    work.about.size_bytes = bytes->size();
    return in_memory(std::move(*bytes), work);
  }
  if (bytes.error().kind != ErrorKind::unsupported) {
    return unreadable(work.place, bytes.error().text());
  }
  finish(work);
}

void Scanner::sent_range(HttpAnswer& answer, RemoteWork& work) {
  const auto range = parse_content_range(answer.head().field("content-range"));
  if (!range || range->first != 0 ||
      range->last != std::min(range->size, std::uint64_t{kScanFront}) - 1) {
    return unreadable(work.place, "the server sends another range than it was asked for");
  }
  auto front = read_all(answer, kScanFront);
  if (!front) return unreadable(work.place, front.error().text());
  if (front->size() != range->last + 1) {
    return unreadable(work.place, "the server sends " + std::to_string(front->size()) +
                                      " bytes where it says " + std::to_string(range->last + 1));
  }
  if (is_web_page(answer.head(), *front)) return unreadable(work.place, std::string(kWebPage));
  const bool zip = sniff_archive(*front) == ArchiveKind::zip;
  work.about.size_bytes = range->size;
  work.about.ranges = true;
  work.file.emplace(host_, work.request, range->size);
  work.file->keep(0, std::move(*front));
  if (range->size <= kTail) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(range->size));
    Status status = work.file->prefetch(0, range->size);
    if (status) status = work.file->read(0, bytes);
    return status ? in_memory(std::move(bytes), work)
                  : unreadable(work.place, status.error().text());
  }
  if (zip) return remote_zip(work);
  if (options_.deep) return read_through(nullptr, nullptr, work);
  finish(work);
}

// A directory of ten thousand members is a megabyte that no server packs; RECORD, packed, is less
// than half of it, and what is asked of a wheel stands at the directory's ends. False: it does not.
bool Scanner::told_by_record(RemoteWork& work) {
  const HttpFile& file = *work.file;
  const auto ends = read_zip_ends(file, kEnds);
  if (!ends) return false;
  const auto notes = notes_of(ends->members);
  const ZipMember* record = named(notes, ".dist-info/RECORD");
  if (!record || !named(notes, ".dist-info/METADATA") || !named(notes, ".dist-info/WHEEL")) {
    return false;
  }
  if (!prefetch_notes(file, notes)) return false;
  const auto stream = open_member(file, *record);
  const auto text = stream ? read_all(**stream, kMaxNote)
                           : Result<std::vector<std::byte>>(tl::unexpected(stream.error()));
  if (!text) return false;
  RemoteScan about = work.about;
  about.members = members_by_record(as_text(*text));
  if (!names_all(about.members, ends->entries) || !holds_candidates(about.members)) return false;
  for (const auto& member : about.members) {
    if (is_wheel_note(member.name) && !named(notes, member.name)) return false;
  }
  for (const ZipMember* member : notes) {
    if (member != record && !read_note(file, *member, about)) return false;
  }
  add_known(ends->members, about.members);
  work.about = std::move(about);
  finish(work);
  return true;
}

void Scanner::remote_zip(RemoteWork& work) {
  const HttpFile& file = *work.file;
  if (Status status = file.prefetch(file.size() - kZipTail, kZipTail); !status) {
    return unreadable(work.place, status.error().text());
  }
  if (!options_.deep && told_by_record(work)) return;
  const auto directory = read_zip_directory(file);
  if (!directory) return unreadable(work.place, directory.error().text());
  for (const auto& text : directory->problems) problem(work.place, text);
  note_members(*directory, work.about);
  const auto notes = notes_of(directory->members);
  Status status = prefetch_notes(file, notes);
  for (const ZipMember* member : notes) {
    if (status) status = read_note(file, *member, work.about);
  }
  if (!status) problem(work.place, status.error().text());
  if (options_.deep) return read_through(nullptr, &*directory, work);
  work.about.whole = !holds_candidates(directory->members);
  finish(work);
}

// One member of a wheel that comes as a stream. `listed`: the directory has told of it before.
void Scanner::read_member(const ZipMember& member, ByteStream& content, bool listed,
                          RemoteWork& work) {
  if (!listed) {
    work.about.members.push_back(
        {printable(member.name), member.size_bytes, member.packed_bytes, {}});
  }
  if (!listed && is_wheel_note(member.name)) {
    if (const auto bytes = read_all(content, kMaxNote)) {
      note(member.name, as_text(*bytes), work.about);
    }
  } else if (member.size_bytes > 0 && !is_text_name(member.name)) {
    if (options_.progress) options_.progress(work.place.path);
    Place place = work.place.inside(member.name);
    place.faults_told = true;
    stream(budgeted(std::make_unique<BorrowedStream>(content), work.place.budget),
           member.size_bytes, place);
  }
}

// `stream`: where the answer to the first request is the file already.
void Scanner::read_through(std::unique_ptr<ByteStream> stream, const ZipDirectory* known,
                           RemoteWork& work) {
  if (!stream) {
    HttpRequest request = work.request;
    request.range.reset();
    auto answer = http_get(host_, request);
    ++work.about.requests;
    if (!answer) return unreadable(work.place, answer.error().text());
    if (const std::string fault = answer_fault((*answer)->head()); !fault.empty()) {
      return unreadable(work.place, fault);
    }
    if ((*answer)->head().length().value_or(work.about.size_bytes) != work.about.size_bytes) {
      return unreadable(work.place, "the file on the server has changed its size");
    }
    stream = std::make_unique<CountingStream>(std::move(*answer), work.about.fetched_bytes);
  }
  if (work.about.size_bytes > 0) {
    work.place.budget = std::make_shared<Budget>(work.about.size_bytes);
  }
  PeekStream peek(std::move(stream));
  const bool zip = sniff_archive(peek.front(kScanFront)) == ArchiveKind::zip;
  std::vector<std::string> problems;
  if (zip) {
    const auto visit = [&](const ZipMember& member, ByteStream& content) {
      read_member(member, content, known != nullptr, work);
      return !cancelled();
    };
    problems = walk_zip(peek, known, visit);
  } else {
    const std::uint64_t size = work.about.size_bytes > 0 ? work.about.size_bytes : kUnknownSize;
    this->stream(std::make_unique<BorrowedStream>(peek), size, work.place);
  }
  // What is behind the last member: that it comes tells that the transfer was whole.
  const auto rest = peek.skip(kUnknownSize);
  const auto told = [&](const std::string& text) { return text.ends_with(rest.error().message); };
  if (zip && !rest && std::ranges::none_of(problems, told)) problems.push_back(rest.error().text());
  if (cancelled()) return;
  for (const auto& text : problems) problem(work.place, text);
  if (work.about.size_bytes == 0) work.about.size_bytes = work.about.fetched_bytes;
  work.about.whole = true;
  finish(work);
}

}  // namespace kernelfit
