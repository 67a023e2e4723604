#!/usr/bin/env bash
# Programs that the gateway runs (system.run), in a real Debian with systemd, with the x86_64 firmware from its package: off until
# the owner wants it, only what root's file lists, as a user of their own that reaches nothing, within limits of time, memory, output and
# processes, without a network; what a program has begun ends with it, with a cancel, and with the agent. And the package's other services, the
# owner's MCP servers and the board's own agent, each with a user, limits and a sandbox of its own.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-system.sh"
source "$root/board/lib/claims.sh"

violations() { gateway nodes status | jq -e ".violations <= $1" > /dev/null || { gateway nodes status >&2; return 1; }; }
declares() { gateway nodes status | jq -e 'any(.nodes[]; .commands | index("system.run"))' > /dev/null; }

# words WORD...: parameters of system.run.
words() { jq -nc '{command: $ARGS.positional}' --args -- "$@"; }
# runs FILTER WORD...: the answer of a run satisfies the jq filter.
runs() { answers system.run "$(words "${@:2}")" "$1"; }
# runs_long FILTER WORD...: the same of one that may take minutes on a busy machine.
runs_long() {
  if invoke system.run "$(words "${@:2}")" --timeout 302000 > "$bench/long.json" && jq -e "$1" "$bench/long.json" > /dev/null; then return; fi
  cat "$bench/long.json"
  return 1
}
# denies CODE WORD...
denies() { refuses system.run "$(words "${@:2}")" "$1"; }

# processes: those of the programs' user.
processes() { guest 'find /proc -maxdepth 1 -user talon-run 2> /dev/null | wc -l'; }
none_is_left() { [[ $(processes) == 0 ]] && guest '! systemctl list-units --no-legend "talon-run@*" | grep -q .'; }
some_run() { (( $(processes) >= ${1-1} )); }

configure() {
  guest "sed -i '/^\[run\]/,\$d' /etc/talon/talon.conf && printf '[run]\nprograms = $1\n${2-}' >> /etc/talon/talon.conf"
}

# begins WORD...: a run that is not waited for; sets invoke_id.
begins() {
  invoke_id=$(gateway nodes invoke --node "$board_name" --command system.run --params "$(words "$@")" --timeout 302000 --no-wait | jq -r .invokeId)
  [[ $invoke_id ]] && wait_for 20 some_run 2
}
progress_says() { [[ $(gateway nodes progress "$invoke_id" | jq -r '.chunks | join("")') == *"$1"* ]]; }

programs="/usr/bin/id, /usr/bin/cat, /usr/bin/tail, /usr/bin/yes, /usr/bin/sleep, /usr/bin/touch, /usr/bin/nothing, /bin/sh, /bin/bash"

begin "$out/test/run"
"$root/board/package" --into "$bench/packages" x86_64
mkdir -p "$bench/vm/files/root"
cp "$bench"/packages/talon_*_amd64.deb "$bench/vm/files/root/talon.deb"
install -D -m 755 "$root/board/peers/mcp_shell" "$bench/vm/files/opt/mcp_shell"
start_gateway 0
start_system
guest "date -s @$(date +%s) > /dev/null
  apt-get install -y /root/talon.deb > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }"
claim "the package leaves the service off" guest '! systemctl is-enabled -q talon-run.socket && ! test -e /run/talon-run.socket'
claim "its user owns nothing" guest 'test "$(id -nG talon-run)" = talon-run && ! find / -xdev -user talon-run | grep -q .'
code=$("$gateway_program" qr --state "$bench/gateway" --setup-code-only --url "wss://10.0.2.2:$gateway_port")
guest "echo $code | talon connect"
wait_for 60 is_pending || die "no pairing request arrived"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
board_name=field-board
claim "a board without [run] connects" wait_for 90 is_connected
claim "and declares nothing of it" eval '! declares'

configure "$programs" 'timeout = 300\noutput = 20000\n'
claim "the configuration is right" guest 'talon config check'
guest 'systemctl restart talon'
wait_for 60 is_gone || true
claim "with programs it declares them" wait_for 90 declares
claim "without the service the answer says how to switch it on" denies "systemctl enable --now talon-run.socket" id
guest 'systemctl enable --now talon-run.socket 2> /dev/null'
claim "only the agent's user may connect" guest 'test "$(stat -c "%U %a" /run/talon-run.socket)" = "talon 600"'

# What runs.
claim "a program runs as a user of its own" runs \
  '.exitCode == 0 and .success and (.timedOut | not) and (.stdout | test("^uid=[0-9]+\\(talon-run\\) gid=[0-9]+\\(talon-run\\) groups=[0-9]+\\(talon-run\\)\n$"))' id
claim "by its path as well, with its errors and status" runs '.exitCode == 1 and (.stderr | contains("No such file"))' /usr/bin/cat /nowhere
claim "which programs there are" answers system.which '{"bins":["id","bash","df","nothing","/usr/bin/id"]}' \
  '.bins == {"id": "/usr/bin/id", "bash": "/bin/bash"}'
claim "a plan comes, and is taken" eval 'invoke system.run.prepare "$(words cat "/etc/host name")" > "$bench/plan.json" &&
  answers system.run "$(jq -c "{command: .plan.argv, rawCommand: .plan.commandText, systemRunPlan: .plan, approved: true}" "$bench/plan.json")" ".exitCode == 1"'
claim "but not for another command" refuses system.run \
  "$(jq -c '{command: ["id"], systemRunPlan: .plan, approved: true}' "$bench/plan.json")" "execution plan mismatch"
claim "what is not listed does not run, whatever is approved" refuses system.run \
  '{"command":["/usr/bin/df"],"approved":true,"approvalDecision":"allow-always"}' "allowlist miss"
claim "a line is no command" refuses system.run '{"command":"id; id"}' "never a line for a shell"
claim "an empty word neither" denies "an empty word" id ""
claim "nor none" refuses system.run '{"command":[]}' "command required"
claim "no variable comes through" refuses system.run '{"command":["id"],"env":{"LD_PRELOAD":"/tmp/x.so"}}' "environment override rejected"
claim "a program that is not there is one" denies "/usr/bin/nothing cannot be used" nothing

# What it reaches.
claim "not the configuration" runs '.exitCode == 1 and .stdout == ""' cat /etc/talon/talon.conf
claim "not the agent's state" runs '.exitCode != 0 and (.stdout | contains("identity") | not)' bash -c 'ls /var/lib/talon /run/talon'
claim "not the agent's memory, nor the service's" runs '.exitCode == 0' bash -c \
  '! cat /proc/$PPID/environ && ! cat /proc/$PPID/mem && ! ls /proc/1 && ! kill -0 1'
claim "nothing of the system may be written" runs '.exitCode == 0' bash -c \
  'for place in /etc /var/tmp /dev/shm /usr /run /var/lib /home /root /; do ! touch $place/x || exit 1; done'
claim "but its folder, which is small" runs '.exitCode == 0' bash -c \
  'test "$PWD" = /tmp && test -z "$(ls -A)" && touch here && ! head -c 30M /dev/zero > there'
claim "and empty for the next" runs '.stdout == "0\n"' bash -c 'ls -A | wc -l'
claim "it cannot become root" runs '.exitCode == 0' bash -c 'grep -q "^NoNewPrivs:.1" /proc/self/status && grep -q "^CapEff:.0*$" /proc/self/status'
claim "no network" runs '.exitCode != 0 and (.stderr | contains("not permitted"))' bash -c "exec 3<> /dev/tcp/10.0.2.2/$gateway_port"
# The agent's user is not believed: the service looks itself.
guest "sed -i 's|/usr/bin/id, ||' /etc/talon/talon.conf"
claim "what root's file lists no more does not run, though the agent still believes it" denies "not among the programs of [run]" id
configure "$programs" 'timeout = 300\noutput = 20000\n'
guest 'chmod 660 /etc/talon/talon.conf'
claim "a file that others may write does not count" denies "others may change it" id
guest 'chmod 640 /etc/talon/talon.conf; chown talon /usr/bin/yes'
claim "neither does a program that others may change" denies "others may change it" yes
guest 'chown root /usr/bin/yes'
claim "another user gets nowhere" guest '! setpriv --reuid=65534 --regid=65534 --clear-groups test -w /run/talon-run.socket'

# Limits.
claim "what takes too long is killed, with what it said" answers system.run \
  '{"command":["bash","-c","echo begun; sleep 100"],"timeoutMs":10000}' '.timedOut and (.success | not) and .stdout == "begun\n"'
claim "a flood is cut, and read to its end" runs '.truncated and .exitCode == 0 and (.stdout | length) >= 19000 and (.stdout | length) <= 20010' \
  bash -c 'head -c 3M /dev/zero | tr "\0" x'
claim "memory ends at the limit of each process" runs '.success | not' tail /dev/zero
# A program that holds 90 MB for a quarter of a minute, and says so. It takes them at once, which is a second's work: what four of them do
# is waited for, however busy this machine is.
holds='hold() { dd if=/dev/zero bs=90M count=1 2> /dev/null | { sleep 15; wc -c; } }'
claim "two that hold 180 MB together are well" runs_long '[.stdout | scan("94371840")] | length == 2' bash -c "$holds; hold & hold & wait"
claim "four that want 360 MB are not" runs_long '[.stdout | scan("94371840")] | length < 4' bash -c "$holds; hold & hold & hold & hold & wait"
claim "so do processes" runs '.exitCode == 2 and (.stderr | contains("Cannot fork"))' sh -c 'for n in $(seq 100); do sleep 2 & done'
claim "none of that is left" wait_for 20 none_is_left
claim "what a program leaves running ends with it" runs '.stdout == "begun\n"' bash -c \
  'sleep 1000 & (setsid sleep 1001 || nohup sleep 1002) > /dev/null 2>&1 & disown -a; echo begun'
claim "with its service" wait_for 20 none_is_left
begins sleep 250
first=$invoke_id
claim "two run at once" eval 'begins sleep 250 && wait_for 15 some_run 4'
claim "a third is refused" denies "node busy" id
gateway nodes cancel "$first" > /dev/null
gateway nodes cancel "$invoke_id" > /dev/null
claim "and both end" wait_for 20 none_is_left

# In the middle.
claim "output comes while it runs" eval 'begins bash -c "echo one; sleep 250; echo two" && wait_for 10 progress_says one && ! progress_says two'
gateway nodes cancel "$invoke_id" > /dev/null
claim "a cancel ends it" wait_for 10 none_is_left
begins bash -c 'sleep 1000 & sleep 1001'
guest 'kill -9 $(systemctl show -P MainPID talon)'
claim "the end of the agent ends it" wait_for 10 none_is_left
claim "and the agent comes back" wait_for 90 is_connected

# More, where the owner says so.
configure "$programs" 'network = yes\n'
guest 'systemctl restart talon'
wait_for 30 is_gone || true
wait_for 90 is_connected
claim "with network = yes there is one" runs '.exitCode == 0' bash -c "exec 3<> /dev/tcp/10.0.2.2/$gateway_port"
guest 'systemctl disable --now talon-run.socket 2> /dev/null'
claim "switched off, it is off" denies "systemctl enable --now talon-run.socket" id

# The package's second service: the owner's MCP servers.
mcp_says() { grep -qxF "I am talon-mcp: $1" <(guest 'talon tools test shell_who 2>&1'); }
mcp_id() { guest 'find /proc -maxdepth 1 -user talon-mcp -printf "%f\n" 2> /dev/null | head -n 1'; }
claim "the service of MCP servers is off, too" guest '! systemctl is-enabled -q talon-mcp.socket && ! test -e /run/talon-mcp.socket'
guest "printf '[tools]\\npublish = all\\n[mcp shell]\\ncommand = /opt/mcp_shell\\n' >> /etc/talon/talon.conf; systemctl restart talon"
claim "a section says how to switch it on" wait_for 60 guest 'talon tools | grep -qF "systemctl enable --now talon-mcp.socket"'
guest 'systemctl enable --now talon-mcp.socket 2> /dev/null'
claim "only the agent's user may connect to it" guest 'test "$(stat -c "%U %a" /run/talon-mcp.socket)" = "talon 600"'
claim "a server runs as a user of its own, which writes to its own /tmp and reaches nothing else" wait_for 60 mcp_says "writes /tmp"
claim "with memory of its own" guest "unit=\$(sed 's|.*/||' /proc/$(mcp_id)/cgroup) && test \"\$(systemctl show -P MemoryMax \$unit)\" = 268435456"
guest 'systemctl stop talon'
claim "it ends with the agent" wait_for 20 eval '[[ ! $(mcp_id) ]]'
claim "and leaves no unit as failed" guest '! systemctl list-units --no-legend --failed "talon-mcp@*" | grep -q .'
guest 'systemctl start talon'
wait_for 90 is_connected

# The package's third service: the board's own agent.
own_id() { guest 'find /proc -maxdepth 1 -user talon-agent -printf "%f\n" 2> /dev/null | head -n 1'; }
own_answers() { grep -qF "You said: $1." <(guest "talon agent chat '$1' 2>&1"); }
own_has() { guest "pid=$(own_id); test -n \"\$pid\" && $1"; }
mkdir -p "$bench/model"
python3 "$root/board/peers/model_server.py" "$bench/model" > "$bench/model.log" 2>&1 &
wait_for 10 test -s "$bench/model/port"
claim "the board's own agent is off too" guest '! systemctl is-enabled -q talon-agent.socket && ! test -e /run/talon-agent.socket'
guest "printf '[operator]\\nenabled = yes\\n[agent]\\nenabled = yes\\n[model a]\\nurl = http://10.0.2.2:$(< "$bench/model/port")/v1\\nmodel = first\\nkey_file = /etc/talon/model-key\\n' >> /etc/talon/talon.conf
  (umask 077; echo sk-secret > /etc/talon/model-key)"
guest "systemctl enable --now talon-agent.socket 2> /dev/null; systemctl restart talon"
claim "a key is not sent in clear" wait_for 60 guest 'journalctl -u "talon-agent@*" --no-pager | grep -qF "must begin with https"'
guest "sed -i '/^key_file/d' /etc/talon/talon.conf"
claim "only the node's user may connect to it" guest 'test "$(stat -c "%U %a" /run/talon-agent.socket)" = "talon 600"'
claim "switched on, it answers" wait_for 120 own_answers hello
claim "as a user of its own, with no rights" own_has 'grep -q "^CapEff:.0*$" /proc/$pid/status && grep -q "^NoNewPrivs:.1" /proc/$pid/status'
claim "with memory and tasks of its own" own_has 'unit=$(sed "s|.*/||" /proc/$pid/cgroup) && test "$(systemctl show -P MemoryMax $unit)" = 50331648 && test "$(systemctl show -P TasksMax $unit)" = 8'
claim "it sees neither the node's state nor the devices" own_has '! ls /proc/$pid/root/var/lib/talon/identity* 2> /dev/null && ! test -e /proc/$pid/root/dev/kmsg'
claim "its memory is its own" guest 'test "$(stat -c "%U %a" /var/lib/talon-agent /var/lib/talon-agent/memory.db | paste -sd " ")" = "talon-agent 700 talon-agent 600"'
node=$(guest 'systemctl show -P MainPID talon')
guest "kill -9 $(own_id)"
claim "killed, it is back" wait_for 60 own_answers again
claim "and the node is the same" test "$(guest 'systemctl show -P MainPID talon')" = "$node"
claim "no unit of it is left as failed" guest '! systemctl list-units --no-legend --failed "talon-agent@*" | grep -q .'

claim "no frame broke the schema" violations 0
claim "and the package goes without a trace" guest 'apt-get purge -y talon > /dev/null 2>&1; ! id talon-run 2> /dev/null && ! ls /usr/lib/systemd/system/talon-run* 2> /dev/null
  ! id talon-mcp 2> /dev/null && ! ls /usr/lib/systemd/system/talon-mcp* 2> /dev/null
  ! id talon-agent 2> /dev/null && ! ls /usr/lib/systemd/system/talon-agent* 2> /dev/null && ! test -e /var/lib/talon-agent'
