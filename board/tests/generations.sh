#!/usr/bin/env bash
# The x86_64 firmware and gateways of every age: with each it pairs, serves, survives a restart of the gateway and a cut
# line, and sends nothing that the gateway's strict schemas do not know.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

# generation LETTER TAUGHT: TAUGHT is how many frames may break the schema, because they teach Talon what this one knows.
generation() {
  say "generation $1"
  begin "$out/test/generation-$1"
  start_gateway 0 --generation "$1" --surface manual
  start_emulated x86_64
  agent=$!
  pairs log_says
  request=$(gateway nodes pending | jq -r '.pending[0].requestId // empty')
  [[ -z $request ]] || gateway nodes approve "$request" > /dev/null
  claim "its commands are answered" answers device.info '{}' '.systemName == "Linux"'
  claim "a photo arrives" snaps 640 "$bench/640.jpg"
  claim "it told that it is alive" wait_for 5 heard node.presence.alive
  gateway gateway restart --expected-ms 500 > /dev/null
  claim "after a restart of the gateway it is back" wait_for 20 online_times 2
  gateway gateway drop --node "$board_name" > /dev/null
  claim "after a cut line it is back" wait_for 20 online_times 3
  claim "and serves" answers device.status '{}' '.uptimeSeconds > 0'
  claim "no frame broke the schema but those that taught it" violations "$2"
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
  stop_gateway
}

# tools_are STATE: what the board says of its tools. policy JSON: the gateway's list of commands from now on.
tools_are() { [[ $(talon status --json 2> /dev/null | jq -r .tools.state) == "$1" ]]; }
policy() {
  printf '{"gateway":{"nodes":{"commands":%s}}}' "$1" > "$bench/gateway/gateway.json"
  gateway gateway reload > /dev/null
}
row() { gateway nodes status | jq -e ".nodes[0] | $1" > /dev/null; }
stats_count() { (( $(gateway nodes events | jq '[.events[] | select(.event == "node.host.stats")] | length') >= $1 )); }
refused_for() { ! invoke "$1" > "$bench/refused.json" && grep -qF -- "$2" "$bench/refused.json"; }
calls() { gateway tools call "$1" "${2-{\}}" --out "$bench/tool" > "$bench/tool.json" && jq -e "$3" "$bench/tool.json" > /dev/null; }
surface_request() { gateway nodes pending | jq -er '.pending[0].requestId'; }
surface_is_pending() { surface_request > /dev/null 2>&1; }

# newer LETTER: a gateway since August 2026 with the list of commands that a real one has. The board's agent finds tools; the
# list changes under a connection; requests for approval wait; new connections are turned away for a while.
newer() {
  say "generation $1, with the commands that a Linux node has at a real gateway"
  begin "$out/test/generation-$1-real"
  start_gateway 0 --generation "$1" --surface manual --defaults linux
  start_emulated x86_64 $'[tools]\npublish = all\n\n[operator]\nenabled = yes'
  agent=$!
  pairs log_says
  claim "the console connection asks for itself" wait_for 30 is_pending
  gateway devices approve "$(pending_request)" > /dev/null
  claim "its tools wait for an approval" wait_for 20 tools_are waiting
  claim "and status has the one command for it" wait_for 20 status_says "openclaw nodes approve $(surface_request)"
  claim "a hello-ok of 60 KiB was read" eval "grep -q '\"controlUiTabs\"' '$bench/gateway.log'"
  gateway nodes approve "$(surface_request)" > /dev/null
  [[ $1 != U ]] || learnt_after=$(milliseconds_until tools_are accepted)
  claim "approved, the agent has them without a new connection" \
    wait_for 5 eval "gateway tools list | jq -e '[.tools[].name] | index(\"field_board_photo\")' > /dev/null"
  if [[ $1 == U ]]; then
    claim "and the board learns it within a second" test "$learnt_after" -lt 1000
    claim "the gateway has told it" eval "grep -q 'node.pair.resolved' '$bench/gateway.log'"
  else
    claim "and the board learns it" wait_for 40 tools_are accepted
  fi
  claim "a photo is a picture that the model sees" calls field_board_photo '{"maxWidth":640}' '.content[1].mimeType == "image/jpeg"'
  claim "with what is before the camera" shows_bars "$bench/tool" 640
  claim "the command itself is not open" refused_for camera.snap "command not allowlisted"
  claim "and with it the cap is gone from the row, which is no finding" row '.caps | index("camera") | not'
  claim "host stats are on the row" row '.hostStats | .memoryFreeBytes <= .memoryTotalBytes and .diskAvailableBytes <= .diskTotalBytes'

  policy '{"allow":["camera.snap","camera.clip"],"deny":["mcp.tools.call.v1"]}'
  claim "a denied command takes its tools from the agent at once" eval "[[ \$(gateway tools list | jq '.tools | length') == 0 ]]"
  claim "a name that was not asked for is not open yet" refused_for camera.snap "command not declared by node"
  policy '{"allow":["camera.snap","camera.clip"]}'
  claim "allowed again, the tools are back" eval "[[ \$(gateway tools list | jq '.tools | length') -gt 2 ]]"
  gateway gateway drop --node "$board_name" > /dev/null
  claim "a new connection asks for the name" wait_for 20 surface_is_pending
  request=$(surface_request)
  gateway gateway drop --node "$board_name" > /dev/null
  claim "and keeps its request with the next one" wait_for 20 online_times 3
  wait_for 10 is_connected
  claim "which is the same" eval "[[ \$(surface_request) == $request ]]"
  gateway nodes approve "$request" > /dev/null
  claim "approved, the photo comes by its command as well" snaps 640 "$bench/640.jpg"

  gateway gateway suspend > /dev/null
  gateway gateway drop --node "$board_name" > /dev/null
  claim "a suspended gateway turns the board away" wait_for 20 log_says "gateway suspended"
  gateway gateway resume > /dev/null
  claim "and has it back soon after" wait_for 10 is_connected
  claim "what is cancelled frees its place and the camera" cancels_clips
  claim "host stats come every minute" wait_for 75 stats_count 5
  claim "no frame broke the schema" violations 0
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
  stop_gateway
}

# Four long clips are cancelled, more than may run, and then the camera takes a photo.
cancels_clips() {
  local id
  for _ in 1 2 3 4; do
    id=$(gateway nodes invoke --node "$board_name" --command camera.clip --params '{"durationMs":20000}' --timeout 60000 --no-wait | jq -r .invokeId)
    sleep 1
    gateway nodes cancel "$id" > /dev/null || return 1
  done
  snaps 640 "$bench/again.jpg"
}

# older LETTER: a gateway that knows no tools, with a board whose owner publishes them, and with a console connection: what the
# gateway cannot have is not missing.
older() {
  say "generation $1, with tools that it does not know"
  begin "$out/test/generation-$1-tools"
  mkdir -p "$bench/gateway"
  printf '{"gateway":{"nodes":{"allowCommands":["device.info","device.status"]}}}' > "$bench/gateway/gateway.json"
  start_gateway 0 --generation "$1" --surface manual --defaults linux
  start_emulated x86_64 $'[tools]\npublish = all\n\n[operator]\nenabled = yes'
  agent=$!
  pairs log_says
  claim "the console connection asks for itself" wait_for 30 is_pending
  gateway devices approve "$(pending_request)" > /dev/null
  claim "its commands ask for an approval" wait_for 10 surface_is_pending
  gateway nodes approve "$(surface_request)" > /dev/null
  claim "its commands are answered" answers device.info '{}' '.systemName == "Linux"'
  claim "its tools are unsupported, and no more" wait_for 20 tools_are unsupported
  gateway gateway drop --node "$board_name" > /dev/null
  claim "after a cut line it is back" wait_for 20 online_times 2
  claim "and declares no tools any more" eval '! row ".commands | index(\"mcp.tools.call.v1\")"'
  claim "the board says what the list leaves out, and no fault" wait_for 30 policy_is partial
  claim "tools are not among it" eval '! status_says mcp.tools.call.v1'
  claim "no frame broke the schema" violations 0
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
  stop_gateway
}
# milliseconds_until COMMAND...: until it succeeds, or three seconds, in steps of some hundredths of a second; says how many.
milliseconds_until() {
  local began=$(( $(date +%s%N) / 1000000 )) now
  until "$@"; do
    now=$(( $(date +%s%N) / 1000000 ))
    (( now - began < 3000 )) || break
    sleep 0.02
  done
  now=$(( $(date +%s%N) / 1000000 ))
  say "    from the approval until the board knows it: $(( now - began )) ms"
  echo $(( now - began ))
}
policy_is() { [[ $(talon status --json 2> /dev/null | jq -r .commands.state) == "$1" ]]; }

generation O 2
for letter in F A M J N S T U; do generation "$letter" 0; done
older M
for letter in S T U; do newer "$letter"; done
