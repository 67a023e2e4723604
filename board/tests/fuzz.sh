#!/usr/bin/env bash
# Every fuzz target holds for a second of made-up input, and the whole agent for a fixed list of messages, built without optimisation. All
# of them are played longer at night: board/fuzz all SECONDS and board/fuzz messages SEED COUNT.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

claim "whatever comes in, every target holds" "$root/board/fuzz" --quick --jobs 2 all 1
claim "the agent lives, and answers everything once, through 5,000 messages of everybody around it" "$root/board/fuzz" --quick messages 1 5000
