#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` lays down is enough for somebody else's program.

The header compiles as C99 and as C++ with every warning; examples/list.c and the programs in the
header's and docs/library.md's text are built by pkg-config against an installed prefix and run;
examples/kernelfit_ctypes.py finds the library there; the library shows the functions of the header
and nothing else.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
BUILD = pathlib.Path(os.environ["KF_BUILD"])
FIXTURES = SOURCE / "tests/fixtures/fatbin"
WHEEL = str(FIXTURES / "vadd-0.1-deflated.whl")
HEADER = (SOURCE / "include/kernelfit/kernelfit.h").read_text()
C99 = ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
FAILURES = []


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    return done.returncode, done.stdout, done.stderr


def must(command, **more):
    status, out, err = run(command, **more)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {status}\n{out}{err}")
    return out


def environment(prefix):
    library = next(prefix.rglob("libkernelfit.so.1"))
    env = dict(os.environ, LD_LIBRARY_PATH=str(library.parent), KERNELFIT_LIBRARY=str(library),
               PKG_CONFIG_PATH=str(library.parent / "pkgconfig"), ASAN_OPTIONS="detect_leaks=0")
    return library, env


def sanitized(env):
    """A program without the sanitizer's runtime needs it loaded before the library."""
    return dict(env, LD_PRELOAD=env["KF_PRELOAD"]) if env.get("KF_PRELOAD") else env


def symbols(library):
    declared = set(re.findall(r"^KERNELFIT_API .*?\b(kernelfit_\w+)\(", HEADER, re.M))
    shown = {line.split()[-1] for line in must(["nm", "-D", "--defined-only", library]).splitlines()}
    check(declared == shown, f"declared and not shown, or shown and not declared: {sorted(declared ^ shown)}")
    check(len(declared) > 60, f"only {len(declared)} functions were found in the header")
    abi = re.search(r"#define KERNELFIT_ABI_VERSION (\d+)", HEADER).group(1)
    dynamic = must(["readelf", "-d", library])
    check(f"[libkernelfit.so.{abi}]" in dynamic, "SOVERSION is not KERNELFIT_ABI_VERSION")
    check("TEXTREL" not in dynamic, "the library has text relocations")


def compiles(work, env):
    flags = must(["pkg-config", "--cflags", "kernelfit"], env=env).split()
    for name, compiler in (("h.c", C99), ("h.cc", ["c++", "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror"])):
        (work / name).write_text("#include <kernelfit/kernelfit.h>\nint main(void) { return 0; }\n")
        status, _, err = run([*compiler, *flags, "-c", str(work / name), "-o", str(work / "h.o")])
        check(status == 0, f"{name}: {err}")


def build(work, env, source):
    flags = must(["pkg-config", "--cflags", "--libs", "kernelfit"], env=env).split()
    program = work / source.stem
    status, _, err = run([*C99, str(source), *flags, "-o", str(program)])
    check(status == 0, f"{source.name}: {err}")
    return program


def examples(work, env):
    """What both print and how they end, against the program's own answer."""
    program = [str(build(work, env, SOURCE / "examples/list.c"))]
    python = [sys.executable, str(SOURCE / "examples/kernelfit_ctypes.py")]
    for path, card, word in ((WHEEL, ["GeForce RTX 3090", "535.183.01"], "no-code"),
                             (str(FIXTURES / "cu130_sm100_ptx.fatbin"), ["12.0", "580.95.05"], "ptx-jit"),
                             (str(FIXTURES / "fault_trunc_header.fatbin"), [], "offset 912"),
                             ("/no/such/file", [], "/no/such/file")):
        flags = ["--gpu", card[0], "--driver", card[1]] if card else []
        expected, answer, _ = run([os.environ["KERNELFIT"], "scan", "--json", *flags, path], env=env)
        archs = [(one["arch"], one["images"]) for file in json.loads(answer)["files"]
                 for kind in ("sass", "ptx") for one in file[kind]]
        for command in (program, python):
            status, out, err = run([*command, path, *card], env=sanitized(env))
            check(status == expected, f"{command[-1]} {path}: exit {status}, not {expected}\n{err}")
            check(word in out + err, f"{command[-1]} {path}: no {word} in\n{out}{err}")
            listed = [(arch, int(count)) for arch, count in re.findall(r"^  (\w+) +(\d+)", out, re.M)]
            check(listed == archs, f"{command[-1]} {path}: {listed}, not {archs}")
    status, _, err = run([*program, WHEEL, "GTX 9999"], env=sanitized(env))
    check(status == 4 and "GTX 9999" in err, f"an unknown card: exit {status} {err}")


def written_programs(work, env):
    """The programs in the header's comment and in docs/library.md."""
    tutorial = HEADER[HEADER.index("#include <kernelfit/"):HEADER.index(" *   cc example.c")]
    texts = {"tutorial": re.sub(r"^ \* ?", "", tutorial, flags=re.M)}
    guide = (SOURCE / "docs/library.md").read_text()
    for number, block in enumerate(re.findall(r"^```c\n(.*?)^```", guide, re.M | re.S)):
        texts[f"guide{number}"] = block
    check(len(texts) > 1, "docs/library.md shows no program")
    shutil.copy(FIXTURES / "libcu124_two_tu.so", work / "libtorch_cuda.so")
    for name, text in texts.items():
        (work / f"{name}.c").write_text(text)
        program = build(work, env, work / f"{name}.c")
        status, out, err = run([str(program)], env=sanitized(env), cwd=work)
        check(status == 0 and "native" in out, f"{name}: exit {status}\n{out}{err}")


def main():
    for tool in ("cc", "c++", "pkg-config", "nm", "readelf"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        work, prefix = pathlib.Path(folder), pathlib.Path(folder) / "prefix"
        must(["cmake", "--install", str(BUILD), "--prefix", str(prefix)])
        library, env = environment(prefix)
        version = must([str(prefix / "bin/kernelfit"), "--version"], env=env).split()[-1]
        check(must(["pkg-config", "--modversion", "kernelfit"], env=env).strip() == version,
              "kernelfit.pc is of another version than the program")
        symbols(library)
        compiles(work, env)
        examples(work, env)
        written_programs(work, env)
    for failure in FAILURES:
        print(failure)
    print(f"{len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
