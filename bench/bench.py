#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the commands against the contract's targets and against rivals, all in one run.

usage: bench/bench.py KERNELFIT [--runs N]

Rivals (PyPI: rigsolve, env-doctor, and torch with its collect_env) live in .cache/bench-env, which is
made on the first call: about 2.5 GB of downloads. Without it the rows that need a rival are skipped
and said so. Commands are run in turn, A B C A B C, so that a drifting machine drifts for all alike;
quoted are medians of whole processes, and the ratio of medians.
"""
import argparse
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = SOURCE / ".cache" / "bench-env"
RIVALS = ["torch==2.15.0", "rigsolve==1.0.0", "env-doctor==0.3.5"]


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    memory = int(open("/proc/meminfo").readline().split()[1]) // 1024 // 1024
    return f"{model}, {os.cpu_count()} cores, {memory} GiB, Linux {platform.release()}"


def make_rivals():
    if (ENVIRONMENT / "bin/rigsolve").exists():
        return True
    print("installing the rivals into .cache/bench-env (about 2.5 GB)", flush=True)
    try:
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin/pip", "install", "-q", *RIVALS], check=True)
        return True
    except subprocess.CalledProcessError:
        return False


def once(command):
    """Wall seconds of one whole process."""
    start = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def peak_memory(command):
    """Peak resident MB, by GNU time: a child of Python itself has Python's own pages on its account."""
    run = subprocess.run(["/usr/bin/time", "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(run.stderr.split()[-1]) / 1024


def drop_caches():
    try:
        subprocess.run(["sync"], check=True)
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")
        return True
    except OSError:
        return False


def measure(commands, runs):
    """{name: median seconds}, the commands in turn after one warm-up each."""
    samples = {name: [] for name in commands}
    for command in commands.values():
        once(command)
    for _ in range(runs):
        for name, command in commands.items():
            samples[name].append(once(command))
    return {name: statistics.median(values) for name, values in samples.items()}


def make_log(path, size):
    """A training log of so many bytes with one failure at its end; in between the words of failures in other meanings."""
    line = ("2026-11-30 22:{:02}:{:02},123 INFO trainer.py:88] step {} loss 0.5213 lr 1.0e-4 grad_norm 1.31 mem 18.2GB\n"
            "[rank0]: epoch {} batch {} train_loss=0.41 acc=0.912 error_rate=0.088 on device cuda:0\n"
            "WARNING:root:mean squared error {}.{:04}; checkpoint saved to /data/run/ckpt-{}.pt\n")
    with open(path, "w") as file:
        written = step = 0
        while written < size:
            step += 1
            written += file.write(line.format(step // 60 % 60, step % 60, step, step // 1000, step, step % 7,
                                              step % 10000, step))
        file.write("RuntimeError: CUDA error: device-side assert triggered\n")


def bench_explain(table, kernelfit, runs):
    """A report of 5 kB, and a log of 100 MB beside a plain copy of it to nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        report, log = os.path.join(folder, "report.txt"), os.path.join(folder, "train.log")
        cases = sorted((SOURCE / "tests/cases").glob("*.txt"))
        pathlib.Path(report).write_bytes(b"\n".join(c.read_bytes() for c in cases)[:5000])
        make_log(log, 100_000_000)
        size = os.path.getsize(log) / 1e6
        times = measure({"report": [kernelfit, "explain", report], "log": [kernelfit, "explain", log],
                         "cat": ["cat", log]}, runs)
        table.row("explain, a report of 5 kB", f"{times['report'] * 1e3:.1f} ms", "<= 15 ms", times["report"] <= 0.015)
        rate = size / times["log"]
        table.row(f"explain, a log of 100 MB (cat: {size / times['cat']:.0f} MB/s)", f"{rate:.0f} MB/s", ">= 500 MB/s",
                  rate >= 500)
        memory = peak_memory([kernelfit, "explain", log])
        table.row("  the same, memory", f"{memory:.1f} MB", "<= 64 MB", memory <= 64)


class Table:
    def __init__(self):
        self.missed = 0

    def row(self, what, measured, target, reached):
        self.missed += not reached
        print(f"  {what:<52} {measured:>14}   {target:<14} {'ok' if reached else 'MISSED'}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelfit")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    kernelfit = os.path.abspath(options.kernelfit)
    table = Table()
    print(machine())
    print(f"  {'what':<52} {'measured':>14}   target")

    quick = measure({"floor": ["/bin/true"], "version": [kernelfit, "--version"]}, options.runs * 2)
    table.row("--version", f"{quick['version'] * 1e3:.1f} ms", "<= 5 ms", quick["version"] <= 0.005)
    memory = peak_memory([kernelfit, "--version"])
    table.row("--version, memory", f"{memory:.1f} MB", "<= 12 MB", memory <= 12)
    print(f"  {'(an empty process, for comparison)':<52} {quick['floor'] * 1e3:>11.1f} ms")

    plans = {
        "plan, GTX 1080 Ti": [kernelfit, "plan", "--gpu", "10de:1b06", "--driver", "580.95.05", "--os", "linux",
                              "--python", "3.12", "--glibc", "2.36", "torch"],
        "plan, GT 730 by name (three chips)": [kernelfit, "plan", "--gpu", "GT 730", "--python", "3.10", "torch"],
        "plan, GTX 1060 + RTX 3090": [kernelfit, "plan", "--gpu", "10de:1c03", "--gpu", "10de:2204", "--driver",
                                      "580.95.05", "--os", "linux", "--python", "3.12", "torch"],
    }
    for name, seconds in measure(plans, options.runs).items():
        table.row(name, f"{seconds * 1e3:.1f} ms", "<= 10 ms", seconds <= 0.010)

    bench_explain(table, kernelfit, max(5, options.runs // 2))

    if not make_rivals():
        print("  rivals: PyPI did not answer, rows skipped")
        return 1 if table.missed else 0
    cache = tempfile.TemporaryDirectory()  # what scans found is kept there, not in the user's own
    os.environ["XDG_CACHE_HOME"] = cache.name
    doctor = [kernelfit, "doctor", "--env", str(ENVIRONMENT)]
    first = measure({"first": doctor + ["--no-cache"]}, max(3, options.runs // 3))["first"]
    table.row("doctor, first run, torch and all nvidia-* wheels", f"{first * 1e3:.0f} ms", "<= 1 s", first <= 1)
    if drop_caches():
        seconds = once(doctor)
        table.row("  the same with a cold page cache", f"{seconds * 1e3:.0f} ms", "<= 1 s", seconds <= 1)
    else:
        print("  doctor, first run: needs root to drop the page cache, skipped")
    python = str(ENVIRONMENT / "bin/python")
    rivals = {
        "kernelfit": doctor,
        "collect_env": [python, "-m", "torch.utils.collect_env"],
        "rigsolve check": [str(ENVIRONMENT / "bin/rigsolve"), "check"],
        "env-doctor check": [str(ENVIRONMENT / "bin/env-doctor"), "check"],
    }
    times = measure(rivals, max(3, options.runs // 3))
    ours = times["kernelfit"]
    table.row("doctor from the second run, no GPU, one torch", f"{ours * 1e3:.1f} ms", "<= 35 ms", ours <= 0.035)
    ratio = times["collect_env"] / ours
    table.row(f"  against collect_env ({times['collect_env']:.2f} s)", f"{ratio:.0f} x", ">= 40 x", ratio >= 40)
    fastest = min(("rigsolve check", "env-doctor check"), key=lambda name: times[name])
    ratio = times[fastest] / ours
    table.row(f"  against the fastest rival, {fastest} ({times[fastest]:.2f} s)", f"{ratio:.0f} x", ">= 4 x", ratio >= 4)
    return 1 if table.missed else 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
