# SPDX-License-Identifier: Apache-2.0
# A system-wide installation with a real systemd: started by the first connection, in its sandbox. A gate,
# a replug, kill -9, the watchdog, and no wake-ups without subscribers.
. /files/guest.sh

STREAM=/run/parallax/parallax.sock
STREAMING='"state":"streaming"'
install_parallax
hub /run/gyroctl --sine 0.5 0.5
udevadm settle
ENABLE=/sys/bus/iio/devices/$GYRO/buffer/enable
buffer() { mark "buffer-$1 $(<$ENABLE)"; }
systemctl start parallax.socket parallax-control.socket
mark "active-before $(systemctl is-active parallax.service)"

mark "begin first"
follow first $STREAM
await OFFSETS 20
service
# Read at once: its lines move while it is read piece by piece.
while read -r key values; do
  case $key in
  Uid: | Gid: | Groups: | CapBnd: | NoNewPrivs: | Seccomp: | RssAnon: | Threads:)
    echo "$key" $values >>$O/process.txt ;;
  esac
done <<<"$(</proc/$PID/status)"
mark "watchdog-awake $(systemctl show -p WatchdogUSec --value parallax.service)"
buffer open

parallax set paused on
await ZERO 3
pause 0.5
buffer closed
parallax set paused off
await "$STREAMING" 5
await OFFSETS 5
buffer opened

mark "begin unplug"
echo unplug >/run/gyroctl
await '"state":"lost"' 6
mark "begin plug"
echo plug >/run/gyroctl
await "$STREAMING" 40
await OFFSETS 5
ENABLE=$(echo /sys/bus/iio/devices/iio:device*/buffer/enable)
systemctl reload parallax.service
mark "reload $?"
cp /etc/parallax/parallax.toml /run/good.toml
echo 'scale = true' >>/etc/parallax/parallax.toml
systemctl reload parallax.service 2>/dev/null
mark "reload-bad $?"
cp /run/good.toml /etc/parallax/parallax.toml

INODES=$(stat -c %i /run/parallax/*)
mark "begin kill"
kill -KILL $PID
follow killed $STREAM
await OFFSETS 20
[ "$INODES" = "$(stat -c %i /run/parallax/*)" ]
mark "sockets-stayed $?"
/usr/bin/parallax status >$O/status-killed.txt
mark "control-killed $?"
mark "restarts-killed $(systemctl show -p NRestarts --value parallax.service)"
kill $LISTENER

mkdir -p /run/systemd/system/parallax.service.d
printf '[Service]\nWatchdogSec=4\n' >/run/systemd/system/parallax.service.d/quick.conf
systemctl daemon-reload
systemctl restart parallax.service
follow watched $STREAM
await OFFSETS 20
# It pings the watchdog: nothing happens in twice its period.
pause 8
service
mark "begin stop"
kill -STOP $PID
await EOF 30
mark "begin again"
follow again $STREAM
await OFFSETS 20
mark "restarts-stopped $(systemctl show -p NRestarts --value parallax.service)"
kill $LISTENER

# No subscribers, and traffic on the bus.
pause 8
service
IDLE=$PID
mark "watchdog-idle $(systemctl show -p WatchdogUSec --value parallax.service)"
switches idle $PID
END=$((SECONDS + 60))
SENT=0
while [ $SECONDS -lt $END ]; do
  dbus-send --system --type=signal /parallax/test org.parallax.Test.Ping && SENT=$((SENT + 1))
  pause 2
done
switches idle $PID
resources idle $PID
mark "sent $SENT"
service
[ "$PID" = "$IDLE" ]
mark "same-process $?"
journalctl --no-pager -u parallax.service >$O/journal.txt
journalctl --no-pager -o json SYSLOG_IDENTIFIER=parallaxd >$O/journal.json
