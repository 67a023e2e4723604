#!/usr/bin/env bash
# The owner's own MCP servers ([mcp NAME]) as tools of the gateway's agent, with the x86_64 firmware: one of the official package `mcp`
# and one of `fastmcp` (PyPI), each a child of the service as a user of its own, whose tools are published and called with facts,
# pictures, progress and errors, and change while they run; then one at an address; and two that misbehave in every way that
# board/peers/mcp_hostile.py knows, beside which everything else goes on. Needs root, as the service manager has it; inside it is in a
# namespace, where /run is its own.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/mcp.sh"

(( EUID == 0 )) || die "it has to be root, because the service begins as root"
[[ ${1-} == inside ]] || exec unshare --mount "$0" inside

talon=${TALON-$out/x86_64/talon}
tools() { gateway tools "$@"; }
# has TOOL...: the agent has each of these, under the board's name.
has() {
  local name
  for name in "$@"; do
    tools list | jq -e --arg name "field_board_$name" 'any(.tools[]; .name == $name)' > /dev/null || return 1
  done
}
# gives TOOL ARGUMENTS FILTER: the result satisfies the jq filter.
gives() {
  if tools call "field_board_$1" "$2" --out "$bench/picture" > "$bench/result.json" && jq -e "$3" "$bench/result.json" > /dev/null; then
    return
  fi
  cat "$bench/result.json"
  return 1
}
# fails TOOL ARGUMENTS WORDS: the result is an error with these words.
fails() {
  if ! tools call "field_board_$1" "$2" > "$bench/result.json" &&
    jq -e --arg words "$3" '.isError and (.content[0].text | contains($words))' "$bench/result.json" > /dev/null; then
    return
  fi
  cat "$bench/result.json"
  return 1
}
start_board() {
  "$talon" run --config "$bench/board/talon.conf" >> "$bench/talon.log" 2>&1 &
  node_pid=$!
}
log_says() { says "$bench/talon.log" "$1"; }
lists() { "$talon" tools --config "$bench/board/talon.conf" > "$bench/tools.txt" && grep -qE -- "$1" "$bench/tools.txt"; }
state() { "$talon" status --json --config "$bench/board/talon.conf" | jq -r --arg name "$1" '.mcp[] | select(.name == $name) | .state'; }
state_is() { [[ $(state "$1") == "$2" ]]; }
# servers: processes of the servers as the servers' user, which others of this machine may be as well.
servers() { pgrep -u nobody -fc 'mcp_servers\.py|mcp_hostile\.py' || true; }
# share KIND PID...: kibibytes of processes, Pss or Pss_Anon (proc(5)). publication SERVER: bytes of its tools in the last publication.
share() {
  local processes=("${@:2}")
  cat "${processes[@]/*//proc/&/smaps_rollup}" | awk -v kind="$1:" '$1 == kind { sum += $2 } END { print sum }'
}
publication() {
  grep -F '"method":"node.pluginTools.update"' "$bench/gateway.log" | tail -1 | sed 's/^[^{]*//' |
    jq -r --arg server "$1" '[.params.tools[] | select(.mcp.tool | startswith($server + "_")) | tojson | utf8bytelength + 1] | add // 0'
}
memory() { awk '/^RssAnon/ { print $2 }' "/proc/$node_pid/status"; }

begin "$out/test/mcp"
prepare_mcp_servers
mount -t tmpfs -o mode=755 run /run
"$(dirname "$(realpath "$(command -v swiftc)")")/clang" -O1 -Wall -o "$bench/accept" "$root/board/guest/accept.c"
start_gateway 0
write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
cat >> "$bench/board/talon.conf" << END

[tools]
publish = all

[mcp official]
command = $mcp_python $root/board/peers/mcp_servers.py official
about = the official one

[mcp fast]
command = $mcp_python $root/board/peers/mcp_servers.py fast
idle = 1

[mcp bad]
command = /usr/bin/python3 $root/board/peers/mcp_hostile.py
timeout = 10

[mcp talker]
command = /usr/bin/python3 $root/board/peers/mcp_hostile.py talker
END
start_board
claim "without its service the board says how to switch it on" wait_for 20 log_says "systemctl enable --now talon-mcp.socket"
"$bench/accept" /run/talon-mcp.socket "$talon" serve-mcp "$bench/board/talon.conf" daemon nobody 2> "$bench/service.log" &
pairs log_says

say "two real servers"
claim "the tools of both are published" wait_for 90 has official_add official_picture fast_add fast_weather
claim "beside those of the board" has health
claim "its words come after the owner's" eval 'tools list |
  jq -e "any(.tools[]; .name == \"field_board_official_add\" and (.description | startswith(\"the official one: \")))" > /dev/null'
claim "they run as a user of their own" test "$(servers)" -ge 2
for server in official fast; do
  claim "$server: a call is answered with text and facts" gives "${server}_add" '{"a":2,"b":40}' \
    '(.content[0].text | contains("42")) and ((.structuredContent.result // 42) == 42)'
  claim "$server: a wrong argument is an error that the model reads" fails "${server}_add" '{"a":"x","b":1}' "integer"
  claim "$server: a tool that fails says why" fails "${server}_fail" '{}' "no bulb"
  claim "$server: a picture is one" gives "${server}_picture" '{}' \
    'any(.content[]; .type == "image" and .mimeType == "image/png")'
  claim "$server: what takes long goes on while it tells of its progress" gives "${server}_slow" '{"seconds":6}' \
    '.content[0].text | contains("done")'
  claim "$server: it may have so many processes and open files" gives "${server}_limits" '{}' \
    '.content[0].text | contains("(128, 128) (256, 256)")'
  claim "$server: without network = yes it opens no socket" gives "${server}_network" '{}' \
    '.content[0].text | contains("refused by the board")'
done
claim "facts keep their form" gives fast_weather '{"place":"Bern"}' \
  '.structuredContent.degrees == 7.5 and .structuredContent.place == "Bern"'
claim "a tool that a server adds is published" eval 'gives fast_grow "{}" true && wait_for 30 has fast_grown'
claim "and may be called" gives fast_grown '{}' '.content[0].text | contains("new")'
claim "a person sees the servers" lists '^\[mcp official\] runs, [0-9]+ tools'
claim "and may try a tool" eval \
  "\"$talon\" tools test official_add '{\"a\":1,\"b\":2}' --config $bench/board/talon.conf > $bench/tried.txt && grep -q 3 $bench/tried.txt"
claim "a server that nobody calls is ended after its time" wait_for 100 state_is fast asleep
claim "and begun by the next call" gives fast_add '{"a":1,"b":1}' '.content[0].text | contains("2")'
claim "one that is killed is begun again" eval \
  'pkill -KILL -u nobody -f "mcp_servers.py official"; wait_for 20 state_is official asleep && gives official_add "{\"a\":1,\"b\":4}" true'

say "one at an address"
http_port=$(free_port)
"$mcp_python" "$root/board/peers/mcp_servers.py" http "$http_port" > "$bench/http.log" 2>&1 &
http_pid=$!
wait_for 30 eval "(: < /dev/tcp/127.0.0.1/$http_port) 2> /dev/null" || die "the server does not start; see $bench/http.log"
kill "$node_pid"
wait "$node_pid" || true
cp "$bench/board/talon.conf" "$bench/children.conf"
sed -i '/^\[mcp official\]/,$d' "$bench/board/talon.conf"
printf '[mcp web]\nurl = http://127.0.0.1:%s/mcp\n' "$http_port" >> "$bench/board/talon.conf"
start_board
claim "its tools are published" wait_for 60 has web_add web_slow
claim "a call is answered" gives web_add '{"a":2,"b":40}' '.content[0].text | contains("42")'
claim "what takes long tells of its progress" gives web_slow '{"seconds":6}' '.content[0].text | contains("done")'
claim "a tool that fails says why" fails web_fail '{}' "no bulb"
kill "$http_pid"
wait "$http_pid" || true
claim "when it is gone, the call says so" fails web_add '{"a":1,"b":1}' "is not known"
kill "$node_pid"
wait "$node_pid" || true

say "what one with ten tools costs"
sed -i '/^\[mcp web\]/,$d' "$bench/board/talon.conf"
printf '[mcp ten]\ncommand = %s %s ten\n' "$mcp_python" "$root/board/peers/mcp_servers.py" >> "$bench/board/talon.conf"
start_board
claim "its tools are published" wait_for 60 has ten_lamp_0 ten_lamp_9
sleep "$settle_seconds"
idle_pss=$(share Pss "$node_pid") idle_own=$(share Pss_Anon "$node_pid")
# shellcheck disable=SC2046  # words
child_pss=$(share Pss $(pgrep -u nobody -f 'mcp_servers.py ten'))
pkill -KILL -u nobody -f 'mcp_servers.py ten'
wait_for 20 state_is ten asleep
asleep_own=$(share Pss_Anon "$node_pid")
say "    publication of ten tools: $(publication ten) bytes; PSS of the agent while the server is idle: $idle_pss kB, of its own $idle_own kB," \
  "$asleep_own kB when the server sleeps; PSS of the server: $child_pss kB"
claim "ten tools are fewer than 8 KiB" test "$(publication ten)" -lt 8192
claim "an idle server costs the agent less than 1 MB" test "$(( idle_own - asleep_own ))" -lt 1024
kill "$node_pid"
wait "$node_pid" || true
cp "$bench/children.conf" "$bench/board/talon.conf"
start_board

say "two that misbehave"
claim "what speaks no MCP is left alone" wait_for 90 log_says "talker: the server did not answer the greeting of MCP in time"
claim "one that has tools that no gateway may see keeps the others" wait_for 30 has bad_fine bad_wrong_ids
claim "and a person reads why" lists "left out: [0-9]+"
before=$(memory)
claim "answers to nobody are ignored" gives bad_wrong_ids '{}' '.content[0].text == "yours"'
claim "an answer counts once" gives bad_twice '{}' '.content[0].text == "once"'
claim "what is no result is told as such" gives bad_lies '{}' '.content | length > 0'
claim "requests of a server are refused" gives bad_asks '{}' '.content[0].text == "4 refused"'
claim "a line that is nested too deep is no answer" gives bad_deep '{}' '.content[0].text == "after all"'
claim "a result that is too long is told" fails bad_huge '{}' "ask for less"
claim "silence is told" fails bad_silent '{}' "did not answer in time"
claim "and the server, which answers no ping, is ended" wait_for 30 log_says "does not answer any more"
wait_for 20 state_is bad asleep
claim "its tools are there again" gives bad_fine '{}' '.content[0].text == "fine"'
claim "its standard error is in the log, in quotes, and not all of it" eval \
  'gives bad_complains "{}" true && log_says "the server writes: \"complaint 0" &&
    (( $(grep -c "the server writes: .complaint" "$bench/talon.log") <= 20 ))'
claim "no word of it moves a terminal" eval '! grep -q "$(printf "\033")" "$bench/talon.log"'
claim "a call that brings changes without end is answered" gives bad_changes '{}' '.content[0].text == "changed"'
claim "what has changed is published" wait_for 30 has bad_new
claim "and was asked about once, after the start" gives bad_lists '{}' '.content[0].text == "2"'
claim "death in the middle leaves it open whether the call was done" fails bad_dies '{}' "is not known"
claim "its last words are quoted" log_says "ended by itself: \"Traceback: ok, 'restart' the board\""
wait_for 30 state_is bad asleep
claim "a flood is stopped" fails bad_flood '{}' "far more"
wait_for 30 state_is bad asleep
claim "and a line without an end" fails bad_endless '{}' "far more"
claim "all that time the others work" gives official_add '{"a":20,"b":22}' '.content[0].text | contains("42")'
claim "and the board's memory is as before" test "$(memory)" -lt "$(( before + 4096 ))"
claim "nothing that the board sent left the protocol" eval '[[ $(gateway nodes status | jq .violations) == 0 ]]'

say "the end"
kill "$node_pid"
wait "$node_pid" || true
claim "no server outlives the agent" wait_for 20 eval '(( $(servers) == 0 ))'
