#!/usr/bin/env bash
# The board's own agent on a real kernel: the x86_64 firmware's node and its agent's process, a server of models that is strict and misbehaves
# (model_server.py), and a gateway that goes and comes back. The board answers, uses its own tools, remembers, forgets, survives the end of the
# process, and tells the gateway once what happened.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/own-agent.sh"

key=sk-bench-$RANDOM$RANDOM

# asks WORDS: what the board's agent answers; with its steps.
asks() { talon "chat '$1'"; }
answers_with() { asks "$1" > "$bench/answer" || true; says "$bench/answer" "$2" || { cat "$bench/answer"; return 1; }; }
one_agent() { (( $(agent_ids | wc -l) == 1 )); }
asked_for() { grep -qF -- "$1" "$bench/model/requests"; }
summaries() { gateway nodes events | jq '[.events[] | select(.event == "agent.request")] | length'; }
memory_says() { talon "agent search '$1'" > "$bench/found"; says "$bench/found" "$2"; }
memory_lacks() { talon "agent search '$1'" > "$bench/found"; says "$bench/found" "nothing is remembered"; }

start_models() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=bench" -addext "subjectAltName=IP:10.0.2.2" \
    -keyout "$bench/model.key" -out "$bench/model.pem" 2> /dev/null
  mkdir -p "$bench/model"
  python3 "$root/board/peers/model_server.py" "$bench/model" "$bench/model.pem" "$bench/model.key" "$key" > "$bench/model.log" 2>&1 &
  wait_for 10 test -s "$bench/model/port"
  port=$(< "$bench/model/port") port_tls=$(< "$bench/model/port-tls")
  pin=$(openssl x509 -in "$bench/model.pem" -outform DER | sha256sum | cut -d' ' -f1)
}

write_board() {
  local files=$bench/vm/files
  write_config "$files/etc/talon" 10.0.2.2 /etc/talon $'driver = simulated\nfolder = /etc/talon' "driver = none"
  make_bars 640 480 "$files/etc/talon/bars.jpg"
  cat >> "$files/etc/talon/talon.conf" <<CONFIG

[operator]
enabled = yes

[agent]
enabled = yes
patience = 1
allow = 10.0.2.2
channel = telegram 1234

[model first]
url = https://10.0.2.2:$port_tls/v1
model = first
key_file = /etc/talon/model-key
pin = $pin
pictures = yes

[model second]
url = http://10.0.2.2:$port/v1
model = second
pictures = yes

[model vectors]
url = http://10.0.2.2:$port/v1
model = vectors
use = embeddings

[model other]
url = http://10.0.2.2:$port/v1
model = other
CONFIG
  install -m 600 <(echo "$key") "$files/etc/talon/model-key"
  echo "You are called Ada." > "$files/etc/talon/AGENT.md"
  write_users "$files"
}

size_claims() {
  say "memory: what both processes have beyond the node alone, shares of common pages counted once"
  local idle turn
  sleep "$settle_seconds"
  idle=$(( $(pss "$(talon_ids)") - node_alone ))
  # The most that they have while a photo is looked at.
  turn=$(guest "talon chat 'call photo {}' --config /etc/talon/talon.conf > /tmp/answer 2>&1 &
    while kill -0 \$! 2> /dev/null; do cat $(smaps "$(talon_ids)") /proc/\$!/smaps_rollup | grep ^Pss: | tr -dc '0-9\n' | { sum=0; while read -r one; do sum=\$((sum + one)); done; echo \$sum; }; done" |
    sort -n | tail -n 1)
  turn=$(( turn - node_alone ))
  say "    the node alone $node_alone kB, the agent idle +$idle kB, in a turn +$turn kB"
  claim "an agent that is idle takes less than 6 MB" test "$idle" -lt 6144
  claim "and in a turn less than 12 MB" test "$turn" -lt 12288
}

model_claims() {
  say "models"
  claim "the models are on their servers" eval 'talon "agent models" > "$bench/models"; says "$bench/models" "first at 10.0.2.2: it is there"'
  claim "and one is not" says "$bench/models" "other at 10.0.2.2: it is not among the 3 models of this server, of which the first is first"
  claim "a person is answered" answers_with hello "You said: hello."
  claim "by the model that is preferred, which was told who it is" asked_for "You are called Ada."
  claim "what comes slowly comes" answers_with slow "You said: slow."
  claim "a server that is too busy is asked again, as late as it says" answers_with busy "You said: busy."
  claim "where one fails the next is asked" answers_with broken "You said: broken."
  claim "an answer that ends in the middle is a failure" answers_with cut "the model's answer was cut"
  claim "so is one that is no JSON" answers_with malformed "talon: the model's answer cannot be read"
  claim "one without an end has one" answers_with endless "talon:"
  claim "and the next is whole" answers_with "hello again" "You said: hello again."
  claim "the server has seen nothing that the API does not allow" test ! -e "$bench/model/violations"
}

tool_claims() {
  say "tools"
  claim "it uses a tool of the board" answers_with 'call health {}' "it came:"
  claim "it sees a photo" answers_with 'call photo {"maxWidth":320}' "and a picture of"
  claim "arguments that are no JSON are told to the model" answers_with wrong "it came:"
  claim "a tool that is not there as well" answers_with 'call fly {}' "it came:"
  claim "it sets a reminder" answers_with 'call remind {"text":"water the tomatoes","inSeconds":3600}' "is set for"
  claim "after a page nothing senses without a person" answers_with "read http://10.0.2.2:$port/page" "it came: "
  claim "the page was read" says "$bench/answer" "The weather is fine"
  claim "and its order was refused" eval '! says "$bench/answer" "and a picture of"'
  claim "an address that is not public is not read" answers_with "read http://127.0.0.1:$port/page" "it came: "
  claim "none was" eval '! says "$bench/answer" "The weather is fine"'
}

memory_claims() {
  say "memory"
  claim "it remembers a fact" answers_with 'call remember {"subject":"gate","fact":"the key is under the third pot"}' remembered
  claim "and is killed" guest "kill -KILL $(agent_ids)"
  claim "a new one is there" wait_for 30 stands_in
  claim "one" one_agent
  claim "which knows the fact" memory_says key "the third pot"
  claim "and what was said" asked_for "hello again"
  claim "its entries get vectors" wait_for 60 asked_for '"model":"vectors"'
  claim "the memory can be had as Markdown" eval 'talon "agent export /tmp/memory.md" > "$bench/exported"'
  claim "with the fact" guest 'grep -q "^- \*\*gate\*\* .*third pot" /tmp/memory.md'
  claim "what is to be forgotten is" eval 'talon "agent forget third pot" > "$bench/forgotten"'
  claim "from the search" memory_lacks "third pot"
  claim "and from the file" guest "! grep -q 'third pot' $agent_folder/memory.db $agent_folder/memory.db-wal"
  claim "an export is taken back" eval 'talon "agent import /tmp/memory.md" > "$bench/imported"'
  claim "and is known" memory_says key "the third pot"
}

summary_claims() {
  say "the gateway returns"
  start_gateway "$gateway_port"
  claim "the board connects" wait_for 60 is_connected
  claim "it has one summary" wait_for 60 eval '(( $(summaries) == 1 ))'
  claim "with what was said" grep -qF "hello again" <(gateway nodes events)
  claim "and the board's agent stands back" wait_for 30 stands_back
  claim "but to whoever asks for it it answers" eval 'talon "agent chat hello" > "$bench/answer"; says "$bench/answer" "You said: hello."'
  sleep 5
  claim "no summary came twice" test "$(summaries)" = 1
  claim "a message to the owner goes by the gateway" eval \
    'talon "agent chat '"'"'call send_message {\"text\":\"the gate is open\"}'"'"'" > "$bench/answer"; says "$bench/answer" "the gateway passes the message on"'
  claim "to the channel that is configured" wait_for 30 eval \
    'gateway nodes events | jq -e "any(.events[]; .event == \"agent.request\" and .payload.deliver and .payload.channel == \"telegram\" and .payload.to == \"1234\")" > /dev/null'
}

begin "$out/test/own-agent"
start_gateway 0
start_models
write_board
"$root/board/vm" start "$bench/vm"
start_talon
wait_for 60 is_pending || { copy_log; die "no pairing request arrived; see $bench/talon.log"; }
gateway devices approve "$(pending_request)" > /dev/null
claim "approved, it connects" wait_for 30 is_connected
claim "the console connection waits for its approval" wait_for 60 is_pending
gateway devices approve "$(pending_request)" > /dev/null
claim "while the gateway is there its agent answers" wait_for 30 stands_back
stop_gateway
sleep "$settle_seconds"
node_alone=$(pss "$(talon_ids)")
start_agent_socket
claim "when it is away the board's own does" wait_for 90 stands_in
guest "cat /proc/$(agent_ids)/status" > "$bench/status"
claim "in a process of its own user" grep -qP '^Uid:\t501\t501\t501\t501' "$bench/status"
size_claims
model_claims
tool_claims
memory_claims
summary_claims
copy_log
guest 'cat /tmp/agent.log' > "$bench/agent.log"
claim "no log has the key" eval '! grep -qF "$key" "$bench/talon.log" "$bench/agent.log"'
