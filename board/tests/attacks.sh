#!/usr/bin/env bash
# The x86_64 firmware and a gateway that means harm: messages without end, floods, silence, nonsense. Its memory stays
# within bounds, and it still serves. armv7.sh and armv6.sh play the same against boards of 32 bits.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/attacks.sh"

survives_attacks x86_64
