#!/usr/bin/env bash
# A real server of models on the board itself: llama-server as the child of the board's own agent, in a virtual machine that reaches no
# gateway. Its model has random weights (tiny_model.py), and its grammar lets it answer with a call of a tool or with a sentence, so that what
# it calls, and with what, is anything that the tools' schemas allow.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/own-agent.sh"

# In an emulated machine each takes minutes: a token is a byte, and what the model is told has thousands.
questions=6
model=/etc/talon/tiny.gguf

write_board() {
  local files=$bench/vm/files
  mkdir -p "$bench/gateway" "$files/bin"
  echo unused > "$bench/gateway/token"
  gateway_port=9
  write_config "$files/etc/talon" 127.0.0.1 /etc/talon $'driver = simulated\nfolder = /etc/talon' "driver = none"
  make_bars 640 480 "$files/etc/talon/bars.jpg"
  cat >> "$files/etc/talon/talon.conf" <<CONFIG

[operator]
enabled = yes

[agent]
enabled = yes
patience = 0
tools = remind, list_reminders
model = $model
model_program = /bin/llama-server
CONFIG
  "$root/board/peers/tiny_model.py" "$files$model"
  install -m 755 "$deps/llama/llama-server" "$files/bin/llama-server"
  write_users "$files"
}

servers() { guest 'pidof llama-server' | wc -w; }
one_server() { (( $(servers) == 1 )); }
no_server() { (( $(servers) == 0 )); }
has_model() { talon "agent models" > "$bench/models"; says "$bench/models" "tiny.gguf at 127.0.0.1: it is there"; }
# ends QUESTION: its answer, or the sentence that says why there is none, ends within the time of a command in the guest.
ends() { talon "agent chat --verbose '$1'" > "$bench/answer" || true; cat "$bench/answer" >> "$bench/answers"; [[ -s $bench/answer ]]; }
calls() { grep -c '^· ' "$bench/answers" || true; }

begin "$out/test/llama"
"$root/board/prepare" llama
write_board
"$root/board/vm" start "$bench/vm"
start_talon
start_agent_socket
claim "the board's own agent answers" wait_for 60 stands_in
claim "its model's server is its child" wait_for 60 one_server
claim "and has the model" wait_for 120 has_model
agent=$(agent_ids)
for (( number = 1; number <= questions; number++ )); do
  claim "question $number ends" ends "question $number: what can you do?"
  sed 's/^/    /' "$bench/answer" | cut -c1-160 | head -n 5 >&2
done
say "    $(calls) steps of tools in $questions questions"
claim "some called tools" test "$(calls)" -gt 0
claim "no process has ended" eval '[[ $(agent_ids) == "$agent" ]] && one_server'
guest "kill -KILL $(guest 'pidof llama-server')"
claim "a server that is killed begins again" wait_for 60 has_model
guest "kill -TERM $agent"
claim "when the agent ends, so does its server" wait_for 30 no_server
claim "and both begin again" wait_for 90 has_model
copy_log
guest "cat $agent_log" > "$bench/agent.log"
