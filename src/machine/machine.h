// SPDX-License-Identifier: Apache-2.0
// A machine is data. Probes fill this struct, everything after them is a pure function of it.
// Structs only; each says what its facts are called, once, in `each_fact`: that list is the JSON
// of `kernelfit doctor --json`, and the vocabulary that rules are written in (driver.version,
// gpu.bound_driver, env.python). A new fact is a member and a line in the list.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/fact.h"
#include "machine/images.h"
#include "version/version.h"

namespace kernelfit {

struct PciId {
  int vendor = 0x10de;
  int device = 0;
  int subvendor = 0, subdevice = 0;  // 0: not known
  auto operator<=>(const PciId&) const = default;
  std::string text() const;  // "10de:2206"
};

struct System {
  Fact<std::string> os;            // "linux", "windows", "wsl"
  Fact<std::string> os_name;       // "Debian GNU/Linux 12 (bookworm)", "Windows 11"
  Fact<std::string> kernel;        // "6.1.0-18-amd64"
  Fact<DottedVersion> glibc;
  Fact<std::string> cpu_arch;      // "x86_64", "aarch64"
  Fact<bool> secure_boot;
  Fact<std::string> container;     // "docker", "podman", "singularity", "kubernetes", …; absent: none
  Fact<std::string> container_gpu;    // "granted" (device nodes and the driver library are there), "none"
  Fact<std::string> driver_capabilities;  // NVIDIA_DRIVER_CAPABILITIES
  Fact<bool> wsl_driver_library;   // /usr/lib/wsl/lib/libcuda.so.1 is there
  Fact<std::string> wsl_linux_driver;  // a Linux driver package or library inside WSL, by name
  Fact<std::string> wsl_kernel;    // "5.15.167.4"
  Fact<std::string> l4t;           // Jetson: "36.4.3"; absent elsewhere
  Fact<std::string> jetpack;       // "6.1"
  Fact<std::string> device_model;  // /proc/device-tree/model or DMI product name
  Fact<std::string> slurm_job;     // SLURM_JOB_ID
  Fact<std::string> slurm_gpus;    // what the job was given; absent: a job without GPUs
  Fact<std::int64_t> pci_devices;  // how many the bus lists; absent: there is no such bus
  // A folder or file torch in the current folder or on PYTHONPATH that Python imports instead of the
  // installed one: "/home/user/work/torch". Absent: none.
  Fact<std::string> local_torch;

  template <class Self, class F>
  static void each_fact(Self& s, F&& f) {
    f("os", s.os), f("os_name", s.os_name), f("kernel", s.kernel), f("glibc", s.glibc);
    f("cpu_arch", s.cpu_arch), f("secure_boot", s.secure_boot), f("container", s.container);
    f("container_gpu", s.container_gpu), f("driver_capabilities", s.driver_capabilities);
    f("wsl_driver_library", s.wsl_driver_library), f("wsl_linux_driver", s.wsl_linux_driver);
    f("wsl_kernel", s.wsl_kernel), f("l4t", s.l4t), f("jetpack", s.jetpack);
    f("device_model", s.device_model), f("slurm_job", s.slurm_job), f("slurm_gpus", s.slurm_gpus);
    f("pci_devices", s.pci_devices), f("local_torch", s.local_torch);
  }
};

struct Driver {
  // The version that serves this machine: the loaded kernel module's on Linux, the Windows driver's
  // on Windows and WSL. Absent: none is loaded. Unknown: something is there, but could not be read.
  Fact<DottedVersion> version;
  Fact<DottedVersion> cuda_max;         // cuDriverGetVersion without cuInit: 12040 -> 12.4
  Fact<std::string> flavor;             // "open" or "proprietary" kernel module
  Fact<bool> module_loaded;             // nvidia in /proc/modules or /sys/module
  Fact<DottedVersion> module_on_disk;   // version of nvidia.ko for the running kernel; absent: none built
  Fact<std::string> dkms;               // dkms state of the running kernel: "installed", "built", "added"
  Fact<DottedVersion> library_version;  // user space: from libcuda.so.<version> / NVML
  Fact<std::string> library_path;       // the libcuda.so.1 that the loader would take
  // What else answers to libcuda.so.1: "stub", "foreign", "compat", "duplicate"; absent: nothing wrong.
  Fact<std::string> library_problem;
  // "ok", "version-mismatch", "driver-not-loaded", "no-devices", "no-library", "no-permission",
  // "blocked" (the system or its cgroup refuses), "gpu-lost", "unknown-error", "crashed", "timed-out"
  Fact<std::string> nvml;
  Fact<bool> device_nodes;              // /dev/nvidiactl and /dev/nvidia0
  Fact<bool> uvm_nodes;                 // /dev/nvidia-uvm
  Fact<std::string> other_module;       // "nouveau", "nova_core" loaded
  Fact<std::string> package;            // how it was installed: "apt 535.183.01", ".run", …
  Fact<std::string> fabric_manager;     // "running", "stopped"; absent: no NVSwitch here
  Fact<std::string> kernel_log;         // what kernel_events were read from; unknown: not readable

  template <class Self, class F>
  static void each_fact(Self& d, F&& f) {
    f("version", d.version), f("cuda_max", d.cuda_max), f("flavor", d.flavor);
    f("module_loaded", d.module_loaded), f("module_on_disk", d.module_on_disk), f("dkms", d.dkms);
    f("library_version", d.library_version), f("library_path", d.library_path);
    f("library_problem", d.library_problem), f("nvml", d.nvml);
    f("device_nodes", d.device_nodes), f("uvm_nodes", d.uvm_nodes);
    f("other_module", d.other_module), f("package", d.package);
    f("fabric_manager", d.fabric_manager), f("kernel_log", d.kernel_log);
  }
};

struct Gpu {
  int index = -1;                       // the driver's order; -1: seen on the bus only
  Fact<std::string> name;               // without the word NVIDIA in front: "GeForce RTX 3090"
  Fact<PciId> pci_id;
  Fact<std::string> pci_address;        // "0000:01:00.0"
  // As the driver answers it. Unknown without a driver: judge then takes it from the PCI id.
  Fact<ComputeCapability> compute_capability;
  Fact<std::int64_t> memory_mib;
  Fact<std::string> bound_driver;       // kernel driver: "nvidia", "nouveau", "vfio-pci"; absent: none
  Fact<std::string> uuid;
  Fact<bool> mig;                       // MIG mode
  Fact<std::int64_t> mig_instances;
  Fact<std::string> compute_mode;       // "Default", "Exclusive_Process", "Prohibited"
  Fact<std::string> driver_model;       // Windows: "WDDM", "TCC", "MCDM"
  Fact<std::string> link;               // "16.0 GT/s x16", what the card runs at
  Fact<std::string> vgpu_license;       // "Licensed", "Unlicensed"; absent: no vGPU guest
  Fact<bool> visible;                   // CUDA_VISIBLE_DEVICES lets programs see it
  bool external = false;                // behind Thunderbolt or USB4
  bool given = false;                   // --gpu

  template <class Self, class F>
  static void each_fact(Self& g, F&& f) {
    f("name", g.name), f("pci_id", g.pci_id), f("pci_address", g.pci_address);
    f("compute_capability", g.compute_capability), f("memory_mib", g.memory_mib);
    f("bound_driver", g.bound_driver), f("uuid", g.uuid), f("mig", g.mig);
    f("mig_instances", g.mig_instances), f("compute_mode", g.compute_mode);
    f("driver_model", g.driver_model), f("link", g.link), f("vgpu_license", g.vgpu_license);
    f("visible", g.visible);
  }
};

struct OtherGpu {  // of another vendor: said, never judged
  std::string vendor, name, pci_address;
};

// One line of the kernel's log that is about an NVIDIA GPU.
struct KernelEvent {
  // "api-mismatch", "unsupported-gpu" (not supported by this branch), "open-module-unsupported",
  // "open-module-required", "init-failed" (RmInitAdapter), "no-devices-probed", "already-bound",
  // "nouveau", "key-rejected", "module-mismatch" (built for another kernel), "bar-invalid", "xid",
  // "fallen-off-bus", "gsp", "module-load"
  std::string kind;
  std::string text;        // the line, without its time stamp
  int xid = 0;
  std::string detail;      // "legacy 470.xx" of an unsupported-gpu line, the PCI address, …
};

// A message of a pasted log that data/paste/messages.csv knows.
struct LogEvent {
  std::string id;    // "no-kernel-image"
  std::string text;  // the line, without time stamp and prefixes
  int line = 0;      // of the paste, from 1
  std::map<std::string, std::string, std::less<>> fields;  // the named groups of its pattern
};

struct LogFile {
  std::string name;
  int lines_before = 0;  // it begins behind them
};

struct Toolkit {
  std::string path;          // "/usr/local/cuda-12.4"
  Fact<DottedVersion> version;
  Fact<DottedVersion> cudnn; // beside it
  bool is_cuda_home = false; // CUDA_HOME or CUDA_PATH names it
  bool on_path = false;      // its nvcc is the first on PATH
};

// What the process environment says about CUDA; each is absent where the variable is not set.
struct Variables {
  Fact<std::string> cuda_visible_devices, nvidia_visible_devices, cuda_home, ld_library_path,
      ld_preload, cuda_device_order, pythonpath, virtual_env, conda_prefix;

  template <class Self, class F>
  static void each_fact(Self& v, F&& f) {
    f("cuda_visible_devices", v.cuda_visible_devices);
    f("nvidia_visible_devices", v.nvidia_visible_devices), f("cuda_home", v.cuda_home);
    f("ld_library_path", v.ld_library_path), f("ld_preload", v.ld_preload);
    f("cuda_device_order", v.cuda_device_order), f("pythonpath", v.pythonpath);
    f("virtual_env", v.virtual_env), f("conda_prefix", v.conda_prefix);
  }
};

// An installed distribution, read from dist-info, egg-info or conda-meta.
struct Package {
  std::string name;       // normalised as PEP 503: "nvidia-cublas-cu12"; conda's pytorch is "torch"
  std::string version;    // "2.13.0+cu126"
  std::string manager;    // "pip", "uv", "conda", …; from INSTALLER or conda-meta
  std::string location;   // site-packages folder or conda prefix
  std::string build;      // conda build string "py3.10_cuda11.8_cudnn8.7.0_0"
  std::string channel;    // conda channel: "pytorch", "conda-forge"
  std::string metadata;   // the file it was read from
  bool user_site = false; // in ~/.local: shadows the environment
};

// A library of an environment that may hold GPU code.
struct Library {
  std::string name;            // package: "torch", "torchvision", "bitsandbytes", "nvidia-cudnn-cu12"
  std::string version;         // "2.13.0+cu126"
  // "cu126", "cuda12.9", "cpu", …; from the local version, version.py or the conda build string
  Fact<std::string> build;
  Fact<DottedVersion> cuda;    // what version.py says: "12.6"; absent: CPU-only
  std::string location;        // the package's folder
  std::vector<BinaryImages> binaries;  // read from its files; empty: none read
  std::vector<std::string> other_binaries;  // of the same package for other CUDA versions: not loaded
  std::vector<std::string> problems;   // "libtorch_cuda.so: offset 64: section header table is past the end"
};

struct Environment {
  std::string path;                 // prefix: "/home/user/ai/.venv"
  std::string kind;                 // "venv", "conda", "system", "pyenv", "uv", "pipx", "given"
  bool active = false;              // VIRTUAL_ENV, CONDA_PREFIX, or the first python of PATH
  Fact<DottedVersion> python;       // "3.12.3"
  Fact<std::string> implementation; // "cpython", "pypy"
  bool free_threaded = false;       // 3.13t
  Fact<std::string> interpreter;    // path of its python
  bool externally_managed = false;  // PEP 668: pip refuses to install into it
  std::vector<Package> packages;    // sorted by name; only those that concern GPUs
  std::vector<Library> libraries;   // torch first
  std::vector<std::string> problems;// one line each: what could not be read

  template <class Self, class F>
  static void each_fact(Self& e, F&& f) {
    f("python", e.python), f("implementation", e.implementation), f("interpreter", e.interpreter);
  }
  const Library* library(std::string_view name) const;
  const Package* package(std::string_view name) const;
};

struct Machine {
  System system;
  Driver driver;
  std::vector<Gpu> gpus;            // NVIDIA GPUs in the driver's order, then by bus address
  std::vector<OtherGpu> other_gpus;
  std::vector<KernelEvent> kernel_events;
  std::vector<Toolkit> toolkits;
  Variables variables;
  std::vector<Environment> environments;  // the active one first
  std::vector<std::string> problems;      // what a probe could not do: "nvidia-smi did not answer in 5 s"
  bool hypothetical = false;              // --gpu, --python or --os: about another machine
  bool pasted = false;                    // read from a text: what it does not say is unknown
  std::vector<LogEvent> log;              // of such a text, in its order
  std::vector<LogFile> log_files;         // the files it came from, where they are several
};

// Where a line of a pasted text stands: "line 14", of several files "train.log:14".
std::string line_source(const Machine& machine, int line);

// A fact's value as text: versions and capabilities as people write them, "yes"/"no" for truth.
std::string text_of(const std::string& value);
std::string text_of(const DottedVersion& value);
std::string text_of(const ComputeCapability& value);
std::string text_of(const PciId& value);
std::string text_of(std::int64_t value);
std::string text_of(bool value);

}  // namespace kernelfit
