#!/usr/bin/env bash
# Two thousand simulated days, each decided by its seed: network, gateway, flash, power and people go wrong, and every
# promise of the agent holds. A seed that breaks one is printed with the command that replays it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

seeds=1000
lab=$root/.build/release/talon-lab
mkdir -p "$out/test"

# A debug build is twenty times slower. This builds talon-lab alone, with none of the test gateway's dependencies.
build() { (cd "$root" && swift build -c release --product talon-lab) >&2; }

log() { echo "$out/test/simulation-from-$1.txt"; }
simulate() { "$lab" simulate --first-seed "$1" --seeds "$seeds" --days 1 > "$(log "$1")" 2>&1; }

# held FIRST PID: the process that runs the seeds from FIRST has found nothing.
held() { wait "$2" || { tail -n 130 "$(log "$1")" >&2; return 1; }; }

is_fast() { awk '/per core-minute/ { good += ($(NF - 4) >= 1) } END { exit good != 2 }' "$(log 1)" "$(log 1001)"; }

claim "the simulation is built with optimisation" build
simulate 1 &
lower=$!
simulate 1001 &
upper=$!
claim "every invariant holds for the seeds 1 to 1000" held 1 "$lower"
claim "and for the seeds 1001 to 2000" held 1001 "$upper"
grep -h "per core-minute" "$(log 1)" "$(log 1001)"
claim "a year passes within a minute of one core" is_fast
