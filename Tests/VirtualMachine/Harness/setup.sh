#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh FOLDER: prepares the virtual machine in FOLDER, in about 10 s: downloads the kernel that linux-image-amd64
# names and builds an initramfs, a folder with what the guest has in addition to the host, and the programs that
# imitate gyroscopes.
set -e
sources=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"/{debs,kernel,initramfs/{bin,modules},addition/usr/{bin,sbin,lib/modules}}
machine=$(cd "$1" && pwd)
cd "$machine"
cp -r "$sources"/{run-vm.sh,guest-first.sh,systemd} .
cp "$sources/initramfs/init" initramfs/

(
  cd debs
  image=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: //p' | head -n 1)
  apt-get download -q "$image" kmod i2c-tools libi2c0
  dpkg-deb -x "$image"_*.deb ../kernel
)
version=$(basename kernel/lib/modules/*)

# Without its loader, so that qemu starts it quicker.
python3 - "kernel/boot/vmlinuz-$version" vmlinux <<'END'
import lzma
import sys

data = open(sys.argv[1], "rb").read()
kernel = lzma.LZMADecompressor().decompress(data[data.index(b"\xfd7zXZ\x00"):])
assert kernel[:4] == b"\x7fELF"
open(sys.argv[2], "wb").write(kernel)
END

# What lies over the host's root: the kernel's modules, kmod and i2c-tools.
for package in kmod i2c-tools libi2c0; do
  dpkg-deb -x debs/"$package"_*.deb "debs/$package"
  for folder in bin sbin usr/bin usr/sbin; do
    [ ! -d "debs/$package/$folder" ] || cp -a "debs/$package/$folder/." "addition/usr/${folder##*/}/"
  done
  [ ! -d "debs/$package/usr/lib" ] || cp -a "debs/$package/usr/lib/." addition/usr/lib/
done
for name in modprobe insmod rmmod depmod modinfo; do ln -sf ../bin/kmod "addition/usr/sbin/$name"; done
cp -al "kernel/lib/modules/$version" addition/usr/lib/modules/
# depmod reads BASE/lib.
ln -s usr/lib addition/lib
(exec -a depmod addition/usr/bin/kmod -b "$machine/addition" "$version")
rm addition/lib

cp /bin/busybox initramfs/bin/
for module in virtio virtio_ring virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9pnet_virtio \
  9p overlay; do
  find "addition/usr/lib/modules/$version" -name "$module.ko" -exec cp --remove-destination {} initramfs/modules/ \;
done
(cd initramfs && find . | cpio -o -H newc --quiet) | gzip -1 >initrd.gz

for name in hidgyro padgyro i2cgyro; do
  gcc -O2 -Wall -Wextra -Werror -o "$name" "$sources/$name.c" -lm
done
