# shellcheck shell=bash
# Talon built for another processor, under qemu-user and beside lib/bench.sh: simulated devices.

# start_emulated TARGET: with a folder of one photo and a recorded walk.
start_emulated() {
  select_target "$1"
  mkdir -p "$bench/photos"
  make_bars 1280 720 "$bench/photos/bars.jpg"
  write_config "$bench/board" 127.0.0.1 "$bench/board" \
    $'driver = simulated\nfolder = '"$bench/photos" \
    $'driver = simulated\nreplay = '"$root/board/tests/field.nmea"
  "${emulator[@]}" "$out/$target/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
}

log_says() { grep -qF -- "$1" "$bench/talon.log"; }

# emulated_scenario TARGET: pairs, and answers what a board with real devices answers.
emulated_scenario() {
  begin "$out/test/$1"
  start_gateway
  start_emulated "$1"
  pairs log_says
  claim "camera.list names a device" answers camera.list '{}' '.devices | length > 0'
  claim "a photo as wide as the file shows its picture" snaps 1280 "$bench/1280.jpg"
  claim "a photo 640 wide shows the same" snaps 640 "$bench/640.jpg"
  location_claims
  device_claims
  claim "the notification is in the log" log_says "from the bench"
  stop_gateway
  claim "without a gateway it waits" wait_for 10 log_says "trying again in"
  start_gateway "$gateway_port"
  claim "when the gateway is back, so is the node" wait_for 30 is_connected
}
