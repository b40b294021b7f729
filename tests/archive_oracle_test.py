#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Archives are read as zipfile, tarfile, ar and dpkg-deb read them: names, sizes, contents.

archive_oracle_test.py BATCH: BATCH is the program of archive_batch.cc. Archives are made here by
Python and by the tools that are there (zip, tar, ar, xz, bzip2, zstd, lz4); those in
tests/fixtures/fatbin are read too.
"""
import bz2
import gzip
import io
import lzma
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
failures = []
compared = 0


def listed(batch, path):
    """[(type, size, crc, name, link)] and the problems, as the program sees them."""
    out = subprocess.run([batch, "list", path], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "surrogateescape")
    members, problems = [], []
    for line in out.splitlines():
        word, _, rest = line.partition(" ")
        if word == "member":
            kind, size, crc, name = rest.split(" ", 3)
            name, _, link = name.partition("\t")
            if kind == "d":  # "as the archive says", with its slash; tarfile takes it away
                name = name.rstrip("/")
            members.append((kind, int(size), int(crc), name, link))
        elif word == "problem":
            problems.append(rest)
    return members, problems


def check(batch, path, expected):
    global compared
    got, problems = listed(batch, path)
    compared += len(expected)
    if problems or got != expected:
        wrong = [pair for pair in zip(got, expected) if pair[0] != pair[1]][:2]
        failures.append(f"{path.name}: {problems[:3]} {len(got)} members, expected {len(expected)}; {wrong}")


def zip_name(info):
    """Without bit 11 zipfile takes code page 437; Info-ZIP writes UTF-8 then, too."""
    if info.flag_bits & 0x800:
        return info.filename
    raw = info.filename.encode("cp437")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return info.filename


def zip_oracle(path):
    with zipfile.ZipFile(path) as archive:
        return [("l" if info.external_attr >> 28 == 0o12 else "f", info.file_size, zlib.crc32(archive.read(info)), zip_name(info), "")
                for info in archive.infolist() if not info.filename.endswith("/")]


def tar_oracle(path):
    rows = []
    with tarfile.open(path) as archive:
        for member in archive:
            kind = {True: "f"}.get(member.isreg()) or ("d" if member.isdir() else "l" if member.issym() else "h" if member.islnk() else "o")
            content = archive.extractfile(member).read() if kind == "f" else b""
            rows.append((kind, len(content), zlib.crc32(content), member.name, member.linkname if kind in "lh" else ""))
    return rows


def tree(root, seed):
    """A folder of files of many sizes, some with names that do not fit into old headers."""
    rng = random.Random(seed)
    sizes = [0, 1, 511, 512, 513, 4096, 70_000, 300_000, 1_500_000]
    for i, size in enumerate(sizes):
        folder = root / ("a" * 60) / ("b" * 60) / ("c" * 60) if i % 3 == 0 else root / "lib"
        folder.mkdir(parents=True, exist_ok=True)
        words = [bytes(rng.randrange(256) for _ in range(40)) for _ in range(50)]
        content = b"".join(rng.choice(words) for _ in range(size // 40 + 1))[:size]
        (folder / f"file {i}.so").write_bytes(content)
    (root / "片.txt").write_text("UTF-8 name")
    (root / ("long" * 50)).write_text("a name of 200 bytes")
    (root / "link").symlink_to("lib/file 1.so")
    (root / ("linked" * 30)).symlink_to("x/" * 60 + "target")
    os.link(root / "lib/file 7.so", root / "lib/hard")


def files_of(root):
    return sorted(path.relative_to(root) for path in root.rglob("*"))


def check_zips(batch, root, work):
    methods = [("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED), ("bzip2", zipfile.ZIP_BZIP2),
               ("lzma", zipfile.ZIP_LZMA)]
    for name, method in methods:
        path = work / f"{name}.zip"
        with zipfile.ZipFile(path, "w", method) as archive:
            for file in files_of(root):
                if not (root / file).is_symlink():
                    archive.write(root / file, str(file))
            archive.comment = b"a comment " * 100
        check(batch, path, zip_oracle(path))
        prefixed = work / f"{name}-prefixed.zip"
        prefixed.write_bytes(b"#!/usr/bin/env python3\n" * 50 + path.read_bytes())
        check(batch, prefixed, zip_oracle(prefixed))
    forced = work / "zip64.zip"
    with zipfile.ZipFile(forced, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("forced64", "w", force_zip64=True) as member:
            member.write(b"zip64 " * 1000)
    check(batch, forced, zip_oracle(forced))
    streamed = work / "descriptors.zip"  # a file that cannot seek: data descriptors behind the members

    class NoSeek(io.RawIOBase):
        def __init__(self, file): self.file = file
        def writable(self): return True
        def write(self, data): return self.file.write(data)
    with open(streamed, "wb") as file, zipfile.ZipFile(NoSeek(file), "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(5):
            archive.writestr(f"streamed {i}", b"descriptor " * 500 * i)
    check(batch, streamed, zip_oracle(streamed))
    many = work / "many.zip"  # more than 65535 members: zip64 by their count
    with zipfile.ZipFile(many, "w") as archive:
        for i in range(70_000):
            archive.writestr(str(i), "")
    got, problems = listed(batch, many)
    if problems or len(got) != 70_000:
        failures.append(f"many.zip: {len(got)} members, {problems[:2]}")
    if shutil.which("zip"):
        for flags in (["-r"], ["-r", "-y"], ["-r", "-0"]):
            path = work / f"info-zip{''.join(flags)}.zip"
            subprocess.run(["zip", "-q", *flags, path, "."], cwd=root, check=True)
            check(batch, path, zip_oracle(path))
    for path in sorted(FIXTURES.glob("*.whl")) + sorted(FIXTURES.glob("*.conda")):
        check(batch, path, zip_oracle(path))


def check_sparse_tars(batch, work):
    """Files with holes, as GNU tar writes them in each of its forms."""
    folder = work / "sparse"
    folder.mkdir()
    for pieces in (1, 4, 5, 60):  # four have room in the header of the old form
        with open(folder / f"{pieces} pieces.so", "wb") as file:
            for i in range(pieces):
                file.seek(100_000 * (i + 1))
                file.write(f"piece {i}".encode() * 500)
            file.truncate(100_000 * (pieces + 2))
    (folder / "whole").write_bytes(b"no hole")
    forms = (["--format=gnu"], *(["--format=posix", f"--sparse-version={v}"] for v in ("0.0", "0.1", "1.0")))
    for i, form in enumerate(forms):
        path = work / f"sparse-{i}.tar"
        subprocess.run(["tar", "--sparse", *form, "-cf", path, "."], cwd=folder, check=True)
        check(batch, path, tar_oracle(path))


def check_tars(batch, root, work):
    formats = [("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)]
    for name, form in formats:
        path = work / f"python-{name}.tar"
        with tarfile.open(path, "w", format=form) as archive:
            for file in files_of(root):
                if form == tarfile.USTAR_FORMAT and len(str(file)) > 90:
                    continue
                archive.add(root / file, str(file), recursive=False)
        check(batch, path, tar_oracle(path))
        raw = path.read_bytes()
        for suffix, packed in (("gz", gzip.compress(raw, 6)), ("bz2", bz2.compress(raw)), ("xz", lzma.compress(raw))):
            (work / f"{path.name}.{suffix}").write_bytes(packed)
            check(batch, work / f"{path.name}.{suffix}", tar_oracle(path))
        for tool, suffix in (("zstd", "zst"), ("lz4", "lz4")):
            if shutil.which(tool):
                out = work / f"{path.name}.{suffix}"
                subprocess.run([tool, "-q", "-f", path, "-o", out] if tool == "zstd" else [tool, "-q", "-f", path, out], check=True)
                check(batch, out, tar_oracle(path))
    for form in ("v7", "oldgnu", "gnu", "ustar", "posix"):
        path = work / f"gnu-{form}.tar"
        run = subprocess.run(["tar", f"--format={form}", "-cf", path, "."], cwd=root, stderr=subprocess.DEVNULL)
        if run.returncode in (0, 2) and path.exists():  # 2: names that do not fit were left out
            check(batch, path, tar_oracle(path))
    for path in sorted(FIXTURES.glob("*.tar*")) + sorted(FIXTURES.glob("*.tgz")):
        if not path.name.endswith(".zst"):
            check(batch, path, tar_oracle(path))


def ar_oracle(path):
    names = subprocess.run(["ar", "t", path], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ar", "x", "--output", folder, path], check=True)
        for i, name in enumerate(names):
            if names.count(name) > 1:
                subprocess.run(["ar", "xN", str(names[:i + 1].count(name)), "--output", folder, path, name], check=True)
            content = (pathlib.Path(folder) / name).read_bytes()
            rows.append(("f", len(content), zlib.crc32(content), name, ""))
    return rows


def check_ars(batch, root, work):
    if not shutil.which("ar"):
        return
    files = [str(file) for file in files_of(root / "lib")] + ["same"]
    (root / "lib/same").write_text("the first")
    path = work / "made.a"
    subprocess.run(["ar", "qcS", path, *files], cwd=root / "lib", check=True)
    (root / "lib/same").write_text("the second, of the same name")
    (root / "lib/a_name_of_more_than_fifteen.o").write_text("long")
    subprocess.run(["ar", "qS", path, "same", "a_name_of_more_than_fifteen.o"], cwd=root / "lib", check=True)
    check(batch, path, ar_oracle(path))
    thin = root / "lib/thin.a"
    subprocess.run(["ar", "--thin", "-qcS", "thin.a", *files], cwd=root / "lib", check=True)
    names = subprocess.run(["ar", "t", "thin.a"], cwd=root / "lib", stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    check(batch, thin, [("f", 0, 0, name, "") for name in names])
    libraries = sorted(FIXTURES.glob("*.a")) + sorted(FIXTURES.glob("*.lib"))
    system = [path for path in pathlib.Path("/usr/lib").glob("*/lib*.a") if open(path, "rb").read(7) == b"!<arch>"]
    libraries += sorted(system, key=lambda path: path.stat().st_size)[:40:4]
    for library in libraries:
        check(batch, library, ar_oracle(library))


def check_debs(batch, work):
    """The members of packages that apt left, and their data as dpkg-deb unpacks it."""
    if not shutil.which("dpkg-deb"):
        return
    debs = sorted(pathlib.Path("/var/cache/apt/archives").glob("*.deb"), key=lambda p: p.stat().st_size)[:5]
    for deb in debs:
        check(batch, deb, ar_oracle(deb))
        data = work / "data.tar"
        with open(data, "wb") as out:
            subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], stdout=out, check=True)
        name = next(row[3] for row in ar_oracle(deb) if row[3].startswith("data.tar"))
        packed = work / name
        with open(packed, "wb") as out:
            subprocess.run(["ar", "p", deb, name], stdout=out, check=True)
        got, problems = listed(batch, packed)
        if problems or got != tar_oracle(data):
            failures.append(f"{deb.name}: {problems[:3]}, or its members differ")


def main():
    batch = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        root, work = pathlib.Path(folder) / "tree", pathlib.Path(folder) / "work"
        root.mkdir(), work.mkdir()
        tree(root, 4)
        check_zips(batch, root, work)
        check_tars(batch, root, work)
        check_sparse_tars(batch, work)
        check_ars(batch, root, work)
        check_debs(batch, work)
    for failure in failures:
        print(failure)
    print(f"{compared} members compared, {len(failures)} archives differ")
    sys.exit(1 if failures else 0)


main()
