#!/usr/bin/env bash
# A real gpsd as the source of positions: what it makes of a receiver on a pseudo-terminal is what Talon makes of the
# receiver's own line, the x86_64 firmware answers from it, and a daemon that goes is found again when it is back.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

"$root/board/prepare" gpsd

lab=$root/.build/debug/talon-lab
recording=$root/board/tests/field.nmea
port=$(( 29000 + $$ % 1000 ))

follow() { "$lab" gpsd "127.0.0.1:$port" "$@"; }

# Without -b it would ask the terminal for its speed; as this user, on this port, for this receiver alone.
start_daemon() {
  /usr/sbin/gpsd -N -n -b -S "$port" "$terminal" > "$bench/gpsd.txt" 2>&1 &
  daemon=$!
  wait_for 10 listens || die "gpsd does not listen"
}
listens() { (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; }

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
/usr/bin/python3 "$root/board/peers/line.py" "$recording" 0.3 > "$bench/terminal.txt" &
wait_for 5 test -s "$bench/terminal.txt" || die "no terminal"
terminal=$(< "$bench/terminal.txt")
start_daemon
claim "a gpsd is followed" first_fixes
claim "it says where the receiver was, and when" same_places
claim "and how it moved" same_motion
claim "the connection was made at once" says <(head -1 "$bench/said.txt") open

say "the firmware"
start_gateway
write_config "$bench/board" 127.0.0.1 "$bench/board" 'driver = none' $'driver = gpsd\ngpsd = 127.0.0.1:'"$port"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
pairs log_says
location_claims
stop_daemon
claim "a daemon that goes is told" wait_for 5 log_says "127.0.0.1:$port: "
claim "and by whoever asks" refuses location.get '{"timeoutMs":1000}' 'LOCATION_UNAVAILABLE: position receiver is not connected'
claim "an earlier fix is given to whom it is recent enough for" \
  answers location.get '{"timeoutMs":1000,"maxAgeMs":60000}' '.source == "gps"'
start_daemon
claim "it is found again when it is back" wait_for 15 log_says "answers again"
claim "and asked" answers location.get '{"timeoutMs":10000}' '.source == "gps"'
