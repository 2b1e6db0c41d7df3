# Gyroscopes that are polled: one without a trigger, and one whose buffer this user may not open; a
# driver that blocks; raw values that are closed too.
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

# An ordinary user: nobody.
mkdir /run/nobody
chown 65534:65534 /run/nobody
RUN_AS='setpriv --reuid=65534 --regid=65534 --clear-groups'
RUN_DIR=nobody/
export XDG_STATE_HOME=/run/nobody
/files/parallax devices >$O/devices.txt 2>&1
/files/parallax doctor >$O/doctor-root.txt 2>&1
mark "doctor-root $?"
$RUN_AS /files/parallax doctor >$O/doctor-nobody.txt 2>&1
mark "doctor-nobody $?"
daemon user --set source.device=gyro_3d $PLAIN
listen user user
/files/client ask $O/user.status /run/nobody/user.control 50 >/dev/null &
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

# What doctor says that mends it, taken at its word.
chmod 0444 /sys/bus/iio/devices/$GYRO/in_anglvel_*_raw
mkdir -p /run/udev
/lib/systemd/systemd-udevd --daemon
sudo() { "$@"; }
grep -m 1 SUBSYSTEM $O/doctor-nobody.txt >/etc/udev/rules.d/70-parallax.rules
eval "$(grep -m 1 '^sudo ' $O/doctor-nobody.txt)" >$O/mending.txt 2>&1
mark "mended $?"
RUN_AS='setpriv --reuid=65534 --regid=65534 --init-groups'
daemon mended --set source.device=gyro_3d $PLAIN
listen mended mended
await OFFSETS 15
pause 3
kill -TERM $PID
ended $PID
