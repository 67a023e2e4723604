# shellcheck shell=bash
# The board's own agent in the virtual machine, beside lib/field-vm.sh: what its scenarios share. Sourced, never run.

agent_folder=/var/lib/talon-agent
# What its process writes, in the guest.
agent_log=/tmp/agent.log

talon() { guest "talon $* --config /etc/talon/talon.conf 2>&1"; }
# Its exit code tells of the gateway.
status() { talon status --json || true; }
stands_in() { status | jq -e '.ownAgent.connected and .ownAgent.answers' > /dev/null 2>&1; }
stands_back() { status | jq -e '.ownAgent.answers | not' > /dev/null 2>&1; }
agent_ids() { guest 'for one in $(pidof talon); do ! grep -q serve-agent /proc/$one/cmdline || echo $one; done'; }
talon_ids() { guest 'pidof talon'; }
# smaps IDS: the files that tell of their memory.
smaps() { local one; for one in $1; do echo "/proc/$one/smaps_rollup"; done | paste -sd ' '; }
# pss IDS: kibibytes of processes together, what they share counted once.
pss() { guest "cat $(smaps "$1")" | awk '/^Pss:/ { sum += $2 } END { print sum }'; }

# write_users FILES: the users of the node and of the agent, and the program that listens at the agent's socket.
write_users() {
  printf 'root:x:0:0::/:/bin/sh\ntalon:x:500:500::/:/bin/false\ntalon-agent:x:501:501::/:/bin/false\n' > "$1/etc/passwd"
  printf 'root:x:0:\ntalon:x:500:\ntalon-agent:x:501:\n' > "$1/etc/group"
  put_program "$bench/vm" accept
}

start_agent_socket() {
  guest "mkdir -p $agent_folder && chown 501:501 $agent_folder && chmod 700 $agent_folder
    accept /run/talon-agent.socket /bin/talon serve-agent /etc/talon/talon.conf talon talon-agent $agent_folder > $agent_log 2>&1 &"
}
