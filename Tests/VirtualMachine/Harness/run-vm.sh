#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run-vm.sh [--systemd] --timeout SECONDS --out FOLDER SCRIPT FILES: runs SCRIPT as root in the machine that setup.sh
# has put into this folder. Its output goes to standard output, its exit code becomes this one's; 125 means that
# the machine ended without one.
#
# The guest's root is the host's, which it cannot change: writes go to a tmpfs. /files is the folder FILES
# (read-only), /out is FOLDER, /host the host's root (read-only), /harness this folder (read-only). With --systemd,
# systemd is the first process.
machine=$(cd "$(dirname "$0")" && pwd)
systemd= seconds= out=
while :; do
  case $1 in
  --systemd) systemd=yes ;;
  --timeout) seconds=$2 && shift ;;
  --out) out=$(cd "$2" && pwd) && shift ;;
  *) break ;;
  esac
  shift
done
script=$1
files=$(cd "$2" && pwd)
if [ ! -f "$script" ] || [ -z "$files" ] || [ -z "$out" ] || [ -z "$seconds" ]; then
  echo "usage: $0 [--systemd] --timeout SECONDS --out FOLDER SCRIPT FILES" >&2
  exit 64
fi
rm -f "$out/.status"
cp "$script" "$out/.guest.sh"

kernel="console=ttyS0 panic=-1 quiet tsc=unstable no_timer_check net.ifnames=0"
if [ -n "$systemd" ]; then
  kernel="$kernel harness.systemd systemd.unit=harness.target systemd.show_status=0 systemd.log_target=kmsg"
  kernel="$kernel systemd.firstboot=off"
fi
folders=()
# share TAG PATH [OPTION]
share() {
  folders+=(-fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap$3"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
share hostroot / ,readonly=on
share harness "$machine" ,readonly=on
share out "$out"
share files "$files" ,readonly=on

timeout -k 5 "$seconds" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1024 -nodefaults \
  -no-user-config -display none -no-reboot -kernel "$machine/vmlinux" -initrd "$machine/initrd.gz" \
  -append "$kernel" -serial file:"$out/console.log" -chardev stdio,id=output,signal=off -serial chardev:output \
  -object rng-random,id=random,filename=/dev/urandom -device virtio-rng-pci,rng=random "${folders[@]}" \
  </dev/null 2>"$out/qemu.err"
code=$?
if [ -s "$out/.status" ]; then exit "$(cat "$out/.status")"; fi
echo "run-vm: the guest has left no exit code, and qemu's is $code; the end of its console:" >&2
tail -n 5 "$out/console.log" >&2
cat "$out/qemu.err" >&2
exit 125
