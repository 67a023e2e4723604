# shellcheck shell=bash
# What is true of a process that works on what strangers made. Sourced by scenarios, after bench.sh and claims.sh.

# confined NAME: the agent's process of this name.
confined() { pgrep -P "$node_pid" -f "^talon $1\$"; }

# status_of PID FIELD
status_of() { awk -v field="$2:" '$1 == field { print $2 }' "/proc/$1/status"; }

# has_key PID: the private key of the node stands in the process's memory.
has_key() {
  python3 - "$1" "$bench/board/state/identity" << 'PYTHON'
import re, sys
seed = bytes.fromhex(re.search(r'"seed"\s*:\s*"([0-9a-f]{64})"', open(sys.argv[2], errors="replace").read()).group(1))
with open(f"/proc/{sys.argv[1]}/maps") as maps, open(f"/proc/{sys.argv[1]}/mem", "rb", 0) as memory:
    for line in maps:
        start, end = (int(place, 16) for place in line.split()[0].split("-"))
        try:
            memory.seek(start)
            if seed in memory.read(end - start): sys.exit(0)
        except (OSError, OverflowError, ValueError): pass
sys.exit(1)
PYTHON
}

# claim_confined PID: it has nothing but memory, a line and the processor.
claim_confined() {
  # First: whoever looks through its memory touches all of it.
  say "    $(awk '/^Pss:|^Pss_Anon:|^Pss_Shmem:/ { printf "%s %s kB  ", $1, $2 }' "/proc/$1/smaps_rollup")"
  claim "its system calls are filtered" test "$(status_of "$1" Seccomp)" = 2
  claim "it cannot gain rights" test "$(status_of "$1" NoNewPrivs)" = 1
  claim "it has two pieces of memory and a line" eval '[[ $(readlink "/proc/'"$1"'/fd/"* | sed "s/[:[].*//" | paste -sd " ") == "/memfd /memfd socket" ]]'
  claim "no environment" test ! -s "/proc/$1/environ"
  claim "and no key, which the agent has" eval 'has_key "$node_pid" && ! has_key '"$1"
}
