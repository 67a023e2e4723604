#!/usr/bin/env bash
# The conversation on the screen, between a gateway and a real kernel's keyboard: the x86_64 firmware on a DRM card. What is typed arrives
# at the gateway, the reply appears as it comes, what others say too; what is lost is read anew, and what failed is sent again.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

qemu_screen() { "$root/board/peers/screen.py" "$@"; }
# presses KEY...: keys of the keyboard, by the names of a US one.
presses() {
  local key events=()
  for key in "$@"; do events+=("key:$key" "keyup:$key"); done
  qemu_screen send "$bench/vm" "${events[@]}"
}
# touches X Y: the tablet's finger on a place of the screen.
touches() { qemu_screen send "$bench/vm" "place:$(( $1 * 32768 / width )),$(( $2 * 32768 / height ))" press:left release:left; }
# shows FILTER: what the canvas tells of itself satisfies the jq filter.
shows() { invoke canvas.a2ui.dump | jq -e "$1" > /dev/null; }
# same_picture: what the card scans out is the picture of the screen.
same_picture() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/$1.png" > "$bench/now.json" || return 1
  "$root/board/peers/png.py" "$bench/$1.png" "$bench/now.ppm" > /dev/null
  qemu_screen shot "$bench/vm" "$bench/shot.ppm" plain
  qemu_screen shows "$bench/shot.ppm" "$bench/now.ppm" 0 24
}
# said TEXT: the gateway has had this message of a person, once.
said() { (( $(grep -c "\"chat.send\",\"params\".*\"message\":\"$1\"" "$bench/gateway.log") == 1 )); }
violations() { gateway nodes status | jq -e ".violations <= $1" > /dev/null; }
surface='{"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"Text":{"text":{"literalString":"From the agent"}}}}]}},{"beginRendering":{"surfaceId":"s","root":"root"}}]}'

begin "$out/test/chat"
start_gateway 0 --reply-delay-ms 400
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
printf '\n[operator]\nenabled = yes\n\n[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\nchat = on\n' >> "$bench/vm/files/etc/talon/talon.conf"
"$root/board/vm" start "$bench/vm" "" "bochs virtio_input evdev" "bochs-display,id=plain virtio-tablet-pci virtio-keyboard-pci"
guest 'load bochs; load evdev; load virtio_input'
start_talon
wait_for 60 is_pending || { copy_log; die "no pairing request arrived; see $bench/talon.log"; }
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 30 is_connected
read -r width height < <(invoke canvas.caps | jq -r '.display | "\(.width) \(.height)"')
touches $(( width / 2 )) $(( height - 34 ))
claim "without a console connection home leads nowhere" shows '.showing == "home"'
claim "the console connection waits for its approval" wait_for 60 is_pending
claim "and home says so" wait_for 30 same_picture home-waiting
gateway devices approve "$(pending_request)" > /dev/null
# Home has its button as soon as the connection is there.
opens() { touches $(( width / 2 )) $(( height - 34 )); shows '.showing == "chat"'; }
claim "a touch of home's button opens the conversation" wait_for 60 opens
claim "in which nothing has been said" shows '.chat.messages == 0'
claim "the panel shows it" wait_for 30 same_picture empty

presses h e l l o spc o n e ret
claim "what is typed arrives at the gateway" wait_for 10 said "hello one"
claim "the agent's reply comes in pieces" wait_for 10 shows '.chat.last.role == "agent" and .chat.last.state == "streaming"'
claim "and is whole in the end" wait_for 10 shows '.chat.last == {"role":"agent","state":"done","bytes":19} and .chat.messages == 2'
claim "the panel shows it" wait_for 30 same_picture replied

presses a spc b spc c spc d spc e spc f spc g spc h spc i spc j spc k spc l ret
claim "another reply comes" wait_for 10 shows '.chat.last.state == "streaming" and .chat.last.bytes > 4'
touches $(( width - 30 )) $(( height - 28 ))
claim "a touch stops it" wait_for 10 shows '.chat.last.state == "stopped" and .chat.messages == 4'

presses h a l f
claim "the agent's page comes before the conversation" answers canvas.a2ui.push "$surface" '.ok'
claim "and is what is shown" shows '.showing == "documents"'
claim "the panel shows it, with a way back" wait_for 30 same_picture agent
touches 40 $(( height - 25 ))
claim "a touch leads back" wait_for 5 shows '.showing == "chat"'
presses f2
claim "F2 leads to the agent's page" wait_for 5 shows '.showing == "documents"'
presses f2 ret
claim "and back, where the draft still was" wait_for 10 said "half"
claim "it is replied to" wait_for 10 shows '.chat.messages == 6 and .chat.last.state == "done"'

guest "talon event agent.request '{\"message\":\"from another place\",\"sessionKey\":\"agent:main:main\"}' --config /etc/talon/talon.conf" > /dev/null
claim "what others ask and are told appears by itself" wait_for 20 shows '.chat.messages == 8 and .chat.last.state == "done"'

presses slash f a i l ret
claim "what comes to nothing says so at its message" wait_for 10 shows '.chat.last.role == "person" and .chat.last.state == "failed"'
claim "the panel shows why" wait_for 30 same_picture failed

stop_gateway
presses l a t e r ret
start_gateway "$gateway_port" --reply-delay-ms 400
claim "the gateway comes back, and knows nothing of what was said" wait_for 60 is_connected
claim "what was never sent is not shown as sent" wait_for 60 shows '.chat.last == {"role":"person","state":"failed","bytes":5}'
claim "and the history, which is empty, is what is shown beside it" wait_for 20 shows '.chat.messages <= 2'
claim "the panel shows it" wait_for 30 same_picture lost
presses tab tab tab ret
claim "sent again, it arrives" wait_for 20 said later
claim "and is replied to" wait_for 20 shows '.chat.last.role == "agent" and .chat.last.state == "done"'
presses esc
claim "Escape leads home" wait_for 5 shows '.showing == "home" or .showing == "documents"'
claim "no frame broke the schema" violations 0
stop_talon
copy_log
claim "nothing went wrong" eval '! says "$bench/talon.log" "<3>"'
