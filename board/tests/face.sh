#!/usr/bin/env bash
# The screen and whoever touches it, between a gateway and a real kernel: the x86_64 firmware on a DRM card. What the card scans out is
# what the gateway's picture of the screen shows; a tablet's taps come back as the agent's requests.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

document='{"surfaceUpdate":{"surfaceId":"door","components":[
{"id":"root","component":{"Column":{"children":{"explicitList":["title","open","light","level"]}}}},
{"id":"title","component":{"Text":{"text":{"literalString":"Front door"},"usageHint":"h1"}}},
{"id":"open","component":{"Button":{"child":"word","primary":true,"action":{"name":"open door","context":[{"key":"light","value":{"path":"light"}},{"key":"level","value":{"path":"level"}}]}}}},
{"id":"word","component":{"Text":{"text":{"literalString":"Open"}}}},
{"id":"light","component":{"CheckBox":{"label":{"literalString":"Light"},"value":{"path":"light"}}}},
{"id":"level","component":{"Slider":{"label":{"literalString":"Level"},"value":{"path":"level"},"minValue":0,"maxValue":100}}}]}}
{"dataModelUpdate":{"surfaceId":"door","contents":[{"key":"light","valueBoolean":false},{"key":"level","valueNumber":20}]}}
{"beginRendering":{"surfaceId":"door","root":"root"}}'
document=$(tr -d '\n' <<< "$document" | sed 's/}}{"dataModelUpdate/}}\n{"dataModelUpdate/; s/}}{"beginRendering/}}\n{"beginRendering/')

screen() { "$root/board/lib/screen.py" "$@"; }
heard() { gateway nodes events | jq -e "any(.events[]; .event == \"$1\" and $2)" > /dev/null; }

# same_picture TURN: what is scanned out is the picture of the screen, turned.
same_picture() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/now.png" > "$bench/now.json" || return 1
  "$root/board/lib/png.py" "$bench/now.png" "$bench/now.ppm" > /dev/null
  screen shot "$bench/vm" "$bench/shot.ppm" plain
  screen shows "$bench/shot.ppm" "$bench/now.ppm" "$1" 24
}

# taps ID: the tablet's finger on the middle of an instance.
taps() {
  local place
  place=$(invoke canvas.a2ui.dump | jq -r --arg id "$1" --argjson width "$width" --argjson height "$height" \
    'first(.layout[] | select(.id == $id)) | "\((.x + .w / 2) * 32768 / $width | floor),\((.y + .h / 2) * 32768 / $height | floor)"')
  screen send "$bench/vm" "place:$place" press:left release:left
}
is_state() { invoke canvas.a2ui.dump | jq -e "any(.layout[]; .id == \"$1\" and $2)" > /dev/null; }

begin "$out/test/face"
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
printf '\n[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\n' >> "$bench/vm/files/etc/talon/talon.conf"
"$root/board/vm" start "$bench/vm" "" "bochs virtio_input evdev" "bochs-display,id=plain virtio-tablet-pci"
guest 'load bochs; load evdev; load virtio_input'
start_talon
wait_for 60 is_pending || { copy_log; die "no pairing request arrived; see $bench/talon.log"; }
claim "home is on the panel before anybody approves" log_says "the screen has 800x600 pixels: drm"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 30 is_connected
read -r width height < <(invoke canvas.caps | jq -r '.display | "\(.width) \(.height)"')
claim "the panel is known" test "$width $height" = "800 600"
claim "home is what the panel shows" wait_for 10 same_picture 0
claim "a form is shown" answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$document")" '.ok and (.warnings | not)'
claim "the panel shows it, pixel by pixel" same_picture 0
taps light
claim "a tap checks a box" wait_for 5 is_state light '.state == "checked"'
claim "the panel shows it" wait_for 5 same_picture 0
taps level
claim "another moves a slider" wait_for 5 is_state level '.value == 50'
taps open
claim "a button tells the agent, with what was entered" wait_for 10 heard agent.request \
  '(.payload.message | (startswith("CANVAS_A2UI action=open_door session=") and contains("surface=door component=open") and
    contains("\"light\":true") and contains("\"level\":50") and endswith("default=update_canvas")))'
claim "and its key is its own" heard agent.request '(.payload.key | length == 36)'
guest "sed -i 's/^mode = .*/mode = 800x600\nrotate = 90/' /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
claim "turned by 90 degrees it is upright for who stands before it" wait_for 20 answers canvas.caps '{}' '.display.width == 600 and .display.rotation == 90'
claim "and the panel shows home turned" wait_for 10 same_picture 90
stop_talon
claim "nothing went wrong" eval '! log_says "<3>"'
