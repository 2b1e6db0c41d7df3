# SPDX-License-Identifier: Apache-2.0
# Functions for the guest scripts. Starting a program takes up to 0.3 s in the emulated machine, so the
# shell itself waits, reads /proc and notes the time. Output for the host goes to $O, which is copied to
# /out at the end.

O=/run/o
mkdir -p $O
# No configuration other than what the scripts set.
export XDG_RUNTIME_DIR=/run XDG_CONFIG_HOME=/run/config
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mkfifo /run/never
exec 9<>/run/never

# pause SECONDS: waits.
pause() { read -r -t "$1" -u 9 _ || :; }

# now: sets NOW to the time in seconds of CLOCK_BOOTTIME, which equals CLOCK_MONOTONIC in a machine that
# never suspends.
now() { read -r NOW _ </proc/uptime; }

# mark NAME...: notes the time under a name: "12.34 name" in marks.txt.
mark() {
  now
  echo "$NOW $*" >>$O/marks.txt
}

# hub CONTROL OPTIONS...: starts another sensor hub and waits for its gyroscope; sets GYRO, its id, and
# HUB, the process.
hub() {
  local control=$1 before known device
  shift
  before=" $(echo /sys/bus/iio/devices/iio:device*) "
  modprobe -a uhid hid-sensor-hub hid-sensor-gyro-3d hid-sensor-accel-3d
  [ -p "$control" ] || mkfifo "$control"
  setsid /harness/hidgyro --ctl "$control" "$@" 2>>$O/hub.txt &
  HUB=$!
  for _ in {1..400}; do
    for device in /sys/bus/iio/devices/iio:device*; do
      known=
      [ -e "$device/name" ] && read -r known <"$device/name"
      if [ "$known" = gyro_3d ] && [ "${before#* "$device" }" = "$before" ]; then
        GYRO=${device##*/}
        mark "hub $GYRO"
        return
      fi
    done
    pause 0.05
  done
  echo "no gyroscope appeared:"
  cat $O/hub.txt
  dmesg | tail -n 20
  exit 99
}

# pad CONTROL OPTIONS...: starts another controller and waits for its motion sensors; sets PAD, their id, and CONTROLLER,
# the process.
pad() {
  local control=$1 before known device
  shift
  before=" $(echo /sys/class/input/event*) "
  modprobe -a uhid hid-playstation hid-sony evdev
  [ -p "$control" ] || mkfifo "$control"
  setsid /harness/padgyro --ctl "$control" "$@" 2>>$O/hub.txt &
  CONTROLLER=$!
  for _ in {1..400}; do
    for device in /sys/class/input/event*; do
      known=
      [ -e "$device/device/name" ] && read -r known <"$device/device/name"
      if [ "$known" != "${known%Motion Sensors}" ] && [ "${before#* "$device" }" = "$before" ]; then
        PAD=${device##*/}
        mark "pad $PAD"
        return
      fi
    done
    pause 0.05
  done
  echo "no motion sensors appeared:"
  cat $O/hub.txt
  dmesg | tail -n 20
  exit 99
}

# daemon NAME OPTIONS...: starts parallaxd with sockets /run/NAME.sock and /run/NAME.control; sets PID.
# RUN_AS is a command that runs it, if set.
daemon() {
  local name=$1
  shift
  # shellcheck disable=SC2086 # the words of RUN_AS
  ${RUN_AS:-} /files/parallaxd --set "socket.path=/run/${RUN_DIR:-}$name.sock" \
    --set "socket.control=/run/${RUN_DIR:-}$name.control" --set socket.access=all "$@" \
    2>>"$O/$name.log" &
  PID=$!
  mark "start $name"
}

# listen NAME DAEMON [LINE...]: records the daemon's stream to NAME.stream, where await reads; sets
# LISTENER.
listen() {
  local name=$1 socket=/run/${RUN_DIR:-}$2.sock
  shift 2
  exec 8< <(exec /files/client record "$O/$name.stream" "$socket" "$@")
  LISTENER=$!
}

# await TEXT SECONDS: waits for a line that contains TEXT; marks "seen TEXT", or "missing TEXT" if none
# came.
await() {
  local line part= end
  now
  end=$((${NOW/./} + $2 * 100))
  while now && [ "${NOW/./}" -lt "$end" ]; do
    # Above 128: no complete line within the time. Otherwise the stream has ended.
    read -r -t 0.5 -u 8 line || {
      [ $? -gt 128 ] || break
      part=$part$line
      continue
    }
    line=$part$line
    part=
    case $line in
    *"$1"*)
      mark "seen $1"
      return 0
      ;;
    EOF | STOPPED) break ;;
    esac
  done
  mark "missing $1"
  return 1
}

# ended PID: waits for the end of a program that this script started, and marks it.
ended() {
  wait "$1"
  mark "ended $?"
}

# resources NAME PID: writes threads, descriptors and RssAnon in kB to resources.txt.
resources() {
  local threads=("/proc/$2/task/"*) files=("/proc/$2/fd/"*)
  status "$2"
  echo "$1 threads ${#threads[@]} descriptors ${#files[@]} RssAnon ${FIELD[RssAnon]}" >>$O/resources.txt
}

# status PID: sets FIELD to the fields of /proc/PID/status, or of a task's, as numbers. mapfile reads all of it
# at once; read, line by line, would lose a field whenever one before it changes its length.
status() {
  local line lines value
  declare -gA FIELD=()
  mapfile -t lines <"/proc/$1/status"
  for line in "${lines[@]}"; do
    value=${line#*:}
    FIELD[${line%%:*}]=${value//[!0-9]/}
  done
}

# switches NAME PID: writes the time, the voluntary and involuntary context switches and the CPU time in ns of all
# threads so far to switches.txt.
switches() {
  local task value voluntary=0 involuntary=0 nanoseconds=0
  for task in "/proc/$2/task/"*; do
    status "${task#/proc/}"
    voluntary=$((voluntary + FIELD[voluntary_ctxt_switches]))
    involuntary=$((involuntary + FIELD[nonvoluntary_ctxt_switches]))
    read -r value _ <"$task/schedstat"
    nanoseconds=$((nanoseconds + value))
  done
  now
  echo "$1 $NOW $voluntary $involuntary $nanoseconds" >>$O/switches.txt
}

# install_parallax: puts the files of `make install` in place and runs the commands that it prints.
install_parallax() {
  cp -a /files/installed/. /
  systemd-sysusers
  udevadm control --reload
  modprobe industrialio
  systemctl daemon-reload
  unset XDG_RUNTIME_DIR XDG_CONFIG_HOME
}

# service [OPTIONS]: sets PID to the service's current process.
service() { PID=$(systemctl "$@" show -p MainPID --value parallax.service); }

# follow NAME SOCKET: like listen, for any socket.
follow() {
  exec 8< <(exec ${RUN_AS:-} /files/client record "$O/$1.stream" "$2")
  LISTENER=$!
}

# Copies the output to the host, however the script ends.
trap 'cp -r $O/. /out/' EXIT
