#!/usr/bin/env bash
# The armv6 firmware (Pi 1 and Zero, on an emulated ARM1176) pairs over TLS and answers with simulated devices.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/targets.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

emulated_scenario armv6
