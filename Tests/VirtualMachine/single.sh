# SPDX-License-Identifier: Apache-2.0
# Other ways to start: the system service by `parallax status`, then the same units for one user, with
# that user's service manager.
. /files/guest.sh

install_parallax
hub /run/gyroctl --sine 0.5 0.5
udevadm settle
systemctl start parallax.socket parallax-control.socket
mark "begin status"
parallax status >$O/status.txt
mark "status $?"
mark "active $(systemctl is-active parallax.service)"
systemctl stop parallax.socket parallax-control.socket parallax.service
mark "left $(echo /run/parallax/*.sock)"

printf 'u tester 54321 - /tmp/tester /bin/sh\nm tester iio\nm tester parallax\n' | systemd-sysusers -
mkdir -p /tmp/tester
chown 54321:54321 /tmp/tester $O
systemctl start user@54321.service
mark "manager $?"
RUN_AS='setpriv --reuid=54321 --regid=54321 --init-groups env HOME=/tmp/tester XDG_RUNTIME_DIR=/run/user/54321'
$RUN_AS systemctl --user enable --now parallax.socket parallax-control.socket
mark "enabled $?"
mark "begin first"
follow user /run/user/54321/parallax/parallax.sock
await OFFSETS 20
PID=$($RUN_AS systemctl --user show -p MainPID --value parallax.service)
while read -r key values; do
  case $key in Uid: | Seccomp: | NoNewPrivs:) echo "$key" $values >>$O/process.txt ;; esac
done <<<"$(</proc/$PID/status)"
$RUN_AS parallax status >$O/status-user.txt
mark "status-user $?"
mark "begin kill"
kill -KILL $PID
follow killed /run/user/54321/parallax/parallax.sock
await OFFSETS 20
mark "restarts $($RUN_AS systemctl --user show -p NRestarts --value parallax.service)"
kill $LISTENER
$RUN_AS systemctl --user stop parallax.socket parallax-control.socket parallax.service
mark "stopped $?"
mark "buffer $(</sys/bus/iio/devices/$GYRO/buffer/enable)"

# The user's agent of the system service: its connection starts the service.
systemctl start parallax.socket parallax-control.socket
mark "service-before-agent $(systemctl is-active parallax.service)"
$RUN_AS systemctl --user start parallax-agent.service
mark "agent $?"
for _ in {1..40}; do
  [ "$(systemctl is-active parallax.service)" = active ] && break
  pause 0.25
done
mark "service-with-agent $(systemctl is-active parallax.service)"
mark "agent-runs $($RUN_AS systemctl --user is-active parallax-agent.service)"
$RUN_AS systemctl --user stop parallax-agent.service
mark "agent-result $($RUN_AS systemctl --user show -p Result --value parallax-agent.service)"
journalctl --no-pager -n 60 >$O/journal.txt
