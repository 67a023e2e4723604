#!/usr/bin/env bash
# 30 simulated days, each decided by its seed: network, gateway, flash, power and people go wrong, and every
# promise of the agent holds. A seed that breaks one is printed with the command that replays it. Then requests for what
# people at boards decide about. CONSENT_REQUESTS: how many; 200,000 without it.
#
# They run in the debug build, which is there: that takes ten times longer for a day than one with optimisation, and such a build takes
# longer than ten times thirty days. Each night's 20,000 other days have one (board/test --nightly).
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

lab=$root/.build/debug/talon-lab
mkdir -p "$out/test"

log() { echo "$out/test/simulation-from-$1.txt"; }

# simulate FIRST: 15 seeds.
simulate() { "$lab" simulate --first-seed "$1" --seeds 15 --days 1 > "$(log "$1")" 2>&1; }

# held FIRST PID: the process that runs the seeds from FIRST has found nothing, and has run them all.
held() {
  wait "$2" && grep -q '^15 seeds, 15.0 simulated days' "$(log "$1")" && return
  tail -n 130 "$(log "$1")" >&2
  return 1
}

simulate 1 &
lower=$!
simulate 16 &
upper=$!
claim "every invariant holds for the seeds 1 to 15" held 1 "$lower"
claim "and for the seeds 16 to 30" held 16 "$upper"
# consent FIRST: five boards, each with rules of its own.
requests=${CONSENT_REQUESTS:-200000}
consent() {
  "$lab" consent --requests $(( requests / 10 )) --seeds 5 --first-seed "$1" > "$out/test/simulation-consent-$1.txt" 2>&1
}
consent 1 &
lower=$!
claim "nothing is used that nobody allowed, in half of $requests requests" consent 6
claim "and in the other half" wait "$lower"
