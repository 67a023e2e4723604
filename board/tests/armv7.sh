#!/usr/bin/env bash
# The armv7 firmware (32-bit Pi 2 and 3) pairs over TLS and answers with simulated devices.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

emulated_scenario armv7
