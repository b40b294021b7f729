#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Container images: `docker save` tars, OCI layouts as tars and folders, Docker's oldest layout.

What a container would see is worked out by unpacking the layers into a folder as an overlay does
it; kernelfit never unpacks and must name the same files with the same code.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", COLUMNS="200")
FAILURES = []
try:
    import jsonschema
    SCHEMA = jsonschema.Draft202012Validator(json.loads(
        pathlib.Path(os.environ["KF_SOURCE"], "schemas/scan.schema.json").read_text()))
except ImportError:
    SCHEMA = None

# What each holds is told by tests/fixtures/fatbin/MANIFEST.md.
CODE = {name: (FIXTURES / name).read_bytes() for name in (
    "cu118_sm35.fatbin", "cu124_sm90a_ptx90a.fatbin", "cu130_sm120a_ptx.fatbin", "libcu124_vadd.so")}
ARCHS = {"cu118_sm35.fatbin": ["sm_35"], "cu124_sm90a_ptx90a.fatbin": ["sm_90a", "compute_90a"],
         "cu130_sm120a_ptx.fatbin": ["sm_120a", "compute_120a"], "libcu124_vadd.so": None}
NAME_OF = {hashlib.sha256(data).hexdigest(): name for name, data in CODE.items()}
A, B, C, LIB = CODE


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def checked(answer, what):
    fault = SCHEMA and next(SCHEMA.iter_errors(answer), None)
    check(not fault, f"{what}: against the schema: {fault and fault.message[:200]}")
    return answer


def scan(path, *flags):
    done = subprocess.run([KERNELFIT, "scan", "--json", *flags, str(path)], capture_output=True, text=True,
                          env=ENV, timeout=120)
    check(done.returncode in (0, 2, 3) and not done.stderr, f"{path}: exit {done.returncode} {done.stderr[-500:]}")
    return checked(json.loads(done.stdout or "{}"), path), done.returncode


def archs_of(file):
    return [one["arch"] for kind in ("sass", "ptx") for one in file[kind]]


# --- layers ---------------------------------------------------------------------------------------

def layer(*entries):
    """(name, content) a file; (name, None) a folder; (name, "->x") a symbolic link, "=>x" a hard one."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
            elif isinstance(content, str) and content[:2] in ("->", "=>"):
                info.type = tarfile.SYMTYPE if content[:2] == "->" else tarfile.LNKTYPE
                info.linkname = content[2:]
            data = CODE.get(content, content.encode() if isinstance(content, str) else content)
            if info.type == tarfile.REGTYPE:
                info.size = len(data)
            tar.addfile(info, io.BytesIO(data) if info.type == tarfile.REGTYPE else None)
    return out.getvalue()


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()


def merge(diff, root):
    for entry in sorted(diff.iterdir()):
        target = root / entry.name
        if entry.is_dir() and not entry.is_symlink():
            if target.is_symlink() or not target.is_dir():
                remove(target)
                target.mkdir()
            merge(entry, target)
        else:
            remove(target)
            os.rename(entry, target)


def overlay(layers):
    """{path: fixture} of what lies in a container's file system."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "root")
        root.mkdir()
        for data in layers:
            diff = pathlib.Path(folder, "diff")
            diff.mkdir()
            with tarfile.open(fileobj=io.BytesIO(data)) as tar:
                for info in tar:
                    place, name = os.path.split(info.name)
                    if name == ".wh..wh..opq":
                        for child in (root / place).iterdir() if (root / place).is_dir() else []:
                            remove(child)
                    elif name.startswith(".wh..wh."):
                        pass
                    elif name.startswith(".wh."):
                        if (root / place).is_dir():
                            remove(root / place / name[4:])
                    else:
                        (diff / place).mkdir(parents=True, exist_ok=True)
                        if not info.isdir():
                            remove(diff / info.name)
                        info.mode = 0o755  # whoever runs this has to look inside
                        tar.extract(info, diff)
            merge(diff, root)
            shutil.rmtree(diff)
        seen, out = set(), {}
        for path in sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink()):
            key = path.stat().st_ino
            name = NAME_OF.get(hashlib.sha256(path.read_bytes()).hexdigest())
            # A hard link is no second file; .py is a text by its name.
            if name and key not in seen and path.suffix != ".py":
                out[str(path.relative_to(root))] = name
            seen.add(key)
        return out


# --- images ---------------------------------------------------------------------------------------

def sha(data):
    return hashlib.sha256(data).hexdigest()


class Layout:
    """The parts of an image by their names."""

    def __init__(self):
        self.parts = {}

    def blob(self, data):
        self.parts["blobs/sha256/" + sha(data)] = data
        return "sha256:" + sha(data)

    def descriptor(self, data, kind, **more):
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": self.blob(data), "size": len(data), **more}

    def manifest(self, layers, pack=lambda data: data, cpu="amd64", os_name="linux"):
        config = json.dumps({"os": os_name, "architecture": cpu,
                             "rootfs": {"diff_ids": ["sha256:" + sha(one) for one in layers]}}).encode()
        return json.dumps({
            "schemaVersion": 2, "config": self.descriptor(config, "config.v1+json"),
            "layers": [self.descriptor(pack(one), "layer.v1.tar") for one in layers]}).encode()

    def index(self, *descriptors):
        self.parts["oci-layout"] = b'{"imageLayoutVersion":"1.0.0"}'
        self.parts["index.json"] = json.dumps({"schemaVersion": 2, "manifests": descriptors}).encode()
        return self

    def image(self, layers, **more):
        return self.index(self.descriptor(self.manifest(layers, **more), "manifest.v1+json"))

    def tar(self, path, mode="w", order=sorted):
        with tarfile.open(path, mode) as tar:
            for name in order(self.parts):
                info = tarfile.TarInfo(name)
                data = self.parts[name]
                if isinstance(data, str):
                    info.type, info.linkname = tarfile.SYMTYPE, data
                else:
                    info.size = len(data)
                tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
        return path

    def folder(self, path):
        for name, data in self.parts.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        return path


def docker(layers, tags=("app:1",), legacy=False):
    """What `docker save` writes: before Docker 25 a folder for each layer, now blobs."""
    out = Layout()
    config = json.dumps({"os": "linux", "architecture": "amd64",
                         "rootfs": {"diff_ids": ["sha256:" + sha(one) for one in layers]}}).encode()
    if legacy:
        names = [sha(one + b"id") + "/layer.tar" for one in layers]
        out.parts.update(zip(names, layers))
        out.parts[sha(config) + ".json"] = config
        where = sha(config) + ".json"
    else:
        names = ["blobs/sha256/" + out.blob(one)[7:] for one in layers]
        where = "blobs/sha256/" + out.blob(config)[7:]
    out.parts["manifest.json"] = json.dumps([{"Config": where, "RepoTags": list(tags), "Layers": names}]).encode()
    return out


def zstd(data):
    done = subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True)
    return done.stdout


def agrees(path, layers, what, status=0):
    expected = overlay(layers)
    answer, code = scan(path)
    files = {one["member"]: one for one in answer["files"]}
    check(set(files) == set(expected), f"{what}: {sorted(files)}, an overlay holds {sorted(expected)}")
    for name in set(files) & set(expected):
        wanted = ARCHS[expected[name]]
        check(wanted is None or archs_of(files[name]) == wanted, f"{what}: {name} holds {archs_of(files[name])}, not {wanted}")
    check(code == status and not answer["problems"], f"{what}: exit {code}, {answer['problems']}")
    return answer


STACK = [
    layer(("usr/", None), ("usr/lib/", None), ("usr/lib/a.so", A), ("usr/lib/b.so", A), ("usr/lib/c.py", A),
          ("opt/x/one.bin", A), ("opt/x/two.bin", B), ("opt/y/three.bin", B), ("tmp/gone.bin", C),
          ("usr/lib/note", "text"), ("file", A)),
    layer(("usr/lib/a.so", B), ("usr/lib/.wh.b.so", ""), ("opt/x/.wh..wh..opq", ""), ("opt/x/new.bin", C),
          (".wh.tmp", ""), ("usr/lib/l1.so", LIB), ("usr/lib/l2.so", "=>usr/lib/l1.so"), ("file/now/folder.bin", C)),
    layer(("./opt/y", "->x"), ("usr/lib/l1.so", C), ("usr/lib/note", "other"), ("usr/lib/.wh..wh.plnk", A)),
]


def layouts(folder):
    packs = {"plain": lambda d: d, "gzip": lambda d: gzip.compress(d, mtime=0)}
    if shutil.which("zstd"):
        packs["zstd"] = zstd
    for name, pack in packs.items():
        oci = Layout().image(STACK, pack=pack)
        answer = agrees(oci.tar(folder / f"{name}.tar"), STACK, f"OCI tar, {name} layers")
        image = answer["images"][0]
        check([one["digest"] for one in image["layers"]] == ["sha256:" + sha(pack(one)) for one in STACK],
              f"{name}: layers {image['layers']}")
        check(image["platform"] == "linux/amd64" and image["other_platforms"] == [], f"{name}: {image}")
        by_name = {one["member"]: one["layer"] for one in answer["files"]}
        for member, at in (("usr/lib/a.so", 1), ("opt/x/new.bin", 1), ("usr/lib/l1.so", 2), ("usr/lib/l2.so", 1)):
            check(by_name.get(member) == "sha256:" + sha(pack(STACK[at])), f"{name}: {member} of {by_name.get(member)}")
        agrees(oci.folder(folder / f"{name}-folder"), STACK, f"OCI folder, {name} layers")
        agrees(oci.tar(folder / f"{name}.tar.gz", "w:gz"), STACK, f"OCI tar.gz, {name} layers")
        agrees(oci.tar(folder / f"{name}-back.tar.gz", "w:gz", lambda n: sorted(n, reverse=True)), STACK, "backwards")
    for legacy in (False, True):
        save = docker(STACK, legacy=legacy)
        answer = agrees(save.tar(folder / f"docker{legacy}.tar"), STACK, f"docker save, legacy {legacy}")
        check(answer["images"][0]["name"] == "app:1", f"docker save: {answer['images']}")
        check(answer["images"][0]["layers"][1]["digest"] == "sha256:" + sha(STACK[1]), f"legacy {legacy}: digest")
        agrees(save.tar(folder / "docker.tar.xz", "w:xz"), STACK, f"docker save, packed, legacy {legacy}")
        agrees(save.folder(folder / f"docker{legacy}"), STACK, f"docker save as a folder, legacy {legacy}")
    # One layer twice: Docker once wrote a link for the second.
    twice = docker(STACK + [layer(("usr/lib/b.so", C))], legacy=True)
    manifest = json.loads(twice.parts["manifest.json"])
    link = manifest[0]["Layers"][3]
    manifest[0]["Layers"].append("0" * 64 + "/layer.tar")
    twice.parts["manifest.json"] = json.dumps(manifest).encode()
    twice.parts["0" * 64 + "/layer.tar"] = "../" + link
    agrees(twice.tar(folder / "twice.tar"), STACK + [layer(("usr/lib/b.so", C))] * 2, "a layer that is a link")
    # Before Docker 1.10: a chain of layers.
    oldest = Layout()
    ids = [sha(one) for one in STACK]
    for i, (name, data) in enumerate(zip(ids, STACK)):
        about = {"id": name, "os": "linux", "architecture": "amd64"}
        if i:
            about["parent"] = ids[i - 1]
        oldest.parts.update({f"{name}/layer.tar": data, f"{name}/json": json.dumps(about).encode(), f"{name}/VERSION": b"1.0"})
    oldest.parts["repositories"] = json.dumps({"app": {"1": ids[-1]}}).encode()
    answer = agrees(oldest.tar(folder / "oldest.tar"), STACK, "repositories")
    check(answer["images"][0]["name"] == "app:1", f"repositories: {answer['images']}")
    # The report for people names the image and its platform, in both languages.
    for lang, words in (("en", "image app:1   linux/amd64   3 layers"), ("zh", "镜像 app:1   linux/amd64   3 层")):
        done = subprocess.run([KERNELFIT, "--lang", lang, "scan", folder / "oldest.tar"], capture_output=True, text=True, env=ENV)
        check(done.stdout.startswith(words), f"{lang}: {done.stdout[:200]}")


def at_random(folder):
    """Layers of random members over few names, so that they meet often."""
    dice = random.Random(4)
    folders = ["", "a/", "b/", "a/c/", "b/d/", "a/c/e/"]
    names = ["x", "y", "z", "c", "d"]
    for round_ in range(60):
        layers = []
        for _ in range(dice.randint(1, 4)):
            entries, taken = [], set()
            for _ in range(dice.randint(1, 7)):
                place, name = dice.choice(folders), dice.choice(names)
                what = dice.random()
                if what < 0.12:
                    entries.append((place + ".wh." + name, ""))
                    continue
                if what < 0.18:
                    entries.append((place + ".wh..wh..opq", ""))
                    continue
                path = place + name
                # One layer does not hold a file and a folder of the same name.
                if any(t == path or t.startswith(path + "/") or path.startswith(t + "/") for t in taken):
                    continue
                files = [n for n, c in entries if c in CODE]
                taken.add(path)
                if what < 0.30 and files:
                    entries.append((path, "=>" + dice.choice(files)))
                elif what < 0.36:
                    entries.append((path, "->nowhere"))
                elif what < 0.45:
                    entries.append((path, "text"))
                else:
                    entries.append((path, dice.choice((A, B, C))))
            layers.append(layer(*entries))
        path = Layout().image(layers).tar(folder / "random.tar")
        agrees(path, layers, f"random image {round_}")


def platforms(folder):
    out = Layout()
    per_cpu = {cpu: [layer(("lib/x.so", code))] for cpu, code in (("arm64", A), ("amd64", B), ("ppc64le", C))}
    entries = [out.descriptor(out.manifest(layers, cpu=cpu), "manifest.v1+json", platform={"os": "linux", "architecture": cpu})
               for cpu, layers in per_cpu.items()]
    entries.append(out.descriptor(b"{}", "manifest.v1+json", platform={"os": "unknown", "architecture": "unknown"},
                                  annotations={"vnd.docker.reference.type": "attestation-manifest"}))
    nested = out.descriptor(json.dumps({"manifests": entries}).encode(), "index.v1+json",
                            annotations={"io.containerd.image.name": "docker.io/library/app:2"})
    answer = agrees(out.index(nested).tar(folder / "many.tar"), per_cpu["amd64"], "an index of three")
    image = answer["images"][0]
    check(image["platform"] == "linux/amd64" and sorted(image["other_platforms"]) == ["linux/arm64", "linux/ppc64le"]
          and image["name"] == "docker.io/library/app:2", f"platforms: {image}")
    # `docker save --platform`: the index names them all, one is there.
    for cpu in ("amd64", "ppc64le"):
        descriptor = next(e for e in entries if e.get("platform", {}).get("architecture") == cpu)
        del out.parts["blobs/sha256/" + descriptor["digest"][7:]]
    answer = agrees(out.tar(folder / "one.tar"), per_cpu["arm64"], "the only platform that is there")
    check(answer["images"][0]["platform"] == "linux/arm64", f"one platform: {answer['images']}")
    # Two images in one file.
    two = Layout()
    two.index(*(two.descriptor(two.manifest([layer(("lib/x.so", code))]), "manifest.v1+json",
                               annotations={"org.opencontainers.image.ref.name": name}) for name, code in (("p:1", A), ("q:1", B))))
    answer, code = scan(two.tar(folder / "two.tar"))
    found = {one["member"]: archs_of(one) for one in answer["files"]}
    check(found == {"p:1!lib/x.so": ARCHS[A], "q:1!lib/x.so": ARCHS[B]} and code == 0, f"two images: {found}")


def faults(folder):
    """One clear line each; what is not touched by the fault is still found."""

    def expect(layout, words, status, files, what):
        path = layout if isinstance(layout, pathlib.Path) else layout.tar(folder / "fault.tar")
        answer, code = scan(path)
        lines = answer["problems"] + [p for one in answer["files"] for p in one["problems"]]
        found = sorted(one["member"] for one in answer["files"] if one["kind"] != "unreadable")
        check(len(lines) == 1 and words in lines[0], f"{what}: {lines}")
        check(code == status and found == files, f"{what}: exit {code}, {found}")

    good = [layer(("a.bin", A)), layer(("b.bin", B))]

    def broken(change):
        out = Layout()
        manifest = json.loads(out.manifest(good))
        change(out, manifest)
        return out.index(out.descriptor(json.dumps(manifest).encode(), "manifest.v1+json"))

    def lose(out, manifest):
        del out.parts["blobs/sha256/" + manifest["layers"][1]["digest"][7:]]

    def short_digest(out, manifest):
        manifest["layers"][1]["digest"] = "sha256:1234"

    def climbing_digest(out, manifest):
        manifest["layers"][1]["digest"] = "sha256:../../../../etc/passwd"

    def other_size(out, manifest):
        manifest["layers"][1]["size"] += 1

    def cut(out, manifest):
        name = "blobs/sha256/" + manifest["layers"][1]["digest"][7:]
        out.parts[name] = out.parts[name][:256]
        manifest["layers"][1]["size"] = 256

    arch = 512 + 16 + 28  # of the first image in a layer's first file

    def other_arch(data):
        return data[:arch] + b"\x25" + data[arch + 1:]  # sm_37

    def flip(out, manifest):
        name = "blobs/sha256/" + manifest["layers"][0]["digest"][7:]
        out.parts[name] = other_arch(out.parts[name])

    expect(broken(flip), "another digest", 3, ["a.bin", "b.bin"], "a blob that is not its digest")
    # Before Docker 25 a layer's digest is that of its tar, and stands in the configuration.
    out = docker(good, legacy=True)
    name = sha(good[0] + b"id") + "/layer.tar"
    out.parts[name] = other_arch(out.parts[name])
    expect(out, "another digest", 3, ["a.bin", "b.bin"], "a layer.tar that is not its digest")
    expect(broken(lose), "is not in the image", 3, ["a.bin"], "a blob that is missing")
    expect(broken(short_digest), "'sha256:1234'", 3, ["a.bin"], "a digest of the wrong length")
    expect(broken(climbing_digest), "digest that is none", 3, ["a.bin"], "a digest that climbs")
    expect(broken(other_size), "the manifest says", 3, ["a.bin", "b.bin"], "a size that is not so")
    expect(broken(cut), "cut in a header", 3, ["a.bin"], "a layer that is cut")
    # Names that climb out of a layer are left out, and said.
    out = Layout().image([layer(("a.bin", A), ("../../up.bin", B))])
    expect(out, "climbs out", 3, ["a.bin"], "a name with ..")
    # An absolute name counts from the image's root.
    agrees(Layout().image([layer(("/abs.bin", A))]).tar(folder / "absolute.tar"), [layer(("abs.bin", A))], "absolute")
    # gzip that ends in the middle: what stands before is kept.
    cut_layer = gzip.compress(layer(("a.bin", A), ("z.bin", os.urandom(200_000))))[:100_000]
    out = Layout()
    config = out.descriptor(b'{"os":"linux","architecture":"amd64"}', "config.v1+json")
    manifest = {"config": config, "layers": [out.descriptor(cut_layer, "layer.v1.tar+gzip")]}
    out.index(out.descriptor(json.dumps(manifest).encode(), "manifest.v1+json"))
    expect(out, "layer sha256:" + sha(cut_layer), 3, ["a.bin"], "a gzip layer that is cut")
    # An index that names itself: its digest cannot be right, so the name is all there is.
    out = Layout()
    fake = "sha256:" + "a" * 64
    kind = "application/vnd.oci.image.index.v1+json"
    out.parts["blobs/sha256/" + "a" * 64] = json.dumps({"manifests": [{"mediaType": kind, "digest": fake}]}).encode()
    out.index({"mediaType": kind, "digest": fake})
    expect(out, "names itself", 2, [], "a cyclic index")
    expect(Layout().index({"mediaType": "x", "digest": "sha256:" + "b" * 64}), "is not in the image", 2, [], "no manifest")
    expect(Layout().index(), "names no image", 2, [], "an empty index")
    out = Layout().image(good)
    out.parts["index.json"] = b"{not json"
    expect(out, "index.json", 2, [], "an index that is no JSON")
    out = docker(good)
    out.parts["manifest.json"] = b"[{"
    out.parts["repositories"] = b"{}"
    expect(out, "manifest.json", 2, [], "a manifest that is no JSON")
    out = docker(good)
    manifest = json.loads(out.parts["manifest.json"])
    manifest[0]["Layers"][1] = "../../../etc/passwd"
    out.parts["manifest.json"] = json.dumps(manifest).encode()
    expect(out, "whose name cannot be", 3, ["a.bin"], "a layer's name that climbs")
    # The tar itself is cut in its last layer.
    whole = docker(good).tar(folder / "whole.tar", order=lambda n: sorted(n, key=lambda x: (x != "manifest.json", "blobs" in x and len(docker(good).parts[x]))))
    data = whole.read_bytes()
    (folder / "cut.tar").write_bytes(data[:len(data) - 10240 - 2048])
    answer, code = scan(folder / "cut.tar")
    check(code == 3 and answer["problems"] and answer["files"], f"a tar that is cut: exit {code}, {answer['problems']}")
    # Whose first name looks like an image's, and is none.
    other = Layout()
    other.parts.update({"manifest.json": b'{"name": "an extension"}', "lib/a.bin": CODE[A]})
    for mode, name in (("w", "other.tar"), ("w:gz", "other.tar.gz")):
        answer, code = scan(other.tar(folder / name, mode))
        check([one["member"] for one in answer["files"]] == ["lib/a.bin"] and code == 0 and not answer["images"], f"{name}: {answer['files']}")


def bounded(folder):
    """Many names, few of them kept: memory does not grow with the files of an image."""
    entries = [(f"usr/share/doc/package-{i % 100}/file-{i}", "text") for i in range(60_000)]
    path = Layout().image([layer(*entries, ("a.bin", A))], pack=lambda d: gzip.compress(d, mtime=0)).tar(folder / "large.tar")
    script = ("import resource,subprocess,sys;subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL);"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    used = {}
    for name in (path, FIXTURES / A):
        done = subprocess.run([sys.executable, "-c", script, KERNELFIT, "scan", str(name)], capture_output=True, text=True,
                              env=dict(ENV, ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=1"))
        used[name] = int(done.stdout)
    check(used[path] - used[FIXTURES / A] < 40_000, f"memory of an image with 60,000 files: {used[path]} kB")


with tempfile.TemporaryDirectory() as temporary:
    for part in (layouts, at_random, platforms, faults, bounded):
        place = pathlib.Path(temporary, part.__name__)
        place.mkdir()
        part(place)
if FAILURES:
    print("\n".join(FAILURES))
    sys.exit(1)
print("container images: as an overlay holds them")
