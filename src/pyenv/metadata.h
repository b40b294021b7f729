// SPDX-License-Identifier: Apache-2.0
// What an installed distribution says of itself: the files of its .dist-info folder, or its
// .egg-info. Pure parsers; a hostile file costs no more than its length.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kernelfit {

// METADATA of a .dist-info, PKG-INFO of an .egg-info (PyPA core metadata, an e-mail header).
struct Metadata {
  std::string name;  // as written
  std::string version;
  std::string requires_python;
  std::vector<std::string> requires_dist;  // "nvidia-cudnn-cu12==9.5.1.17; platform_system == …"
};
// An error without a name or a version. Only the header is read, the description is left alone.
Result<Metadata> parse_metadata(std::string_view text);

// The folder's or file's name alone: torch-2.1.0+cu118.dist-info, torch-1.0.0-py3.6.egg-info,
// torch.egg-info. The version is empty where the name has none.
struct DistFolder {
  std::string name;  // as written
  std::string version;
  bool is_egg = false;
};
std::optional<DistFolder> parse_dist_folder(std::string_view file_name);

// INSTALLER: "pip\n", "uv", "conda", "poetry 1.8.3". The first word; empty where it says nothing.
std::string parse_installer(std::string_view text);

// direct_url.json (PEP 610): installed from a file, a URL or a repository and not from an index.
struct DirectUrl {
  std::string url;
  bool editable = false;
  std::string vcs;  // "git"
};
Result<DirectUrl> parse_direct_url(std::string_view text);

// A *.pth file of a site folder (site.py, addpackage()): the folders it adds, as written, relative
// to the site. Lines of Python are left out.
std::vector<std::string> parse_pth(std::string_view text);

// "/home/user/src/torch" of file:///home/user/src/torch, "C:\\src" of file:///C:/src; empty for
// another kind of URL.
std::string path_of_file_url(std::string_view url);

}  // namespace kernelfit
