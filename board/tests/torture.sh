#!/usr/bin/env bash
# System calls of the x86_64 firmware that may fail do so, one at a time, while a board starts, pairs, connects, takes a photo, finds its
# place, is asked something at its console, loses its link, reconnects and stops: the first one on each target with every error that it may
# return, and a twelfth of those after it. Each time it must go on, or say why not: no crash, no leaked descriptor, no command without an
# answer, no lost identity or token.
#
# Before that, its start gets too little memory: one limit of the address space after the other. After that, the kernel refuses memory at 120
# places of a longer life, in which the board also shows a picture, runs a script and reads its configuration again.
#
#   board/tests/torture.sh [--all] [--only CALL]     --all: each call with every error that it may return, which takes long
#   board/tests/torture.sh --memory [--all]          memory alone; --all: wherever it is asked for some
#
# What became of each call stands in .out/test/torture/calls.txt and memory.txt. Which calls fail, with what, and which are spared:
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

# spares_children: what the program starts goes on as ever.
spares_children() {
  "$lab" fail-once --report "$bench/fail-once" --call mkdir --error 28 -- /bin/sh -c "/bin/mkdir '$bench/child'; exit" &&
    [[ -d $bench/child ]] && ! grep -q '^mkdir' "$bench/fail-once"
}

tortured() {
  "$lab" torture --talon "$out/x86_64/talon" "${folders[@]/#/--board=}" "$@" > "$top/calls.txt"
}

refused_memory() {
  local folder
  for folder in "${folders[@]}"; do printf '\n[canvas]\nscreen = 480x320\n' >> "$folder/talon.conf"; done
  "$lab" torture --memory --talon "$out/x86_64/talon" "${folders[@]/#/--board=}" "$@" > "$top/memory.txt"
}

# starts_or_says_why: whatever limit the address space has at the start (from what the kernel needs to load the file), the program runs,
# or ends with EX_OSERR and a sentence.
starts_or_says_why() {
  local space place length first code ended=0 folder=$top/start
  mkdir "$folder"
  install -m 600 "${folders[0]}/token" "$folder/token"
  # Nobody listens there: a gateway would know these boards for ever.
  sed "s|^url = .*|url = wss://127.0.0.1:9|; s|${folders[0]}|$folder|" "${folders[0]}/talon.conf" > "$folder/talon.conf"
  read -r place length < <(readelf -lW "$out/x86_64/talon" | awk '$1 == "LOAD" { line = $3 " " $6 } END { print line }')
  first=$(( (place + length) / 1024 + 1024 ))
  for (( space = first; space < first + 400000; space += space < first + 16000 ? 160 : 4000 )); do
    rm -rf "$folder/state" "$folder/run"
    code=0
    (ulimit -v "$space"; exec timeout 0.5 "$out/x86_64/talon" run --config "$folder/talon.conf") > "$top/start.log" 2>&1 || code=$?
    (( code == 71 )) && grep -q '^talon: .*memory' "$top/start.log" && { (( ended += 1 )); continue; }
    (( code == 124 )) || { say "with $space KiB it ends with $code: $(tail -n 1 "$top/start.log")"; return 1; }
  done
  say "of ${first} KiB and more, $ended limits were too narrow, and it said so"
  (( ended > 100 ))
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
claim "and not that of a program that the program starts" spares_children
mkdir "$top/photos"
make_bars 1280 720 "$top/photos/bars.jpg"
folders=()
for (( house = 1; house <= gateways; house++ )); do start_house "house-$house"; done
claim "with too little memory for its start, it says so" starts_or_says_why
if [[ ${1-} == --memory ]]; then
  shift
else
  claim "every call that failed once was survived" tortured "$@"
  [[ "$*" != *--only* ]] || exit 0
fi
claim "memory that was refused once was survived" refused_memory "$@"
