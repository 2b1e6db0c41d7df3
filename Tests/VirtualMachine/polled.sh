# SPDX-License-Identifier: Apache-2.0
# Polled gyroscopes: one without a trigger, and one whose buffer the user may not open. Then a driver that
# blocks, and raw values that the user may not read either.
. /files/guest.sh

PLAIN="--set motion.scale=5 --set motion.smoothing=none --set motion.bias=off"
STREAMING='"state":"streaming"'
modprobe -a i2c-dev bmi160_i2c
modprobe i2c-stub chip_addr=0x68
for adapter in /sys/class/i2c-adapter/i2c-*; do
  [ "$(<$adapter/name)" = "SMBus stub driver" ] && ADAPTER=${adapter##*i2c-}
done
i2cset -y $ADAPTER 0x68 0x00 0xd1
/harness/i2cgyro $ADAPTER 0x68 0x0c 0.001065264 0.5 0.5 &
I2C=$!
echo bmi160 0x68 >/sys/class/i2c-adapter/i2c-$ADAPTER/new_device
hub /run/gyroctl --sine 0.5 0.5

daemon chip --set source.device=bmi160 $PLAIN
listen chip chip
await OFFSETS 15
pause 11
kill -TERM $PID
ended $PID
kill $I2C

# An ordinary user.
mkdir /run/plain
chown 65534:65534 /run/plain
RUN_AS='setpriv --reuid=65534 --regid=65534 --clear-groups'
RUN_DIR=plain/
export XDG_STATE_HOME=/run/plain
/files/parallax devices >$O/devices.txt 2>&1
/files/parallax doctor >$O/doctor-root.txt 2>&1
mark "doctor-root $?"
$RUN_AS /files/parallax doctor >$O/doctor-user.txt 2>&1
mark "doctor-user $?"
daemon user --set source.device=gyro_3d $PLAIN
listen user user
/files/client ask $O/user.status /run/plain/user.control 50 >/dev/null &
await OFFSETS 15
pause 6
mark "mute"
echo mute >/run/gyroctl
await '"state":"lost"' 6
await ZERO 3
pause 7
mark "unmute"
echo unmute >/run/gyroctl
await "$STREAMING" 40
await OFFSETS 4
pause 0.5
echo mute >/run/gyroctl
await '"state":"lost"' 6
pause 1
mark "stop"
kill -TERM $PID
ended $PID
await EOF 2
echo unmute >/run/gyroctl

chmod 0400 /sys/bus/iio/devices/$GYRO/in_anglvel_*_raw
daemon closed --set source.device=gyro_3d $PLAIN
listen closed closed
await '"state":"denied"' 12
$RUN_AS /files/parallax doctor >$O/doctor-closed.txt 2>&1
mark "doctor-closed $?"
kill -TERM $PID
ended $PID

# Follow doctor's advice literally.
chmod 0444 /sys/bus/iio/devices/$GYRO/in_anglvel_*_raw
mkdir -p /run/udev
/lib/systemd/systemd-udevd --daemon
sudo() { "$@"; }
grep -m 1 SUBSYSTEM $O/doctor-user.txt >/etc/udev/rules.d/70-parallax.rules
eval "$(grep -m 1 '^sudo ' $O/doctor-user.txt)" >$O/fix.txt 2>&1
mark "fixed $?"
RUN_AS='setpriv --reuid=65534 --regid=65534 --init-groups'
daemon fixed --set source.device=gyro_3d $PLAIN
listen fixed fixed
await OFFSETS 15
pause 3
kill -TERM $PID
ended $PID
