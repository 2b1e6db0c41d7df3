# SPDX-License-Identifier: Apache-2.0
# Kinds of gyroscopes: 16 and 32 bit, with and without timestamps from the device. A gyroscope that
# another program uses, two at once, and a bias that is learned, kept and does not absorb a slow turn.
. /files/guest.sh

PLAIN="--set motion.scale=5 --set motion.smoothing=none --set motion.bias=off"
STREAMING='"state":"streaming"'
LOST='"state":"lost"'
# At rest, with an offset of 0.05 rad/s on each axis. At 50 px per rad/s, 0.0002 rad/s are visible.
hub /run/rest --no-accel --const 0.05 0.05 0.05
REST=$GYRO
BIAS="--set source.device=$REST --set motion.scale=50 --set motion.smoothing=none
  --set motion.range-x=-50:50 --set motion.range-y=-50:50"
export STATE_DIRECTORY=/run/state
mkdir $STATE_DIRECTORY
hub /run/gyroctl --sine 0.5 0.5
HELD=$GYRO
HELD_HUB=$HUB

# There is no udevd here to report that a gyroscope is back; the daemon looks for it every 30 s.
hub /run/third --no-accel --sine 0.5 0.5
daemon bare --set source.device=$GYRO $PLAIN
BARE=$PID
listen bare bare
await OFFSETS 15
mark "begin bare"
echo unplug >/run/third
await "$LOST" 6
await ZERO 3
mark "back"
echo plug >/run/third

# Another program uses the gyroscope for a while.
/files/reader $HELD 12 > >(exec cat >$O/holder.txt) &
HOLDER=$!
pause 2
daemon busy --set source.device=$HELD $PLAIN
BUSY=$PID
listen busy busy
await '"state":"busy"' 10
/files/parallax doctor --device $HELD >$O/doctor-held.txt 2>&1
/files/client record $O/rest.stream /run/rest.sock >/dev/null &
daemon rest $BIAS
pause 10
mark "rest end"
kill -TERM $PID
ended $PID
wait $HOLDER
mark "holder gone $?"

daemon again $BIAS
AGAIN=$PID
/files/client record $O/again.stream /run/again.sock >/dev/null &
pause 3
/files/parallax record -o $O/auto.csv --duration 11 --control /run/again.control 2>$O/record.log &
RECORDER=$!
pause 2.5
mark "turn"
echo "set 0.35 0.05 0.05" >/run/rest
pause 6
mark "turned"
echo "set 0.05 0.05 0.05" >/run/rest
wait $RECORDER
mark "recorded $?"
kill -TERM $AGAIN
ended $AGAIN
cp -r $STATE_DIRECTORY $O/state
await "$STREAMING" 32
await OFFSETS 4
kill -TERM $BUSY $BARE
ended $BUSY
ended $BARE

kill $HELD_HUB
for kind in "16" "16 --timestamp" "32 --timestamp"; do
  pause 0.5
  name=${kind// /}
  hub /run/gyroctl --sine 0.5 0.5 --bits $kind
  daemon "kind$name" --set source.device=$GYRO $PLAIN
  listen "kind$name" "kind$name"
  await OFFSETS 15
  pause 5
  /files/parallax status --json --control "/run/kind$name.control" >"$O/kind$name.json"
  kill -TERM $PID
  ended $PID
  kill $HUB
done
