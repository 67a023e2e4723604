#!/usr/bin/env bash
# Every fuzz target holds for two seconds of made-up input, and the whole agent for twenty seconds of messages of everybody around it,
# built without optimisation. board/fuzz all SECONDS and board/fuzz messages SEED COUNT are for longer.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

claim "whatever comes in, every target keeps its word" "$root/board/fuzz" --quick --jobs "$(nproc)" all 2
# Each day begins with another seed, which is printed.
claim "whatever anybody says, the agent keeps its word" "$root/board/fuzz" --quick --jobs "$(nproc)" messages "$(( $(date +%s) / 86400 ))" 20s
