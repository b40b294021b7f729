#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelfit scan` against its targets, cuobjdump and cubloaty, in one run on the same files.

usage: bench/scan_bench.py KERNELFIT KF_SCAN_FLOOR [--runs N] [--wheel FILE.whl]...

Files: libtorch_cuda.so of torch 2.15.0 (in .cache/bench-env, which bench.py makes) and libcublasLt.so.13
of the CUDA toolkit; a row whose file is not there is left out and said so. Times of programs are medians
of whole processes in turn, in CPU seconds where both work on one core and in wall seconds where not:
on a busy machine wall times tell about the others. Ratios to what a scan cannot do without are taken
inside one process (bench/scan_floor.cc). Sparse files of 1, 10 and 100 GB are made in .cache.
"""
import argparse
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
sys.path.insert(0, str(SOURCE / "bench"))
import agree  # noqa: E402
import bench  # noqa: E402

SITE = SOURCE / ".cache" / "bench-env" / "lib"
CUBLAS_LT = pathlib.Path("/usr/local/cuda/targets/x86_64-linux/lib/libcublasLt.so.13")
FIXTURE = SOURCE / "tests" / "fixtures" / "fatbin" / "cu118_sm35_sm50_ptx50_lz4.fatbin"


def once(command):
    """(wall seconds, CPU seconds, peak MB) of one process."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def median(command, runs):
    samples = [once(command) for _ in range(runs)]
    return [statistics.median(values) for values in zip(*samples)]


def floors(program, file, runs):
    text = subprocess.run([program, str(file), str(runs)], capture_output=True, text=True, check=True).stdout
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()}


def read_cold(command):
    subprocess.run(["sync"], check=True)
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")
    once([command[0], "--version"])
    return once(command)[0]


def sequential_hop(file, offsets):
    """Reads one after another, far apart, as a hop from header to header must: seconds."""
    handle = os.open(file, os.O_RDONLY)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_RANDOM)
    start = time.perf_counter()
    for offset in offsets:
        os.pread(handle, 64, offset)
    os.close(handle)
    return time.perf_counter() - start


def header_offsets(file):
    """Of every entry in containers that lie back to back in .nv_fatbin."""
    found = []
    with open(file, "rb") as data:
        head = data.read(64)
        at, count, names = struct.unpack_from("<Q", head, 40)[0], *struct.unpack_from("<HH", head, 60)
        data.seek(at)
        sections = [struct.unpack_from("<IIQQQQ", data.read(64)) for _ in range(count)]
        data.seek(sections[names][4])
        texts = data.read(sections[names][5])
        name = lambda section: texts[section[0]:texts.index(b"\0", section[0])]  # noqa: E731
        offset, size = next(section[4:6] for section in sections if name(section) == b".nv_fatbin")
        end = offset + size
        while offset + 16 <= end:
            data.seek(offset)
            magic, _, _, length = struct.unpack("<IHHQ", data.read(16))
            if magic != 0xBA55ED50:
                break
            entry, offset = offset + 16, offset + 16 + length
            while entry < offset:
                found.append(entry)
                data.seek(entry)
                row = data.read(64)
                entry += struct.unpack_from("<I", row, 4)[0] + struct.unpack_from("<Q", row, 8)[0]
    return found


def library(table, options, oracles, file, complete_target):
    print(f"  {file.name}, {file.stat().st_size / 1e6:.0f} MB")
    run, runs = [options.kernelfit, "scan"], options.runs
    rival = once([oracles.listers[0], "--list-elf", file])
    sections, whole = median([*run, "--sections", file], runs), median([*run, file], runs)
    print(f"    (cuobjdump --list-elf: {rival[1]:.2f} s of CPU, {rival[2]:.0f} MB)")
    for name, ours, target in (("--sections", sections, 500), ("complete", whole, complete_target)):
        table.row(f"  {name} ({ours[1] * 1e3:.1f} ms of CPU)", f"{rival[1] / ours[1]:.0f} x", f">= {target} x",
                  rival[1] >= target * ours[1])
        table.row(f"  {name}, memory", f"{ours[2]:.1f} MB", "<= 20 MB", ours[2] <= 20)
    floor = floors(options.floor, file, runs)
    ratio = floor["hop"] / floor["headers"]
    table.row(f"  hop against its header reads ({floor['headers'] / 1e3:.1f} ms)", f"{ratio:.2f} x", "<= 2 x", ratio <= 2)
    share = floor["plain"] / floor["complete"] * 100
    table.row(f"  complete against a plain read ({floor['plain_bytes'] / 1e6:.0f} MB)", f"{share:.0f} %", ">= 70 %",
              share >= 70)
    bloaty = once([oracles.python, "-m", "cubloaty", file, "--format", "json"])
    print(f"    (cubloaty: {bloaty[1]:.2f} s of CPU, {bloaty[2]:.0f} MB: {bloaty[1] / whole[1]:.0f} x)")
    names = median([*run, "--kernels", file], max(1, runs // 5))
    symbols = once([oracles.listers[1], "--dump-elf-symbols", file])
    table.row(f"  --kernels ({names[1]:.2f} s of CPU, {names[0]:.2f} s; {names[2]:.0f} MB)",
              f"{symbols[1] / names[1]:.0f} x", ">= 10 x", symbols[1] >= 10 * names[1])
    print(f"    (cuobjdump --dump-elf-symbols: {symbols[1]:.2f} s of CPU, {symbols[0]:.2f} s)")
    if os.geteuid() == 0:
        ours = read_cold([*run, "--sections", file])
        offsets = header_offsets(file)
        read_cold(["/bin/true"])
        hop = sequential_hop(file, offsets)
        table.row(f"  --sections, cold ({ours * 1e3:.0f} ms; {len(offsets)} reads in turn: {hop * 1e3:.0f} ms)",
                  f"{hop / ours:.1f} x", ">= 5 x", hop >= 5 * ours)
        print(f"    (complete, cold: {read_cold([*run, file]) * 1e3:.0f} ms)")


def wheels(table, options):
    for wheel in options.wheel:
        floor = floors(options.floor, wheel, 3)
        ratio = floor["wheel"] / floor["inflate"]
        table.row(f"  {wheel.name.split('-cp')[0]}.whl ({floor['wheel'] / 1e6:.2f} s of CPU) against inflate",
                  f"{ratio:.2f} x", "<= 1.15 x", ratio <= 1.15)
        wall, cpu, memory = once([options.kernelfit, "scan", wheel])
        table.row("    memory", f"{memory:.1f} MB", "<= 64 MB", memory <= 64)
        print(f"    ({wall:.2f} s, {cpu / wall:.1f} cores busy)")


def sparse(table, options):
    """The same containers in ever larger files: holes are passed, containers jumped."""
    content = FIXTURE.read_bytes()
    times = {}
    for size_gb in (1, 10, 100):
        file = SOURCE / ".cache" / f"sparse-{size_gb}.bin"
        with open(file, "wb") as out:
            for part in range(100):
                out.seek((size_gb << 30) // 100 * part + 4096)
                out.write(content)
            # A container whose payload is a hole of a third of the file.
            hole = (size_gb << 30) // 300 & ~7
            out.seek((size_gb << 30) - hole - 4096)
            entry = struct.pack("<HHIQIIHHIIIQQQ", 2, 0x0101, 64, hole, 0, 0, 8, 1, 90, 0, 0, 0x11, 0, 0)
            out.write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 64 + hole) + entry)
            out.truncate(size_gb << 30)
        times[size_gb] = median([options.kernelfit, "scan", file], 5)
        file.unlink()
    for size_gb, (wall, cpu, memory) in times.items():
        table.row(f"  sparse file of {size_gb} GB, 101 containers, memory {memory:.0f} MB", f"{cpu * 1e3:.1f} ms",
                  "<= 2 x of 1 GB", cpu <= 2 * times[1][1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelfit", type=os.path.abspath)
    parser.add_argument("floor", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--wheel", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    table = bench.Table()
    print(bench.machine())
    print(f"  {'scan':<52} {'measured':>14}   target")
    torch = next(SITE.glob("python3*/site-packages/torch/lib/libtorch_cuda.so"), None)
    files = [(torch, 120), (CUBLAS_LT if CUBLAS_LT.exists() else None, 35)]
    try:
        oracles = agree.Oracles()
        for file, target in files:
            if file is None:
                print("  a library is not here, its rows are left out")
            else:
                library(table, options, oracles, file, target)
    except subprocess.CalledProcessError:
        print("  cuobjdump and cubloaty: PyPI did not answer, rows left out")
    if torch:
        site = torch.parent.parent.parent
        wall, cpu, memory = median([options.kernelfit, "scan", site], 3)
        table.row(f"a whole environment ({cpu:.2f} s of CPU, {memory:.0f} MB)", f"{wall:.2f} s", "<= 1 s", wall <= 1)
    wheels(table, options)
    sparse(table, options)
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
