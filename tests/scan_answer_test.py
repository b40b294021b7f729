#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `kernelfit scan` answers: verdicts for a card, comparisons, lists for scripts, formats.

The expectations are what tests/fixtures/fatbin/MANIFEST.md says of each file, and the rules of
docs/compatibility.md.
"""
import bz2
import gzip
import io
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unicodedata
import warnings
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", COLUMNS="80")
FAILURES = []


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def scan(*arguments):
    arguments = [str(FIXTURES / a) if (FIXTURES / str(a)).is_file() else str(a) for a in arguments]
    return subprocess.run([KERNELFIT, "scan", *arguments], capture_output=True, text=True, env=ENV,
                          timeout=120)


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1
               for c in line)


# (file, --gpu, --driver, verdict, exit). The fixtures are of CUDA 11.8, 12.4 and 13.0; 12.x needs
# driver 525.60.13, 13.x needs 580.65.06, PTX 9.0 the 580 branch (NVIDIA's release tables).
VERDICTS = [
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "GeForce RTX 3090", "535.183.01", "native", 0),
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "GeForce RTX 3090", "470.256.02", "driver-too-old", 1),
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "GeForce RTX 3090", "none", "no-driver", 1),
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "GeForce RTX 3090", None, "native", 0),
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "9.0", None, "no-code", 1),
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "8.7", None, "no-code", 1),  # Jetson: exactly its own
    ("cu124_sm75_sm80_sm86_lz4.fatbin", "8.9", "550.163.01", "native", 0),
    ("cu130_sm100_ptx.fatbin", "12.0", "580.95.05", "ptx-jit", 0),
    ("cu130_sm100_ptx.fatbin", "12.0", "570.211.01", "driver-too-old", 1),
    ("cu130_sm100f_ptx.fatbin", "10.3", "580.95.05", "native", 0),
    ("cu130_sm100f_ptx.fatbin", "12.0", None, "no-code", 1),
    ("cu130_sm100a_ptx.fatbin", "10.3", None, "no-code", 1),
    ("cu118_sm35_sm50_ptx50.fatbin", "Tesla K80", "470.256.02", "native", 0),
    ("cu118_sm35_sm50_ptx50.fatbin", "Tesla K80", "535.183.01", "driver-too-new-for-gpu", 1),
    ("vadd_pe.dll", "8.6", None, "broken", 1),  # with --os linux, below
]


def verdicts():
    for file, gpu, driver, verdict, status in VERDICTS:
        flags = ["--gpu", gpu] + (["--driver", driver] if driver else [])
        if verdict == "broken":
            flags += ["--os", "linux"]
        done = scan("--json", *flags, file)
        answer = json.loads(done.stdout)
        got = [one["verdict"] for one in answer["verdicts"]]
        check(got == [verdict] and done.returncode == status,
              f"{file} on {gpu} with {driver}: {got} exit {done.returncode}, expected {verdict} {status}")
    done = scan("--gpu", "GeForce RTX 3090", "--gpu", "9.0", "cu124_sm75_sm80_sm86_lz4.fatbin")
    check(done.returncode == 1, f"one of two cards does not: exit {done.returncode}")
    check("GeForce RTX 3090" in done.stdout and "9.0" in done.stdout, "a card is not named")
    # GT 730: chips of 2.1, 3.0 and 3.5; the files hold 3.5 and newer.
    done = scan("--json", "--gpu", "GT 730", "cu118_sm35_sm50_ptx50.fatbin")
    answer = json.loads(done.stdout)
    chips = {one["compute_capability"]: one["verdict"] for one in answer["verdicts"]}
    check(chips == {"2.1": "no-code", "3.0": "no-code", "3.5": "native"}, f"GT 730: {chips}")
    check(done.returncode == 3 and answer["incomplete"] and "GT 730" in answer["missing"][0],
          f"GT 730: exit {done.returncode}, {answer['missing']}")
    for flags in (("--driver", "535.1"), ("--os", "linux"), ("--gpu", "8.6", "--driver", "new"),
                  ("--gpu", "no such card")):
        check(scan(*flags, "cu118_sm35.fatbin").returncode == 2, f"{flags} is taken")


def diffs():
    same = scan("--diff", "cu118_sm35_sm50_ptx50.fatbin", "cu118_sm35_sm50_ptx50_lz4.fatbin")
    check(same.returncode == 0, f"the same images, packed otherwise: exit {same.returncode}")
    done = scan("--diff", "--json", "cu118_sm35_sm50_ptx50.fatbin", "cu118_sm35.fatbin")
    answer = json.loads(done.stdout)
    check(done.returncode == 1 and answer["equal"] is False, f"different: exit {done.returncode}")
    check(answer["files"][0]["archs"] == [{"arch": "sm_50", "a": 1, "b": 0}, {"arch": "compute_50", "a": 1, "b": 0}],
          f"gone: {answer['files'][0]['archs']}")
    # vadd.cu and vsub: libcu124_two_tu.so holds both kernels.
    done = scan("--diff", "--json", "--kernels", "libcu124_vadd.so", "libcu124_two_tu.so")
    answer = json.loads(done.stdout)
    came = {name for one in answer["files"][0]["kernels"] for name in one["came"]}
    check("vsub" in came, f"new kernels: {came}")
    text = scan("--diff", "--kernels", "--verbose", "libcu124_vadd.so", "libcu124_two_tu.so").stdout
    check("+ vsub" in text, text)
    done = scan("--diff", "vadd-0.1-stored.whl", "vadd-0.1-deflated.whl")
    check(done.returncode == 0, f"a wheel stored and deflated: exit {done.returncode}\n{done.stdout}")
    check(scan("--diff", "cu118_sm35.fatbin", "/no/such/file").returncode == 2, "an unreadable side")
    check(scan("--diff", "cu118_sm35.fatbin").returncode == 2, "one side alone")
    check(scan("--diff", "--gpu", "8.6", "cu118_sm35.fatbin", "cu118_sm35.fatbin").returncode == 2, "with a card")


def same_names():
    """ar and zip may hold several members of one name: an archive does not differ from itself."""
    with tempfile.TemporaryDirectory() as folder:
        path, other = pathlib.Path(folder, "two.zip"), pathlib.Path(folder, "three.zip")
        objects = [(FIXTURES / name).read_bytes() for name in ("cu118_sm35.fatbin", "cu124_sm90a_ptx90a.fatbin")]
        for archive, members in ((path, objects), (other, objects[::-1] + objects[:1])):
            with warnings.catch_warnings(), zipfile.ZipFile(archive, "w") as made:
                warnings.simplefilter("ignore")
                for content in members:
                    made.writestr("x.fatbin", content)
        done = scan("--diff", "--kernels", path, path)
        check(done.returncode == 0, f"two of one name: exit {done.returncode}\n{done.stdout}")
        answer = json.loads(scan("--diff", "--json", path, other).stdout)
        check(not answer["equal"], "a third of the name is not seen")


def with_wrong_checksum(path, content, method):
    """A zip of "a", then of `content` as "x.fatbin" whose CRC-32 is wrong; says where that one begins."""
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("a", "a")
        made.writestr("x.fatbin", content)
        at = made.getinfo("x.fatbin").header_offset
    raw = bytearray(path.read_bytes())
    raw[at + 14] ^= 1
    raw[raw.rindex(b"PK\1\2") + 16] ^= 1
    path.write_bytes(raw)
    return at


def checksums():
    """What does not match its checksum is said with its place, and what was seen is listed: stored or
    deflated, small or large (9 MB of a second container that nothing is known of)."""
    small = (FIXTURES / "cu118_sm35.fatbin").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for content in (small, small + os.urandom(9 << 20)):
                path = pathlib.Path(folder, "x.zip")
                at = with_wrong_checksum(path, content, method)
                done = scan("--json", path)
                answer = json.loads(done.stdout)
                what = f"a wrong CRC-32, method {method}, {len(content)} bytes: exit {done.returncode}"
                check(done.returncode == 3 and len(answer["files"]) == 1, f"{what}\n{done.stdout}")
                file = answer["files"][0]
                check([one["arch"] for one in file["sass"]] == ["sm_35"] and file["kind"] == "fatbin",
                      f"{what}: {file['kind']} {file['sass']}")
                problem = [line for line in file["problems"] if "checksum" in line]
                check(len(problem) == 1 and f"offset {at}" in problem[0] and "x.fatbin" in problem[0],
                      f"{what}: {file['problems']}")
                text = " ".join(scan(path).stdout.split())
                check("does not match its checksum" in text and "sm_35" in text, f"{what}\n{text}")
        cut = pathlib.Path(folder, "cut.zip")
        with zipfile.ZipFile(cut, "w", zipfile.ZIP_DEFLATED) as made:
            made.write(FIXTURES / "libcu118_vadd.so", "x.so")
        raw = bytearray(cut.read_bytes())
        for where in (22, raw.index(b"PK\1\2") + 24):  # it claims a byte more than it has
            raw[where] += 1
        cut.write_bytes(raw)
        done = scan("--json", cut)
        file = json.loads(done.stdout)["files"][0]
        check(done.returncode == 3 and [one["arch"] for one in file["sass"]] == ["sm_35", "sm_50"],
              f"a member that ends early: exit {done.returncode} {file}")


def packed_tars():
    """The checksum of what packs a tar stands behind all that is in it, and is looked at."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as made:
        made.add(FIXTURES / "libcu124_vadd.so", "a.so")
    with tempfile.TemporaryDirectory() as folder:
        for ending, pack, at in (("gz", gzip.compress, -6), ("xz", lzma.compress, -20), ("bz2", bz2.compress, -3)):
            path = pathlib.Path(folder, "x.tar." + ending)
            packed = bytearray(pack(plain.getvalue()))
            for damage in (0, 1):
                packed[at] ^= damage
                path.write_bytes(packed)
                done = scan("--json", path)
                answer = json.loads(done.stdout)
                check(done.returncode == (3 if damage else 0) and len(answer["problems"]) == damage and
                      [one["arch"] for one in answer["files"][0]["sass"]] == ["sm_75", "sm_80", "sm_86"],
                      f"damage {damage} in a .tar.{ending}: exit {done.returncode} {done.stdout[:600]}")


def repeated_names():
    """zipfile's table of names, by which pip unpacks, has the last of several entries of one name."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "two.zip")
        with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as made:
            warnings.simplefilter("ignore")
            for name in ("cu118_sm35.fatbin", "cu124_sm90a_ptx90a.fatbin", "cu118_sm35_lz4.fatbin"):
                made.writestr("x.fatbin", (FIXTURES / name).read_bytes())
            made.writestr("y.fatbin", (FIXTURES / "cu118_sm35.fatbin").read_bytes())
        with zipfile.ZipFile(path) as made:
            last = made.getinfo("x.fatbin").header_offset
        done = scan("--json", path)
        answer = json.loads(done.stdout)
        check(done.returncode == 0 and not answer["incomplete"], f"all of it was read: exit {done.returncode}")
        lines = [line for line in answer["problems"] if "3 times" in line]
        check(len(answer["problems"]) == 1 and len(lines) == 1 and f"offset {last}" in lines[0],
              f"several of one name, last at {last}: {answer['problems']}")
        check("3 times" in " ".join(scan(path).stdout.split()), "several of one name, for people")
        tar = pathlib.Path(folder, "two.tar")
        with tarfile.open(tar, "w") as made:
            for name in ("cu118_sm35.fatbin", "cu124_sm90a_ptx90a.fatbin"):
                made.add(FIXTURES / name, "x.fatbin")
        done = scan("--json", tar)
        problems = json.loads(done.stdout)["problems"]
        check(done.returncode == 0 and len(problems) == 1 and "'x.fatbin' is there again" in problems[0],
              f"a tar with one name twice: exit {done.returncode} {problems}")


def unselected():
    """--sm, --kind and --member that leave nothing: said, and not the silence of a file without code."""
    file = "cu118_sm35_sm50_ptx50.fatbin"
    for flags in (("--sm", "9.0"), ("--kind", "lto"), ("--sm", "3.5", "--kind", "ptx")):
        for form in ((), ("--quiet",), ("--format", "markdown"), ("--archs",), ("--kernels",)):
            done = scan(*flags, *form, file)
            text = " ".join((done.stderr if "--archs" in form else done.stdout).split())
            check(done.returncode == 0 and "asks for: it holds sm_35 sm_50 compute_50" in text,
                  f"{flags} {form}: exit {done.returncode} {done.stdout} {done.stderr}")
        notes = json.loads(scan("--json", *flags, file).stdout)["notes"]
        check(any("sm_35 sm_50 compute_50" in note for note in notes), f"{flags}: {notes}")
    check("asks for" not in scan("--sm", "3.5", file).stdout, "something is selected")
    done = scan("--sm", "5.3", FIXTURES)
    check("asks for: it holds sm_35" in " ".join(done.stdout.split()), f"many files:\n{done.stdout[-600:]}")
    pair = ("libcu118_vadd.so", "libcu124_two_tu.so")
    for flags, want in ((("--sm", "8.6"), ["sm_86", "compute_86"]), (("--kind", "ptx"), ["compute_50", "compute_86"])):
        changes = json.loads(scan("--diff", "--json", *flags, *pair).stdout)["files"]
        check([one["arch"] for change in changes for one in change["archs"]] == want, f"--diff {flags}: {changes}")
    done = scan("--diff", "--sm", "9.0", *pair)
    check(done.returncode == 0 and "asks for" in done.stderr, f"--diff of nothing: {done.returncode} {done.stderr}")
    done = scan("--diff", "--member", "no such", *pair)
    check(done.returncode == 2 and "no such" in done.stderr, f"--diff, no such member: exit {done.returncode}")
    done = scan("--member", "no such", "--member", "*.so", "vadd-0.1-stored.whl")
    check(done.returncode == 3 and "no such" in done.stdout, f"one of two: exit {done.returncode}\n{done.stdout}")
    done = scan("--member", "no such", file, "fault_trunc_payload.fatbin")
    check(done.returncode == 2, f"no such member of files of which one is faulty: exit {done.returncode}")


def not_whole():
    """What could not be read may hold what is missed: no firm "no", no "gone"."""
    with tempfile.TemporaryDirectory() as folder:
        whole = FIXTURES / "cu118_sm35_sm50_ptx50.fatbin"
        cut = pathlib.Path(folder, "cut.fatbin")
        cut.write_bytes(whole.read_bytes()[:-2000])
        for flags, verdict, status in ((("--gpu", "8.6"), "unknown", 3), (("--gpu", "3.5"), "native", 3)):
            done = scan("--json", *flags, cut)
            answer = json.loads(done.stdout)
            got = [one["verdict"] for one in answer["verdicts"]]
            check(got == [verdict] and done.returncode == status, f"cut, {flags}: {got}, exit {done.returncode}")
        check("not on" not in scan(cut).stdout, "a cut file is said not to run")
        good, bad = pathlib.Path(folder, "good.zip"), pathlib.Path(folder, "bad.zip")
        for path in (good, bad):
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
                made.write(whole, "x.fatbin")
        raw = bytearray(bad.read_bytes())
        raw[14] ^= 1
        raw[raw.index(b"PK\1\2") + 16] ^= 1
        bad.write_bytes(raw)
        both = scan("--diff", good, bad)
        check(both.returncode in (2, 3), f"a side that cannot be read: exit {both.returncode}\n{both.stdout}")
    done = scan("--member", "no such", "vadd-0.1-stored.whl")
    check(done.returncode == 2 and "no such" in done.stderr, f"no member of that name: exit {done.returncode}")
    done = scan("--gpu", "8.6", "--driver", "abc", "cu118_sm35.fatbin")
    check("{" not in done.stderr, f"a placeholder is left: {done.stderr}")


def other_sources():
    for word in ("-", "ftp://example.org/x.whl", "file:///x.whl"):
        done = scan(word)
        check(done.returncode == 2 and "No such file" not in done.stdout + done.stderr,
              f"scan {word}: exit {done.returncode} {done.stderr}")


def lists():
    done = scan("--archs", "cu118_sm35_sm50_ptx50.fatbin", "cu124_sm90a_ptx90a.fatbin")
    check(done.stdout == "sm_35 sm_50 sm_90a compute_50 compute_90a\n", f"--archs: {done.stdout!r}")
    done = scan("--archs", "--kind", "ptx", "cu118_sm35_sm50_ptx50.fatbin")
    check(done.stdout == "compute_50\n", f"--archs --kind ptx: {done.stdout!r}")


def names():
    """A kernel with a C++ name, put into a .ptx: `_Z4vaddPKfi` is `vadd(float const*, int)`."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder, "x.ptx")
        ptx.write_text(".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry _Z4vaddPKfi(\n)\n{\nret;\n}\n")
        plain = json.loads(scan("--json", "--kernels", ptx).stdout)["files"][0]["kernels"]
        nice = json.loads(scan("--json", "--kernels", "--demangle", ptx).stdout)["files"][0]["kernels"]
        check(plain == {"compute_80": ["_Z4vaddPKfi"]}, f"mangled: {plain}")
        check(nice == {"compute_80": ["vadd(float const*, int)"]}, f"demangled: {nice}")
    counted = scan("--kernels", "libcu124_two_tu.so").stdout
    check("vadd" not in counted and "kernels" in counted, f"--kernels names by itself:\n{counted}")
    named = scan("--kernels", "--verbose", "libcu124_two_tu.so").stdout
    check("vadd" in named and "vsub" in named, f"--kernels --verbose does not name:\n{named}")


def own_targets():
    """PTX of an `a` or `f` target is no PTX for newer cards, and yet it is PTX (CUDA, compute capability
    families). Relocatable code (-rdc=true) runs on no card before it is linked."""
    for name in ("cu130_sm100f_ptx.fatbin", "cu124_sm90a_ptx90a.fatbin", "cu130_sm110f_ptx.fatbin"):
        text = " ".join(scan(name).stdout.split())
        check("no PTX" not in text and "PTX is for the cards of its target" in text, f"{name}:\n{text}")
    # The last one: linked without its device code (docs/fatbin.md: a wrapper of version 1 registers nothing).
    for name in ("cu130_sm80_rdc.cubin", "cu124_vadd_rdc.o", "libcu124_vadd_rdc_nodlink.so"):
        done = scan("--gpu", "8.0", name)
        text = " ".join(done.stdout.split())
        check("native" not in text and "input of a linker" in text and done.returncode != 0,
              f"{name}: exit {done.returncode}\n{text}")
    listed = scan("--archs", "libcu124_vadd_rdc_nodlink.so").stdout
    check(listed == "compute_86\n", f"--archs of relocatable PTX: {listed!r}")
    done = scan("--gpu", "8.0", "cu118_lto80.fatbin")
    check(done.returncode == 3 and "not known: LTO-IR" in done.stdout, done.stdout)
    done = scan("--gpu", "8.6", "hip_bundle_synthetic.hipfb")
    check(done.returncode == 3 and "do not decide it for 8.6" in done.stdout, f"AMD code:\n{done.stdout}")
    check("runs on 3.5 3.7" in scan("cu118_sm35.fatbin").stdout, "a file for cards that are not common")


def several_toolkits():
    """The newest toolkit in a file says which driver it needs (cuda-release-notes: CUDA 13.0 580.65.06, 11.8 450.80.02)."""
    with tempfile.TemporaryDirectory() as folder:
        both = pathlib.Path(folder, "both.fatbin")
        parts = [(FIXTURES / name).read_bytes() for name in ("cu118_sm35.fatbin", "cu130_sm75_ptx75_default.fatbin")]
        for order in (parts, parts[::-1]):
            both.write_bytes(b"".join(order))
            done = scan("--gpu", "7.5", "--driver", "470.256.02", both)
            check(done.returncode == 1 and "needs 580.65.06" in done.stdout, f"two toolkits:\n{done.stdout}")
    # The card's own first branch counts, where it is newer than the PTX's (CUDA 12.8 is the first with 12.0: R570).
    text = " ".join(scan("--gpu", "RTX 5090", "--driver", "565.57", "cu124_vadd.o").stdout.split())
    check("too old for it: needs 570" in text, text)
    check(scan("--gpu", "Jetson AGX Orin", "libcu124_vadd.so").returncode == 1, "an x86_64 library on an Arm board")
    nothing = scan("--diff", "nowhere-a", "nowhere-b").stdout
    check("same" not in nothing, f"nothing was compared:\n{nothing}")


def several_chips():
    """A GT 730 is one of three chips (docs/contract.md 1): each has its answer, and ids that tell which it is."""
    text = scan("--gpu", "GT 730", "cu118_sm35.fatbin").stdout
    check(all(one in text for one in ("10de:0fc9", "10de:1287", "GK208B")), text)
    check("10de:" not in scan("--gpu", "RTX 3090", "cu118_sm35.fatbin").stdout, "ids where nothing has to be told apart")


def long_comments():
    """PTX behind a licence of 12 kB, by lines and as one comment: the ISA lets comments stand anywhere."""
    body = ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.ptx")
        for head in ("// licence\n" * 1200, "/*" + "licence\n" * 1500 + "*/\n", "\n// a\n"):
            path.write_text(head + body)
            for where in (path, folder):
                file = json.loads(scan("--json", where).stdout)["files"]
                check(file and [one["arch"] for one in file[0]["ptx"]] == ["compute_80"], f"{head[:9]!r}: {file}")
        path.write_text("// licence\n" * 1200 + "int main() { return 0; }\n")
        file = json.loads(scan("--json", path).stdout)["files"][0]
        check(file["kind"] == "data" and not file["problems"], f"a C source: {file}")


def unknown_archs():
    """No architecture of CUDA has one digit; the schema has two or three."""
    data = bytearray((FIXTURES / "cu118_sm35_sm50_ptx50.fatbin").read_bytes())
    data[16 + 28] = 5
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.fatbin")
        path.write_bytes(data)
        done = scan("--json", path)
        file = json.loads(done.stdout)["files"][0]
        check(done.returncode == 3 and [one["arch"] for one in file["sass"]] == ["sm_50"] and
              "architecture 5 " in file["problems"][0], f"sm_5: {done.stdout}")
        path.write_bytes((FIXTURES / "libcu124_vadd.so").read_bytes()[:64])
        text = scan(path).stdout
        check("no GPU code in what could be read" in text, f"a library that is cut:\n{text}")


def same_base_names():
    """Two environments have the same names: each line tells which it means, and what is in no archive
    does not stand under one."""
    with tempfile.TemporaryDirectory() as folder:
        for env, name in (("env1", "cu118_sm35_sm50_ptx50.fatbin"), ("env2", "cu124_sm75_sm80_sm86_lz4.fatbin")):
            lib = pathlib.Path(folder, env, "lib")
            lib.mkdir(parents=True)
            shutil.copy(FIXTURES / name, lib / "x.fatbin")
            shutil.copy(FIXTURES / "libcu118_vadd.a", lib / "a.a")
        lines = scan("--gpu", "5.0", folder).stdout.splitlines()
        for env, mark in (("env1", "ok"), ("env2", "no")):
            check(any(line.split()[:1] == [mark] and env + "/lib/x.fatbin" in line for line in lines),
                  f"{env} is not told:\n" + "\n".join(lines))
        heading = next(line for line in lines if line.endswith("env1/lib/a.a"))
        block = lines[lines.index(heading):]
        block = block[:block.index("")]
        check(not any("x.fatbin" in line for line in block), "a file stands under an archive that it is not in")


def words():
    text = scan("cu124_sm75_sm80_sm86_lz4.fatbin").stdout
    check("no PTX: a GPU newer than 8.x cannot run it" in text, text)
    check("none" not in text, "none beside other compressions")
    check(text.splitlines()[-2] == "runs on 7.5 8.0 8.6 8.9", f"the verdict is not last:\n{text}")
    text = scan("cu118_sm35_sm50_ptx50.fatbin").stdout
    check("no PTX" not in text and "none" not in text, text)
    text = scan("fatbin_in_data_section.so").stdout
    check(".ldata" in text or ".data" in text, f"the section is not named:\n{text}")
    text = scan("fault_trunc_payload.fatbin").stdout
    unwrapped = " ".join(text.split())  # a long path of the fixtures may break the line
    check("fault_trunc_payload.fatbin: offset" in unwrapped, f"file and offset:\n{text}")
    quiet = scan("--quiet", "cu124_sm75_sm80_sm86_lz4.fatbin").stdout
    check(len(quiet.splitlines()) <= 3 and "runs on" in quiet, f"--quiet:\n{quiet}")
    text = scan(FIXTURES).stdout
    check("files with GPU code" in text, "no totals")
    markdown = scan("--format", "markdown", "--gpu", "8.6", "cu124_sm75_sm80_sm86_lz4.fatbin").stdout
    check("| --- |" in markdown and "`native`" in markdown or "| native |" in markdown, markdown)
    for language in ("en", "zh"):
        for arguments in (["cu130_sm100_ptx.fatbin"], [FIXTURES], ["--kernels", "libcu130_vadd_rdc.so"],
                          ["--gpu", "8.6", "--driver", "535.183.01", FIXTURES],
                          ["--diff", "cu118_sm35.fatbin", "libcu124_two_tu.so"]):
            for line in scan("--lang", language, *arguments).stdout.splitlines():
                check(width(line) <= 80 or "/" in line, f"{language} {arguments}: {width(line)} wide: {line}")


def odd_names():
    """A name may not move the cursor, nor pretend to be a verdict of its own line."""
    with tempfile.TemporaryDirectory() as folder:
        odd = pathlib.Path(folder, "odd.zip")
        with zipfile.ZipFile(odd, "w") as archive:
            archive.writestr("a\x1b[31m\nruns on 9.9.so", (FIXTURES / "cu118_sm35.fatbin").read_bytes())
        text = scan(odd).stdout
        check("\x1b" not in text and "\nruns on 9.9" not in text, f"a name speaks:\n{text!r}")


def torch_claim():
    """torch/lib with a libtorch_cuda of one set and a libtorch_python that claims another."""
    with tempfile.TemporaryDirectory() as folder:
        lib = pathlib.Path(folder, "torch/lib")
        lib.mkdir(parents=True)
        shutil.copy(FIXTURES / "libcu118_vadd.so", lib / "libtorch_cuda.so")
        source = lib / "p.c"
        source.write_text('const char* flags(void) { static const char* f = "sm_35 sm_50 sm_61"; return f; }\n'
                          'const char pad[] = "x";\n')
        built = subprocess.run(["cc", "-shared", "-fPIC", source, "-o", lib / "libtorch_python.so"],
                               capture_output=True)
        if built.returncode != 0:
            print("no C compiler: torch's claim is not tested")
            return
        source.unlink()
        answer = json.loads(scan("--json", folder).stdout)
        claim = answer["torch_claims"][0]
        check(claim["claimed"] == ["sm_35", "sm_50", "sm_61"] and claim["differs"] is True, f"claim: {claim}")
        check(claim["held"] == ["sm_35", "sm_50", "compute_50"], f"held: {claim}")
        text = scan(folder).stdout
        check("sm_61" in text, f"the claim is not said:\n{text}")


def main():
    for part in (verdicts, diffs, same_names, checksums, packed_tars, own_targets, several_toolkits, several_chips, long_comments, unknown_archs, same_base_names, repeated_names, unselected, not_whole, other_sources, lists,
                 names, words, odd_names, torch_claim):
        part()
    for failure in FAILURES:
        print("FAIL", failure)
    print(len(FAILURES), "failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
