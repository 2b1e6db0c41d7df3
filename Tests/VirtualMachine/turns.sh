# SPDX-License-Identifier: Apache-2.0
# Steady turns: values and signs of the offsets, a recording during the published stream, latency, and
# context switches compared with a plain reader of a second gyroscope of the same kind.
. /files/guest.sh

hub /run/gyroctl --sine 0.5 0.5
FIRST=$GYRO
# z is sin(2 w t) at half the amplitude: 0.5 Hz and 0.5 rad/s.
hub /run/second --no-accel --sine 0.25 1
SECOND=$GYRO
PLAIN="--set motion.scale=5 --set motion.smoothing=none --set motion.bias=off"

# One sample per frame, as the reader asks for.
daemon turns --set source.device=$FIRST $PLAIN --set sampling.oversample=1
TURNS=$PID
daemon matrix --set source.device=$SECOND $PLAIN --set "motion.mount-matrix=1,0,0;0,0,1;0,-1,0"
MATRIX=$PID
listen normal turns
/files/client record $O/matrix.stream /run/matrix.sock >/dev/null &
await OFFSETS 15
SUBSCRIBERS=
for orientation in left-up bottom-up right-up; do
  /files/parallax subscribe --class OFFSET --orientation $orientation \
    --socket /run/turns.sock >$O/$orientation.txt &
  SUBSCRIBERS="$SUBSCRIBERS $!"
done
# On a busy machine, their start takes seconds.
for orientation in left-up bottom-up right-up; do
  for ((tries = 0; tries < 100; tries++)); do
    [ ! -s $O/$orientation.txt ] || break
    pause 0.2
  done
done
pause 11
mark "turned"
/files/parallax status --json --control /run/turns.control >$O/status.json
kill -TERM $MATRIX
ended $MATRIX

# At the same time: the daemon with its one subscriber, and the reader with the other gyroscope.
kill $SUBSCRIBERS
/files/reader $SECOND 60 > >(exec cat >$O/reader.txt) &
READER=$!
# On a slow emulated machine a process with more work per frame is interrupted more often. With a higher
# priority than the rest both show only their own switches.
busybox renice -n -20 -p $TURNS $READER >/dev/null
pause 2.5
switches turns $TURNS
switches reader $READER
pause 10
switches turns $TURNS
switches reader $READER
kill $READER

/files/parallax record -o $O/off.csv --duration 6 --control /run/turns.control 2>$O/record.log
mark "recorded $?"

# Another program that opens the buffer fails, but has switched it off by then.
/files/reader $FIRST 1 >$O/intruder.txt 2>&1
await '"state":"lost"' 6
await '"state":"streaming"' 10
await OFFSETS 4
pause 0.5
kill -TERM $TURNS
ended $TURNS
