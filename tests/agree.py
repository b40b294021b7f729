#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `kernelfit scan` finds is what other programs find, entry by entry, in real libraries.

agree.py KERNELFIT [--ci] [--table FILE.md] [FILE...]

Without files: the CUDA toolkit's libraries and the wheels of PACKAGES (PyPI; kept in .cache/wheels).
`--ci`: only the small ones, 300 MB in all. A wheel is scanned as it is; the oracles get its members
unpacked, one at a time. Three oracles:

- cubloaty (PyPI; its own parser, every section): entries by kind, architecture with suffix,
  `__nv_relfatbin` apart. It reads ELF files only: the sections of a DLL are put into an ELF object
  (objcopy) for it.
- cuobjdump --list-elf --list-ptx: entries of .nv_fatbin and __nv_relfatbin by kind and number, by
  suffix where it prints one; it prints none for `f`.
- cuobjdump --dump-elf-symbols: STO_ENTRY lines are kernels.

Where cuobjdump refuses a file the table says with which words. Exit status 77: PyPI did not answer.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import venv
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CACHE = SOURCE / ".cache"
LIBRARIES = pathlib.Path("/usr/local/cuda/targets/x86_64-linux/lib")
MAGIC = b"\x50\xed\x55\xba"
SKIPPED = 77
CUBLOATY = "cubloaty==0.2.0b1"
# Packages that hold a cuobjdump: the newest, the one that still prints symbols without nvdisasm, and
# one that reads what the others call removed.
DUMPERS = ["nvidia-cuda-cuobjdump==13.5.37", "triton==3.9.0", "triton==2.2.0"]

LINUX, WINDOWS = "manylinux2014_x86_64", "win_amd64"
# requirement, platform tag, Python, in CI
PACKAGES = [
    ("bitsandbytes==0.50.2", "manylinux_2_24_x86_64", "3.11", True),
    ("bitsandbytes==0.50.2", WINDOWS, "3.11", True),
    ("torchvision==0.19.0", "manylinux1_x86_64", "3.11", True),
    ("torchvision==0.15.2", "manylinux1_x86_64", "3.11", True),
    ("torchaudio==2.5.0", "manylinux1_x86_64", "3.11", True),
    ("xformers==0.0.28", "manylinux_2_28_x86_64", "3.11", True),
    ("cupy-cuda12x==13.3.0", LINUX, "3.11", True),
    ("cupy-cuda12x==13.3.0", WINDOWS, "3.11", False),
    ("nvidia-curand-cu12==10.3.10.19", WINDOWS, "3.11", False),
    ("nvidia-cufft-cu12==11.4.1.4", WINDOWS, "3.11", False),
    ("nvidia-cudnn-cu12==9.1.0.70", WINDOWS, "3.11", False),
    ("nvidia-cudnn-cu11==8.7.0.84", "manylinux1_x86_64", "3.10", False),
    ("nvidia-cublas-cu11==11.10.3.66", "manylinux1_x86_64", "3.10", False),
    ("nvidia-nccl-cu12==2.21.5", LINUX, "3.11", False),
    ("nvidia-cusparselt-cu12==0.8.1", LINUX, "3.11", False),
    ("nvidia-nvshmem-cu12==3.8.0", LINUX, "3.11", False),
    ("torch==1.13.1", "manylinux1_x86_64", "3.10", False),
    ("torch==2.15.0", "manylinux_2_28_x86_64", "3.11", False),
]


# --- the tools -----------------------------------------------------------------------------------

class Oracles:
    """cubloaty in a venv, and three builds of cuobjdump."""

    def __init__(self):
        folder = CACHE / "agree"
        self.python = folder / "bin" / "python"
        if not (folder / "complete").exists():
            venv.create(folder, with_pip=True, clear=True)
            pip = [self.python, "-m", "pip", "-q", "--disable-pip-version-check"]
            subprocess.run([*pip, "install", CUBLOATY], check=True, stdin=subprocess.DEVNULL)
            for number, package in enumerate(DUMPERS):
                take_dumper(pip, package, folder / f"cuobjdump{number}")
            (folder / "complete").touch()
        self.listers = [folder / f"cuobjdump{number}" for number in range(len(DUMPERS))]
        self.remembered = Remembered(CACHE / "agree-answers.json")

    def cubloaty(self, file):
        ran = subprocess.run([self.python, "-m", "cubloaty", file, "--format", "json"], capture_output=True, text=True)
        if ran.returncode != 0:
            last = (ran.stderr.strip() or ran.stdout.strip() or "no words").splitlines()[-1]
            return {"refused": last}
        counts = collections.Counter()
        for part in json.loads(ran.stdout)["components"]:
            apart = "relocatable " if part["section"] == "__nv_relfatbin" else ""
            kind = {"sass": "sass", "ptx": "ptx"}.get(part["kind"], "lto")
            counts[f"{apart}{kind} {part['arch']}"] += part["images"]
        return {"entries": counts}

    def cuobjdump(self, file):
        """Entries by the first build that reads the file; {"refused": words} where none does."""
        words = ""
        for tool in self.listers:
            counts = collections.Counter()
            for option in ("--list-elf", "--list-ptx"):
                ran = subprocess.run([tool, "-all", option, file], capture_output=True, text=True)
                faults = [line for line in (ran.stdout + ran.stderr).splitlines() if "fatal" in line]
                if faults or ran.returncode < 0:
                    words = faults[0].split(":", 1)[-1].strip() if faults else f"signal {-ran.returncode}"
                    break
                for arch in re.findall(r"\.(sm_\d+[af]?)\.(?:cubin|ptx)$", ran.stdout, re.M):
                    counts[("sass " if option == "--list-elf" else "ptx ") + arch] += 1
            else:
                return {"entries": counts, "tool": version_of(tool)}
        return {"refused": words}

    def kernels(self, file):
        words = ""
        for tool in [*self.listers[1:], self.listers[0]]:
            # Gigabytes of text: counted as it comes.
            ran = subprocess.Popen([tool, "--dump-elf-symbols", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            count, fatal = 0, None
            for line in ran.stdout:
                count += b"STO_ENTRY" in line
                if b"fatal" in line:
                    fatal = line.decode(errors="replace").split(":", 1)[-1].strip()
            if ran.wait() >= 0 and not fatal:
                return {"kernels": count, "tool": version_of(tool)}
            words = fatal or f"signal {-ran.returncode}"
        return {"refused": words}


def take_dumper(pip, package, to):
    """The program alone out of the package's wheel."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        python = "3.11" if package.startswith("triton") else "3"
        tags = ["--only-binary", ":all:", "--python-version", python, "--no-deps"]
        subprocess.run([*pip, "download", *tags, "-d", folder, package], check=True, stdin=subprocess.DEVNULL)
        with zipfile.ZipFile(next(pathlib.Path(folder).glob("*.whl"))) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith("bin/cuobjdump"))
            to.write_bytes(wheel.read(name))
    to.chmod(0o755)


def version_of(tool):
    text = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    return re.search(r"release ([\d.]+)", text)[1]


class Remembered:
    """Answers of oracles, which take minutes for large files, by oracle and file."""

    def __init__(self, path):
        self.path = path
        self.answers = json.loads(path.read_text()) if path.exists() else {}

    def ask(self, key, question):
        if key not in self.answers:
            self.answers[key] = question()
            self.path.write_text(json.dumps(self.answers, indent=0))
        return self.answers[key]


# --- ours ----------------------------------------------------------------------------------------

def scan(program, path, *options):
    ran = subprocess.run([program, "scan", "--json", *options, path], capture_output=True, text=True)
    return json.loads(ran.stdout)["files"]


def entries_of(file, bare=True):
    counts = collections.Counter()
    for apart, part in (("", file), ("relocatable ", file["relocatable"])):
        for kind in ("sass", "ptx", "lto"):
            for row in part.get(kind, []):
                counts[f"{apart}{kind} {row['arch']}"] += row["images"]
    for row in file["bare"] if bare else []:
        counts[f"sass {row['arch']}"] += row["images"]
    return counts


def kernels_of(file):
    return sum(row["kernels"] or 0 for row in file["sass"])


def merged(files):
    """The members of an archive as one: their counts by kind and architecture."""
    out = {"relocatable": {}, "bare": [row for file in files for row in file["bare"]]}
    for kind in ("sass", "ptx", "lto"):
        for part, to in ((lambda f: f, out), (lambda f: f["relocatable"], out["relocatable"])):
            rows = {}
            for row in (row for file in files for row in part(file).get(kind, [])):
                had = rows.setdefault(row["arch"], {"arch": row["arch"], "images": 0, "kernels": 0, "empty": 0})
                for field in ("images", "kernels", "empty"):
                    had[field] += row[field] or 0
            to[kind] = [rows[arch] for arch in sorted(rows)]
    return out


# --- comparing -----------------------------------------------------------------------------------

def named_alike(counts):
    """`compute_90` and `lto_90` as cuobjdump and cubloaty may write them: by number and suffix."""
    out = collections.Counter()
    for key, count in counts.items():
        words, arch = key.rsplit(" ", 1)
        out[words + " " + arch.rsplit("_", 1)[1]] += count
    return out


def in_one(counts):
    out = collections.Counter()
    for key, count in counts.items():
        out[key.replace("relocatable ", "")] += count
    return out


def by_number(counts):
    """Without suffixes, without LTO-IR, relocatable ones among the others: what cuobjdump tells."""
    out = collections.Counter()
    for key, count in counts.items():
        kind, arch = key.replace("relocatable ", "").split(" ")
        if kind != "lto":
            out[f"{kind} {arch.rstrip('af')}"] += count
    return out


def suffixed(counts, suffix):
    out = collections.Counter()
    for key, count in counts.items():
        if key.endswith(suffix):
            out[key.replace("relocatable ", "")] += count
    return out


def differences(ours, theirs):
    return [f"{key}: ours {ours[key]}, theirs {theirs[key]}" for key in sorted(set(ours) | set(theirs))
            if ours[key] != theirs[key]]


def against_cuobjdump(ours, theirs):
    ours, theirs = named_alike(ours), named_alike(collections.Counter(theirs))
    found = differences(by_number(ours), by_number(theirs))
    # It calls five old relocatable cubins of cuBLAS sm_50a, sm_60a, sm_61a, which do not exist.
    printed = {key: count for key, count in suffixed(theirs, "a").items() if int(key.split(" ")[1][:-1]) >= 90}
    return found + [f"{key}: ours {ours[key]}, theirs {count}" for key, count in printed.items()
                    if suffixed(ours, "a")[key] != count]


# --- DLLs ----------------------------------------------------------------------------------------

def pe_sections(data):
    """[(name, bytes)] of a PE file that hold the magic of a container."""
    at = struct.unpack_from("<I", data, 0x3c)[0]
    count, optional = struct.unpack_from("<H", data, at + 6)[0], struct.unpack_from("<H", data, at + 20)[0]
    found = []
    for i in range(count):
        row = at + 24 + optional + 40 * i
        name = data[row:row + 8].rstrip(b"\0").decode()
        size, offset = struct.unpack_from("<II", data, row + 16)
        part = data[offset:offset + size]
        if MAGIC in part:
            found.append((name, part))
    return found


def as_elf(file, folder):
    """The CUDA sections of a DLL as sections of an ELF object; the file itself where it is ELF."""
    data = file.read_bytes()
    if data[:2] != b"MZ":
        return file
    out = folder / (file.name + ".o")
    empty = folder / "empty"
    empty.write_bytes(b"\0" * 8)
    command = ["objcopy", "-I", "binary", "-O", "elf64-x86-64"]
    for i, (name, part) in enumerate(pe_sections(data)):
        piece = folder / f"section{i}"
        piece.write_bytes(part)
        # Names of more than 8 letters are cut in a DLL; what is not CUDA's must not be taken for it.
        name = {".nv_fatb": ".nv_fatbin", "__nv_rel": "__nv_relfatbin"}.get(name, "other" + name)
        command += ["--add-section", f"{name}={piece}", "--set-section-flags", f"{name}=alloc,load,readonly,data"]
        command += ["--set-section-alignment", f"{name}=8"]
    subprocess.run([*command, empty, out], check=True)
    for piece in folder.glob("section*"):
        piece.unlink()
    return out


# --- a file --------------------------------------------------------------------------------------

class Table:
    def __init__(self):
        self.rows, self.failed = [], 0

    def add(self, *cells):
        self.rows.append(cells)
        print(" | ".join(str(cell) for cell in cells), flush=True)

    def fail(self, *words):
        self.failed += 1
        print("FAIL", *words, flush=True)


def verdict(table, name, oracle, found):
    for line in found[:8]:
        table.fail(name, oracle, line)
    return "same" if not found else f"{len(found)} differ"


def judge(table, program, oracles, key, name, file, streamed=None):
    """`file`: unpacked. `streamed`: what the scan of its wheel said of it."""
    with tempfile.TemporaryDirectory(prefix="kf-agree-", dir=CACHE) as folder:
        whole = merged(scan(program, file, "--kernels"))
        if streamed is not None:
            found = differences(entries_of(streamed), entries_of(whole))
            if found or streamed["sass"] != whole["sass"] or streamed["ptx"] != whole["ptx"]:
                table.fail(name, "in the wheel and unpacked", streamed["sass"], whole["sass"], *found)
        sections = merged(scan(program, file, "--sections", "--kernels"))
        elf = as_elf(file, pathlib.Path(folder))
        ask = oracles.remembered.ask
        bloaty = ask("cubloaty " + key, lambda: oracles.cubloaty(elf))
        listed = ask("cuobjdump " + key, lambda: oracles.cuobjdump(elf))
        symbols = ask("symbols " + key, lambda: oracles.kernels(elf))
        ours = entries_of(whole)
        cells = [name, sum(ours.values()), sum(entries_of(sections, False).values())]
        if "refused" in bloaty:
            cells.append("refused: " + bloaty["refused"])
        else:
            theirs = collections.Counter(bloaty["entries"])
            if file.suffix in (".a", ".lib"):  # not linked yet: there scan counts all code alike
                ours, theirs = in_one(ours), in_one(theirs)
            found = differences(named_alike(ours), named_alike(theirs))
            cells.append(verdict(table, name, "cubloaty", found))
        if "refused" in listed:
            cells.append("refused: " + listed["refused"])
        else:
            found = against_cuobjdump(entries_of(sections, False), listed["entries"])
            cells.append(verdict(table, name, "cuobjdump " + listed["tool"], found) + f" ({listed['tool']})")
        if "refused" in symbols:
            cells += [kernels_of(sections), "refused: " + symbols["refused"]]
        else:
            same = kernels_of(sections) == symbols["kernels"]
            found = [] if same else [f"kernels: ours {kernels_of(sections)}, theirs {symbols['kernels']}"]
            cells += [kernels_of(sections), verdict(table, name, "cuobjdump symbols", found) + f" ({symbols['tool']})"]
        table.add(*cells)


def judge_wheel(table, program, oracles, wheel):
    members = collections.defaultdict(list)
    for file in scan(program, wheel, "--kernels"):
        members[(file["member"] or "").split("!")[0]].append(file)
    streamed = {name: merged(files) for name, files in members.items()}
    seen = set()
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory(prefix="kf-wheel-", dir=CACHE) as folder:
        for member in archive.infolist():
            if not re.search(r"\.(so|dll|pyd|a|lib|exe)(\.\d+)*$", member.filename):
                continue
            file = pathlib.Path(archive.extract(member, folder))
            holds = MAGIC in file.read_bytes()
            ours = streamed.get(member.filename)
            if not holds and ours and entries_of(ours):
                table.fail(wheel.name, member.filename, "GPU code without a magic")
            if holds and member.filename not in streamed:
                # A false magic, unless an oracle sees something.
                streamed[member.filename] = merged([])
            if holds:
                seen.add(member.filename)
                judge(table, program, oracles, f"{wheel.name}!{member.filename}",
                      f"{short(wheel.name)}: {file.name}", file, streamed[member.filename])
            file.unlink()
    for member, file in streamed.items():
        if member not in seen and file and entries_of(file):
            table.fail(wheel.name, member, "was not judged")


def short(wheel_name):
    parts = wheel_name.split("-")
    system = "win" if "win_amd64" in wheel_name else "linux"
    return f"{parts[0]} {parts[1]} {system}"


def download(requirement, platform, python):
    folder = pathlib.Path(os.environ.get("KF_WHEELS", CACHE / "wheels"))
    folder.mkdir(parents=True, exist_ok=True)
    name, version = requirement.split("==")
    stem = f"{name.replace('-', '_')}-{version}-"
    for file in folder.glob(stem + "*.whl"):
        if ("win_amd64" in file.name) == (platform == WINDOWS):
            return file
    tags = ["--implementation", "cp", "--abi", "cp" + python.replace(".", ""), "--abi", "abi3", "--abi", "none"]
    ran = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:",
                          "--platform", platform, "--python-version", python, *tags, "-d", folder, requirement],
                         stdin=subprocess.DEVNULL)
    if ran.returncode != 0:
        return None
    return download(requirement, platform, python)


HEAD = """| file | entries | in CUDA's own sections | cubloaty | cuobjdump lists | kernels there | cuobjdump symbols |
| --- | ---: | ---: | --- | --- | ---: | --- |
"""


def write_table(table, path):
    """Between the marks of the document."""
    text = path.read_text()
    before, rest = text.split("<!-- table -->\n")[0], text.split("<!-- end -->")[1]
    rows = "".join("| " + " | ".join(str(cell) for cell in row) + " |\n" for row in sorted(table.rows))
    path.write_text(f"{before}<!-- table -->\n{HEAD}{rows}<!-- end -->{rest}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelfit")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    CACHE.mkdir(exist_ok=True)
    try:
        oracles = Oracles()
    except subprocess.CalledProcessError:
        print("skipped: PyPI did not answer")
        return SKIPPED
    files, table = list(options.files), Table()
    if not files:
        for requirement, platform, python, small in PACKAGES:
            if not options.ci or small:
                wheel = download(requirement, platform, python)
                if wheel is None:
                    print("skipped:", requirement, platform, "did not come")
                else:
                    files.append(wheel)
    if not options.files and not options.ci and LIBRARIES.is_dir():
        files += sorted(file for file in LIBRARIES.iterdir() if not file.is_symlink() and file.is_file()
                        and MAGIC in file.read_bytes())
    for file in files:
        if file.suffix == ".whl":
            judge_wheel(table, options.kernelfit, oracles, file)
        else:
            key = f"{file.name} {file.stat().st_size}"
            judge(table, options.kernelfit, oracles, key, f"toolkit: {file.name}", file)
    if options.table:
        write_table(table, options.table)
    print(f"{len(table.rows)} files compared, {table.failed} differences")
    if not table.rows:
        return SKIPPED
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
