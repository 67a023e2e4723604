#!/usr/bin/env bash
# The screen and whoever touches it, between a gateway and a real kernel: the x86_64 firmware on a DRM card. What the card scans out is
# what the gateway's picture of the screen shows; a tablet's taps come back as the agent's requests.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

document='{"surfaceUpdate":{"surfaceId":"door","components":[
{"id":"root","component":{"Column":{"children":{"explicitList":["title","open","light","level","name","day"]}}}},
{"id":"title","component":{"Text":{"text":{"literalString":"Front door"},"usageHint":"h1"}}},
{"id":"open","component":{"Button":{"child":"word","primary":true,"action":{"name":"open door","context":[{"key":"light","value":{"path":"light"}},{"key":"level","value":{"path":"level"}},{"key":"name","value":{"path":"name"}},{"key":"day","value":{"path":"day"}}]}}}},
{"id":"word","component":{"Text":{"text":{"literalString":"Open"}}}},
{"id":"light","component":{"CheckBox":{"label":{"literalString":"Light"},"value":{"path":"light"}}}},
{"id":"level","component":{"Slider":{"label":{"literalString":"Level"},"value":{"path":"level"},"minValue":0,"maxValue":100}}},
{"id":"name","component":{"TextField":{"label":{"literalString":"Name"},"text":{"path":"name"},"validationRegexp":"^[a-zü]+$"}}},
{"id":"day","component":{"DateTimeInput":{"value":{"path":"day"},"enableTime":false}}}]}}
{"dataModelUpdate":{"surfaceId":"door","contents":[{"key":"light","valueBoolean":false},{"key":"level","valueNumber":20},{"key":"day","valueString":"2026-02-28"}]}}
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
# presses KEY...: keys of the keyboard, by the names of a US one.
presses() {
  local key events=()
  for key in "$@"; do events+=("key:$key" "keyup:$key"); done
  screen send "$bench/vm" "${events[@]}"
}
has_keys() { invoke canvas.a2ui.dump | jq -e 'any(.layout[]; .type == "Key")' > /dev/null; }
is_state() { invoke canvas.a2ui.dump | jq -e "any(.layout[]; .id == \"$1\" and $2)" > /dev/null; }

begin "$out/test/face"
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
printf '\n[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\nkeyboard = de\n' >> "$bench/vm/files/etc/talon/talon.conf"
"$root/board/vm" start "$bench/vm" "" "bochs virtio_input evdev" "bochs-display,id=plain virtio-tablet-pci virtio-keyboard-pci"
guest 'load bochs; load evdev; load virtio_input'
start_talon
wait_for 60 is_pending || { copy_log; die "no pairing request arrived; see $bench/talon.log"; }
claim "home is on the panel before anybody approves" log_says "the screen has 800x600 pixels: drm"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 30 is_connected
read -r width height < <(invoke canvas.caps | jq -r '.display | "\(.width) \(.height)"')
claim "the panel is known" test "$width $height" = "800 600"
claim "home is what the panel shows" wait_for 20 same_picture 0
claim "a form is shown" answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$document")" '.ok and (.warnings | not)'
claim "the panel shows it, pixel by pixel" same_picture 0
taps light
claim "a tap checks a box" wait_for 5 is_state light '.state == "checked"'
claim "the panel shows it" wait_for 20 same_picture 0
taps level
claim "another moves a slider" wait_for 5 is_state level '.value == 50'
taps name
claim "a field that is tapped takes the keys" wait_for 5 is_state name '.focus'
presses h y 1 a
claim "what is typed stands in it, by the keyboard's layout" wait_for 5 is_state name '.text == "hz1a" and .caret == 4'
claim "and is marked while it is not as it should be" is_state name '.invalid'
presses left backspace
claim "the caret goes, and characters are taken away" wait_for 5 is_state name '.text == "hza" and .caret == 2 and (.invalid | not)'
claim "no keyboard comes up on the screen where there is one of plastic" eval '! has_keys'
presses tab
claim "Tab goes on" wait_for 5 is_state day '.focus'
presses ret up tab tab tab tab tab ret
claim "keys operate the picker" wait_for 5 is_state day '.text == "2027-02-28"'
claim "the panel shows it" wait_for 20 same_picture 0
taps open
claim "a button tells the agent, with what was entered" wait_for 10 heard agent.request \
  '(.payload.message | (startswith("CANVAS_A2UI action=open_door session=") and contains("surface=door component=open") and
    contains("\"light\":true") and contains("\"level\":50") and contains("\"name\":\"hza\"") and contains("\"day\":\"2027-02-28\"") and
    endswith("default=update_canvas")))'
claim "and its key is its own" heard agent.request '(.payload.key | length == 36)'
guest "echo 'screen_keyboard = always' >> /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
claim "with another configuration it begins anew" wait_for 20 answers canvas.a2ui.dump '{}' '.surfaceCount == 0'
claim "the form is shown again" answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$document")" '.ok'
taps name
claim "a keyboard comes up on the screen" wait_for 5 has_keys
claim "above it stands what is entered into" is_state name '.focus and .y >= 0 and .y + .h <= 600'
for key in z shift A ü backspace ü; do taps "key:$key"; done
claim "its keys type" wait_for 5 is_state name '.text == "zAü"'
taps key:hide
claim "and it goes" wait_for 5 eval '! has_keys'
claim "the panel shows it" wait_for 20 same_picture 0
taps day
claim "a finger opens the picker" wait_for 5 is_state picker:done '.type == "Picker"'
taps picker:done
taps open
claim "the agent hears of it" wait_for 10 heard agent.request '(.payload.message | contains("\"name\":\"zAü\"") and contains("\"day\":\"2026-02-28\""))'
guest "sed -i 's/^mode = .*/mode = 800x600\nrotate = 90/' /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
claim "turned by 90 degrees it is upright for who stands before it" wait_for 20 answers canvas.caps '{}' '.display.width == 600 and .display.rotation == 90'
claim "and the panel shows home turned" wait_for 10 same_picture 90
stop_talon
claim "nothing went wrong" eval '! log_says "<3>"'
