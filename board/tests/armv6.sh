#!/usr/bin/env bash
# The armv6 firmware (Pi 1 and Zero, on an emulated ARM1176) pairs over TLS and answers with simulated devices. It survives the
# attacks of attacks.sh: lengths and times that fit 64 bits alone would show here.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/attacks.sh"

emulated_scenario armv6
survives_attacks armv6
