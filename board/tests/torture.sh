#!/usr/bin/env bash
# Every system call of the x86_64 firmware that may fail does so once, one at a time, while a board starts, pairs,
# connects, takes a photo, finds its place, loses its link, reconnects and stops. Each time it must go on, or say why
# not: no crash, no leaked descriptor, no command without an answer, no lost identity. What became of each call stands in
# calls.txt; which calls fail, with what, and which are spared: Sources/talon-lab/Torture/FallibleCalls.swift.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

boards=32
lab=$root/.build/debug/talon-lab

tortured() {
  "$lab" torture --talon "$out/x86_64/talon" --gateway "$bench/gateway" "${folders[@]/#/--board=}" "$@" > "$bench/calls.txt"
}

begin "$out/test/torture"
start_gateway
mkdir "$bench/photos" "$bench/boards"
make_bars 1280 720 "$bench/photos/bars.jpg"
folders=()
for (( number = 1; number <= boards; number++ )); do
  board_name=board-$number
  folder=$bench/boards/$board_name
  # A fast walk, so that no run waits long for its next fix.
  write_config "$folder" 127.0.0.1 "$folder" \
    $'driver = simulated\nfolder = '"$bench/photos" \
    $'driver = simulated\nspeed = 4\nreplay = '"$root/board/tests/field.nmea"
  folders+=("$folder")
done
claim "every call that failed once was survived" tortured "$@"
