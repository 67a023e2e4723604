#!/usr/bin/env bash
# What board/test itself does: tiers, the choice of scenarios for a change, the seconds of processors of each step with everything that it
# starts, how far a command is, and what a run writes into the table.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/progress.sh"
source "$root/board/lib/accounts.sh"
source "$root/board/lib/tiers.sh"
source "$root/board/lib/claims.sh"

work=$out/runner
rm -rf "$work"
mkdir -p "$work"

tier_page=$work/page.md
cat > "$tier_page" <<'PAGE'
| step | tier | seconds | about | what it proves |
|---|---|---|---|---|
| `pairing` | test | 20 | `Gateway` `Board/Network` | Boards pair. |
| `camera` | test | 30 | `Camera` | Cameras work. |
| `image` | full | 400 | | Images start. |
| `llama` | nightly | 600 | | Models answer. |
PAGE
read_tiers

steps_of() { for name in pairing camera image llama; do ! in_tier "$name" "$1" || printf '%s ' "$name"; done; }
has_tiers() { [[ $(steps_of test) == 'pairing camera ' && $(steps_of full) == 'pairing camera image ' && $(steps_of nightly) == 'pairing camera image llama ' ]]; }
about() { [[ $(scenarios_about "${@:2}" | paste -sd ' ') == "$1" ]]; }
finds_scenarios() {
  about pairing Sources/Board/Network/Resolver.swift && about 'camera pairing' Sources/Camera/Camera.swift Sources/Gateway/Frames/Frame.swift \
    && about '' Sources/CameraPart/CameraPart.swift docs/owners/cameras.md
}

# A step passes with 21 s, another fails, a third has no row.
records() {
  printf '%s\n' 'pass pairing 9 21' 'FAIL camera 9 99' 'pass other 1 1' > "$work/results"
  rewrite_seconds "$work/results"
  [[ $(grep -c '' "$tier_page") == 6 ]] && grep -qF '| `pairing` | test | 21 | `Gateway` `Board/Network` | Boards pair. |' "$tier_page" \
    && grep -qF '| `camera` | test | 30 |' "$tier_page"
}

left() { [[ $(seconds_left "$1" "$2" "$3") == "$4" ]]; }
estimates() { left 0 100 0 100 && left 50 100 500 50 && left 100 100 500 50 && left 200 100 0 0 && left 30 100 1000 0; }
done_by() { printf '%s\n' "$4" > "$work/log"; [[ $(permille_of "$work/log" "$1" "$2") == "$3" ]]; }
measures() {
  done_by 10 100 100 'no count' && done_by 500 100 990 'no count' && done_by 50 100 250 '[1/4] Compiling A' && done_by 10 100 100 '[3/4] Compiling A'
}

# tells CODE COMMAND...: a command that is watched without a terminal says how it ends, and ends so.
tells() {
  local code=0
  watched "waiting" 2 "$work/watched.log" "${@:2}" > "$work/told" 2>&1 || code=$?
  (( code == $1 )) || return 1
  if (( code == 0 )); then grep -q '^waiting: done after 0:0' "$work/told"; else grep -q '^waiting: failed after 0:0' "$work/told" && grep -q 'a reason' "$work/told"; fi
}
tenths_once() { grep -q '^waiting: [0-9]*0 %' "$work/told" && [[ ! $(grep -oE '[0-9]+ %' "$work/told" | sort | uniq -d) ]]; }

# works_on: a process that leaves its step, as a machine in qemu does, and has worked for a second and a half when it ends.
works_on() {
  open_accounts
  is_counted || { say "no control group may be made here"; return 0; }
  trap close_accounts EXIT
  (join_account one; setsid python3 -c 'import sys, time
while time.process_time() < 1.5: pass
open(sys.argv[1], "w")' "$work/ended" &)
  wait_for 20 test -f "$work/ended" || return 1
  (( $(spent one) >= 1 && $(spent) >= $(spent one) ))
}

claim "each tier has the steps of those below it" has_tiers
claim "a changed file leads to the scenarios that are about its folder" finds_scenarios
claim "what a run measured gets into the table, of the steps that passed" records
claim "the time that is left follows the plan first and what was measured later" estimates
claim "a log that counts and the time tell how much is done, whichever is less" measures
claim "a command that succeeds is told to be done" tells 0 sleep 3
claim "each tenth is told once" tenths_once
claim "a command that fails is told with the end of its log" tells 3 bash -c 'echo a reason; exit 3'
claim "a process that leaves its step is counted" works_on
