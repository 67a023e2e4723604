#!/usr/bin/env bash
# Every fuzz target but the whole agent holds for two seconds of made-up input, built without optimisation. All of them are played longer
# at night: board/fuzz all SECONDS and board/fuzz messages SEED COUNT.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

for target in $("$root/board/fuzz" | grep -vx agent); do
  claim "$target: whatever comes in" "$root/board/fuzz" --quick "$target" 2
done
