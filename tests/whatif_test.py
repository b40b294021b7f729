#!/usr/bin/env python3
"""The what-if scenarios through `kernelfit plan --json`, scored as tests/whatif/README.md says.

All must be right or acceptable, at least 21 right, none harmful. With --list every answer is printed.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
BUILDS = list(csv.DictReader(open(DATA / "torch/builds.csv", newline="")))
TEGRA = {"3.2", "5.3", "6.2", "7.2", "8.7", "10.1", "11.0"}

# What has to be said, as patterns over the whole answer. All of a list must be found.
MUST_SAY = {
    "W01": [r"cuDNN", r"2\.4\.1.*(cuDNN|switched off)|cuDNN switched off"],
    "W02": [r"the CPU or another GPU"],
    "W06": [r"cudnn|cuDNN"],
    "W08": [r"R470", r"470\.256\.02"],
    "W12": [r"cudnn<9\.11"], "W15": [r"cudnn<9\.11"], "W23": [r"cudnn<9\.11"],
    "W22": [r"2\.15\.\* does not exist for these cards"],
    "W42": [r"install the driver first"],
    "W46": [r"nothing to install"],
    "W52": [r"driver from 580\.65\.06 on"],
    "W55": [r"Python 3\.9 to 3\.15"],
    "W58": [r"NVIDIA", r"wheel", r"JetPack 6\.1"],
}
# What must not be advised, as patterns over choice, commands and alternatives.
CUDA_WHEEL = r"\+cu\d|/whl/cu\d"
LATEST_DRIVER = r"nvidia-driver-(5[0-9]{2}|6)|NVIDIA-Linux-x86_64-(49[5-9]|5|6)"
MUST_NOT = {
    "W01": [r"download\.pytorch\.org/whl/cu1[123]", r"1\.7\.1\+cu102", LATEST_DRIVER],
    "W02": [CUDA_WHEEL, r"conda-forge", LATEST_DRIVER],
    "W06": [r"cu12\d|cu13\d|cuda12|cuda13", r"nvidia-driver-"],
    "W08": [r"cu12\d|cu13\d|cuda12|cuda13", LATEST_DRIVER],
    "W12": [r"cu128|cu129|cu13\d", r"nvidia-driver-59|nvidia-driver-6"],
    "W15": [r"cu128|cu129|cu13\d", r"pip install \"?torch\"?( |$)", r"nvidia-driver-"],
    "W17": [r"2\.15\.0", r"pip install \"?torch(==2\.15\.0)?\"?( |$)", r"nvidia-driver-"],
    "W19": [r"cu130|cu132|cu128", r"pip install \"?torch(==[\d.]+)?\"?( |$)"],
    "W22": [r"2\.15", r"nvidia-driver-"],
    "W23": [r"cu13\d|cuda13", r"2\.1[1-9]\.\d\+cu128", r"2\.7\.\d\+cu128"],
    "W27": [r"cu13\d|cu128|cu129"],
    "W30": [r"cu12\d|cu13\d|cuda12|cuda13", r"pip install \"?torch\"?( |$)", r"nvidia-driver-"],
    "W35": [r"cuda-toolkit", r"nvidia-driver-", r"torch==1\.10\.1\"?( |$)"],
    "W38": [r"nvidia\.com/.*driver", r"pip install (--upgrade )?\"?torch\"?( |$)", r"\+cpu"],
    "W41": [r"apt-get install nvidia|\.run", r"win_amd64", r"cu130|cu132|cuda13"],
    "W42": [r"\+cpu", r"cuda-toolkit"],
    "W46": [r"pip install|uv pip|conda install", r"nightly", r"nvidia-driver-"],
    "W48": [r"\+cpu", r"cu121"],
    "W49": [r"cu130|cu132|cuda13"],
    "W52": [r"cu126", r"cu130|cu132|cuda13", r"nightly"],
    "W55": [r"python3?\.8|cp38", r"2\.4\.1"],
    "W57": [r"cu126|cu118"],
    "W58": [r"download\.pytorch\.org", r"pip install \"?torch\"?( |$)", r"x86_64"],
    "W60": [r"2\.(7|8|9|1\d)\.\d", r"2\.6\.0\+cu126", r"glibc"],
}


def version(text):
    return tuple(int(part) for part in re.findall(r"\d+", text or "")[:3])


def arguments(given):
    out = []
    for gpu in given["gpus"]:
        out += ["--gpu", gpu.get("pci_id") or gpu.get("compute_capability") or gpu["name"]]
    if "driver" in given and not given.get("jetpack"):
        out += ["--driver", given["driver"] or "none"]
    out += ["--os", given["os"], "--cpu-arch", given.get("arch", "x86_64")]
    for key in ("python", "glibc", "jetpack"):
        if given.get(key):
            out += ["--" + key, str(given[key])]
    installed = given.get("installed") or {}
    for key in ("torch", "torchvision", "torchaudio"):
        if installed.get(key):
            out += ["--installed", f"{key}=={installed[key]}"]
    want = (given.get("want") or {}).get("torch")
    return ["plan", "--json"] + out + [f"torch=={want}" if want else "torch"]


def runs_on(word, capability):
    number = word.split("_")[1].rstrip("af")
    code = number[:-1] + "." + number[-1]
    if code == capability:
        return True
    return (code not in TEGRA and capability not in TEGRA and code.split(".")[0] == capability.split(".")[0]
            and version(code) <= version(capability))


def has_code(choice, given):
    """False where the table says that the build holds nothing for a card."""
    system = "windows" if given["os"] == "windows" else "linux"
    rows = [row for row in BUILDS if (row["torch"], row["build"], row["channel"], row["platform"]) == (
        choice.get("torch"), choice.get("build"), choice.get("channel"), system + "-" + given.get("arch", "x86_64"))]
    if not rows or any(not gpu.get("compute_capability") for gpu in given["gpus"]):
        return True
    return all(any(runs_on(word, gpu["compute_capability"]) for word in rows[0]["sass"].split())
               or any(version(word.split("_")[1][:-1] + "." + word[-1]) <= version(gpu["compute_capability"])
                      for word in rows[0]["ptx"].split())
               for gpu in given["gpus"])


def advised(answer):
    """Everything that a person would do: choice, commands, alternatives."""
    parts = [json.dumps(answer.get("choice")), json.dumps(answer.get("after"))]
    for blocks in [answer.get("commands") or []] + [a.get("commands") or [] for a in answer.get("alternatives") or []]:
        parts += [line for block in blocks for line in block["lines"]]
    for alternative in answer.get("alternatives") or []:
        parts.append(json.dumps({key: alternative.get(key) for key in ("torch", "build", "channel", "python")}))
    return "\n".join(parts)


def score(scenario, answer):
    if answer is None:
        return "incomplete", ["no answer"]
    given, wanted = scenario["input"], scenario["answer"]
    verdict, choice = answer.get("verdict"), answer.get("choice") or {}
    complaints = [f"advises /{pattern}/" for pattern in MUST_NOT.get(scenario["id"], [])
                  if re.search(pattern, advised(answer), re.M)]
    if complaints or (verdict in ("install", "reinstall") and choice.get("build") != "cpu" and not has_code(choice, given)):
        return "harmful", complaints or ["no code for a card"]
    if verdict in ("install", "reinstall") and wanted["verdict"] in ("keep", "no-build"):
        return "harmful", [f"{verdict} where {wanted['verdict']} is right"]
    whole = json.dumps(answer, ensure_ascii=False)
    missing = [f"does not say /{pattern}/" for pattern in MUST_SAY.get(scenario["id"], []) if not re.search(pattern, whole)]
    right = verdict == wanted["verdict"] or verdict in (wanted.get("also_right") or [])
    best = any(best.get("verdict", verdict) == verdict and (choice.get("torch"), choice.get("build"), choice.get("channel"))
               == (best["torch"], best["build"], best["channel"]) for best in wanted["best"])
    fits = any(choice.get("channel") == row["channel"] and choice.get("build") == row["build"]
               and version(row["torch_min"]) <= version(choice.get("torch")) <= version(row["torch_max"])
               for row in wanted["acceptable"])
    after = wanted.get("after") or {}
    wrong_after = [f"after {key}: {value}" for key, value in after.items()
                   if value and (answer.get("after") or {}).get(key) != value]
    if right and (best or not wanted["best"] or verdict == "keep") and not missing and not wrong_after:
        return "right", []
    if verdict == wanted["verdict"] and (fits or best) and not missing:
        return "acceptable", wrong_after
    if verdict in (None, "ask"):
        return "incomplete", missing
    return "wrong", missing + wrong_after + [f"verdict {verdict}, wanted {wanted['verdict']}"]


def ask(program, scenario):
    run = subprocess.run([program] + arguments(scenario["input"]), capture_output=True, text=True, timeout=60)
    try:
        return json.loads(run.stdout), run
    except ValueError:
        return None, run


def planted_faults(scenarios):
    """The scoring itself: bad answers must not pass."""
    def answer(verdict, torch=None, build=None, channel="pip", line="", after=None):
        choice = {"torch": torch, "build": build, "channel": channel} if torch else None
        return {"verdict": verdict, "choice": choice, "after": after,
                "commands": [{"tool": "pip", "lines": [line]}] if line else [], "alternatives": []}
    index = "python -m pip install torch=={0}+{1} --index-url https://download.pytorch.org/whl/{1}"
    cases = [
        ("W15", answer("install", "2.14.1", "cu130", line=index.format("2.14.1", "cu130")), "harmful"),  # no code
        ("W46", answer("reinstall", "2.9.1", "cu128"), "harmful"),            # a working set-up
        ("W02", answer("install", "1.3.0", "cu101"), "harmful"),              # Fermi
        ("W17", answer("reinstall", "2.14.1", "cu126", line="pip install torch"), "harmful"),  # changes nothing
        ("W08", answer("update-driver", "2.3.1", "cu118", after={"driver": "580.178.04"}), "wrong"),
        ("W38", answer("reinstall", "2.13.0", "cpu", line="pip install torch==2.13.0+cpu"), "harmful"),
        ("W30", answer("ask"), "incomplete"),
        ("W30", answer("install", "2.7.0", "cu118"), "acceptable"),
        ("W30", answer("update-driver", "2.8.0", "cu128", after={"driver": "580.178.04"}), "harmful"),
    ]
    wrong = [(name, score(scenarios[name], given), wanted) for name, given, wanted in cases
             if score(scenarios[name], given)[0] != wanted]
    for name, got, wanted in wrong:
        print("the scoring of", name, "gives", got, "and should give", wanted)
    return not wrong


# docs/contract.md 2
STATUS = {"install": 0, "reinstall": 0, "keep": 0, "update-driver": 1, "change-python": 1, "fix-component": 1,
          "no-build": 1, "ask": 3}


def main():
    program = os.environ["KERNELFIT"]
    counts = {}
    with open(HERE / "whatif" / "scenarios.jsonl") as file:
        scenarios = {scenario["id"]: scenario for scenario in map(json.loads, file)}
    failed = not planted_faults(scenarios)
    for scenario in scenarios.values():
        answer, run = ask(program, scenario)
        result, complaints = score(scenario, answer)
        counts[result] = counts.get(result, 0) + 1
        if answer and run.returncode != STATUS[answer["verdict"]]:
            print(scenario["id"], "exit status", run.returncode, "with verdict", answer["verdict"])
            failed = True
        if result != "right" or "--list" in sys.argv:
            choice = (answer or {}).get("choice") or {}
            print(scenario["id"], result, scenario["title"], "| got", (answer or {}).get("verdict"), choice.get("torch"),
                  choice.get("build"), choice.get("channel"), "|", "; ".join(complaints), run.stderr[-300:])
    print(", ".join(f"{name} {counts[name]}" for name in sorted(counts)))
    bad = sum(counts.get(name, 0) for name in ("harmful", "wrong", "incomplete"))
    return 1 if failed or bad or counts.get("right", 0) < 21 else 0


if __name__ == "__main__":
    sys.exit(main())
