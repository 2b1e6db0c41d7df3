# SPDX-License-Identifier: Apache-2.0
# A controller's gyroscope: rates and signs about each axis, its zero offset, samples that were not read, unplugged,
# stalled, asleep and back, two of one name, and beside a gyroscope of IIO.
. /files/guest.sh

PLAIN="--set motion.scale=5 --set motion.smoothing=none --set motion.bias=off"
LOST='"state":"lost"'
STREAMING='"state":"streaming"'
mkdir -p /run/udev /run/config/parallax
/lib/systemd/systemd-udevd --daemon
printf '[source]\nkind = "evdev"\n' >/run/config/parallax/parallax.toml

pad /run/first --const 0.5 -0.25 0.125
udevadm settle
FIRST=$PAD
/files/parallax devices --json >$O/devices.json
/files/parallax doctor >$O/doctor.txt
mark "doctor $?"
/files/parallax record -o $O/constant.csv --duration 4 2>$O/record.log
mark "constant $?"
pad /run/second --sine 0.5 0.5 --uniq AA:BB:CC:DD:EE:FF
udevadm settle
SECOND=$PAD
/files/parallax record -o $O/sine.csv --duration 8 --device AA:BB:CC:DD:EE:FF 2>>$O/record.log
mark "sine $?"
/files/parallax devices >$O/devices.txt

# The sine, through the daemon; each loss and the return.
daemon life --set source.device=/dev/input/$SECOND $PLAIN
LIFE=$PID
listen life life
await OFFSETS 15
pause 6
/files/parallax status --json --control /run/life.control >$O/status.json
# The daemon is held up: the kernel's queue has room for a tenth of a second.
kill -STOP $PID
echo count >/run/second
pause 2
echo count >/run/second
kill -CONT $PID
pause 1
/files/parallax status --json --control /run/life.control >$O/held.json
for turn in 1 2 3; do
  mark "begin unplug-$turn"
  echo unplug >/run/second
  await "$LOST" 6
  await ZERO 3
  pause 0.3
  echo plug >/run/second
  # The daemon knows it by a number that does not change.
  await "$STREAMING" 35 || break
  await OFFSETS 4
  pause 1
done
mark "begin stall"
echo stall >/run/second
await "$LOST" 6
await ZERO 3
pause 1
echo resume >/run/second
await "$STREAMING" 20
await OFFSETS 4
resources end $PID
kill -TERM $PID
ended $PID

# At rest, with a zero offset.
echo unplug >/run/second
echo unplug >/run/first
while grep -qs playstation /sys/class/input/event*/device/device/uevent; do pause 0.1; done
pad /run/third --const 0 0 0 --bias 0.02 -0.01 0.03 --uniq 01:02:03:04:05:06
udevadm settle
daemon bias
listen bias bias
await OFFSETS 15
pause 6
/files/parallax status --json --control /run/bias.control >$O/bias.json
kill -TERM $PID
ended $PID

# A sensor of the machine comes before the controller, which takes its place.
hub /run/gyroctl --no-accel --sine 0.5 0.5
udevadm settle
daemon auto --set source.kind=auto $PLAIN
listen auto auto
await '"driver":"iio"' 15
await OFFSETS 15
mark "begin other"
echo unplug >/run/gyroctl
await "$LOST" 6
await '"driver":"evdev"' 35
await OFFSETS 15
kill -TERM $PID
ended $PID
