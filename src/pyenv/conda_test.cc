// SPDX-License-Identifier: Apache-2.0
#include "pyenv/conda.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/text.h"

namespace kernelfit {
namespace {

std::string load(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/pyenv/conda_meta/" + name);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

struct {
  const char* file;
  const char* name;
  const char* version;
  const char* channel;
} constexpr kRecords[] = {
    {"conda-forge_pytorch-1.11.0-cuda102py310hdf4a2db_202_index.json", "pytorch", "1.11.0", ""},
    {"pytorch-1.13.0-py3.10_cpu.json", "pytorch", "1.13.0", "pytorch"},
    {"pytorch-1.5.1-py3.5_cuda10.1.json", "pytorch", "1.5.1", "pytorch"},
    {"pytorch-2.1.0-py3.10_cuda11.8.json", "pytorch", "2.1.0", "pytorch"},
    {"pytorch-2.1.0-py3.9_cuda12.1.json", "pytorch", "2.1.0", "pytorch"},
    {"pytorch-cuda-12.1-ha16c6d3_5.json", "pytorch-cuda", "12.1", "pytorch"},
    {"torchtriton-2.1.0-py310.json", "torchtriton", "2.1.0", "pytorch"},
};

TEST(Conda, ReadsRealRecords) {
  for (const auto& c : kRecords) {
    SCOPED_TRACE(c.file);
    const std::string text = load(c.file);
    auto record = parse_conda_record(text);
    ASSERT_TRUE(record) << record.error().text();
    EXPECT_EQ(record->name, c.name);
    EXPECT_EQ(record->version, c.version);
    EXPECT_EQ(record->channel, c.channel);
    auto channel = parse_conda_channel(text);
    ASSERT_TRUE(channel);
    EXPECT_EQ(*channel, c.channel);
  }
}

// The list of files behind the channel is megabytes long and is not read.
TEST(Conda, FindsTheChannelInACutFile) {
  auto channel = parse_conda_channel(
      "{\n \"build\": \"cuda126_mkl_py312_h30b5a27_300\",\n \"build_number\": 300,\n"
      " \"channel\": \"https://conda.anaconda.org/conda-forge/linux-64\",\n"
      " \"constrains\": [\"pytorch-cpu <0.0a0\", \"channel\"],\n \"files\": [\"bin/torchrun\", "
      "\"li");
  ASSERT_TRUE(channel);
  EXPECT_EQ(*channel, "conda-forge");
  EXPECT_EQ(*parse_conda_channel("{\"a\": {\"channel\": \"wrong\"}, \"b\": [\"channel\", \"no\"]}"),
            "");
  EXPECT_EQ(*parse_conda_channel("{\"a\\\"channel\": \"x\", \"channel\" : \"pytorch\"}"),
            "pytorch");
  EXPECT_EQ(*parse_conda_channel("{\"channel\": \"cut"), "cut");
  EXPECT_FALSE(parse_conda_channel(""));
  EXPECT_FALSE(parse_conda_channel("\xff\xfe nothing"));
}

TEST(Conda, RefusesBrokenRecords) {
  for (const char* text : {"", "{", "[]", "{\"name\": \"pytorch\"}", "{\"version\": \"1\"}"}) {
    EXPECT_FALSE(parse_conda_record(text)) << text;
  }
}

// Builds of the fixtures, of cases.json and of the channels' own listings.
struct {
  const char* build;
  const char* cuda;
  const char* cudnn;
  const char* python;
  bool cpu;
} constexpr kBuilds[] = {
    {"py3.10_cuda11.8_cudnn8.7.0_0", "11.8", "8.7.0", "3.10", false},
    {"py3.5_cuda10.1.243_cudnn7.6.3_0", "10.1", "7.6.3", "3.5", false},
    {"py36_cuda9.0.176_cudnn7.4.1_1", "9.0", "7.4.1", "3.6", false},
    {"py3.10_cpu_0", "", "", "3.10", true},
    {"py3.7_cpu_0", "", "", "3.7", true},
    {"cuda102py310hdf4a2db_202", "10.2", "", "3.10", false},
    {"cuda112py39h4de5995_200", "11.2", "", "3.9", false},
    {"cuda126_mkl_py312_h30b5a27_300", "12.6", "", "3.12", false},
    {"cuda129_generic_py312_h1234567_200", "12.9", "", "3.12", false},
    {"cuda130_mkl_py313_hcafe123_300", "13.0", "", "3.13", false},
    {"cpu_generic_py312_h1234567_1", "", "", "3.12", true},
    {"cpu_py310h1234567_0", "", "", "3.10", true},
    {"gpu_cuda118py311h92adc5a_0", "11.8", "", "3.11", false},
    {"py310_cu121", "12.1", "", "3.10", false},
    {"py39_cpu", "", "", "3.9", true},
    {"py37_cu92", "9.2", "", "3.7", false},
    {"py310_cu11.8.0_pyt2.0.1", "11.8", "", "3.10", false},
    {"ha16c6d3_5", "", "", "", false},
    {"h1234cuda9_0", "", "", "", false},
    {"py310", "", "", "3.10", false},
    {"", "", "", "", false},
    {"cuda", "", "", "", false},
};

TEST(Conda, ReadsBuildStrings) {
  auto text = [](const std::optional<DottedVersion>& version) {
    return version ? version->text() : std::string();
  };
  for (const auto& c : kBuilds) {
    SCOPED_TRACE(c.build);
    const CondaBuild build = parse_conda_build(c.build);
    EXPECT_EQ(text(build.cuda), c.cuda);
    EXPECT_EQ(text(build.cudnn), c.cudnn);
    EXPECT_EQ(text(build.python), c.python);
    EXPECT_EQ(build.cpu, c.cpu);
  }
}

TEST(Conda, ShortensChannels) {
  struct {
    const char* text;
    const char* name;
  } constexpr kCases[] = {
      {"pytorch", "pytorch"},
      {"https://conda.anaconda.org/conda-forge/linux-64", "conda-forge"},
      {"https://conda.anaconda.org/pytorch/linux-64/pytorch-2.1.0-py3.10_cpu_0.tar.bz2", "pytorch"},
      {"https://repo.anaconda.com/pkgs/main/linux-64", "pkgs/main"},
      {"https://conda.anaconda.org/nvidia/label/cuda-11.8.0/linux-64", "nvidia/label/cuda-11.8.0"},
      {"https://mirrors.example/anaconda/cloud/pytorch/linux-64/", "pytorch"},
      {"https://conda.example/t/to-ken/private/noarch", "private"},
      {"https://conda.example", ""},
      {"", ""},
  };
  for (const auto& c : kCases) EXPECT_EQ(conda_channel_name(c.text), c.name) << c.text;
}

TEST(Conda, TakesFileNamesApart) {
  auto name = parse_conda_file_name("pytorch-2.1.0-py3.10_cuda11.8_cudnn8.7.0_0.json");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->name, "pytorch");
  EXPECT_EQ(name->version, "2.1.0");
  EXPECT_EQ(name->build, "py3.10_cuda11.8_cudnn8.7.0_0");
  name = parse_conda_file_name("pytorch-cuda-11.8-h7e8668a_6.json");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->name, "pytorch-cuda");
  EXPECT_FALSE(parse_conda_file_name("history"));
  EXPECT_FALSE(parse_conda_file_name("a.json"));
  EXPECT_FALSE(parse_conda_file_name("-1-2.json"));
}

TEST(Conda, ListsEnvironments) {
  EXPECT_EQ(parse_conda_environments("/home/user/miniconda3\n\n/home/user/miniconda3/envs/ai\r\n"),
            (std::vector<std::string>{"/home/user/miniconda3", "/home/user/miniconda3/envs/ai"}));
}

}  // namespace
}  // namespace kernelfit
