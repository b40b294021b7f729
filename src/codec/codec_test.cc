// SPDX-License-Identifier: Apache-2.0
#include "codec/codec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "codec/decoder.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// What the files of fixtures/codec hold (its README).
std::string lines() {
  std::string out;
  for (int i = 0; i < 300; ++i) out += "line " + std::to_string(i) + "\n";
  return out;
}

// Gives at most `step` bytes at a time: every state of a decoder meets the end of its input.
class Drip : public ByteStream {
 public:
  Drip(std::string bytes, std::size_t step) : bytes_(std::move(bytes)), step_(step) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t count = std::min({into.size(), step_, bytes_.size() - at_});
    std::memcpy(into.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t step_, at_ = 0;
};

struct Got {
  std::string text;
  std::optional<Error> error;
};

Got unpack(Codec codec, const std::string& packed, std::size_t in_step = 1 << 20,
           std::size_t out_step = 1 << 16, std::uint64_t limit = 1 << 24) {
  auto stream = decode(codec, std::make_unique<Drip>(packed, in_step), limit);
  Got got;
  std::vector<std::byte> piece(out_step);
  for (;;) {
    auto count = stream->read(piece);
    if (!count) {
      got.error = count.error();
      EXPECT_EQ(stream->read(piece).value(), 0u) << "after an error the stream is at its end";
      return got;
    }
    if (*count == 0) return got;
    got.text += as_text(Bytes(piece).first(*count));
  }
}

struct {
  Codec codec;
  const char* file;
  bool joins;
} constexpr kFiles[] = {
    {Codec::gzip, "codec/lines.gz", true},          {Codec::xz, "codec/lines.xz", true},
    {Codec::bzip2, "codec/lines.bz2", true},        {Codec::lz4_frame, "codec/lines.lz4", true},
    {Codec::zstd, "codec/lines.zst", true},         {Codec::zlib, "codec/lines.zz", false},
    {Codec::deflate, "codec/lines.deflate", false},
};

TEST(Decode, ReadsWhatTheToolsWrite) {
  for (const auto& [codec, file, joins] : kFiles) {
    SCOPED_TRACE(file);
    const std::string packed = load(file);
    for (const std::size_t in_step : {1, 7, 1 << 20}) {
      for (const std::size_t out_step : {1, 100, 1 << 16}) {
        const Got got = unpack(codec, packed, in_step, out_step);
        EXPECT_EQ(got.text, lines());
        EXPECT_FALSE(got.error) << got.error->text();
      }
    }
  }
}

TEST(Decode, KnowsAFileByItsFirstBytes) {
  for (const auto& [codec, file, joins] : kFiles) {
    if (!joins) continue;
    EXPECT_EQ(sniff_codec(as_bytes(load(file))), codec) << file;
  }
  EXPECT_EQ(sniff_codec(as_bytes("")), Codec::stored);
  EXPECT_EQ(sniff_codec(as_bytes("BZip2")), Codec::stored);
  EXPECT_EQ(sniff_codec(as_bytes(load("fatbin/libcu130_vadd.so"))), Codec::stored);
}

TEST(Decode, JoinsMembersThatFollowOneAnother) {
  for (const auto& [codec, file, joins] : kFiles) {
    if (!joins) continue;
    SCOPED_TRACE(file);
    const std::string packed = load(file);
    for (const std::size_t step : {1, 1 << 20}) {
      const Got got = unpack(codec, packed + packed + packed, step);
      EXPECT_EQ(got.text, lines() + lines() + lines());
      EXPECT_FALSE(got.error) << got.error->text();
    }
    const Got junk = unpack(codec, packed + "junk behind");
    EXPECT_EQ(junk.text, lines());
    EXPECT_TRUE(junk.error);
  }
  const Got padded = unpack(Codec::gzip, load("codec/lines.gz") + std::string(1000, '\0'));
  EXPECT_EQ(padded.text, lines());
  EXPECT_FALSE(padded.error);
}

// RFC 1952, 2.3: extra field, name, comment and a checksum of the header itself.
TEST(Decode, AGzipHeaderMayHaveEverything) {
  std::string header("\x1f\x8b\x08\x1e\0\0\0\0\2\3\4\0abcdname\0comment\0", 29);
  const std::uint32_t crc = crc32_update(0, as_bytes(header));
  header += static_cast<char>(crc & 0xff);
  header += static_cast<char>(crc >> 8 & 0xff);
  const std::string plain = load("codec/lines.gz");
  const std::string packed = header + plain.substr(10);
  for (const std::size_t step : {1, 5, 1 << 20}) {
    const Got got = unpack(Codec::gzip, packed + plain + packed, step);
    EXPECT_EQ(got.text, lines() + lines() + lines()) << step;
    EXPECT_FALSE(got.error) << got.error->text();
  }
}

TEST(Decode, EveryCutIsAnErrorAndWhatCameBeforeStands) {
  for (const auto& [codec, file, joins] : kFiles) {
    SCOPED_TRACE(file);
    const std::string packed = load(file);
    const std::size_t tail = packed.size() - 20;
    for (std::size_t size = 0; size < packed.size(); size += size < 40 || size >= tail ? 1 : 20) {
      const Got got = unpack(codec, packed.substr(0, size));
      ASSERT_TRUE(got.error) << size;
      EXPECT_EQ(got.error->kind, ErrorKind::truncated) << got.error->text();
      EXPECT_TRUE(lines().starts_with(got.text)) << size;
      EXPECT_TRUE(got.error->message.starts_with("offset " + std::to_string(size) + ": "))
          << got.error->message;
    }
  }
}

TEST(Decode, ChangedBytesAreFoundWhereThereIsAChecksum) {
  for (const auto& [codec, file, joins] : kFiles) {
    if (codec == Codec::deflate) continue;
    SCOPED_TRACE(file);
    std::string packed = load(file);
    for (std::size_t at = packed.size() / 3; at < packed.size() - 8; at += 11) {
      packed[at] ^= 0x55;
      const Got got = unpack(codec, packed);
      EXPECT_TRUE(got.error || got.text == lines()) << at;
      packed[at] ^= 0x55;
    }
  }
}

TEST(Decode, StopsAtTheLimit) {
  for (const auto& [codec, file, joins] : kFiles) {
    SCOPED_TRACE(file);
    const std::string packed = load(file);
    EXPECT_FALSE(unpack(codec, packed, 1 << 20, 100, lines().size()).error);
    const Got bomb = unpack(codec, packed, 1 << 20, 100, lines().size() - 1);
    ASSERT_TRUE(bomb.error);
    EXPECT_EQ(bomb.error->kind, ErrorKind::unsupported);
    EXPECT_NE(bomb.error->message.find("a bomb"), std::string::npos);
  }
  EXPECT_FALSE(unpack(Codec::stored, "12345", 2, 2, 5).error);
  EXPECT_TRUE(unpack(Codec::stored, "12345", 2, 2, 4).error);
}

TEST(Decode, SkipsAsItReads) {
  for (const auto& [codec, file, joins] : kFiles) {
    auto stream = decode(codec, std::make_unique<Drip>(load(file), 50), 1 << 20);
    EXPECT_EQ(stream->skip(1000).value(), 1000u);
    std::string next(20, '\0');
    EXPECT_EQ(stream->read(std::as_writable_bytes(std::span(next))).value(), 20u);
    EXPECT_EQ(next, lines().substr(1000, 20));
    EXPECT_EQ(stream->skip(1 << 20).value(), lines().size() - 1020);
  }
}

TEST(Decode, ATarIsTheSameInEveryCompression) {
  const std::string tar = load("fatbin/vadd-0.1.tar");
  EXPECT_EQ(unpack(Codec::gzip, load("fatbin/vadd-0.1.tgz")).text, tar);
  EXPECT_EQ(unpack(Codec::zstd, load("fatbin/vadd-0.1.tar.zst")).text, tar);
}

TEST(Decode, ZlibGivesTheSameAsTheFasterOne) {
  const std::string packed = load("fatbin/vadd-0.1.tgz");
  for (const std::size_t cut : {std::size_t{0}, std::size_t{100}, packed.size()}) {
    for (const bool zlib : {false, true}) {
      auto decoder = zlib ? make_deflate_zlib(Codec::gzip) : make_deflate(Codec::gzip);
      std::string out(100'000, '\0');
      std::size_t taken = 0, given = 0;
      bool ended = false;
      for (int i = 0; i < 10 && !ended; ++i) {
        auto step = decoder->step(as_bytes(packed).first(cut).subspan(taken),
                                  std::as_writable_bytes(std::span(out)).subspan(given), false);
        ASSERT_TRUE(step.fault.empty()) << step.fault;
        taken += step.taken;
        given += step.given;
        ended = step.ended;
      }
      EXPECT_EQ(ended, cut == packed.size());
      if (!ended) continue;
      EXPECT_EQ(out.substr(0, given), load("fatbin/vadd-0.1.tar"));
      EXPECT_EQ(taken, packed.size());
    }
  }
}

// The entries of a container: header size at 4, packed size at 16, padded size at 8, size at 56.
struct Entry {
  std::string packed;
  std::uint64_t size;
};
std::vector<Entry> entries(const std::string& fatbin) {
  const Bytes bytes = as_bytes(fatbin);
  std::vector<Entry> out;
  std::uint64_t at = 16;
  while (at < fatbin.size()) {
    const std::uint64_t header = read_at<le32>(bytes, at + 4).value();
    const std::uint64_t padded = read_at<le64>(bytes, at + 8).value();
    const std::uint64_t packed = read_at<le32>(bytes, at + 16).value();
    out.push_back({fatbin.substr(at + header, packed != 0 ? packed : padded),
                   packed != 0 ? read_at<le64>(bytes, at + 56).value() : padded});
    at += header + padded;
  }
  return out;
}

// nvcc wrote the same three cubins raw, as LZ4 blocks and as zstd frames.
TEST(DecodeBlock, NvidiasOwnImagesAgree) {
  const auto raw = entries(load("fatbin/cu130_sm75_sm80_sm86_raw.fatbin"));
  const auto lz4 = entries(load("fatbin/cu130_sm75_sm80_sm86_lz4.fatbin"));
  const auto zstd = entries(load("fatbin/cu130_sm75_sm80_sm86_zstd.fatbin"));
  ASSERT_EQ(raw.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (const auto& [codec, entry] :
         {std::pair{Codec::lz4_block, lz4.at(i)}, std::pair{Codec::zstd, zstd.at(i)}}) {
      const Bytes packed = as_bytes(entry.packed);
      for (const std::uint64_t wanted :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{64}, entry.size - 1, entry.size,
            entry.size + 1, std::uint64_t{1} << 40}) {
        auto got = decode_block(codec, packed, wanted, entry.size);
        ASSERT_TRUE(got) << got.error().text();
        const std::uint64_t expected = std::min(wanted, entry.size);
        EXPECT_EQ(as_text(*got), raw[i].packed.substr(0, expected));
      }
      std::string front(raw[i].packed.size(), '\0');
      auto some = decode_front_into(codec, packed.first(packed.size() / 2),
                                    std::as_writable_bytes(std::span(front)));
      ASSERT_TRUE(some) << some.error().text();
      EXPECT_EQ(front.substr(0, *some), raw[i].packed.substr(0, *some));
      std::string blocks(std::size_t{128} << 10, '\0');
      some = decode_front_blocks(codec, packed, std::as_writable_bytes(std::span(blocks)));
      ASSERT_TRUE(some) << some.error().text();
      EXPECT_EQ(blocks.substr(0, *some), raw[i].packed);
      if (codec == Codec::zstd) {  // its first block is not whole
        const auto none = decode_front_blocks(codec, packed.first(packed.size() - 1),
                                              std::as_writable_bytes(std::span(blocks)));
        EXPECT_EQ(none.value_or(1), 0u);
        continue;
      }
      some = decode_front_into(codec, packed.first(packed.size() / 2),
                               std::as_writable_bytes(std::span(front)));
      EXPECT_GT(*some, entry.size / 4);
    }
  }
}

TEST(DecodeBlock, RefusesClaimsAndCorruptData) {
  const auto lz4 = entries(load("fatbin/cu130_sm75_sm80_sm86_lz4.fatbin"));
  const auto zstd = entries(load("fatbin/cu130_sm75_sm80_sm86_zstd.fatbin"));
  for (const auto& [codec, entry] :
       {std::pair{Codec::lz4_block, lz4[0]}, std::pair{Codec::zstd, zstd[0]}}) {
    const Bytes packed = as_bytes(entry.packed);
    const std::uint64_t all = ~std::uint64_t{0};
    EXPECT_FALSE(decode_block(codec, packed, all, std::uint64_t{1} << 62));
    EXPECT_FALSE(decode_block(codec, packed, all, entry.size + 1));
    EXPECT_FALSE(decode_block(codec, packed, all, entry.size - 1));
    EXPECT_FALSE(decode_block(codec, packed.first(packed.size() - 9), all, entry.size));
    EXPECT_FALSE(decode_block(codec, packed.first(0), all, entry.size));
    std::string bad = entry.packed;
    bad.replace(40, 52, 52, '\xff');
    EXPECT_FALSE(decode_block(codec, as_bytes(bad), all, entry.size));
  }
  EXPECT_FALSE(decode_block(Codec::gzip, as_bytes(load("codec/lines.gz")), 10, 10));
  const std::string frame = load("codec/lines.lz4");
  auto got = decode_block(Codec::lz4_frame, as_bytes(frame), 100, lines().size());
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(as_text(*got), lines().substr(0, 100));
}

// Magics of zstd 0.1 to 0.7, which Debian's library would read.
TEST(Decode, FormatsBeforeZstd1AreRefused) {
  const std::string frame = load("codec/lines.zst");
  for (const char first : {'\x1e', '\x22', '\x23', '\x24', '\x25', '\x26', '\x27'}) {
    std::string old = frame;
    old[0] = first;
    for (const std::size_t step : {1, 1 << 20}) {
      const Got got = unpack(Codec::zstd, old, step);
      ASSERT_TRUE(got.error);
      EXPECT_NE(got.error->message.find("is no zstd frame"), std::string::npos);
      EXPECT_TRUE(unpack(Codec::zstd, frame + old, step).error);
    }
    EXPECT_FALSE(decode_block(Codec::zstd, as_bytes(old), 10, lines().size()));
    EXPECT_FALSE(decode_block(Codec::zstd, as_bytes(frame + old), 9000, lines().size()));
    EXPECT_FALSE(decode_block(Codec::zstd, as_bytes(old), 9000, lines().size()));
  }
  const std::string skipped("\x53\x2a\x4d\x18\3\0\0\0abc", 11);
  EXPECT_EQ(unpack(Codec::zstd, skipped + frame + skipped, 1).text, lines());
}

TEST(Crc32, IsTheOneOfGzip) {
  EXPECT_EQ(crc32_update(0, as_bytes("123456789")), 0xcbf43926u);  // the check value of CRC-32
  EXPECT_EQ(crc32_update(crc32_update(0, as_bytes("1234")), as_bytes("56789")), 0xcbf43926u);
  EXPECT_EQ(crc32_update(0, as_bytes("")), 0u);
}

}  // namespace
}  // namespace kernelfit
