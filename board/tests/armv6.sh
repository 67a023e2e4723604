#!/usr/bin/env bash
# The armv6 firmware (Pi 1 and Zero, on an emulated ARM1176) pairs over TLS and answers with simulated devices.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

emulated_scenario armv6
