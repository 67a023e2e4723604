#!/usr/bin/env bash
# A real gpsd as the source of positions: what it makes of a receiver on a pseudo-terminal is what Talon makes of the
# receiver's own line, and a daemon that goes is found again when it is back.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

"$root/board/prepare" gpsd

lab=$root/.build/debug/talon-lab
recording=$root/board/tests/field.nmea
port=$(( 29000 + $$ % 1000 ))

follow() { "$lab" gpsd "127.0.0.1:$port" "$@"; }

# Without -b it would ask the terminal for its speed; as this user, on this port, for this receiver alone.
start_daemon() {
  /usr/sbin/gpsd -N -n -b -S "$port" "$terminal" > "$bench/gpsd.txt" 2>&1 &
  daemon=$!
}

stop_daemon() {
  kill "$daemon"
  wait "$daemon" 2> /dev/null || true
}

first_fixes() { follow --fixes 12 --seconds 20 > "$bench/fixes.json" 2> "$bench/said.txt"; }

# Each place that gpsd told is one of the recording's, at the same moment; a centimetre is 1e-7 degrees.
same_places() {
  "$lab" nmea < "$recording" > "$bench/own.json" 2> /dev/null
  jq -es --slurpfile own "$bench/own.json" '
    length >= 12 and all(.[]; . as $fix
      | any($own[]; .time == $fix.time and (.lat - $fix.lat | fabs) < 2e-7 and (.lon - $fix.lon | fabs) < 2e-7))' \
    "$bench/fixes.json" > /dev/null
}

same_motion() {
  jq -es 'all(.[-5:][]; (.alt - 542 | fabs) < 2 and (.speed - 1.34 | fabs) < 0.1 and (.heading - 68 | fabs) < 1
    and .mode == "3D" and .accuracy > 0 and .accuracy < 50)' "$bench/fixes.json" > /dev/null
}

begin "$out/test/gpsd"
/usr/bin/python3 "$root/board/lib/line.py" "$recording" 0.3 > "$bench/terminal.txt" &
wait_for 5 test -s "$bench/terminal.txt" || die "no terminal"
terminal=$(< "$bench/terminal.txt")
start_daemon
claim "a gpsd is followed" first_fixes
claim "it says where the receiver was, and when" same_places
claim "and how it moved" same_motion
claim "the connection was made at once" says <(head -1 "$bench/said.txt") open

follow --fixes 30 --seconds 40 > "$bench/more.json" 2> "$bench/said.txt" &
follower=$!
wait_for 10 test -s "$bench/more.json"
stop_daemon
claim "a daemon that goes is told" wait_for 5 says "$bench/said.txt" lost
start_daemon
claim "and found again when it is back" wait "$follower"
claim "by one connection more" test "$(grep -c open "$bench/said.txt")" = 2
