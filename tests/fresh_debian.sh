#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The two commands on a fresh minimal Debian 12: only apt, git, ca-certificates (and sudo for the user).
# By hand, as root, with debootstrap installed; about 20 minutes:
#
#   tests/fresh_debian.sh FOLDER [--user] [--no-tests]
#
# FOLDER is made by debootstrap if it is not there. The repository's HEAD is cloned into it, then
# `./dev run doctor` runs twice (the second run must do no set-up work), then `./dev test` twice.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: tests/fresh_debian.sh FOLDER [--user] [--no-tests]}
shift
as_user=no
tests=yes
for option in "$@"; do
  case "$option" in
  --user) as_user=yes ;;
  --no-tests) tests=no ;;
  *) echo "unknown option $option" >&2; exit 2 ;;
  esac
done
if [ ! -x "$folder/usr/bin/git" ]; then
  debootstrap --variant=minbase --include=git,ca-certificates,sudo bookworm "$folder" >"$folder.log" 2>&1 ||
    { tail -n 5 "$folder.log" >&2; exit 2; }
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# A machine behind an intercepting proxy needs its certificates for PyPI.
cp -rL --remove-destination /etc/ssl/certs/. "$folder/etc/ssl/certs/"
for mount in proc sys dev; do
  mountpoint -q "$folder/$mount" || mount --rbind "/$mount" "$folder/$mount"
done
trap 'for mount in proc sys dev; do umount -l "$folder/$mount" 2>/dev/null || true; done' EXIT

user=root
home=/root
if [ $as_user = yes ]; then
  user=dev
  home=/home/dev
  chroot "$folder" id dev >/dev/null 2>&1 || chroot "$folder" useradd -m dev
  echo 'dev ALL=(ALL) NOPASSWD: ALL' >"$folder/etc/sudoers.d/dev"
fi
rm -rf "$folder$home/kernelfit"
git clone -q "$source" "$folder$home/kernelfit"
chroot "$folder" chown -R "$user" "$home/kernelfit"

inside() {
  chroot "$folder" su - "$user" -c "cd kernelfit && $1"
}
step() {
  echo "== $1"
  started=$(date +%s)
  status=0
  inside "$1" || status=$?
  echo "== $1: exit $status after $(($(date +%s) - started)) s"
}
step './dev run doctor'
# What a run prints of its own begins with "dev:"; a second run must have nothing to say.
second=$(inside './dev run doctor 2>&1 >/dev/null' || true)
if printf '%s' "$second" | grep -q '^dev:'; then
  echo "FAILED: the second run did set-up work: $second"
  exit 1
fi
echo "== second run: no set-up work"
if [ $tests = yes ]; then
  step './dev test'
  step './dev test 2>&1 | grep ^dev: || true'
fi
