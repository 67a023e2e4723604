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

generation O 2
for letter in F A M J N; do generation "$letter" 0; done
