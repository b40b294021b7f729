// SPDX-License-Identifier: Apache-2.0
// A stand-in for libnvidia-ml.so.1 and libcuda.so.1, for tests on machines without a GPU. It
// answers from the file that KERNELFIT_FAKE_NVML names:
//
//   mode=ok               ok, crash, hang, mismatch, not-loaded, lost, unknown, cuda-hang,
//                         cuda-crash
//   driver=535.183.01
//   cuda=12020
//   gpu=NVIDIA GeForce RTX 3090|1|220410DE|87AD1043|8.6|24576|GPU-1
//
// Built a second time with KF_OLD it lacks the functions that a driver of 2014 lacks.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Card {
  std::string name, uuid;
  unsigned bus = 0, id = 0, subsystem = 0;
  int major = 0, minor = 0;
  unsigned long long memory_mib = 0;
};
struct Scenario {
  std::string mode = "ok", driver;
  int cuda = 0;
  std::vector<Card> cards;
};

Card card_of(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (std::size_t bar; (bar = line.find('|', at)) != std::string::npos; at = bar + 1) {
    parts.push_back(line.substr(at, bar - at));
  }
  parts.push_back(line.substr(at));
  Card card;
  if (parts.size() != 7) return card;
  card.name = parts[0];
  card.bus = static_cast<unsigned>(std::stoul(parts[1], nullptr, 16));
  card.id = static_cast<unsigned>(std::stoul(parts[2], nullptr, 16));
  card.subsystem = static_cast<unsigned>(std::stoul(parts[3], nullptr, 16));
  std::sscanf(parts[4].c_str(), "%d.%d", &card.major, &card.minor);
  card.memory_mib = std::stoull(parts[5]);
  card.uuid = parts[6];
  return card;
}

Scenario load() {
  Scenario scenario;
  const char* path = std::getenv("KERNELFIT_FAKE_NVML");
  std::ifstream file(path == nullptr ? "" : path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("mode=", 0) == 0) scenario.mode = line.substr(5);
    if (line.rfind("driver=", 0) == 0) scenario.driver = line.substr(7);
    if (line.rfind("cuda=", 0) == 0) scenario.cuda = std::stoi(line.substr(5));
    if (line.rfind("gpu=", 0) == 0) scenario.cards.push_back(card_of(line.substr(4)));
  }
  return scenario;
}
const Scenario& scenario() {
  static const Scenario loaded = load();
  return loaded;
}

int put(char* into, unsigned size, const std::string& text) {
  if (text.size() + 1 > size) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  std::memcpy(into, text.c_str(), text.size() + 1);
  return 0;
}
const Card& card(void* device) {
  return *static_cast<const Card*>(device);
}

int init() {
  const std::string& mode = scenario().mode;
  if (mode == "crash") std::abort();
  if (mode == "hang") {
    for (;;) pause();
  }
  if (mode == "mismatch") return 18;
  if (mode == "not-loaded") return 9;
  if (mode == "unknown") return 999;  // NVML_ERROR_UNKNOWN
  return 0;
}

struct PciInfo {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char text[32];
};
int pci_info(void* device, PciInfo* out, bool with_text) {
  std::snprintf(out->legacy, sizeof out->legacy, "0000:%02X:00.0", card(device).bus & 0xffU);
  out->domain = 0;
  out->bus = card(device).bus;
  out->device = 0;
  out->id = card(device).id;
  out->subsystem = card(device).subsystem;
  if (with_text) {
    std::snprintf(out->text, sizeof out->text, "00000000:%02X:00.0", card(device).bus & 0xffU);
  }
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return init();
}
int nvmlShutdown() {
  return 0;
}
const char* nvmlErrorString(int code) {
  switch (code) {
    case 0: return "Success";
    case 9: return "Driver Not Loaded";
    case 15: return "GPU is lost";
    case 18: return "Driver/library version mismatch";
    default: return "Unknown Error";
  }
}
int nvmlSystemGetDriverVersion(char* into, unsigned size) {
  return put(into, size, scenario().driver);
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(scenario().cards.size());
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (scenario().mode == "lost" && index == 0) return 15;
  *device = const_cast<Card*>(&scenario().cards.at(index));
  return 0;
}
int nvmlDeviceGetName(void* device, char* into, unsigned size) {
  return put(into, size, card(device).name);
}
int nvmlDeviceGetUUID(void* device, char* into, unsigned size) {
  return put(into, size, card(device).uuid);
}
int nvmlDeviceGetPciInfo_v2(void* device, PciInfo* out) {
  return pci_info(device, out, false);
}

#ifndef KF_OLD
int nvmlDeviceGetPciInfo_v3(void* device, PciInfo* out) {
  return pci_info(device, out, true);
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = scenario().cuda;
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *major = card(device).major;
  *minor = card(device).minor;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* total_free_used) {
  total_free_used[0] = card(device).memory_mib << 20;
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned*, unsigned*) {
  return 3;
}  // not supported
int nvmlDeviceGetComputeMode(void*, int* mode) {
  *mode = 3;
  return 0;
}
int cuDriverGetVersion(int* version) {
  if (scenario().mode == "cuda-hang") {
    for (;;) pause();
  }
  if (scenario().mode == "cuda-crash") std::abort();
  *version = scenario().cuda;
  return 0;
}
#endif

}  // extern "C"
