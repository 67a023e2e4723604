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
# is_warm: the last picture has more red than blue where nothing stands.
is_warm() {
  local color
  read -ra color < <(tail -c +16 "$bench/now.ppm" | od -An -tu1 -N 3)
  (( color[0] > color[2] ))
}
# configure LINE...: another [canvas].
configure() {
  guest "sed -i '/^\[canvas\]/q' /etc/talon/talon.conf > /dev/null; printf '%s\n' $(printf "'%s' " "$@") >> /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
}
shows_form() { answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$document")" '.ok'; }
is_state() { invoke canvas.a2ui.dump | jq -e "any(.layout[]; .id == \"$1\" and $2)" > /dev/null; }

# event_of NAME: the path of a plugged device.
event_of() { guest "path=\$(grep -lx $1 /sys/class/input/event*/device/name); path=\${path#/sys/class/input/}; echo /dev/input/\${path%%/*}"; }
# scans TEXT: a scanner of codes types it, for an American keyboard, and Enter.
scans() {
  local index sign row code words=()
  local rows=(2 '1234567890-=' 16 'qwertyuiop[]' 30 "asdfghjkl;'" 44 'zxcvbnm,./' 2 '!@#$%^&*()_+' 16 'QWERTYUIOP{}' 30 'ASDFGHJKL:"' 44 'ZXCVBNM<>?')
  for (( index = 0; index < ${#1}; index++ )); do
    sign=${1:index:1}
    for (( row = 0; row < ${#rows[@]}; row += 2 )); do
      [[ ${rows[row + 1]} == *"$sign"* ]] || continue
      code=${rows[row + 1]%%"$sign"*}
      code=$(( rows[row] + ${#code} ))
      (( row < 8 )) || words+=("1 42 1")
      words+=("1 $code 1" - "1 $code 0" -)
      (( row < 8 )) || words+=("1 42 0" -)
      words+=("sleep 2")
    done
  done
  events scanner "${words[@]}" "1 28 1" - "1 28 0" -
}

# scans_letters COUNT PAUSE: it types A so often, with a pause in milliseconds after each.
scans_letters() {
  guest "{ for count in \$(seq $1); do printf '1 30 1\n\n1 30 0\n\nsleep $2\n'; done; printf '1 28 1\n\n1 28 0\n\n'; } > /tmp/scanner.events"
}
times_lost() { copy_log && { grep -c "did not arrive whole" "$bench/talon.log" || true; }; }
# A busy machine reads so slowly that the kernel drops keys, which is told, too: then it is typed more slowly.
tells_too_long() {
  local pause before
  for pause in 5 10 20; do
    before=$(times_lost)
    scans_letters 4300 "$pause"
    wait_for 30 eval 'log_says "is longer than 4296 bytes" || (( $(times_lost) > before ))' || return 1
    if log_says "is longer than 4296 bytes"; then return; fi
  done
  return 1
}

begin "$out/test/face"
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
printf '\n[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\nkeyboard = de\n' >> "$bench/vm/files/etc/talon/talon.conf"
put_inputs "$bench/vm"
"$root/board/vm" start "$bench/vm" "" "bochs virtio-gpu virtio_input evdev uinput i2c-dev i2c-stub bh1780" \
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
claim "areas of a drawing are drawn" answers canvas.draw '{"op":"draw","elements":[
  {"id":"map","type":"interactive","bounds":{"x":0,"y":0,"width":600,"height":400},"gestures":["tap","pinch"]},
  {"id":"paper","type":"sketch","bounds":{"x":0,"y":400,"width":600,"height":400},"style":{"borderWidth":5}}]}' .ok
# across X, down Y: a place of the screen on that panel, of 4095.
across() { echo "3 54 $(( $1 * 4096 / 600 ))"; }
down() { echo "3 53 $(( 4095 - (799 - $1) * 4096 / 800 ))"; }
events slots "3 47 0" "3 57 21" "$(across 150)" "$(down 100)" - "sleep 60" "3 57 -1" -
claim "a touch on one is told to the agent" wait_for 10 heard agent.request \
  '(.payload.message | contains("action=tap ") and contains("component=map ") and test("\"x\":1(49|50|51)\\."))'
events slots "3 47 0" "3 57 22" "$(across 250)" "$(down 200)" "3 47 1" "3 57 23" "$(across 350)" "$(down 200)" - "sleep 60" \
  "3 47 0" "$(across 150)" "3 47 1" "$(across 450)" - "sleep 60" "3 47 0" "3 57 -1" "3 47 1" "3 57 -1" -
claim "two fingers that move apart, too" wait_for 10 heard agent.request \
  '(.payload.message | contains("action=pinch ") and test("\"scale\":(2\\.9|3\\.)"))'
events slots "3 47 0" "3 57 24" "$(across 100)" "$(down 500)" - "sleep 60" "$(across 300)" "$(down 600)" - "sleep 60" "3 57 -1" -
claim "what is drawn on the other is on the panel" wait_for 10 same_picture 90
events slots "3 47 0" "3 57 25" "$(across 570)" "$(down 770)" - "sleep 60" "3 57 -1" -
claim "and sent as a picture" wait_for 10 heard agent.request \
  '(.payload | (.message | contains("action=sketch ")) and .attachments[0].mimeType == "image/png" and (.attachments[0].content | startswith("iVBORw0KGgo")))'
claim "the form is back" shows_form

mapfile -t codes < <(seq -f 'key=%g' 1 83)
plug scanner "${codes[@]}"
configure 'screen = /dev/dri/card0' 'mode = 800x600' 'rotate = 90' 'calibration = -1 0 1 0 1 0' '[links]' "scanner = $(event_of scanner)"
claim "a scanner that is a keyboard is taken for links" wait_for 20 log_says "the scanner is there"
claim "the form is shown" wait_for 20 shows_form
slot_taps name
claim "a field has the keys" wait_for 5 is_state name '.focus'
scans 4006381333931
claim "a code that is no link is told" wait_for 60 log_says "begins with neither openclaw:// nor oc-pair://"
claim "without its text" eval '! log_says 4006381333931'
claim "which stands in no field" is_state name '.focus and ((.text // "") | contains("400") | not)'
sleep 2
scans 'openclaw://agent?message=Water%20the%20ferns'
claim "about a message for the agent the board asks" wait_for 60 log_says "was scanned at this board"
claim "and sends nothing" eval '! heard agent.request "(.payload.message == \"Water the ferns\")"'
link=$({ guest 'talon open yes' 2> /dev/null || true; } | sed -n 's/.*talon open yes //p')
guest "talon open yes $link > /dev/null"
claim "with somebody's yes it is sent" wait_for 60 heard agent.request '(.payload.message == "Water the ferns")'
key=$(guest 'talon open --key' | tail -1)
scans "openclaw://agent?message=Open%20the%20gate&key=$key"
claim "with the board's own key it asks nobody" wait_for 60 heard agent.request '(.payload.message == "Open the gate")'
claim "and the key is in no log" eval '! log_says "$key"'
sleep 2
claim "a text that is too long is told" tells_too_long
unplug scanner
claim "one that is pulled out is missed" wait_for 10 log_says "the scanner is gone"
# Another device may get its number.
configure 'screen = /dev/dri/card0' 'mode = 800x600' 'rotate = 90' 'calibration = -1 0 1 0 1 0'
claim "the form is back" wait_for 20 shows_form

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

guest 'load i2c-dev; load i2c-stub chip_addr=0x29; load bh1780; i2cset -y 0 0x29 0x8c 400 w; echo bh1780 0x29 > /sys/bus/i2c/devices/i2c-0/new_device'
configure 'screen = /dev/dri/card1' 'night_light = 20'
claim "in a light room the form is shown" wait_for 20 shows_form
claim "in the colors of the day" eval 'told_shows 0 && ! is_warm'
guest 'i2cset -f -y 0 0x29 0x8c 5 w'
claim "when the kernel's light sensor says that it is dark, it is warm" wait_for 40 eval 'told_shows 0 && is_warm'
guest 'i2cset -f -y 0 0x29 0x8c 400 w'
claim "and no longer when it is light again" wait_for 40 eval 'told_shows 0 && ! is_warm'
stop_talon
claim "nothing went wrong" eval '! log_says "<3>"'
