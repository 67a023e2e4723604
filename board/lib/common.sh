# shellcheck shell=bash
# Functions that every script in board/ shares. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=$root/.deps
out=$root/.out

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

# How long a virtual machine may take until it answers: minutes, beside two others on two processors.
machine_seconds_max=240

# The comment at the top of a script is its manual.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# wants_help "$@": true when the first argument asks for the manual.
wants_help() { [[ ${1-} == --help || ${1-} == -h ]]; }

as_root() { if (( EUID == 0 )); then "$@"; else sudo "$@"; fi; }

# wait_for SECONDS COMMAND...: runs the command twice a second until it succeeds, for so long on a machine that does nothing else. A
# busy one has three times as long.
wait_for() {
  local deadline=$(( SECONDS + 3 * $1 )); shift
  until "$@"; do
    (( SECONDS < deadline )) || return 1
    sleep 0.5
  done
}
