#!/usr/bin/env bash
# A thousand simulated days, each decided by its seed: network, gateway, flash, power and people go wrong, and every
# promise of the agent holds. A seed that breaks one is printed with the command that replays it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

lab=$root/.build/release/talon-lab
mkdir -p "$out/test"

# A debug build is twenty times slower. This builds talon-lab alone, with none of the test gateway's dependencies.
build() { "$root/board/lib/swift-build" -c release --product talon-lab; }

log() { echo "$out/test/simulation-from-$1.txt"; }

# simulate FIRST: five hundred seeds, in processes of 250, because a life leaves memory behind when its power goes.
simulate() {
  local first
  for (( first = $1; first < $1 + 500; first += 250 )); do
    "$lab" simulate --first-seed "$first" --seeds 250 --days 1 || return 1
  done > "$(log "$1")" 2>&1
}

# held FIRST PID: the process that runs the seeds from FIRST has found nothing.
held() { wait "$2" || { tail -n 130 "$(log "$1")" >&2; return 1; }; }

# Over all of them: "200 seeds, 200.0 simulated days, 13 s wall, 12.9 s processor, ..."
speed() {
  awk '/per core-minute/ { seeds += $1; days += $3; seconds += $9 }
    END { printf "%d seeds, %.2f simulated years per core-minute\n", seeds, days / 365.25 / (seconds / 60) }' \
    "$(log 1)" "$(log 501)"
}

claim "the simulation is built with optimisation" build
simulate 1 &
lower=$!
simulate 501 &
upper=$!
claim "every invariant holds for the seeds 1 to 500" held 1 "$lower"
claim "and for the seeds 501 to 1000" held 501 "$upper"
speed
claim "all of them ran" grep -q "^1000 seeds" <(speed)
