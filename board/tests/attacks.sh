#!/usr/bin/env bash
# The x86_64 firmware and a gateway that means harm: messages without end, floods, silence, nonsense. Its memory stays
# within bounds, and it still serves.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

folder=$out/test/attacks-nodes
rm -rf "$folder"
claim "the node survives every attack" python3 "$root/board/tests/attacks.py" "$out/x86_64/talon" "$folder"
