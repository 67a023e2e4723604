#!/usr/bin/env bash
# A real server of models on the board itself: llama-server as the child of the board's own agent (the x86_64 firmware, on this machine), with
# no gateway. Its model has random weights (tiny_model.py); its grammar lets it call tools with anything that their schemas allow. Needs root,
# as the service manager has it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

questions=200
model=tiny.gguf

servers() { pgrep -x llama-server | wc -l; }
one_server() { (( $(servers) == 1 )); }
agent_id() { pgrep -f "^$out/x86_64/talon serve-agent"; }
has_model() { talon agent models > "$bench/listed" 2>&1 && grep -qF "$model at 127.0.0.1: it is there" "$bench/listed"; }
# ends QUESTION: with an answer, or with the sentence that says why there is none.
ends() { talon agent chat --verbose "$1" > "$bench/answer" 2>&1 || true; cat "$bench/answer" >> "$bench/answers"; [[ -s $bench/answer ]]; }
calls() { grep -c '^· .*…$' "$bench/answers" || true; }
# has_ended ID: also when nobody has asked yet how.
has_ended() { ! grep -q '^State:.[^Z]' "/proc/$1/status" 2> /dev/null; }
is_another() { local now; now=$(agent_id) && [[ $now != "$agent" ]]; }

(( EUID == 0 )) || die "it has to be root, because the agent's process begins as root"
begin "$out/test/llama"
"$root/board/prepare" llama
mkdir -p "$bench"/{gateway,state,models}
echo unused > "$bench/gateway/token"
gateway_port=9
chown nobody "$bench/state"
chmod 700 "$bench/state"
"$root/board/peers/tiny_model.py" "$bench/models/$model"
"$(dirname "$(realpath "$(command -v swiftc)")")/clang" -O1 -Wall -o "$bench/accept" "$root/board/guest/accept.c"
start_emulated x86_64 "[operator]
enabled = yes

[agent]
enabled = yes
patience = 0
model = $bench/models/$model
model_program = $deps/llama/llama-server"
"$bench/accept" /run/talon-agent.socket "$out/x86_64/talon" serve-agent "$bench/board/talon.conf" daemon nobody "$bench/state" 2> "$bench/agent.log" &
claim "its model's server is the child of the board's own agent" wait_for 60 one_server
claim "and has the model" wait_for 60 has_model
agent=$(agent_id)
for (( number = 1; number <= questions; number++ )); do
  ends "question $number: what can you do?" || die "question $number has no end"
done
say "    $(calls) calls of tools in $questions questions"
claim "all questions end, and some called tools" test "$(calls)" -gt 0
claim "no process has ended" eval '[[ $(agent_id) == "$agent" ]] && one_server'
pkill -KILL -x llama-server
claim "a server that is killed begins again" wait_for 60 has_model
for signal in TERM KILL; do
  agent=$(agent_id) server=$(pgrep -x llama-server)
  kill "-$signal" "$agent"
  claim "an agent that gets $signal takes its server with it" wait_for 10 has_ended "$server"
  claim "and both begin again" wait_for 60 eval 'is_another && has_model && one_server'
done
