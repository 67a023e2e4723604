#!/usr/bin/env bash
# Boards that enrol without hands at one gateway, and that all come back when it does: the x86_64 firmware in 30 processes, which share an
# address (talon-lab fleet). Once with the gateway's token and an address that it trusts, once with setup codes, once with join links; each
# time the gateway restarts, and its power fails for five seconds.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

"$root/board/prepare" edges
bench=$out/test/fleet
mkdir -p "$bench"

# enrol WAY: all thirty, or what was not so.
enrol() {
  "$root/.build/debug/talon-lab" fleet --talon "$out/x86_64/talon" --gateway "$root/.build/debug/talon-gateway" --boards 30 --by "$1" --away 5 \
    > "$bench/$1.txt" 2>&1 || { cat "$bench/$1.txt" >&2; return 1; }
}

claim "with a token, from an address that the gateway trusts, boards enrol and come back" enrol address
claim "with setup codes" enrol code
claim "with join links" enrol link
