# SPDX-License-Identifier: Apache-2.0
# A controller's gyroscope: rates and signs about each axis, its zero offset, samples that were not read, unplugged,
# stalled, asleep and back, two of one name, another kind, and beside a gyroscope of IIO and a program that feeds samples.
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
for turn in unplug-1 unplug-2 sleep; do
  mark "begin $turn"
  echo "${turn%-*}" >/run/second
  await "$LOST" 6
  await ZERO 3
  pause 0.3
  if [ -e "/dev/input/$SECOND" ]; then mark "$turn: there"; else mark "$turn: gone"; fi
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

# A DualShock 4, with another driver, beside it.
pad /run/fourth --ds4 --const -0.5 0.25 0.125 --uniq 0A:0B:0C:0D:0E:0F
udevadm settle
/files/parallax record -o $O/ds4.csv --duration 4 --device 0A:0B:0C:0D:0E:0F 2>>$O/record.log
mark "ds4 $?"
/files/parallax devices --json >$O/all.json
echo unplug >/run/fourth

# A program's samples come first while it sends them, then a sensor of the machine. The controller takes its place.
hub /run/gyroctl --no-accel --sine 0.5 0.5
udevadm settle
daemon auto --set source.kind=auto $PLAIN
listen auto auto
await '"driver":"iio"' 15
await OFFSETS 15
# fed NAME TEXT: feeds samples for a while. After that, the device whose DEVICE contains TEXT streams again.
fed() {
  mark "begin fed-$1"
  /files/client feed $O/feed-"$1".txt /run/auto.control 60 0.5 >$O/feed.log &
  FEEDER=$!
  await '"driver":"feed","name":"guest",'"$STREAMING" 5
  await OFFSETS 5
  pause 1
  kill $FEEDER
  await "$2,$STREAMING" 5
  await OFFSETS 15
}
fed iio '"driver":"iio","name":"gyro_3d"'
mark "begin other"
echo unplug >/run/gyroctl
await "$LOST" 6
await '"driver":"evdev"' 35
echo "set 0.5 0 0" >/run/third
await OFFSETS 15
fed evdev '"driver":"evdev","name":"Wireless Controller Motion Sensors"'
kill -TERM $PID
ended $PID
