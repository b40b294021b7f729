#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requirements and markers are read as `packaging`, the library of pip, reads them.

requirements_oracle_test.py BATCH: BATCH is the program of requirements_batch.cc.
"""
import itertools
import random
import subprocess
import sys

try:
    from packaging.markers import InvalidMarker, Marker
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name
except ImportError:
    print("skipped: the Python package `packaging` is not installed (Debian: python3-packaging)")
    sys.exit(77)

REQUIREMENTS = """
torch
torch[opt-einsum]==2.6.0
torch [x] == 2.6.*
torch[a, b] (>=2.1,<2.4)
torch(==2.6.0)
torch ==2.6.0
torch~=2.6.0
torch~=2
torch!=2.6.0,>=2.1
torch===2.6.0+cu124
torch==2.6.0+cu124
torch>=2.6.0+cu124
torch==2.6.0;sys_platform=="win32"
torch==2.6.0 ; sys_platform == 'win32' and (python_version < '3.9' or os_name == "nt")
torch; python_version in '3.8 3.9'
torch; os_name
torch;
torch @ https://example.org/torch-2.6.0-cp312-cp312-linux_x86_64.whl
torch@https://example.org/t.whl ; os_name == 'nt'
torch[x] @ file:///tmp/t.whl
torch @
torch 2.6
torch=2.6
torch=>2.6
torch==
torch>>2
torch==2.6.0 extra
torch[
torch[]
torch[a b]
_torch
torch-
to rch
ruamel.yaml>=0.17
Flash_Attn==2.8.3
numpy<2,>=1.26
-e .
torch>=2.*
torch==2.*,!=2.1.*
""".strip().splitlines()

VALUES = {
    "os_name": ["posix", "nt"],
    "sys_platform": ["linux", "win32"],
    "platform_machine": ["x86_64", "AMD64", "aarch64"],
    "platform_system": ["Linux", "Windows"],
    "implementation_name": ["cpython"],
    "python_version": ["3.8", "3.9", "3.10", "3.12", "3"],
    "python_full_version": ["3.8.10", "3.12.3"],
}
HERE = [
    {"os_name": "posix", "sys_platform": "linux", "platform_machine": "x86_64", "platform_system": "Linux",
     "implementation_name": "cpython", "python_version": "3.10", "python_full_version": "3.10.12"},
    {"os_name": "nt", "sys_platform": "win32", "platform_machine": "AMD64", "platform_system": "Windows",
     "implementation_name": "cpython", "python_version": "3.8", "python_full_version": "3.8.10"},
]


def comparison(rng):
    name = rng.choice(sorted(VALUES))
    value = rng.choice(VALUES[name])
    if "version" in name:
        op = rng.choice(["==", "!=", "<", "<=", ">", ">=", "~=" if value != "3" else "<", "in", "not in"])
    else:
        op = rng.choice(["==", "!=", "in", "not in", " == "])
    quoted = rng.choice("'\"")
    sides = [name, quoted + value + quoted]
    if rng.random() < 0.2 and op != "~=":
        sides.reverse()
    return f"{sides[0]} {op} {sides[1]}"


def expression(rng, depth):
    if depth == 0 or rng.random() < 0.3:
        return comparison(rng)
    left, right = expression(rng, depth - 1), expression(rng, depth - 1)
    text = f"{left} {rng.choice(['and', 'or'])} {right}"
    return f"({text})" if rng.random() < 0.5 else text


def requirement_by_packaging(text):
    try:
        read = Requirement(text)
    except InvalidRequirement:
        return "invalid"
    clauses = sorted(str(one) for one in read.specifier)
    return "|".join([canonicalize_name(read.name), ",".join(sorted(read.extras)), ",".join(clauses),
                     read.url or "", "yes" if read.marker else "no"])


def marker_by_packaging(text, values):
    try:
        return "yes" if Marker(text).evaluate(values) else "no"
    except InvalidMarker:
        return "invalid"


def main():
    rng = random.Random(508)
    questions, wanted = [], []
    for text in REQUIREMENTS:
        questions.append(f"requirement\t{text}")
        wanted.append(requirement_by_packaging(text))
    for values, _ in itertools.product(HERE, range(1500)):
        text = expression(rng, 3)
        known = " ".join(f"{name}={value}" for name, value in values.items())
        questions.append(f"marker\t{text}\t{known}")
        wanted.append(marker_by_packaging(text, values))
    answered = subprocess.run([sys.argv[1]], input="\n".join(questions) + "\n", capture_output=True, text=True,
                              check=True).stdout.splitlines()
    wrong = [f"{q}\n  packaging: {w}\n  kernelfit: {a}" for q, w, a in zip(questions, wanted, answered) if w != a]
    print("\n".join(wrong[:20]))
    print(f"{len(questions) - len(wrong)} of {len(questions)} as packaging says")
    return 1 if wrong or len(answered) != len(questions) else 0


if __name__ == "__main__":
    sys.exit(main())
