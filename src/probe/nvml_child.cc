// SPDX-License-Identifier: Apache-2.0
// The child's side: loads NVML and libcuda, asks, and writes down what it was told. It runs in a
// process of its own, because both libraries can crash and NVML can hang on a sick card.
#include "probe/nvml_child.h"

#include <array>
#include <cstdio>
#include <future>
#include <thread>

#include "base/text.h"
#include "host/dynamic_library.h"
#include "host/host.h"
#include "nvidia/pci_text.h"
#include "probe/driver_abi.h"
#include "probe/probe.h"

namespace kernelfit {
namespace {

constexpr unsigned kMaxGpus = 256;

// Where drivers put their libraries: the loader's path, WSL, the NVIDIA GPU operator's driver
// container, Windows before and after 2018.
std::vector<std::string> library_names(const Host& host, std::string_view variable,
                                       std::string_view linux_name, std::string_view windows_name) {
  if (auto given = host.env(variable)) return {*given};
  if (host.os() == OsFamily::windows) {
    return {std::string(windows_name),
            "C:\\Program Files\\NVIDIA Corporation\\NVSMI\\" + std::string(windows_name)};
  }
  std::vector<std::string> names = {std::string(linux_name)};
  for (std::string_view folder : {"/usr/lib/wsl/lib", "/run/nvidia/driver/usr/lib/x86_64-linux-gnu",
                                  "/run/nvidia/driver/usr/lib/aarch64-linux-gnu",
                                  "/run/nvidia/driver/usr/lib64", "/usr/local/nvidia/lib64"}) {
    names.push_back(join_path(folder, linux_name));
  }
  return names;
}

Result<DynamicLibrary> open_first(const std::vector<std::string>& names) {
  Result<DynamicLibrary> first = error(ErrorKind::not_found, "no name to try");
  for (const std::string& name : names) {
    Result<DynamicLibrary> library = DynamicLibrary::open(name);
    if (library) return library;
    // A library that is there and cannot be loaded tells more than one that is not there.
    bool tells_more = library.error().kind != ErrorKind::not_found;
    if (&name == &names.front() || (tells_more && first.error().kind == ErrorKind::not_found)) {
      first = std::move(library);
    }
  }
  return first;
}

std::string_view state_of(int code) {
  switch (code) {
    case abi::kSuccess: return "ok";
    case abi::kNoPermission: return "no-permission";
    case abi::kDriverNotLoaded: return "driver-not-loaded";
    case abi::kLibraryNotFound: return "no-library";
    case abi::kGpuIsLost:
    case abi::kResetRequired: return "gpu-lost";
    case abi::kOperatingSystem: return "blocked";
    case abi::kLibRmVersionMismatch: return "version-mismatch";
    default: return "unknown-error";
  }
}

// One loaded NVML; each question is nothing where the symbol is missing or the answer an error.
class Nvml {
 public:
  explicit Nvml(const DynamicLibrary& library) : library_(library) {}

  template <typename Signature, typename... Arguments>
  int call(const char* name, Arguments... arguments) const {
    auto* function = library_.function<Signature>(name);
    return function == nullptr ? abi::kNotSupported : function(arguments...);
  }
  std::optional<int> number(const char* name, abi::NvmlDevice device) const {
    int value = 0;
    if (call<abi::NvmlDeviceNumber>(name, device, &value) != abi::kSuccess) return std::nullopt;
    return value;
  }
  std::optional<std::pair<int, int>> pair(const char* name, abi::NvmlDevice device) const {
    int first = 0, second = 0;
    if (call<abi::NvmlDevicePair>(name, device, &first, &second) != abi::kSuccess) {
      return std::nullopt;
    }
    return std::pair(first, second);
  }
  std::string text(const char* name, abi::NvmlDevice device) const {
    std::array<char, 128> buffer = {};
    unsigned size = buffer.size() - 1;
    if (call<abi::NvmlDeviceText>(name, device, buffer.data(), size) != abi::kSuccess) return {};
    return printable(buffer.data());
  }
  std::string driver_version() const {
    std::array<char, 128> buffer = {};
    unsigned size = buffer.size() - 1;
    int code = call<abi::NvmlSystemText>("nvmlSystemGetDriverVersion", buffer.data(), size);
    return code == abi::kSuccess ? printable(buffer.data()) : "";
  }
  std::int64_t cuda_version() const {
    for (const char* name :
         {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"}) {
      int value = 0;
      if (call<abi::NvmlSystemNumber>(name, &value) == abi::kSuccess) return value;
    }
    return 0;
  }
  std::string error_text(int code) const {
    auto* function = library_.function<abi::NvmlErrorString>("nvmlErrorString");
    const char* text = function == nullptr ? nullptr : function(code);
    return text == nullptr ? "" : printable(text);
  }

 private:
  const DynamicLibrary& library_;
};

std::string hex8(unsigned number) {
  std::array<char, 16> buffer = {};
  std::snprintf(buffer.data(), buffer.size(), "0x%08X", number);
  return buffer.data();
}

void add_pci(const Nvml& nvml, abi::NvmlDevice device, Json& out) {
  for (const char* name : {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2"}) {
    abi::NvmlPciInfo pci = {};
    if (nvml.call<abi::NvmlDevicePci>(name, device, &pci) != abi::kSuccess) continue;
    std::array<char, 32> address = {};
    std::snprintf(address.data(), address.size(), "%08X:%02X:%02X.0", pci.domain, pci.bus & 0xffU,
                  pci.device & 0xffU);
    out["pci_bus_id"] = std::string(address.data());
    out["pci_device_id"] = hex8(pci.pci_device_id);
    out["pci_subsystem_id"] = hex8(pci.pci_subsystem_id);
    return;
  }
}

// MIG devices have handles and UUIDs of their own.
void add_mig(const Nvml& nvml, abi::NvmlDevice device, Json& out) {
  auto mode = nvml.pair("nvmlDeviceGetMigMode", device);
  if (!mode) return;
  out["mig"] = mode->first == 1;
  if (mode->first != 1) return;
  int most = nvml.number("nvmlDeviceGetMaxMigDeviceCount", device).value_or(0);
  std::vector<std::string> uuids;
  std::int64_t count = 0;
  for (int i = 0; i < most && i < 64; ++i) {
    abi::NvmlDevice instance = nullptr;
    int code = nvml.call<abi::NvmlMigHandle>("nvmlDeviceGetMigDeviceHandleByIndex", device,
                                             static_cast<unsigned>(i), &instance);
    if (code != abi::kSuccess) continue;
    ++count;
    std::string uuid = nvml.text("nvmlDeviceGetUUID", instance);
    if (!uuid.empty()) uuids.push_back(uuid);
  }
  out["mig_instances"] = count;
  out["mig_uuids"] = uuids;
}

// The names of NVML's numbers, as nvidia-smi prints them.
template <std::size_t N>
void add_word(Json& out, std::string_view key, std::optional<int> number,
              const std::array<std::string_view, N>& words) {
  if (number && *number >= 0 && static_cast<std::size_t>(*number) < N) {
    out[key] = words[static_cast<std::size_t>(*number)];
  }
}
constexpr std::array<std::string_view, 4> kComputeModes = {"Default", "Exclusive_Thread",
                                                           "Prohibited", "Exclusive_Process"};
constexpr std::array<std::string_view, 3> kDriverModels = {"WDDM", "TCC", "MCDM"};
constexpr std::array<std::string_view, 5> kVirtualizations = {"None", "Pass-Through", "VGPU",
                                                              "Host VGPU", "Host VSGA"};

Json gpu_json(const Nvml& nvml, abi::NvmlDevice device, unsigned index) {
  Json out = Json::object();
  out["index"] = static_cast<std::int64_t>(index);
  out["name"] = nvml.text("nvmlDeviceGetName", device);
  add_pci(nvml, device, out);
  if (auto capability = nvml.pair("nvmlDeviceGetCudaComputeCapability", device)) {
    out["compute_capability"] =
        std::to_string(capability->first) + "." + std::to_string(capability->second);
  }
  abi::NvmlMemory memory = {};
  if (nvml.call<abi::NvmlDeviceMemory>("nvmlDeviceGetMemoryInfo", device, &memory) ==
      abi::kSuccess) {
    out["memory_mib"] = static_cast<std::int64_t>(memory.total >> 20);
  }
  out["uuid"] = nvml.text("nvmlDeviceGetUUID", device);
  add_mig(nvml, device, out);
  add_word(out, "compute_mode", nvml.number("nvmlDeviceGetComputeMode", device), kComputeModes);
  if (auto model = nvml.pair("nvmlDeviceGetDriverModel", device)) {
    add_word(out, "driver_model", model->first, kDriverModels);
  }
  add_word(out, "virtualization", nvml.number("nvmlDeviceGetVirtualizationMode", device),
           kVirtualizations);
  return out;
}

void add_gpus(const Nvml& nvml, Json& out) {
  unsigned count = 0;
  int code = nvml.call<abi::NvmlCount>("nvmlDeviceGetCount_v2", &count);
  if (code != abi::kSuccess) {
    out["error"] = "nvmlDeviceGetCount_v2: " + nvml.error_text(code);
    return;
  }
  out["gpus"] = Json::array();
  for (unsigned i = 0; i < std::min(count, kMaxGpus); ++i) {
    abi::NvmlDevice device = nullptr;
    code = nvml.call<abi::NvmlHandle>("nvmlDeviceGetHandleByIndex_v2", i, &device);
    if (code == abi::kSuccess) {
      out["gpus"].push(gpu_json(nvml, device, i));
    } else {
      // "GPU is lost": the others still answer
      out["state"] = state_of(code);
      out["error"] = "GPU " + std::to_string(i) + ": " + nvml.error_text(code);
    }
  }
  if (count == 0) out["state"] = "no-devices";
}

Json nvml_json(const Host& host) {
  Json out = Json::object();
  Result<DynamicLibrary> library =
      open_first(library_names(host, "KERNELFIT_NVML_LIB", "libnvidia-ml.so.1", "nvml.dll"));
  if (!library) {
    out["state"] = "no-library";
    bool is_there = library.error().kind != ErrorKind::not_found;  // "file too short"
    out["error"] = is_there ? printable(library.error().text()) : std::string();
    return out;
  }
  Nvml nvml(*library);
  int code = nvml.call<abi::NvmlInit>("nvmlInit_v2");
  if (library->symbol("nvmlInit_v2") == nullptr) code = nvml.call<abi::NvmlInit>("nvmlInit");
  out["state"] = state_of(code);
  out["code"] = code;
  out["error"] = code == abi::kSuccess ? std::string() : nvml.error_text(code);
  out["library"] = printable(library->path());
  if (code != abi::kSuccess) return out;
  out["driver_version"] = nvml.driver_version();
  out["cuda_version"] = nvml.cuda_version();
  add_gpus(nvml, out);
  nvml.call<abi::NvmlInit>("nvmlShutdown");
  return out;
}

Json libcuda_json(const Host& host) {
  Json out = Json::object();
  Result<DynamicLibrary> library =
      open_first(library_names(host, "KERNELFIT_CUDA_LIB", "libcuda.so.1", "nvcuda.dll"));
  if (!library) {
    out["state"] = "no-library";
    bool is_there = library.error().kind != ErrorKind::not_found;  // "file too short"
    out["error"] = is_there ? printable(library.error().text()) : std::string();
    return out;
  }
  out["library"] = printable(library->path());
  auto* get_version = library->function<abi::CuDriverGetVersion>("cuDriverGetVersion");
  int version = 0;
  int code = get_version == nullptr ? abi::kNotSupported : get_version(&version);
  out["code"] = code;
  if (code == abi::kSuccess) {
    out["state"] = "ok";
    out["cuda_version"] = version;
  } else {
    out["state"] = code == abi::kCudaErrorStubLibrary ? "stub" : "unknown-error";
  }
  return out;
}

// A thread that hangs in a library is left behind: it ends with this process.
Json within(std::chrono::milliseconds time, Json (*ask)(const Host&)) {
  auto answer = std::make_shared<std::promise<Json>>();
  std::future<Json> future = answer->get_future();
  std::thread([answer, ask] {
    std::unique_ptr<Host> host = real_host();
    answer->set_value(ask(*host));
  }).detach();
  if (future.wait_for(time) == std::future_status::ready) return future.get();
  Json out = Json::object();
  out["state"] = "timed-out";
  return out;
}

}  // namespace

void nvml_child_report(std::string_view what, const std::function<void(std::string_view)>& print) {
  Json out = Json::object();
  if (what != "cuda") {
    out["nvml"] = within(kNvmlTime, nvml_json);
    print(out.dump_compact() + "\n");
  }
  if (what == "nvml") return;
  out["libcuda"] = within(kLibcudaTime, libcuda_json);
  print(out.dump_compact() + "\n");
}

}  // namespace kernelfit
