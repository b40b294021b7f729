// SPDX-License-Identifier: Apache-2.0
#include "host/redact.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace kernelfit {
namespace {

struct Case {
  const char *text, *redacted;
};
Redaction names() {
  return {.user_names = {"alice", "bob"}, .host_names = {"box.example.org", "box"}, .uuids = {}};
}

TEST(RedactSecrets, HidesTokensAndPasswords) {
  constexpr Case kCases[] = {
      {"index-url = https://ci:s3cr3t@pypi.example.org/simple",
       "index-url = https://***@pypi.example.org/simple"},
      {"--index-url https://__token__:pypi-AgEIcHlwaS5vcmcCJDU4@host/simple",
       "--index-url https://***@host/simple"},
      {"HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "HF_TOKEN=***"},
      {"logged in with hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345.", "logged in with ***."},
      {"remote: ghp_0123456789abcdefghijklmnopqrstuvwxyz failed", "remote: *** failed"},
      {"github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "***"},
      {"Authorization: Bearer abcdefghijklmnop.qrstuv", "Authorization: Bearer ***"},
      {"Authorization: Basic dXNlcjpwYXNz\n", "Authorization: Basic ***\n"},
      {"aws_access_key_id = AKIAIOSFODNN7EXAMPLE", "aws_access_key_id = ***"},
      {"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
       "aws_secret_access_key = ***"},
      {"seen AKIAIOSFODNN7EXAMPLE in a log", "seen *** in a log"},
      {"mysql --password hunter2 -h db", "mysql --password *** -h db"},
      {"mysql --password=hunter2", "mysql --password=***"},
      {"{\"api_key\": \"0123456789\", \"model\": \"x\"}",
       "{\"api_key\": \"***\", \"model\": \"x\"}"},
      {"https://host/simple?token=abcdef&x=1", "https://host/simple?token=***&x=1"},
      {"password: p", "password: ***"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter",
       "-----BEGIN RSA PRIVATE KEY-----\n***\n-----END RSA PRIVATE KEY-----\nafter"},
  };
  for (const auto& c : kCases) EXPECT_EQ(redact_secrets(c.text), c.redacted);
}

TEST(RedactSecrets, LeavesTheRestAlone) {
  for (const char* text : {
           "SyntaxError: unexpected token: foo",
           "tokenizer = fast; max_tokens=128",
           "https://download.pytorch.org/whl/cu126",
           "git+https://github.com/pytorch/pytorch@v2.1.0",
           "PWD=/work",
           "Bearer of news",
           "hf_transformers hf_hub_download(...)",
           "sk-learn scikit-learn",
           "error: RuntimeError: CUDA error: no kernel image is available",
           "a secret: it works",
           "token=$HF_TOKEN",
       }) {
    EXPECT_EQ(redact_secrets(text), text);
  }
}

TEST(Redact, HidesPeopleAndMachines) {
  constexpr Case kCases[] = {
      {"/home/alice/venv/bin/python", "/home/user/venv/bin/python"},
      {"/home/bob/venv", "/home/user2/venv"},
      {"/home/carol/venv", "/home/user/venv"},
      {"C:\\Users\\Alice\\AppData\\Local", "C:\\Users\\user\\AppData\\Local"},
      {"C:\\Users\\Carol Smith\\AppData", "C:\\Users\\user\\AppData"},
      {"\"C:\\\\Users\\\\carol\\\\x\"", "\"C:\\\\Users\\\\user\\\\x\""},
      {"/mnt/c/Users/carol/x", "/mnt/c/Users/user/x"},
      {"PATH=/home/carol/bin:/home/dave/bin", "PATH=/home/user/bin:/home/user/bin"},
      {"Nov 30 12:00:01 box kernel: NVRM: Xid (PCI:0000:01:00): 79",
       "Nov 30 12:00:01 host kernel: NVRM: Xid (PCI:0000:01:00): 79"},
      {"ssh alice@box.example.org", "ssh user@host"},
      {"owner: Alice", "owner: user"},
      {"malice and boxes", "malice and boxes"},
      {"<serial>1322621042589</serial>", "<serial>0000000000000</serial>"},
      {"    Serial Number                         : 1322621042589",
       "    Serial Number                         : 0000000000000"},
      {"\"board_serial\": \"PK1234A5\"", "\"board_serial\": \"00000000\""},
      {"usb 1-1: SerialNumber: 4C530001230", "usb 1-1: SerialNumber: 00000000000"},
      {"eth0: 00:1b:21:3c:4d:5e, link up", "eth0: 00:00:00:00:00:00, link up"},
      {"Device Serial Number 48-b0-2d-ff-ff-8a-1b-2c",
       "Device Serial Number 00-00-00-00-00-00-00-00"},
      {"inet 10.1.2.3/24 brd 192.168.1.255", "inet 192.0.2.1/24 brd 192.0.2.1"},
      {"connect to http://10.3.7.77:8080/x", "connect to http://192.0.2.1:8080/x"},
      {"from 203.0.113.9 port 22", "from 192.0.2.1 port 22"},
      {"inet6 fe80::21b:21ff:fe3c:4d5e/64", "inet6 2001:db8::1/64"},
  };
  for (const auto& c : kCases) EXPECT_EQ(redact(c.text, names()), c.redacted);
}

// What a diagnosis needs. A report in which these are gone is worth nothing.
TEST(Redact, LeavesFactsAlone) {
  for (const char* text : {
           "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC "
           "2024",
           "nvidia-cudnn-cu12 8.9.7.29",
           "nvidia-curand-cu12==10.3.7.77",
           "libcublas.so.12.6.4.1",
           "cuDNN version 9.10.2.21, cublas 12.6.4.1",
           "0000:01:00.0 VGA compatible controller [0300]: NVIDIA [10de:2204]",
           "<gpu id=\"00000000:01:00.0\">",
           "torch::cuda::is_available() c10::Error",
           "NVRM: GPU 0000:01:00.0: Failed 0x26:0x56:1474",
           "Serial: 8250/16550 driver, 4 ports, IRQ sharing enabled",
           "<serial>N/A</serial>",
           "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
           "/home/user/venv /home/ubuntu/venv /home/jovyan",
           "12:34:56 2024-05-12",
           "listening on 127.0.0.1:8888",
           "32.0.15.6590 and 6.8.0.45.47",
           "sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
       }) {
    EXPECT_EQ(redact(text, names()), text);
  }
}

// "nvidia" is the first user of a Jetson; taking it away would take the report away.
TEST(Redact, KeepsUserNamesThatAreWordsOfTheTrade) {
  Redaction what{.user_names = {"nvidia", "root", "a"},
                 .host_names = {"nvidia-desktop", "ubuntu"},
                 .uuids = {}};
  EXPECT_EQ(redact("root: a nvidia driver on ubuntu, nvidia-desktop", what),
            "root: a nvidia driver on ubuntu, host");
}

TEST(Redact, KeepsWhichUuidIsWhich) {
  const char* text =
      "GPU 0: NVIDIA A100 (UUID: GPU-8f3a1b2c-1111-2222-3333-444455556666)\n"
      "GPU 1: NVIDIA A100 (UUID: GPU-9e4b2c3d-1111-2222-3333-444455556666)\n"
      "CUDA_VISIBLE_DEVICES=GPU-9e4b2c3d,GPU-8f3a1b2c-1111-2222-3333-444455556666\n"
      "MIG 3g.20gb (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)\n"
      "MIG-GPU-8f3a1b2c-1111-2222-3333-444455556666/1/0\n"
      "boot 123e4567-e89b-42d3-a456-426614174000\n";
  EXPECT_EQ(redact(text, {}),
            "GPU 0: NVIDIA A100 (UUID: GPU-00000001-0000-0000-0000-000000000000)\n"
            "GPU 1: NVIDIA A100 (UUID: GPU-00000002-0000-0000-0000-000000000000)\n"
            "CUDA_VISIBLE_DEVICES=GPU-00000002,GPU-00000001-0000-0000-0000-000000000000\n"
            "MIG 3g.20gb (UUID: MIG-00000003-0000-0000-0000-000000000000)\n"
            "MIG-GPU-00000001-0000-0000-0000-000000000000/1/0\n"
            "boot 00000004-0000-0000-0000-000000000000\n");
  // Another text of the same recording agrees, whatever comes first in it.
  Redaction what;
  collect_uuids(text, what.uuids);
  EXPECT_EQ(redact("<uuid>GPU-9e4b2c3d-1111-2222-3333-444455556666</uuid>", what),
            "<uuid>GPU-00000002-0000-0000-0000-000000000000</uuid>");
  // /proc/driver/nvidia/gpus/*/information as a user sees it before the GPU was started
  EXPECT_EQ(redact("GPU UUID: \t GPU-\?\?\?\?\?\?\?\?-\?\?\?\?-\?\?\?\?", what),
            "GPU UUID: \t GPU-\?\?\?\?\?\?\?\?-\?\?\?\?-\?\?\?\?");
}

TEST(Redact, ContainerIds) {
  std::string id(64, 'a');
  EXPECT_EQ(redact("0::/docker/" + id + "\n", {}), "0::/docker/" + std::string(64, '0') + "\n");
  EXPECT_EQ(redact("docker-" + id + ".scope", {}), "docker-" + std::string(64, '0') + ".scope");
}

TEST(Redact, TwiceIsAsGoodAsOnce) {
  const char* text =
      "/home/alice GPU-8f3a1b2c-1111-2222-3333-444455556666 https://a:b@c/ serial: 123456X "
      "00:1b:21:3c:4d:5e 203.0.113.9 HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrSt box";
  auto once = redact(text, names());
  EXPECT_EQ(redact(once, names()), once);
}

TEST(Redact, IsQuickOnLongTexts) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "line 10.3.7.77 serial 12 00000000:01:00.0 a1b2c3d4 abc\n";
  EXPECT_EQ(redact(text, names()).size(), text.size());
}

}  // namespace
}  // namespace kernelfit
