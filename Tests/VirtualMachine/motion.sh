# SPDX-License-Identifier: Apache-2.0
# A controller and the installed service, with a real systemd and udev: which input devices its user may open, what
# other users keep, and that the service in its sandbox streams from the controller, also after it was plugged again.
. /files/guest.sh

STREAMING='"state":"streaming"'
install_parallax
systemctl start systemd-udevd
# The keyboard and the mouse of the machine.
modprobe -a evdev atkbd psmouse uhid
udevadm trigger --action=add --subsystem-match=input --settle
pad /run/padctl --sine 0.5 0.5
udevadm settle
MOTION=$PAD
for node in /dev/input/event*; do
  read -r name </sys/class/input/"${node##*/}"/device/name
  setpriv --reuid=parallax --regid=parallax --init-groups sh -c ": <$node" 2>/dev/null
  echo "${node##*/} $? $(stat -c '%U:%G %a' "$node") $name" >>$O/nodes.txt
done
getfacl --omit-header --absolute-names "/dev/input/$MOTION" >$O/acl.txt
setpriv --reuid=65534 --regid=nogroup --clear-groups sh -c ": </dev/input/$MOTION" 2>/dev/null
mark "other $?"

mkdir -p /etc/parallax/parallax.toml.d
printf '[source]\nkind = "evdev"\n' >/etc/parallax/parallax.toml.d/controller.toml
setpriv --reuid=65534 --regid=nogroup --clear-groups env XDG_CONFIG_HOME=/etc /files/parallax doctor --device "$MOTION" >$O/doctor.txt 2>&1
mark "doctor $?"
# The same user after the command that it prints.
setpriv --reuid=65534 --regid=nogroup --groups="$(getent group iio | cut -d: -f3)" env XDG_CONFIG_HOME=/etc \
  /files/parallax doctor --device "$MOTION" >$O/member.txt 2>&1
mark "member $?"
systemctl start parallax.socket parallax-control.socket
follow stream /run/parallax/parallax.sock
await "$STREAMING" 30
await OFFSETS 20
service
mark "driver $(parallax status --json | jq -r .device.driver)"
echo unplug >/run/padctl
await '"state":"lost"' 6
echo plug >/run/padctl
await "$STREAMING" 40
await OFFSETS 10
mark "open $(readlink "/proc/$PID/fd/"* | grep -c /dev/input/event)"
kill $LISTENER
systemd-analyze security --no-pager parallax.service | tail -n 1 >$O/exposure.txt
