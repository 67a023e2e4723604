#!/usr/bin/env bash
# Every fuzz target holds for five seconds of made-up input, built without optimisation: board/fuzz all SECONDS is for longer.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

for target in $("$root/board/fuzz"); do
  claim "$target: whatever comes in" "$root/board/fuzz" --quick "$target" 5
done
