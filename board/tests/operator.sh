#!/usr/bin/env bash
# The x86_64 firmware and the people beside it: the console connection, what the gateway holds back and how to release it,
# conversations, wake phrases, events that wait for a gateway.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

prints() { [[ $("${@:2}") == "$1" ]]; }
prints_some() { grep -qF -- "$1" <("${@:2}"); }
# is_fault CHECK TEXT: the doctor reports a failure of this check, whose text contains TEXT.
is_fault() {
  (talon doctor --json || true) > "$bench/doctor.json"
  has_finding "$bench/doctor.json" "$1" "$2" failure
}

# The gateway's configuration with the names that status says to add to its list.
advised() {
  local text path names
  text=$(talon status)
  path=$(grep -oE 'add these to the list [A-Za-z.]+' <<< "$text" | awk '{ print $NF }')
  names=$(grep -E '^ *("[A-Za-z0-9.]+",? *)+$' <<< "$text" | grep -oE '"[^"]+"' | jq -s .)
  jq --arg path "$path" --argjson names "$names" '($path | split(".")) as $list | setpath($list; getpath($list) + $names)' \
    "$bench/gateway/gateway.json"
}

# The camera hangs: its picture is a pipe into which nobody writes until the agent has replied.
talks_while_camera_works() {
  mkfifo "$bench/photos/a.jpg"
  invoke camera.snap '{"delayMs":0}' --out "$bench/slow.jpg" > "$bench/slow.json" &
  local photo=$!
  wait_for 5 grep -q '"command":"camera.snap","params' "$bench/gateway.log" || return 1
  prints "You said: and now?" talon chat "and now?" || return 1
  kill -0 "$photo" || return 1
  cat "$bench/photos/bars.jpg" > "$bench/photos/a.jpg"
  wait "$photo"
}

# console LETTER NOTHING: NOTHING is how that one's configuration says that nodes may be asked next to nothing.
console() {
  say "generation $1"
  begin "$out/test/operator-$1"
  mkdir "$bench/gateway"
  printf '{"gateway":{"nodes":%s}}' "$2" > "$bench/gateway/gateway.json"
  start_gateway 0 --generation "$1" --surface manual --defaults linux
  start_emulated x86_64
  agent=$!
  pairs log_says
  printf '\n[operator]\nenabled = yes\n' >> "$bench/board/talon.conf"
  kill -HUP "$agent"
  claim "the console connection waits for an approval of its own" wait_for 30 status_says "operator awaiting-approval"
  claim "and status shows its command" status_says "openclaw devices approve $(pending_request)"
  gateway devices approve "$(pending_request)" > /dev/null
  claim "approved, it is online" wait_for 30 status_says "operator online"

  claim "status says what the gateway holds back" wait_for 10 \
    status_says "the gateway allows none of these commands: camera.list, camera.snap"
  claim "and so does the log" log_says "the gateway allows none of these commands: camera.list, camera.snap"
  claim "and the doctor, for whom that is a fault" is_fault commands "allows none of these commands"
  advised > "$bench/advised.json"
  install -m 600 "$bench/advised.json" "$bench/gateway/gateway.json"
  stop_gateway
  start_gateway "$gateway_port" --generation "$1" --surface manual --defaults linux
  kill -HUP "$agent"
  claim "with its lines in the configuration the gateway asks a person" wait_for 30 surface_is_pending
  claim "and status says that nothing else is missing" wait_for 60 status_says "waits for a person to approve this node's commands"
  claim "with the one command to type" status_says "openclaw nodes approve $(surface_request)"
  claim "and no lines for the configuration" status_lacks "gateway's configuration"
  gateway nodes approve "$(surface_request)" > /dev/null
  claim "which status knows without a command" wait_for 20 status_says "the gateway allows every command"
  claim "and then lets the commands through" answers device.info '{}' '.systemName == "Linux"'

  claim "the agent replies" prints "You said: hello" talon chat hello
  claim "and the conversation is kept" prints_some "you: hello" talon history
  claim "its session is listed" prints_some main talon sessions
  claim "the gateway says who it is" prints_some "public key" talon gateway
  claim "and how it fares" prints_some "telegram linked, whatsapp not linked" talon gateway
  claim "its agents are listed" prints_some 'garden  "Gardener"' talon chat agents
  claim "another agent's conversation is another" prints "You said: hi" talon chat hi --agent garden
  claim "which the gateway has under that agent" grep -q '"sessionKey":"agent:garden:main","message":"hi"' "$bench/gateway.log"
  claim "an agent that the gateway has not is named" exits_with 64 talon chat hi --agent nobody
  claim "a new conversation has a key of its own" prints_some "a new conversation: agent:main:board-" both talon chat hi --new
  claim "what the agent does besides is a line" prints_some "· camera.snap (" both talon chat "/work hard"
  claim "but not of the reply" prints "You said: /work hard" talon chat "/work hard"
  claim "with --verbose what it gave the tool" prints_some '{"facing":"front"}' both talon chat "/work hard" --verbose
  claim "line after line is a conversation" prints $'You said: one\nYou said: two' eval 'printf "one\ntwo\n:quit\nthree\n" | talon chat'
  claim "a photo goes along" prints_some "bytes of pictures)" talon chat look --attach-photo
  answers_requests
  claim "wake phrases are set for every node" prints "hey board" talon voicewake "hey board"
  claim "and this one knows them" wait_for 5 log_says "wake phrases: hey board"
  claim "speech comes as a file" prints_some audio/wav talon speak "good morning" --out "$bench/speech"
  claim "a conversation waits for no camera" talks_while_camera_works
  claim "what was said to the board reaches the agent" talon hear "turn left"
  claim "as a transcript" wait_for 5 heard voice.transcript '(.payload.text == "turn left")'

  stop_gateway
  claim "without a gateway the console says so" exits_with 69 talon chat hello
  claim "an event waits" talon event agent.request '{"message":"later"}'
  claim "and status counts it" status_says "1 events waiting"
  start_gateway "$gateway_port" --generation "$1" --surface manual --defaults linux
  claim "the gateway hears it when it is back" wait_for 40 heard agent.request '(.payload.message == "later")'
  claim "and nothing waits any more" wait_for 5 status_says "0 events waiting"

  gateway devices remove "$(gateway devices list | jq -r '.paired[0].deviceId')" > /dev/null
  claim "removed while both connections are up, the board asks again" wait_for 30 is_pending
  claim "and its console connection waits for the node's" wait_for 10 status_says "operator waiting: waits until the node connection is online"
  request=$(pending_request)
  sleep 6
  claim "several looks later the request is the same" prints "$request" pending_request
  claim "and the one that is shown" status_says "openclaw devices approve $request"
  gateway devices approve "$request" > /dev/null
  claim "approved, the node is back" wait_for 20 is_connected
  claim "and then the console connection asks for itself" wait_for 20 status_says "operator awaiting-approval"
  claim "no frame broke the schema" violations 0
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
  stop_gateway
}

decided() { gateway approvals list | jq -e --arg id "$1" --arg decision "$2" 'any(.decisions[]; .id == $id and .decision == $decision)' > /dev/null; }
both() { "$@" 2>&1; }

# approval_name: the name of the first program that waits.
approval_name() { talon gateway approvals | sed -n 's/^\([0-9]*-[0-9a-z]*\)  program .*/\1/p' | head -n 1; }

# What waits for a person at the gateway is shown and answered at the board, when the owner and the gateway want that.
answers_requests() {
  claim "requests of the gateway are off" exits_with 69 talon gateway approvals
  printf 'approvals = yes\n' >> "$bench/board/talon.conf"
  kill -HUP "$agent"
  claim "two more scopes need another approval" wait_for 30 status_says "operator awaiting-approval"
  gateway devices approve "$(pending_request)" > /dev/null
  claim "approved, it is online again" wait_for 30 status_says "operator online"
  claim "nothing waits" prints_some "Nothing waits" talon gateway approvals
  local id
  id=$(gateway approvals ask "rm -r /srv/old" | jq -r .id)
  claim "a program waits for an answer" wait_for 5 prints_some 'program  "rm -r /srv/old"' talon gateway approvals
  claim "its number alone is no answer" exits_with 64 talon gateway approvals yes 1
  sleep 1
  claim "a person allows it by its name" eval 'talon gateway approvals yes "$(approval_name)"'
  claim "once, at the gateway" wait_for 5 decided "$id" allow-once
  id=$(gateway approvals ask "ls /" | jq -r .id)
  claim "another waits" wait_for 5 prints_some 'program  "ls /"' talon gateway approvals
  gateway approvals resolve "$id" deny > /dev/null
  claim "answered elsewhere it vanishes" wait_for 5 prints_some "Nothing waits" talon gateway approvals
  gateway approvals ask "sleep 1" --ms 1500 > /dev/null
  claim "and at its time" wait_for 10 prints_some "Nothing waits" talon gateway approvals
  claim "what waits no more is not answered" exits_with 69 talon gateway approvals yes 3-0000
}

status_lacks() { ! status_says "$1"; }
surface_request() { gateway nodes pending | jq -er '.pending[0].requestId'; }
surface_is_pending() { surface_request > /dev/null 2>&1; }

console J '{"allowCommands":["system.notify"]}'
console N '{"commands":{"allow":["system.notify"]}}'
console S '{"commands":{"allow":["system.notify"]}}'
