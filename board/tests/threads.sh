#!/usr/bin/env bash
# Threads meet nowhere but where they are ordered: the thread sanitizer sees nothing at their ways to each other.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

is_seen() {
  local told
  if told=$("$root/board/threads" race 2>&1); then return 1; fi
  [[ $told == *'WARNING: ThreadSanitizer: '* ]]
}

claim "a race is seen where there is one" is_seen
claim "none is seen among the workers and the loop" "$root/board/threads"
