#!/usr/bin/env bash
# The screen and whoever touches it, between a gateway and a real kernel: the x86_64 firmware on a DRM card. What the card scans out is
# what the gateway's picture of the screen shows; a tablet's taps come back as the agent's requests.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/inputs.sh"
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

qemu_screen() { "$root/board/peers/screen.py" "$@"; }
heard() { gateway nodes events | jq -e "any(.events[]; .event == \"$1\" and $2)" > /dev/null; }

# same_picture TURN: what is scanned out is the picture of the screen, turned.
same_picture() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/now.png" > "$bench/now.json" || return 1
  "$root/board/peers/png.py" "$bench/now.png" "$bench/now.ppm" > /dev/null
  qemu_screen shot "$bench/vm" "$bench/shot.ppm" plain
  qemu_screen shows "$bench/shot.ppm" "$bench/now.ppm" "$1" 24
}

# taps ID: the tablet's finger on the middle of an instance.
taps() {
  local place
  place=$(invoke canvas.a2ui.dump | jq -r --arg id "$1" --argjson width "$width" --argjson height "$height" \
    'first(.layout[] | select(.id == $id)) | "\((.x + .w / 2) * 32768 / $width | floor),\((.y + .h / 2) * 32768 / $height | floor)"')
  qemu_screen send "$bench/vm" "place:$place" press:left release:left
}
# presses KEY...: keys of the keyboard, by the names of a US one.
presses() {
  local key events=()
  for key in "$@"; do events+=("key:$key" "keyup:$key"); done
  qemu_screen send "$bench/vm" "${events[@]}"
}
has_keys() { invoke canvas.a2ui.dump | jq -e 'any(.layout[]; .type == "Key")' > /dev/null; }

# touched ID: where an instance is on the touch panel, which is mounted from left to right: "53 X" and "54 Y" of 4095.
touched() {
  invoke canvas.a2ui.dump | jq -r --arg id "$1" --argjson width 600 --argjson height 800 'first(.layout[] | select(.id == $id)) |
    "3 53 \(4095 - ((($height - 1 - (.y + .h / 2)) * 4096 / $height) | floor))", "3 54 \((.x + .w / 2) * 4096 / $width | floor)"'
}
# fingers_rest KIND: three of them, for long enough.
fingers_rest() {
  local finger words=()
  for finger in 0 1 2; do
    if [[ $1 == slots ]]; then words+=("3 47 $finger" "3 57 $finger"); fi
    words+=("3 53 $(( 800 + 1000 * finger ))" "3 54 2000")
    if [[ $1 == contacts ]]; then words+=("0 2 0"); fi
  done
  events "$1" "${words[@]}" -
  sleep 3.5
  if [[ $1 == slots ]]; then events slots "3 47 0" "3 57 -1" "3 47 1" "3 57 -1" "3 47 2" "3 57 -1" -; else events contacts "0 2 0" -; fi
}
# slot_taps ID
slot_taps() {
  local place
  mapfile -t place < <(touched "$1")
  events slots "3 47 0" "3 57 7" "${place[@]}" - "sleep 60" "3 57 -1" -
}
contact_taps() {
  local place
  mapfile -t place < <(touched "$1")
  events contacts "${place[@]}" "0 2 0" - "sleep 60" "0 2 0" -
}
# More events than the kernel keeps while nobody reads: it says so, and its state is read.
loses_events() {
  local count words=()
  for (( count = 0; count < 400; count++ )); do words+=("3 53 $count" -); done
  guest 'kill -STOP $(pidof talon)'
  events slots "3 47 0" "3 57 9" "3 54 10" "${words[@]}" "3 57 -1" -
  sleep 0.5
  guest 'kill -CONT $(pidof talon)'
}
# forces STATE: of the plug, with the word that a driver sends which sees its own.
forces() { guest "echo $1 > /sys/class/drm/card1-Virtual-2/status; echo change > /sys/class/drm/card1/uevent"; }
dpms() { guest 'cat /sys/class/drm/card1-*/dpms'; }
is_dark() { [[ $(dpms) == Off ]]; }
is_lit() { [[ $(dpms) == On ]]; }
# told_shows TURN: as same_picture, of the other card.
told_shows() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/now.png" > "$bench/now.json" || return 1
  "$root/board/peers/png.py" "$bench/now.png" "$bench/now.ppm" > /dev/null
  qemu_screen shot "$bench/vm" "$bench/shot.ppm" told
  qemu_screen shows "$bench/shot.ppm" "$bench/now.ppm" "$1" 24
}
# configure LINE...: another [canvas].
configure() {
  guest "sed -i '/^\[canvas\]/q' /etc/talon/talon.conf > /dev/null; printf '%s\n' $(printf "'%s' " "$@") >> /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
}
shows_form() { answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$document")" '.ok'; }
is_state() { invoke canvas.a2ui.dump | jq -e "any(.layout[]; .id == \"$1\" and $2)" > /dev/null; }

begin "$out/test/face"
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
printf '\n[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\nkeyboard = de\n' >> "$bench/vm/files/etc/talon/talon.conf"
put_inputs "$bench/vm"
"$root/board/vm" start "$bench/vm" "" "bochs virtio-gpu virtio_input evdev uinput" \
  "bochs-display,id=plain virtio-gpu-pci,id=told,xres=640,yres=480 virtio-tablet-pci virtio-keyboard-pci" "" \
  "-vnc unix:FOLDER/vnc,display=told"
guest 'load bochs; load virtio-gpu; load evdev; load virtio_input; load uinput'
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

configure 'screen = /dev/dri/card0' 'mode = 800x600' 'rotate = 90' 'calibration = -1 0 1 0 1 0'
claim "a form is shown" wait_for 20 shows_form
claim "no touch panel is there" answers canvas.caps '{}' '.input.touch | not'
plug slots prop=1 key=0x14a abs=47,0,9 abs=57,0,65535 abs=53,0,4095 abs=54,0,4095
claim "one that is plugged in is found" wait_for 5 answers canvas.caps '{}' .input.touch
slot_taps light
claim "touched through the matrix, turned, it checks a box" wait_for 5 is_state light '.state == "checked"'
loses_events
claim "events that the kernel loses leave nothing pressed" wait_for 5 is_state open '(.pressed | not)'
slot_taps light
claim "and the next touch counts" wait_for 5 is_state light '.state != "checked"'
fingers_rest slots
claim "three fingers for three seconds are panic" wait_for 10 is_gone
unplug slots
plug contacts prop=1 key=0x14a abs=53,0,4095 abs=54,0,4095
fingers_rest contacts
claim "and let go, on a panel that does not tell fingers apart" wait_for 30 is_connected
contact_taps light
claim "a finger on that one checks a box" wait_for 5 is_state light '.state == "checked"'
unplug contacts
claim "one that is unplugged is gone" wait_for 5 answers canvas.caps '{}' '.input.touch | not'
plug knob rel=7
plug buttons key=28 key=103 key=108
for _ in 1 2 3 4 5; do events knob "2 7 1" -; done
claim "a knob goes through what there is, and round" wait_for 5 is_state light '.focus'
events knob "2 7 -1" -
claim "and back" wait_for 5 is_state open '.focus'
events buttons "1 28 1" - "sleep 60" "1 28 0" -
claim "a key presses it: the agent hears of it" wait_for 10 heard agent.request \
  '(.payload.message | contains("\"light\":true") and contains("\"level\":20"))'

configure 'screen = /dev/dri/card1'
claim "on another card the form is shown" wait_for 20 shows_form
claim "the panel shows it" wait_for 5 told_shows 0
qemu_screen resize "$bench/vm" 800 600
claim "another display in place of this one is taken as it is" wait_for 20 answers canvas.caps '{}' '.display.width == 800'
claim "the panel shows the form" wait_for 10 told_shows 0
forces off
claim "one that is unplugged is noticed" wait_for 10 answers canvas.caps '{}' '.display.driver == "none"'
forces detect
claim "and is back when it is plugged in" wait_for 10 answers canvas.caps '{}' '.display.driver == "drm"'
claim "with the form" wait_for 10 told_shows 0
# Longer than a busy machine takes to compare pictures.
configure 'screen = /dev/dri/card1' 'blank_after = 40'
claim "the form is shown again" wait_for 20 shows_form
claim "lit" is_lit
# A mouse that is moved lights it as well: this one stays where it is.
read -r width height <<< "800 600"
taps light
claim "a box is checked" wait_for 5 is_state light '.state == "checked"'
claim "a display that nobody uses goes dark" wait_for 60 is_dark
claim "and shows nothing" eval '! told_shows 0 2> /dev/null'
taps light
claim "a touch lights it" wait_for 5 is_lit
claim "with the form" wait_for 5 told_shows 0
claim "and does nothing else" is_state light '.state == "checked"'
taps light
claim "the next one does" wait_for 5 is_state light '.state != "checked"'
stop_talon
claim "nothing went wrong" eval '! log_says "<3>"'
