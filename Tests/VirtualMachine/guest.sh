# Functions for the guest scripts. Starting a program takes up to 0.3 s in the emulated machine, so
# what can be done by the shell itself is: waiting, reading /proc, noting the time.
# Everything that the host is to see goes to $O and is copied to /out at the end.

O=/run/o
mkdir -p $O
# No configuration but what the scripts set.
export XDG_RUNTIME_DIR=/run XDG_CONFIG_HOME=/run/config
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mkfifo /run/never
exec 9<>/run/never

# Waits so many seconds.
pause() { read -r -t "$1" -u 9 _ || :; }

# The time now, in seconds of CLOCK_BOOTTIME, which is CLOCK_MONOTONIC in a machine that never sleeps.
now() { read -r NOW _ </proc/uptime; }

# Notes the time under a name: "12.34 name" in marks.txt.
mark() {
  now
  echo "$NOW $*" >>$O/marks.txt
}

# hub CONTROL OPTIONS...: another sensor hub; waits for its gyroscope and sets GYRO, its id, and HUB.
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
  echo "no gyroscope came up:"
  cat $O/hub.txt
  dmesg | tail -n 20
  exit 99
}

# daemon NAME OPTIONS...: starts parallaxd with sockets /run/NAME.sock and /run/NAME.control; sets PID.
# RUN_AS, if set, is what it is run by.
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

# listen NAME DAEMON [LINE...]: records the daemon's stream to NAME.stream; await reads of it. Sets
# LISTENER.
listen() {
  local name=$1 socket=/run/${RUN_DIR:-}$2.sock
  shift 2
  exec 8< <(exec /files/client record "$O/$name.stream" "$socket" "$@")
  LISTENER=$!
}

# await TEXT SECONDS: waits for a line that holds TEXT; a line "missing TEXT" in marks.txt if none came.
await() {
  local line part= end
  now
  end=$((${NOW/./} + $2 * 100))
  while now && [ "${NOW/./}" -lt "$end" ]; do
    # Above 128: no whole line in this time. Else there is nobody to come any more.
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

# ended PID: waits for the end of a program that was started here; notes it.
ended() {
  wait "$1"
  mark "ended $?"
}

# resources NAME PID: threads, descriptors and RssAnon in kB, to resources.txt.
resources() {
  local threads=("/proc/$2/task/"*) files=("/proc/$2/fd/"*) key value rss=
  while read -r key value _; do
    [ "$key" = RssAnon: ] && rss=$value
  done <"/proc/$2/status"
  echo "$1 threads ${#threads[@]} descriptors ${#files[@]} RssAnon $rss" >>$O/resources.txt
}

# switches NAME PID: context switches so far of all its threads, those it waited for and those it was
# made to, with the time, to switches.txt.
switches() {
  local task key value waited=0 forced=0
  for task in "/proc/$2/task/"*; do
    while read -r key value _; do
      case $key in
      voluntary_ctxt_switches:) waited=$((waited + value)) ;;
      nonvoluntary_ctxt_switches:) forced=$((forced + value)) ;;
      esac
    done <"$task/status"
  done
  now
  echo "$1 $NOW $waited $forced" >>$O/switches.txt
}

# in_place: what `make install` made, where it belongs, and what it then says is to be done once.
in_place() {
  cp -a /files/installed/. /
  systemd-sysusers
  udevadm control --reload
  modprobe industrialio
  systemctl daemon-reload
  unset XDG_RUNTIME_DIR XDG_CONFIG_HOME
}

# service [OPTIONS]: the service's process, now; sets PID.
service() { PID=$(systemctl "$@" show -p MainPID --value parallax.service); }

# follow NAME SOCKET: as listen, of any socket.
follow() {
  exec 8< <(exec ${RUN_AS:-} /files/client record "$O/$1.stream" "$2")
  LISTENER=$!
}

# Copies what was written to the host, whatever the script's end was.
trap 'cp -r $O/. /out/' EXIT
