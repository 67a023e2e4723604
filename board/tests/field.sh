#!/usr/bin/env bash
# The x86_64 firmware and what strangers reported of the field: gateways, fronts, networks and files that misbehave as theirs did.
# The board connects all the same, or says in one sentence what is wrong and what to do.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

folder=$out/test/field-boards
rm -rf "$folder"
claim "each board connects, or says what to do" python3 "$root/board/tests/field.py" "$out/x86_64/talon" "$folder"
