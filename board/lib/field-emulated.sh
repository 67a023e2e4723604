# shellcheck shell=bash
# Talon beside a gateway on this host, with simulated devices; built for another processor it runs under qemu-user. What its
# scenarios share.

source "$root/board/lib/targets.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

# make_steps FILE: samples of somebody who walks on and on, two steps a second, at 50 samples a second.
make_steps() {
  awk 'BEGIN { for (i = 0; i < 3000; i++) printf "0,0.1,%.3f\n", 1 + 0.3 * sin(i * 0.2513274) }' > "$1"
}

# start_emulated TARGET [LINES]: with a folder of one photo and a recorded walk. LINES: more of its configuration.
start_emulated() {
  select_target "$1"
  mkdir -p "$bench/photos"
  make_bars 1280 720 "$bench/photos/bars.jpg"
  write_config "$bench/board" 127.0.0.1 "$bench/board" \
    $'driver = simulated\nfolder = '"$bench/photos" \
    $'driver = simulated\nreplay = '"$root/board/tests/field.nmea"$'\n\n'"${2-}"
  "${emulator[@]}" "$out/$target/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
}

# start_agent, stop_agent [SIGNAL]: the x86_64 firmware with the configuration that stands there.
start_agent() {
  "$out/x86_64/talon" run --config "$bench/board/talon.conf" 2>> "$bench/talon.log" &
  agent=$!
}
stop_agent() {
  kill "${1--TERM}" "$agent"
  wait "$agent" 2> /dev/null || true
}

# The x86_64 firmware's command line, for the board of the bench.
talon() { "$out/x86_64/talon" "$@" --config "$bench/board/talon.conf"; }
status_says() { grep -qF -- "$1" <(talon status 2> /dev/null); }
exits_with() { local code=0; "${@:2}" > /dev/null 2>&1 || code=$?; (( code == $1 )); }

# online_times COUNT: it was online so often. violations MOST: the gateway's schemas refused at most so many frames.
online_times() { (( $(grep -c 'online: connected' "$bench/talon.log") >= $1 )); }
violations() { gateway nodes status | jq -e ".violations <= $1" > /dev/null || { gateway nodes status >&2; return 1; }; }

# heard EVENT [FILTER]: the gateway heard such an event from the node.
heard() { gateway nodes events | jq -e "any(.events[]; .event == \"$1\" and ${2-true})" > /dev/null; }

log_says() { grep -qF -- "$1" "$bench/talon.log"; }

# emulated_scenario TARGET: pairs, and answers what a board with real devices answers.
emulated_scenario() {
  begin "$out/test/$1"
  start_gateway
  make_steps "$bench/steps.csv"
  start_emulated "$1" $'[motion]\ndriver = simulated\nreplay = '"$bench/steps.csv"
  pairs log_says
  claim "camera.list names a device" answers camera.list '{}' '.devices | length > 0'
  claim "a photo as wide as the file shows its picture" snaps 1280 "$bench/1280.jpg"
  claim "a photo 640 wide shows the same" snaps 640 "$bench/640.jpg"
  location_claims
  device_claims
  claim "the notification is in the log" log_says "from the bench"
  claim "steps are counted" wait_for 30 answers motion.pedometer '{}' '.steps > 10 and .distanceMeters > 5'
  stop_gateway
  claim "without a gateway it waits" wait_for 10 log_says "trying again in"
  start_gateway "$gateway_port"
  claim "when the gateway is back, so is the node" wait_for 30 is_connected
}
