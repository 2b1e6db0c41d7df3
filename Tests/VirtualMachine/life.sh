# SPDX-License-Identifier: Apache-2.0
# The life cycle of a gyroscope: unplugged and plugged ten times, stalled, muted, its driver unbound, the
# daemon killed.
. /files/guest.sh

hub /run/gyroctl --sine 0.5 0.5
PLAIN="--set motion.scale=5 --set motion.smoothing=none --set motion.bias=off"
LOST='"state":"lost"'
STREAMING='"state":"streaming"'

# lost NAME COMMAND: runs the command; the gyroscope is lost and the stream goes to (0, 0).
lost() {
  mark "begin $1"
  echo "$2" >/run/gyroctl
  await "$LOST" 6
  await ZERO 3
}

# back NAME COMMAND...: runs the commands; the daemon streams again without help.
back() {
  local command
  mark "begin back-$1"
  shift
  for command; do echo "$command" >/run/gyroctl; done
  await "$STREAMING" 20
  await OFFSETS 4
}

mkdir -p /run/udev
/lib/systemd/systemd-udevd --daemon
daemon life $PLAIN
listen life life
await OFFSETS 15
for turn in {1..10}; do
  lost "unplug-$turn" unplug
  pause 0.3
  back plug plug
  pause 1
  resources $turn $PID
done
lost stall stall
pause 1
back stall resume
pause 0.5
# Every request to a muted sensor takes the kernel 5 s: releasing it, and each attempt to open it.
mark "begin mute"
echo mute >/run/gyroctl
lost mute-stall stall
pause 2
back mute resume unmute
pause 0.5
resources end $PID
kill -KILL $PID
ended $PID
for device in /sys/bus/iio/devices/iio:device*; do
  echo "$device $(<$device/buffer/enable)" >>$O/after-kill.txt
done

daemon next $PLAIN
listen next next
await OFFSETS 15
mark "begin unbind"
cd /sys/bus/platform/drivers/hid_sensor_gyro_3d
for part in HID-SENSOR-*; do echo "$part" >unbind; done
cd /
await "$LOST" 6
await ZERO 3
pause 1
modprobe -r hid-sensor-gyro-3d
mark "unloaded $?"
pause 0.5
modprobe hid-sensor-gyro-3d
mark "loaded $?"
await "$STREAMING" 20
await OFFSETS 4
pause 1
mark "begin end"
kill -TERM $PID
ended $PID
await EOF 2
