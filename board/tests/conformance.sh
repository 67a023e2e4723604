#!/usr/bin/env bash
# Talon's WebSocket client against a server that knows the Autobahn cases for clients (sections 1 to 7, 9 and 10) and
# shares no code with it. It is not the Autobahn suite itself, which needs Python 2.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

claim "every case of the conformance server" \
  python3 "$root/board/tests/conformance.py" "$root/.build/debug/talon-lab" ws-echo
