#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The guest's first process, or the service of its systemd: runs the script with its output on ttyS1, notes the exit
# code and powers off.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8
stty -F /dev/ttyS1 raw -echo 115200 2>/dev/null
if [ "$$" = 1 ]; then
  busybox ip link set lo up
  busybox hostname parallax-vm
fi
# shellcheck disable=SC2164 # it exists
cd /root
bash /out/.guest.sh >/dev/ttyS1 2>&1 </dev/null
echo $? >/out/.status
dmesg >/out/dmesg.txt 2>/dev/null
sync
# Returns when the serial line has sent everything.
stty -F /dev/ttyS1 -a >/dev/null 2>&1
busybox sleep 0.1
busybox poweroff -f
