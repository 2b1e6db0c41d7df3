# SPDX-License-Identifier: Apache-2.0
# Real logins with a real logind: who may read the motion and who may control, at the console, without a
# seat, in the background, lingering and after the logout.
. /files/guest.sh

install_parallax
printf '[source]\nkind = "synthetic"\n[socket]\ncontrol-users = "otto"\n' >/etc/parallax/parallax.toml
for row in ann:60001 ben:60002 mia:60003 rita:60004 lena:60005 otto:60006; do
  echo "u ${row%:*} ${row#*:} - /run/home /run/shell"
done | systemd-sysusers -
printf 'g parallax 60000\nm mia parallax\n' | systemd-sysusers -
mkdir -p /run/home /etc/systemd/logind.conf.d
chmod 1777 $O
# No user needs a service manager, which takes half a minute to start here.
mkdir -p /run/systemd/system/user@.service.d
printf '[Service]\nType=exec\nPAMName=\nExecStart=\nExecStart=/bin/sleep infinity\n' \
  >/run/systemd/system/user@.service.d/test.conf
# The shell of every user: a job in the background, and nothing until it is killed.
printf '#!/bin/sh\ntrap "" HUP\nsleep 1000 &\nexec sleep 2000\n' >/run/shell
chmod 755 /run/shell
printf '[Login]\nNAutoVTs=0\nReserveVT=0\nKillUserProcesses=no\n' >/etc/systemd/logind.conf.d/test.conf
for row in 2:ann 3:ben; do
  mkdir -p "/run/systemd/system/getty@tty${row%:*}.service.d"
  printf '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin %s --noclear %%I linux\nRestart=no\n' \
    "${row#*:}" >"/run/systemd/system/getty@tty${row%:*}.service.d/test.conf"
done
systemctl daemon-reload
systemctl restart systemd-logind.service
systemctl start parallax.socket parallax-control.socket

# as USER COMMAND...: runs a command as that user, with the groups of the account.
as() {
  local user=$1
  shift
  setpriv --reuid="$user" --regid="$user" --init-groups "$@"
}

# probe USER WHERE: appends "USER, WHERE: stream status inhibit set" to table.txt.
probe() { echo "$1, $2: $(as "$1" /files/probe)" >>$O/table.txt; }

# logind FILE LINE: waits until one of logind's files has a line.
logind() {
  local line _
  for _ in {1..150}; do
    while read -r line; do
      [ "$line" = "$2" ] && return
    done 2>/dev/null <"/run/systemd/$1"
    pause 0.2
  done
  mark "missing $1 $2"
}

# console USER UID TTY: logs in by agetty and login, and brings that console to the front.
console() {
  systemctl start "getty@tty$3.service"
  busybox chvt "$3"
  logind "users/$2" STATE=active
}

probe root 'no session'
probe ann 'not logged in'
probe mia 'no session, group parallax'
probe otto 'no session, control-users'

console ann 60001 2
mark "session-ann $(loginctl show-session -p Seat -p VTNr -p Type -p Service "$(loginctl show-seat seat0 -p ActiveSession --value)" | tr '\n' ' ')"
probe ann 'console, in front'

# A session without a seat, as a login over the network has it. logind calls it active.
setsid su -l rita </dev/null >/dev/null 2>&1 &
logind users/60004 STATE=active
probe rita 'session without a seat'

loginctl enable-linger lena
logind users/60005 STATE=lingering
probe lena 'lingering'

# ann's stream, and root's, which an inhibition of hers closes.
exec 7< <(exec setpriv --reuid=ann --regid=ann --init-groups /files/client record $O/ann.stream /run/parallax/parallax.sock)
RUN_AS= follow root /run/parallax/parallax.sock
await OFFSETS 10
exec 6< <(exec setpriv --reuid=ann --regid=ann --init-groups /files/client record $O/ann.control /run/parallax/control.sock '{"class":"INHIBIT","reason":"password"}')
pause 4
mark "inhibited"

console ben 60002 3
pause 4
mark "background"
probe ann 'console, in the background'
probe ben 'console, in front'
loginctl activate "$(loginctl show-user ann -p Display --value)"
logind seats/seat0 ACTIVE_UID=60001
pause 4
mark "front"
probe ben 'console, in the background'

# Logout: login and its shell end, a job is left, and the console is still in front.
for process in $(pgrep -U 60001 -f 'sleep 2000'); do kill -KILL "$process"; done
pause 4
mark "logout"
while read -r line; do
  case $line in ACTIVE_UID=*) mark "seat-after-logout $line" ;; esac
done </run/systemd/seats/seat0
mark "job-after-logout $(pgrep -U 60001 -f 'sleep 1000' | wc -l)"
probe ann 'logged out, a job left'
busybox chvt 3
logind seats/seat0 ACTIVE_UID=60002
probe ben 'console, in front again'

# A reload that narrows access.
sed -i 's/\[socket\]/[socket]\naccess = "all"/' /etc/parallax/parallax.toml
systemctl reload parallax.service
mark "reload-wide $?"
probe rita 'session without a seat, access = "all"'
exec 5< <(exec setpriv --reuid=rita --regid=rita --init-groups /files/client record $O/rita.stream /run/parallax/parallax.sock)
pause 3
sed -i '/^access/d' /etc/parallax/parallax.toml
systemctl reload parallax.service
mark "reload-narrow $?"
probe rita 'session without a seat'

# Another seat has no one.
sed -i 's/\[socket\]/[socket]\nseat = "seat1"/' /etc/parallax/parallax.toml
systemctl reload parallax.service
probe ben 'console of seat0, seat = "seat1"'
kill $LISTENER
loginctl --no-pager list-sessions >$O/loginctl.txt
journalctl --no-pager -u parallax.service -n 80 >$O/journal.txt
