#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON of every command against schemas/*.schema.json (JSON Schema 2020-12).

All recorded machines and many what-ifs must be accepted, and outputs with one fault planted each
must be refused: a schema that lets everything through would prove nothing.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not there")
    sys.exit(77)

SOURCE = pathlib.Path(os.environ.get("KF_SOURCE", pathlib.Path(__file__).parents[2]))
KERNELFIT = os.environ.get("KERNELFIT", str(SOURCE / "build/dev/kernelfit"))
HEAD = ["schema", "kernelfit", "knowledge"]

FATBIN = str(SOURCE / "tests/fixtures/fatbin")
CASES = str(SOURCE / "tests/cases")

WHAT_IFS = [
    ["plan", "--gpu", "GT 730", "--os", "linux", "--python", "3.10", "--driver", "470.256.02"],
    ["plan", "--gpu", "10de:1287", "--os", "linux", "--python", "3.10", "--driver", "470.256.02"],
    ["plan", "--gpu", "GeForce GTX 1080 Ti", "--os", "linux", "--python", "3.12", "--driver", "580.95.05"],
    ["plan", "--gpu", "RTX 5090", "--os", "windows", "--python", "3.12", "--driver", "580.97"],
    ["plan", "--gpu", "RTX 5090", "--os", "linux", "--python", "3.12", "--driver", "535.183.01"],
    ["plan", "--gpu", "RTX 3090", "--gpu", "GTX 1060", "--os", "linux", "--python", "3.11", "--driver", "550.163.01"],
    ["plan", "--gpu", "RTX 3090", "--os", "linux", "--python", "3.12", "--driver", "570.133.07",
     "--installed", "torch==2.13.0+cpu"],
    ["plan", "--gpu", "Tesla K80", "--os", "linux", "--python", "3.12", "--driver", "470.256.02", "torch==2.15.0"],
    ["plan", "--gpu", "2.1", "--os", "linux", "--python", "3.8", "--driver", "390.157"],
    ["plan", "--gpu", "RTX 3090", "--os", "linux", "--python", "3.13t", "--driver", "580.95.05"],
    ["doctor", "--gpu", "GT 1030", "--os", "linux", "--python", "3.12", "--driver", "580.95.05",
     "--installed", "torch==2.15.0+cu132"],
    ["plan", "--jetpack", "6.1", "--python", "3.10"],
    ["plan", "--gpu", "8.6"],
    ["plan", "--gpu", "8.6", "--os", "linux", "--driver", "none", "--python", "3.12"],
    ["plan", "--gpu", "RTX 4090", "--os", "wsl", "--python", "3.12", "--driver", "551.86", "--mirror", "nju"],
    ["plan", "driver", "--gpu", "GTX 1080 Ti", "--os", "linux", "--driver", "none"],
    ["plan", "driver", "--gpu", "RTX 5090", "--os", "linux", "--driver", "535.183.01", "--cuda", "12.8"],
    ["plan", "driver", "--gpu", "Tesla K80", "--os", "linux", "--driver", "470.256.02", "--cuda", "12.4"],
    ["plan", "driver", "--gpu", "GTX 1080 Ti", "--gpu", "RTX 5090", "--os", "linux"],
    ["plan", "driver", "--gpu", "Tesla K80", "--os", "wsl"],
    ["doctor", "--gpu", "GTX 1080 Ti", "--os", "linux", "--python", "3.12", "--driver", "580.95.05",
     "--installed", "torch==2.13.0+cu130"],
    ["doctor", "--gpu", "GT 730", "--os", "linux", "--steps"],
    ["doctor", "--gpu", "RTX 4090", "--driver", "570.133.07", "--os", "linux", "--python", "3.12",
     "--installed", "torch==2.10.0+cu128"],
    ["gpu", "GTX 1080 Ti"], ["gpu", "GT 730"], ["gpu", "8.7"], ["gpu", "10de:2206"], ["gpu", "2.1"],
    ["scan", FATBIN + "/cu118_sm35_sm50_ptx50.fatbin"],
    ["scan", "--kernels", "--demangle", FATBIN + "/libcu130_vadd_rdc.so", FATBIN + "/vadd-0.1-deflated.whl"],
    ["scan", "--kernels", "--gpu", "GT 730", "--gpu", "RTX 5090", "--driver", "580.95.05", FATBIN],
    ["scan", "--sm", "8.6", "--kind", "ptx", FATBIN], ["scan", "--gpu", "8.6", "--os", "linux", FATBIN + "/vadd_pe.dll"],
    ["scan", FATBIN + "/vadd.cu", FATBIN + "/hip_bundle_synthetic.hipfb", FATBIN + "/cu130_sm121a.cubin"],
    ["scan", FATBIN + "/fault_trunc_payload.fatbin", "/no/such/file"], ["scan", "--sections", FATBIN + "/libcu124_two_tu.so"],
    ["explain", CASES + "/031.txt"], ["explain", CASES + "/055.txt"], ["explain", CASES + "/155.txt"], ["explain", "KF2001"],
    ["explain", "no", "kernel"],
    ["scan", "--diff", FATBIN + "/cu118_sm35.fatbin", FATBIN + "/cu118_sm35_lz4.fatbin"],
    ["scan", "--diff", "--kernels", FATBIN + "/libcu124_vadd.so", FATBIN + "/libcu124_two_tu.so"],
    ["scan", "--diff", FATBIN + "/vadd-0.1-stored.whl", FATBIN + "/vadd-0.1.tar.zst"],
    ["torch"], ["torch", "2.13.0"], ["torch", "1.3.1"], ["torch", "--matrix"],
]


def replaced(value, *path):
    def change(report):
        at = report
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return change


def removed(*path):
    def change(report):
        at = report
        for key in path[:-1]:
            at = at[key]
        del at[path[-1]]
    return change


# (which answer, what is wrong with it, how it becomes wrong)
MUTATIONS = [
    ("doctor", "no schema", removed("schema")),
    ("doctor", "another command's schema", replaced("kernelfit.plan/1", "schema")),
    ("doctor", "no knowledge date", removed("knowledge")),
    ("doctor", "a date that is none", replaced("yesterday", "knowledge")),
    ("doctor", "an unknown verdict", replaced("maybe", "verdicts", 0, "verdict")),
    ("doctor", "a verdict that is no text", replaced(7, "verdicts", 0, "verdict")),
    ("doctor", "no library in a verdict", removed("verdicts", 0, "library")),
    ("doctor", "no findings", removed("findings")),
    ("doctor", "findings that are no list", replaced({}, "findings")),
    ("doctor", "a code of another form", replaced("E2002", "findings", 0, "code")),
    ("doctor", "an unknown severity", replaced("fatal", "findings", 0, "severity")),
    ("doctor", "an unknown certainty", replaced("sure", "findings", 0, "certainty")),
    ("doctor", "an unknown action", replaced("buy-hardware", "findings", 0, "fixes", 0, "action", "kind")),
    ("doctor", "evidence whose source is an empty text",
     replaced("", "findings", 0, "evidence", 0, "source")),
    ("plan", "a Python that is none", replaced("3.13tt", "choice", "python")),
    ("doctor", "a fix without a rank", removed("findings", 0, "fixes", 0, "rank")),
    ("doctor", "a rank of 0", replaced(0, "findings", 0, "fixes", 0, "rank")),
    ("doctor", "a capability that is none", replaced("86", "gpus", 0, "card", "compute_capability", "value")),
    ("doctor", "an unknown state of a fact", replaced("guessed", "machine", "driver", "version", "state")),
    ("doctor", "an absent fact with a value",
     replaced({"value": "535.1", "state": "absent", "source": None}, "machine", "driver", "version")),
    ("doctor", "an unknown fact without a reason",
     replaced({"value": None, "state": "unknown", "source": None}, "machine", "driver", "version")),
    ("doctor", "incomplete that is no truth value", replaced("no", "incomplete")),
    ("doctor", "a field nobody knows", replaced(1, "extra")),
    ("plan", "an unknown verdict", replaced("upgrade", "verdict")),
    ("plan", "no choice where one is to be installed", replaced(None, "choice")),
    ("plan", "no commands where one is to be installed", replaced([], "commands")),
    ("plan", "an unknown channel", replaced("somewhere", "choice", "channel")),
    ("plan", "an unknown tool", replaced("npm", "commands", 0, "tool")),
    ("plan", "lines that are one text", replaced("pip install torch", "commands", 0, "lines")),
    ("plan", "an unknown way to run", replaced("fast", "per_gpu", 0, "runs")),
    ("plan", "no per_gpu", removed("per_gpu")),
    ("plan", "a Python that is none", replaced("3.13tt", "choice", "python")),
    ("plan", "update-driver without a driver", replaced("update-driver", "verdict")),
    ("gpu", "no pages of a card", replaced([], "cards", 0, "variants")),
    ("gpu", "a branch that is no number", replaced("580", "cards", 0, "variants", 0, "driver", "last_branch")),
    ("gpu", "an unknown platform", replaced("macos", "cards", 0, "variants", 0, "torch", 0, "platform")),
    ("explain", "no input", removed("input")),
    ("explain", "lines that are a text", replaced("many", "input", "lines")),
    ("explain", "a fact without its line", removed("input", "recognised", 0, "source")),
    ("explain", "an unknown severity", replaced("fatal", "findings", 0, "severity")),
    ("explain", "an unknown action", replaced("buy-hardware", "findings", 0, "fixes", 0, "action", "kind")),
    ("explain", "no missing", removed("missing")),
    ("explain", "a field nobody knows", replaced(1, "extra")),
    ("explain-rules", "no rule", replaced([], "rules")),
    ("explain-rules", "a code of another form", replaced("E2002", "rules", 0, "code")),
    ("scan", "an architecture that is none", replaced("8.6", "files", 0, "sass", 0, "arch")),
    ("scan", "PTX among the machine code", replaced("compute_80", "files", 0, "sass", 0, "arch")),
    ("scan", "an architecture without images", replaced(0, "files", 0, "sass", 0, "images")),
    ("scan", "images that are text", replaced("2", "files", 0, "sass", 0, "images")),
    ("scan", "kernels below nothing", replaced(-1, "files", 0, "sass", 0, "kernels")),
    ("scan", "an unknown kind of file", replaced("elf", "files", 0, "kind")),
    ("scan", "a coverage word of another command", replaced("driver-too-old", "files", 0, "coverage", "8.6")),
    ("scan", "coverage of no capability", replaced("native", "files", 0, "coverage", "sm_86")),
    ("scan", "no coverage", removed("files", 0, "coverage")),
    ("scan", "no bare", removed("files", 0, "bare")),
    ("scan", "no relocatable PTX", removed("files", 0, "relocatable", "ptx")),
    ("scan", "a file's field nobody knows", replaced(1, "files", 0, "extra")),
    ("scan", "a CUDA version that is none", replaced("twelve", "files", 0, "cuda_version")),
    ("scan", "kernels by no architecture", replaced(["f"], "files", 0, "kernels", "turing")),
    ("scan", "no totals", removed("totals")),
    ("scan", "totals without files seen", removed("totals", "files_seen")),
    ("scan", "an unknown verdict", replaced("runs", "verdicts", 0, "verdict")),
    ("scan", "a verdict on no file", removed("verdicts", 0, "path")),
    ("scan", "incomplete and nothing missing", replaced(True, "incomplete")),
    ("scan", "something missing, but complete", replaced(["a file"], "missing")),
    ("scan", "another command's schema", replaced("kernelfit.scan-diff/1", "schema")),
    ("scan-diff", "equal, and yet a difference", replaced(True, "equal")),
    ("scan-diff", "different in nothing", replaced([], "files")),
    ("scan-diff", "images below nothing", replaced(-1, "files", 0, "archs", 0, "a")),
    ("scan-diff", "a side of another form", replaced("A", "files", 0, "a")),
    ("scan-diff", "kernels without what came", removed("files", 0, "kernels", 0, "came")),
    ("scan-diff", "a field nobody knows", replaced(1, "extra")),
    ("torch", "an architecture that is none", replaced(["8.6"], "builds", 0, "sass")),
    ("torch", "no release", removed("release")),
    ("torch", "an unknown confidence", replaced("certain", "release", "confidence")),
]
MUTATED = {
    "doctor": ["doctor", "--gpu", "GTX 1080 Ti", "--os", "linux", "--python", "3.12", "--driver",
               "580.95.05", "--installed", "torch==2.13.0+cu130"],
    "plan": ["plan", "--gpu", "GTX 1080 Ti", "--os", "linux", "--python", "3.12", "--driver", "580.95.05"],
    "gpu": ["gpu", "GTX 1080 Ti"],
    "torch": ["torch", "2.13.0"],
    "explain": ["explain", CASES + "/031.txt"], "explain-rules": ["explain", "KF2001"],
    "scan": ["scan", "--kernels", "--gpu", "8.6", FATBIN + "/cu124_sm75_sm80_sm86_lz4.fatbin"],
    "scan-diff": ["scan", "--diff", "--kernels", FATBIN + "/libcu124_vadd.so", FATBIN + "/libcu124_two_tu.so"],
}


def load_validators():
    out = {}
    for path in sorted((SOURCE / "schemas").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        out[path.name.split(".")[0]] = jsonschema.Draft202012Validator(schema)
    return out


def answer(arguments):
    done = subprocess.run([KERNELFIT, *arguments, "--json", "--lang", "en"], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def schema_of(arguments):
    if arguments[0] == "explain" and not arguments[1].startswith(CASES):
        return "explain-rules"
    return "scan-diff" if "--diff" in arguments else arguments[0]


def faults_of(arguments, validators):
    status, out, err = answer(arguments)
    if status not in (0, 1, 3) or err:
        return [f"exit {status}: {err.strip()[:300]}"]
    if not out.endswith("}\n"):
        return ["does not end in a newline"]
    report = json.loads(out)
    wrong = [] if list(report)[:3] == HEAD else [f"begins with {list(report)[:3]}"]
    if report.get("incomplete") is False and status == 3:
        wrong.append("exit 3, but not incomplete")
    for error in validators[schema_of(arguments)].iter_errors(report):
        wrong.append(f"{error.json_path}: {error.message[:200]}")
    return wrong[:5]


def accepted(validators):
    hosts = sorted(path.parent for path in (SOURCE / "tests/hosts").glob("*/host.toml"))
    asked = list(WHAT_IFS)
    for host in hosts:
        asked.append(["doctor", "--steps", "--host", str(host)])
        asked.append(["plan", "--host", str(host)])
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for arguments, wrong in zip(asked, pool.map(lambda a: faults_of(a, validators), asked)):
            failed += bool(wrong)
            for line in wrong:
                print(f"FAILED {' '.join(arguments)}: {line}")
    print(f"{len(asked)} answers, {failed} refused by their schema")
    return failed == 0 and len(hosts) >= 30


def refused(validators):
    reports = {name: json.loads(answer(arguments)[1]) for name, arguments in MUTATED.items()}
    missed = 0
    for name, what, change in MUTATIONS:
        report = copy.deepcopy(reports[name])
        try:
            change(report)
        except (KeyError, IndexError, TypeError):
            print(f"FAILED {name}: there is nothing to make into \"{what}\"")
            missed += 1
            continue
        if validators[name].is_valid(report):
            print(f"FAILED {name}: \"{what}\" was accepted")
            missed += 1
    print(f"{len(MUTATIONS)} faults planted, {missed} missed")
    return missed == 0 and len(MUTATIONS) >= 20


def main():
    validators = load_validators()
    results = [accepted(validators), refused(validators)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
