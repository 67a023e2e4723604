#!/usr/bin/env bash
# Every system call of the x86_64 firmware that may fail does so once, one at a time, while a board starts, pairs,
# connects, takes a photo, finds its place, is asked something at its console, loses its link, reconnects and stops. Each
# time it must go on, or say why not: no crash, no leaked descriptor, no command without an answer, no lost identity or
# token.
#
#   board/tests/torture.sh [--all] [--only CALL]     --all: each call with every error that it may return, which takes long
#
# What became of each call stands in .out/test/torture/calls.txt. Which calls fail, with what, and which are spared:
# Sources/talon-lab/Torture/FallibleCalls.swift.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

# Boards mostly wait: for a person, for the next fix, for the pause before they connect again. A gateway tells each
# connection about every other, so there are several.
gateways=6
boards_each=10
lab=$root/.build/debug/talon-lab

# The tracer itself: the one call fails, as errno(3) ENOSPC has it, and nothing else does.
fails_once() {
  local said
  said=$("$lab" fail-once --report "$bench/fail-once" --call mkdir --error 28 -- /bin/mkdir "$bench/once" 2>&1) && return 1
  [[ $said == *"No space left on device"* && ! -d $bench/once ]] && grep -qF "mkdir 1 $bench/once" "$bench/fail-once"
}

tortured() {
  "$lab" torture --talon "$out/x86_64/talon" "${folders[@]/#/--board=}" "$@" > "$top/calls.txt"
}

# start_house NAME: a gateway and its boards.
start_house() {
  local number folder
  bench=$top/$1
  mkdir -p "$bench"
  start_gateway 0
  for (( number = 1; number <= boards_each; number++ )); do
    board_name=board-$number
    folder=$bench/$board_name
    # A fast walk, so that no run waits long for its next fix.
    write_config "$folder" 127.0.0.1 "$folder" \
      $'driver = simulated\nfolder = '"$top/photos" \
      $'driver = simulated\nspeed = 4\nreplay = '"$root/board/tests/field.nmea"
    printf '\n[operator]\nenabled = yes\n' >> "$folder/talon.conf"
    ln -s "$bench/gateway" "$folder/gateway"
    folders+=("$folder")
  done
}

begin "$out/test/torture"
top=$bench
claim "a call fails when it is told to" fails_once
mkdir "$top/photos"
make_bars 1280 720 "$top/photos/bars.jpg"
folders=()
for (( house = 1; house <= gateways; house++ )); do start_house "house-$house"; done
claim "every call that failed once was survived" tortured "$@"
