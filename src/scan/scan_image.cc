// SPDX-License-Identifier: Apache-2.0
// Container images, as a container sees them. Their layers are read twice: first for names, which
// tell what of each layer is still there in the end, then for the contents of that. Nothing is
// unpacked to disk, and only the names of files that may hold code are kept.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/borrowed_stream.h"
#include "base/owned_access.h"
#include "base/text.h"
#include "codec/forward_access.h"
#include "scan/peek_stream.h"
#include "scan/scanner.h"
#include "scan/summed_stream.h"

namespace kernelfit {

struct ImageWork {
  std::shared_ptr<const ImageFiles> files;
  ContainerImage image;
  Place place;            // of the image
  std::string prefix;     // "app:1!" where a file holds several images
  bool in_order = false;  // the parts are best read one behind the other
  // What is still there in the end: for each layer, by the number of the member, its path.
  std::vector<std::map<std::uint64_t, std::string>> survivors;
};

namespace {

constexpr std::uint64_t kMaxUnpacked = std::uint64_t{1} << 40;
constexpr std::size_t kPatience = 512;  // members of a tar until one is named as in images
constexpr int kRestarts = 8;  // once for names, once for contents, and a few for odd orders

// A folder of the layout.
class FolderFiles : public ImageFiles {
 public:
  using Open = std::function<Result<std::shared_ptr<const RandomAccess>>(const std::string&)>;
  FolderFiles(const Host& host, std::string folder, Open open)
      : host_(host), folder_(std::move(folder)), open_(std::move(open)) {}
  bool has(std::string_view part) const override { return host_.exists(join_path(folder_, part)); }
  Result<std::shared_ptr<const RandomAccess>> open(std::string_view part) const override {
    if (!safe_member_name(part)) return error(ErrorKind::not_found, "not in the image");
    return open_(join_path(folder_, part));
  }

 private:
  const Host& host_;
  std::string folder_;
  Open open_;
};

// What the digest of a layer is of: its file as it lies there, or the tar in it.
enum class Summed { nothing, file, tar };

Summed what_to_sum(const ImageLayer& layer) {
  if (!layer.digest.starts_with("sha256:")) return Summed::nothing;
  return layer.part.starts_with("blobs/") ? Summed::file : Summed::tar;
}

// A tar from its beginning, and what packs it.
struct OpenTar {
  std::shared_ptr<const RandomAccess> file;
  std::unique_ptr<ByteStream> tar;
  bool packed = false;
  SummedStream* summed = nullptr;  // in `tar`, where its digest is to be checked
};

std::unique_ptr<ByteStream> summed(std::unique_ptr<ByteStream> stream, OpenTar& tar) {
  auto out = std::make_unique<SummedStream>(std::move(stream));
  tar.summed = out.get();
  return out;
}

// Nothing of it is read twice: going back may mean to unpack what is before it once more.
OpenTar open_tar(std::shared_ptr<const RandomAccess> file, const Place& place,
                 Summed sum = Summed::nothing) {
  OpenTar out;
  std::unique_ptr<ByteStream> bytes = std::make_unique<AccessStream>(*file);
  if (sum == Summed::file) bytes = summed(std::move(bytes), out);
  auto raw = std::make_unique<PeekStream>(std::move(bytes));
  const Codec codec = sniff_codec(raw->front(16));
  out.file = std::move(file);
  out.packed = codec != Codec::stored;
  out.tar = std::move(raw);
  if (out.packed) {
    out.tar = budgeted(decode(codec, std::move(out.tar), kMaxUnpacked), place.budget);
  }
  if (sum == Summed::tar) out.tar = summed(std::move(out.tar), out);
  // All of a large plain layer would be read for nothing else.
  constexpr std::uint64_t kBelieved = std::uint64_t{1} << 30;
  if (out.summed && !out.packed && out.file->size() > kBelieved) {
    std::exchange(out.summed, nullptr)->believe();
  }
  return out;
}

Result<OpenTar> open_layer(const ImageWork& work, std::size_t layer, Summed sum = Summed::nothing) {
  KF_TRY(auto file, work.files->open(work.image.layers[layer].part));
  return open_tar(std::move(file), work.place, sum);
}

ArchiveLimits layer_limits() {
  ArchiveLimits limits;
  limits.rooted_names = true;
  return limits;
}

// Whether a member of a layer is worth following: by its name, and by its first bytes.
bool is_wanted(const ArchiveMember& member, ByteStream& content) {
  if (member.type != 'f' || member.size_bytes == 0 || is_text_name(member.name)) return false;
  PeekStream peek(std::make_unique<BorrowedStream>(content));
  return may_hold_code(peek.front(kScanFront));
}

// Layers in the order in which they are read best.
std::vector<std::size_t> reading_order(const ImageWork& work) {
  std::vector<std::size_t> order(work.image.layers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!work.in_order) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t layer) {
    return work.files->position(work.image.layers[layer].part);
  });
  return order;
}

std::string layer_name(const ImageLayer& layer) {
  return "layer " + (layer.digest.empty() ? printable(layer.part) : layer.digest);
}

ImageScan described(const ImageWork& work) {
  ImageScan out{work.place.path,     work.place.member,          work.image.name,
                work.image.platform, work.image.other_platforms, {}};
  for (const ImageLayer& layer : work.image.layers) {
    out.layers.push_back({layer.digest, layer.size_bytes.value_or(0)});
  }
  return out;
}

void keep_survivors(const Overlay& overlay, ImageWork& work) {
  work.survivors.resize(work.image.layers.size());
  for (const auto& [path, content] : overlay.files()) {
    work.survivors[content.layer].try_emplace(content.number, path);  // of hard links the first
  }
}

}  // namespace

void Scanner::layer_problem(const ImageWork& work, std::size_t layer, const std::string& text) {
  problem(work.place, layer_name(work.image.layers[layer]) + ": " + text);
}

void Scanner::list_layer(ImageWork& work, std::size_t layer,
                         const std::function<void(LayerMember)>& take) {
  if (options_.progress) options_.progress(work.place.path);
  ImageLayer& about = work.image.layers[layer];
  const auto opened = open_layer(work, layer, what_to_sum(about));
  if (!opened) {
    const bool missing = opened.error().kind == ErrorKind::not_found;
    return layer_problem(work, layer, missing ? "is not in the image" : opened.error().text());
  }
  bool told = false;
  const auto tell = [&](const std::string& text) {
    told = true;
    layer_problem(work, layer, text);
  };
  const std::uint64_t size = opened->file->size();
  if (about.size_bytes.value_or(size) != size) {
    tell("has " + std::to_string(size) + " bytes, and the manifest says " +
         std::to_string(*about.size_bytes));
  }
  about.size_bytes = size;
  std::uint64_t number = 0;
  const auto visit = [&](const ArchiveMember& member, ByteStream& content) {
    take({member.name, member.type, member.link_target, number++, is_wanted(member, content)});
    return !cancelled();
  };
  for (const auto& text : walk_tar(*opened->tar, visit, layer_limits())) tell(text);
  if (told || cancelled() || !opened->summed) return;
  const auto digest = opened->summed->digest();
  if (!digest) return tell(digest.error().text());
  if (*digest != about.digest) tell("its bytes have another digest, " + *digest);
}

void Scanner::layer_contents(const ImageWork& work, std::size_t layer) {
  auto opened = open_layer(work, layer);
  if (!opened || cancelled()) return;
  if (options_.progress) options_.progress(work.place.path);
  const auto& wanted = work.survivors[layer];
  std::size_t left = wanted.size();
  std::uint64_t number = 0;
  const bool in_place = !opened->packed && !work.in_order;
  const auto visit = [&](const ArchiveMember& member, ByteStream& content) {
    const auto found = wanted.find(number++);
    if (found == wanted.end()) return !cancelled();
    Place place = work.place.inside(work.prefix + found->second);
    place.layer = work.image.layers[layer].digest;
    if (in_place) {
      access(std::make_shared<OwningWindow>(opened->file, member.data_offset, member.size_bytes),
             place);
    } else {
      stream(std::make_unique<BorrowedStream>(content), member.size_bytes, place);
    }
    return --left > 0 && !cancelled();
  };
  (void)walk_tar(*opened->tar, visit,
                 layer_limits());  // its problems were told when names were read
}

void Scanner::image(const std::shared_ptr<ImageWork>& work) {
  Overlay overlay;
  const auto order = reading_order(*work);
  std::map<std::size_t, std::vector<LayerMember>> waiting;  // came by before those below them
  std::size_t next = 0;
  for (const std::size_t layer : order) {
    auto& members = waiting[layer];
    list_layer(*work, layer, [&](LayerMember member) {
      if (layer == next) return overlay.add(member);
      members.push_back(std::move(member));
    });
    if (cancelled()) return;
    for (auto it = waiting.begin(); it != waiting.end() && it->first == next; ++next) {
      for (const LayerMember& member : it->second) overlay.add(member);
      overlay.end_layer();
      it = waiting.erase(it);
    }
  }
  keep_survivors(overlay, *work);
  {
    const std::lock_guard lock(mutex_);
    report_.images.push_back(described(*work));
  }
  for (const std::size_t layer : order) {
    if (work->survivors[layer].empty()) continue;
    if (work->in_order) {
      layer_contents(*work, layer);
    } else {
      jobs_.add([this, work, layer] { layer_contents(*work, layer); });
    }
  }
}

void Scanner::images(const std::shared_ptr<const ImageFiles>& files, bool in_order,
                     const Place& place) {
  ImageListing listing = read_images(*files);
  if (listing.images.empty()) {
    FileScan broken = place.begin();
    broken.kind = "unreadable";
    broken.unreadable = true;
    broken.problems = std::move(listing.problems);
    if (broken.problems.empty()) broken.problems.emplace_back("names no image");
    return add(std::move(broken), place);
  }
  for (const auto& text : listing.problems) problem(place, text);
  const bool several = listing.images.size() > 1;
  for (ContainerImage& one : listing.images) {
    auto work = std::make_shared<ImageWork>();
    work->files = files;
    work->place = place;
    if (several) work->prefix = one.name + "!";
    work->in_order = in_order;
    work->image = std::move(one);
    image(work);
  }
}

bool Scanner::image_in_tar(const std::shared_ptr<const RandomAccess>& access, const Place& place) {
  const OpenTar opened = open_tar(access, place);
  TarParts parts = list_tar_parts(*opened.tar, opened.packed ? 1 : kPatience, opened.packed);
  if (parts.parts.empty()) return false;
  const std::vector<std::string> problems = parts.problems;
  std::shared_ptr<const RandomAccess> plain = access;
  if (opened.packed) {
    auto again = [access, place] { return std::move(open_tar(access, place).tar); };
    plain = std::make_shared<ForwardAccess>(again, parts.size_bytes, kRestarts);
  }
  const auto files = std::make_shared<TarFiles>(std::move(parts), plain);
  if (!is_image(*files)) return false;
  if (too_deep(place)) return true;
  for (const auto& text : problems) problem(place, text);
  images(files, opened.packed, place);
  return true;
}

bool Scanner::image_in_folder(const std::string& path, const std::vector<DirEntry>& entries) {
  const auto is_telling = [](const DirEntry& entry) {
    return entry.name == "oci-layout" || entry.name == "manifest.json" ||
           entry.name == "repositories";
  };
  if (std::ranges::none_of(entries, is_telling)) return false;
  const auto files = std::make_shared<FolderFiles>(
      host_, path, [this](const std::string& part) { return open(part); });
  if (!is_image(*files)) return false;
  const Place place{path, "", "", 0, true};  // without a budget: its layers are of any size
  {
    const std::lock_guard lock(mutex_);
    ++report_.files_seen;
  }
  images(files, false, place);
  return true;
}

}  // namespace kernelfit
