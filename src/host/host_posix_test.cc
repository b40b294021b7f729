// SPDX-License-Identifier: Apache-2.0
// The machine that runs the tests, with the odd things a disk can hold.
#include "host/host.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "host/file_access.h"
#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

TEST(RealHost, ReadsFilesOfEverySize) {
  TemporaryFolder folder;
  auto host = real_host();
  for (std::size_t size : {0, 1, 4095, 4096, 4097, 100'000}) {
    std::string text(size, 'x');
    auto got = host->read_file(folder.write("f", text));
    ASSERT_TRUE(got) << got.error().text();
    EXPECT_EQ(*got, text);
  }
}

TEST(RealHost, ReadsFilesThatSayTheyAreEmpty) {
  auto got = real_host()->read_file("/proc/self/status");  // its size is 0
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->starts_with("Name:")) << *got;
}

#ifdef SEEK_DATA
TEST(RealHost, KnowsHolesWithoutReadingThem) {
  constexpr off_t kData = off_t{8} << 20, kSize = off_t{64} << 20;
  TemporaryFolder folder;
  const std::string path = folder.write("sparse", "");
  const int file = open(path.c_str(), O_WRONLY);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, kSize), 0);
  ASSERT_EQ(pwrite(file, "here", 4, kData), 4);
  close(file);
  const auto access = real_host()->open_file(path);
  ASSERT_TRUE(access);
  const FileAccess* holes = as_file(**access);
  ASSERT_NE(holes, nullptr);
  const std::uint64_t data = kData, size = kSize;
  // A file system without holes says that all of it is data.
  const std::uint64_t first = holes->next_data(0);
  EXPECT_TRUE(first == data || first == 0) << first;
  EXPECT_EQ(holes->next_data(data), data);
  EXPECT_EQ(holes->next_data(data + 2), data + 2);
  const std::uint64_t behind = holes->next_data(data + (std::uint64_t{1} << 20));
  EXPECT_TRUE(behind == size || first == 0) << behind;
  EXPECT_EQ(holes->next_data(size), size);
  const auto plain = real_host()->open_file(folder.write("plain", "text"));
  EXPECT_EQ(as_file(**plain)->next_data(1), 1u);
}
#endif

TEST(RealHost, HoldsToTheLimit) {
  TemporaryFolder folder;
  auto path = folder.write("f", std::string(1000, 'x'));
  EXPECT_TRUE(real_host()->read_file(path, 1000));
  auto got = real_host()->read_file(path, 999);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::unsupported);
  EXPECT_NE(got.error().text().find("1000 bytes"), std::string::npos) << got.error().text();
}

TEST(RealHost, RefusesAGigabyteWithoutReadingIt) {
  TemporaryFolder folder;
  auto path = folder.write("version.py", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);
  auto host = real_host();
  auto start = host->clock_ms();
  auto got = host->read_file(path);
  EXPECT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::unsupported);
  EXPECT_LT(host->clock_ms() - start, 100);
  // In places it can be read.
  auto file = host->open_file(path);
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->size(), std::uint64_t{1} << 30);
  std::byte tail[16];
  EXPECT_TRUE((*file)->read((std::uint64_t{1} << 30) - 16, tail));
  EXPECT_FALSE((*file)->read((std::uint64_t{1} << 30) - 15, tail));
}

TEST(RealHost, DoesNotWaitForAPipe) {
  TemporaryFolder folder;
  auto path = folder.path("version.py");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  auto host = real_host();
  auto text = host->read_file(path);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::unsupported);
  EXPECT_FALSE(host->open_file(path));
  EXPECT_EQ(host->file_info(path)->kind, FileKind::other);
  EXPECT_FALSE(host->read_file("/dev/zero"));
  EXPECT_FALSE(host->read_file(folder.path()));  // a folder
}

// Root reads everything, so for the question it becomes nobody.
class AsNobody {
 public:
  AsNobody() : is_nobody_(geteuid() != 0 || seteuid(65534) == 0) {}
  ~AsNobody() { EXPECT_TRUE(seteuid(getuid()) == 0); }
  bool is_nobody() const { return is_nobody_; }

 private:
  bool is_nobody_;
};

TEST(RealHost, TellsDeniedFromMissing) {
  TemporaryFolder folder;
  auto path = folder.write("secret", "x");
  auto closed = folder.write("closed/file", "x");
  chmod(path.c_str(), 0);
  chmod(folder.path("closed").c_str(), 0);
  auto host = real_host();
  {
    AsNobody nobody;
    ASSERT_TRUE(nobody.is_nobody());
    EXPECT_EQ(host->read_file(path).error().kind, ErrorKind::denied);
    EXPECT_EQ(host->open_file(path).error().kind, ErrorKind::denied);
    EXPECT_EQ(host->list_dir(folder.path("closed")).error().kind, ErrorKind::denied);
    EXPECT_EQ(host->read_file(closed).error().kind, ErrorKind::denied);
    EXPECT_EQ(host->file_info(closed).error().kind, ErrorKind::denied);
    EXPECT_EQ(host->file_info(path)->size_bytes, 1u);
  }
  chmod(folder.path("closed").c_str(), 0700);
  EXPECT_EQ(host->read_file(folder.path("nothing")).error().kind, ErrorKind::not_found);
  EXPECT_EQ(host->read_file(path + "/below").error().kind, ErrorKind::not_found);
}

TEST(RealHost, EndsAtALoopOfLinks) {
  TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.path("a"));
  std::filesystem::create_symlink("a", folder.path("b"));
  auto host = real_host();
  for (const auto& path : {folder.path("a"), folder.path("b/c")}) {
    EXPECT_EQ(host->read_file(path).error().kind, ErrorKind::malformed) << path;
    EXPECT_FALSE(host->real_path(path));
    EXPECT_FALSE(host->file_info(path));
  }
  EXPECT_EQ(host->link_info(folder.path("a"))->kind, FileKind::symlink);
  EXPECT_EQ(host->read_link(folder.path("a")).value(), "b");
}

TEST(RealHost, ListsAFolderInOrder) {
  TemporaryFolder folder;
  for (const char* name : {"c", "a", "B"}) folder.write(name, "");
  folder.write("dir/x", "");
  std::filesystem::create_symlink("c", folder.path("link"));
  auto entries = real_host()->list_dir(folder.path());
  ASSERT_TRUE(entries);
  std::string names;
  for (const auto& entry : *entries) names += entry.name + " ";
  EXPECT_EQ(names, "B a c dir link ");
  EXPECT_EQ((*entries)[3].kind, FileKind::directory);
  EXPECT_EQ((*entries)[4].kind, FileKind::symlink);
  EXPECT_FALSE(real_host()->list_dir(folder.path("a")));
}

TEST(RealHost, TheSameFileUnderTwoNames) {
  TemporaryFolder folder;
  auto path = folder.write("lib.so.1", "x");
  std::filesystem::create_symlink("lib.so.1", folder.path("lib.so"));
  auto host = real_host();
  auto first = host->file_info(path), second = host->file_info(folder.path("lib.so"));
  EXPECT_EQ(first->inode, second->inode);
  EXPECT_EQ(first->device, second->device);
  EXPECT_EQ(host->real_path(folder.path("lib.so")).value(), host->real_path(path).value());
}

TEST(RealHost, KnowsItself) {
  auto host = real_host();
  EXPECT_FALSE(host->is_recorded());
  EXPECT_TRUE(host->exists(host->self_path()));
  EXPECT_TRUE(host->is_dir(host->current_dir()));
  EXPECT_EQ(host->user_id(), static_cast<int>(geteuid()));
  EXPECT_FALSE(host->env("KERNELFIT_NO_SUCH_VARIABLE").has_value());
}

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    if (before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(RealHost, KeepsSmallThingsInTheCacheFolder) {
  TemporaryFolder folder;
  Variable cache("XDG_CACHE_HOME", folder.path());
  auto host = real_host();
  EXPECT_EQ(host->read_cache("x.json").error().kind, ErrorKind::not_found);
  ASSERT_TRUE(host->write_cache("x.json", "one"));
  ASSERT_TRUE(host->write_cache("x.json", "two"));
  EXPECT_EQ(host->read_cache("x.json").value(), "two");
  EXPECT_EQ(folder.read("kernelfit/x.json"), "two");
  struct stat info;
  ASSERT_EQ(stat(folder.path("kernelfit/x.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  EXPECT_FALSE(host->write_cache("large", std::string(Host::kMaxCacheFile + 1, 'x')));
  EXPECT_EQ(host->list_dir(folder.path("kernelfit"))->size(), 1u);  // and nothing half written
}

TEST(RealHost, TakesNoCacheThatOthersCanWrite) {
  TemporaryFolder folder;
  Variable cache("XDG_CACHE_HOME", folder.path());
  auto host = real_host();
  ASSERT_TRUE(host->write_cache("x.json", "one"));
  chmod(folder.path("kernelfit/x.json").c_str(), 0666);
  EXPECT_EQ(host->read_cache("x.json").error().kind, ErrorKind::denied);
  const auto elsewhere = folder.write("elsewhere", "one");
  std::filesystem::create_symlink(elsewhere, folder.path("kernelfit/link"));
  EXPECT_EQ(host->read_cache("link").error().kind, ErrorKind::denied);
  chmod(folder.path("kernelfit").c_str(), 0777);
  EXPECT_EQ(host->write_cache("y.json", "one").error().kind, ErrorKind::denied);
}

TEST(RealHost, GoesWithoutACacheFolder) {
  TemporaryFolder folder;
  const auto file = folder.write("file", "");
  Variable cache("XDG_CACHE_HOME", file);
  EXPECT_FALSE(real_host()->write_cache("x.json", "one"));
  EXPECT_FALSE(real_host()->read_cache("x.json"));
}

}  // namespace
}  // namespace kernelfit
