// SPDX-License-Identifier: Apache-2.0
// The examples of the OCI image-spec (layer.md), and what links do. Random layers are held against
// a real file system in tests/scan_image_test.py.
#include "oci/overlay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oci/image.h"

namespace kernelfit {
namespace {

using Layer = std::vector<LayerMember>;

LayerMember file(const std::string& name) {
  return {name, 'f', "", 0, true};
}
LayerMember link(const std::string& name, char type, const std::string& target) {
  return {name, type, target, 0, false};
}

std::string names_after(const std::vector<Layer>& layers) {
  Overlay overlay;
  for (const Layer& layer : layers) {
    std::uint64_t number = 0;
    for (LayerMember member : layer) {
      member.number = number++;
      overlay.add(member);
    }
    overlay.end_layer();
  }
  std::string out;
  for (const auto& [path, content] : overlay.files()) {
    out += path + "@" + std::to_string(content.layer) + "." + std::to_string(content.number) + " ";
  }
  return out;
}

TEST(Overlay, WhiteoutsAreAboutLayersBelowAloneWhereverTheyStand) {
  EXPECT_EQ(names_after({{file("a/b/c/bar")}, {file("a/.wh..wh..opq"), file("a/b/c/foo")}}),
            "a/b/c/foo@1.1 ");
  EXPECT_EQ(names_after({{file("a/b/c/bar")}, {file("a/b/c/foo"), file("a/.wh..wh..opq")}}),
            "a/b/c/foo@1.0 ");
  EXPECT_EQ(names_after({{file("bin/x"), file("bin/y")}, {file("bin/.wh.x")}}), "bin/y@0.1 ");
  EXPECT_EQ(names_after({{file("bin/x"), file("bind")}, {file(".wh.bin")}}), "bind@0.1 ");
  EXPECT_EQ(names_after({{file("x")}, {file(".wh..wh..opq")}}), "");
}

TEST(Overlay, AFileTakesAFoldersPlaceAndAFolderAFiles) {
  EXPECT_EQ(names_after({{file("x/a"), file("x/b")}, {file("x")}}), "x@1.0 ");
  EXPECT_EQ(names_after({{file("x")}, {file("x/a")}}), "x/a@1.0 ");
  EXPECT_EQ(names_after({{file("x/a")}, {{"x", 'd', "", 0, false}}}), "x/a@0.0 ");
}

TEST(Overlay, AHardLinkIsTheContentThatItsTargetHas) {
  EXPECT_EQ(names_after({{file("a"), link("b", 'h', "a")}}), "a@0.0 b@0.0 ");
  EXPECT_EQ(names_after({{file("a"), link("b", 'h', "./a")}, {file("a")}}), "a@1.0 b@0.0 ");
  EXPECT_EQ(names_after({{file("a")}, {link("a", 'h', "a")}}), "a@0.0 ");
  EXPECT_EQ(names_after({{link("b", 'h', "nowhere")}}), "");
}

TEST(Overlay, ALinkOfTheSameLayerLeadsToAFolder) {
  EXPECT_EQ(names_after({{link("lib", 'l', "usr/lib"), file("lib/x.so")}}), "usr/lib/x.so@0.1 ");
  EXPECT_EQ(names_after({{link("a/lib", 'l', "../../../b"), file("a/lib/x.so")}}), "b/x.so@0.1 ");
  // In a layer above, the folder hides the link.
  EXPECT_EQ(names_after({{link("lib", 'l', "usr/lib")}, {file("lib/x.so")}}), "lib/x.so@1.0 ");
  // Two that lead to each other come to an end.
  EXPECT_NE(names_after({{link("a", 'l', "b"), link("b", 'l', "a"), file("a/x")}}), "");
}

TEST(Image, DigestsAndPlatforms) {
  EXPECT_TRUE(is_digest("sha256:" + std::string(64, 'a')));
  EXPECT_TRUE(is_digest("sha512:" + std::string(128, '0')));
  for (const std::string& bad : {"sha256:" + std::string(63, 'a'), "sha256:" + std::string(64, 'A'),
                                 "md5:" + std::string(32, 'a'), std::string(64, 'a'),
                                 "sha256:../" + std::string(61, 'a'), std::string()}) {
    EXPECT_FALSE(is_digest(bad)) << bad;
  }
  EXPECT_LT(platform_rank("linux/amd64"), platform_rank("linux/arm64"));
  EXPECT_LT(platform_rank("linux/arm64"), platform_rank("linux/s390x"));
  EXPECT_LT(platform_rank("linux/s390x"), platform_rank("windows/amd64"));
}

}  // namespace
}  // namespace kernelfit
