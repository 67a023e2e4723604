#!/usr/bin/env bash
# What cameras do for a gateway, with the x86_64 firmware on a real kernel: clips that an independent player takes, cameras
# by name and side, turned photos, the privacy light, closing after photos, coming and going, switched off.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/player.sh"
source "$root/board/lib/claims.sh"

# The light is the keyboard's; its number is decided by whether the kernel found the keyboard before other inputs.
leds=/sys/class/leds
named_light() { guest "cd $leds && ls -d *::scrolllock" > "$bench/light"; }

camera_lines='idle = 1000
indicator = required
indicator_led = found-when-it-runs
power_line = 50
controls = brightness 120

[camera door]
device = platform:vivid-001
facing = back
rotation = 90
controls = horizontal_flip 1, hue 300'

# opens: how many descriptors of cameras Talon has.
opens() { guest 'ls -l /proc/$(pidof talon)/fd | grep -c /dev/video' || true; }
shines() { guest "cat $leds/$(< "$bench/light")/brightness"; }
is_closed() { [[ $(opens) == 0 && $(shines) == 0 ]]; }
is_open() { [[ $(opens) != 0 && $(shines) == 1 ]]; }

# takes_turned NAME PARAMS: a photo by these parameters is taller than wide.
takes_turned() {
  invoke camera.snap "$2" --out "$bench/$1.jpg" > "$bench/$1.json" || { cat "$bench/$1.json" >&2; return 1; }
  jq -e '.width < .height' "$bench/$1.json" > /dev/null && djpeg -fast "$bench/$1.jpg" > /dev/null
}

# clips NAME MILLISECONDS PARAMS: a clip arrives, plays, and is as long as was asked.
clips() {
  invoke camera.clip "$3" --out "$bench/$1.mp4" > "$bench/$1.json" || { cat "$bench/$1.json" >&2; return 1; }
  jq -e '.format == "mp4" and .hasAudio == false' "$bench/$1.json" > /dev/null || return 1
  plays "$bench/$1.mp4" && lasts "$bench/$1.mp4" "$2" 100
}

# lit_while COMMAND...: while that runs, the light is on and the camera open at some time; afterwards neither.
lit_while() {
  "$@" &
  local command=$!
  wait_for 10 is_open || return 1
  wait "$command" && wait_for 5 is_closed
}

# both_arrive: a photo and a clip that were asked for at the same time.
both_arrive() {
  clips both 500 '{"deviceId":"/dev/video0","durationMs":500}' &
  local clip=$!
  answers camera.snap '{"deviceId":"/dev/video0","delayMs":0}' '.width > 0' && wait "$clip"
}

begin "$out/test/eyes"
start_gateway
start_vm "$camera_lines" "n_devs=2 node_types=0x1,0x1 num_inputs=1,1 input_types=0,0"
claim "the keyboard's light is there" wait_for 20 named_light
guest "sed -i 's/^indicator_led = .*/indicator_led = $(< "$bench/light")/' /etc/talon/talon.conf"
start_talon
pairs log_says

claim "both cameras are listed, one by its name and side" answers camera.list '{}' \
  '[.devices[] | [.id, .position]] | sort == [["/dev/video0", "unknown"], ["door", "back"]]'
claim "a named camera hangs on its side, and its photo stands" takes_turned door '{"deviceId":"door","delayMs":0}'
claim "so it does for whoever asks for that side" takes_turned back '{"facing":"back","delayMs":0}'
claim "another camera is not turned" answers camera.snap '{"deviceId":"/dev/video0","delayMs":0}' '.width > .height'
claim "a camera that is not there is told by what was asked" \
  refuses camera.snap '{"deviceId":"roof"}' 'camera device not found: roof'
claim "a control that the camera did not take is in the log" log_says "hue is 128, not the 300 of the configuration"
claim "and one that it has not" log_says "has no control power_line_frequency"
claim "a camera that does not move says so" refuses camera.ptz.status '{"deviceId":"door"}' CAMERA_PTZ_UNSUPPORTED

claim "after a photo the camera is closed and the light is out" wait_for 5 is_closed
claim "while a clip is made the light is on, and not after it" lit_while clips plain 3000 '{"deviceId":"/dev/video0","durationMs":3000}'
claim "a clip of the camera on its side stands" clips turned 1500 '{"deviceId":"door","durationMs":1500}'
claim "as a player shows it" is_taller "$bench/turned.mp4"
claim "no format but MP4" refuses camera.clip '{"format":"webm"}' 'unsupported camera video format: webm'
claim "two at once wait for each other" both_arrive

guest "sed -i 's/^indicator_led = .*/indicator_led = none-such/' /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
claim "without the light that is required there is no photo" \
  wait_for 30 refuses camera.snap '{"delayMs":0}' PRIVACY_INDICATOR_UNAVAILABLE
claim "and no camera is open" test "$(opens)" = 0
guest "sed -i -e 's/^indicator_led.*/enabled = no/' -e 's/^indicator = .*//' /etc/talon/talon.conf; kill -HUP \$(pidof talon)"
claim "what is switched off answers so" wait_for 30 refuses camera.snap '{}' CAMERA_DISABLED
claim "to every command" refuses camera.list '{}' CAMERA_DISABLED
