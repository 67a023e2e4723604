#!/usr/bin/env bash
# Every parser's fuzz target holds for two seconds of made-up input, built without optimisation. The whole agent, the painter and the
# script engine are played at night: board/fuzz all SECONDS and board/fuzz messages SEED COUNT.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

for target in $("$root/board/fuzz" | grep -vxE 'agent|painter|tampered'); do
  claim "$target: whatever comes in" "$root/board/fuzz" --quick "$target" 2
done
