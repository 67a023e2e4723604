#!/usr/bin/env bash
# 250 simulated days, each decided by its seed: network, gateway, flash, power and people go wrong, and every
# promise of the agent holds. A seed that breaks one is printed with the command that replays it. Then requests for what
# people at boards decide about. CONSENT_REQUESTS: how many; 200,000 without it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

lab=$root/.build/release/talon-lab
mkdir -p "$out/test"

# A debug build is twenty times slower. This builds talon-lab alone, with none of the test gateway's dependencies.
build() { "$root/board/lib/swift-build" -c release --product talon-lab; }

log() { echo "$out/test/simulation-from-$1.txt"; }

# simulate FIRST: 125 seeds.
simulate() { "$lab" simulate --first-seed "$1" --seeds 125 --days 1 > "$(log "$1")" 2>&1; }

# held FIRST PID: the process that runs the seeds from FIRST has found nothing.
held() { wait "$2" || { tail -n 130 "$(log "$1")" >&2; return 1; }; }

# Over all of them: "200 seeds, 200.0 simulated days, 13 s wall, 12.9 s processor, ..."
speed() {
  awk '/per core-minute/ { seeds += $1; days += $3; seconds += $9 }
    END { printf "%d seeds, %.2f simulated years per core-minute\n", seeds, days / 365.25 / (seconds / 60) }' \
    "$(log 1)" "$(log 126)"
}

claim "the simulation is built with optimisation" build
simulate 1 &
lower=$!
simulate 126 &
upper=$!
claim "every invariant holds for the seeds 1 to 125" held 1 "$lower"
claim "and for the seeds 126 to 250" held 126 "$upper"
speed
claim "all of them ran" grep -q "^250 seeds" <(speed)
# consent FIRST: five boards, each with rules of its own.
requests=${CONSENT_REQUESTS:-200000}
consent() {
  "$lab" consent --requests $(( requests / 10 )) --seeds 5 --first-seed "$1" > "$out/test/simulation-consent-$1.txt" 2>&1
}
consent 1 &
lower=$!
claim "nothing is used that nobody allowed, in half of $requests requests" consent 6
claim "and in the other half" wait "$lower"
