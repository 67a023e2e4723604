#!/usr/bin/env bash
# The aarch64 firmware (Pi 3, 4, 5, Zero 2 W) pairs over TLS and answers with simulated devices.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

emulated_scenario aarch64
