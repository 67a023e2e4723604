#!/usr/bin/env bash
# Hardware that comes, goes and misbehaves behind real drivers of a kernel, under the x86_64 firmware, without a gateway and in one
# machine: a camera that sends any bytes (v4l2loopback), a display that is unplugged and plugged in again (vkms), the GPIO chips of a
# Raspberry Pi 5 (gpio-sim) with a light and a button, and a receiver at a USB socket (dummy_hcd, cdc-acm) that is pulled out. Other
# scenarios stand on the same functions (board/lib/ground.sh); here each is shown to do what it says.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/ground.sh"

# The driver has 4 bytes for each pixel of a JPEG; a frame may have a MiB.
size=480x320
snap="talon camera snap /dev/video9 --size $size --width ${size%x*} --out /tmp/photo.jpg --delay"

# prints COMMAND TEXT: the output of the guest's command holds the text, whatever its exit code.
prints() {
  local output
  output=$(guest "$1 2>&1") || true
  [[ $output == *"$2"* ]] || { tail -n 5 <<< "$output" >&2; return 1; }
}

# feeds [OPTION...] FILE...: what the camera sees from now on.
feeds() { feed_camera 9 "${size%x*}" "${size#*x}" MJPG 10 "$@"; }

# sees_bars: a photo shows what was fed.
sees_bars() {
  guest "rm -f /tmp/photo.jpg; $snap 0" > "$bench/snap" || { cat "$bench/snap" >&2; return 1; }
  guest "base64 /tmp/photo.jpg" | base64 -d > "$bench/photo.jpg"
  shows_bars "$bench/photo.jpg" "${size%x*}"
}

# draws: the test picture stands on the display.
draws() { wait_for 10 display_shows "$bench/picture.ppm" 2> /dev/null || display_shows "$bench/picture.ppm"; }

# level_of LINE IS: what a meter would see at a line of the 40 pins.
level_of() { [[ $(guest "chip level rp1 $1") == "$2" ]]; }

fix() { guest "talon gps --once --json --config /etc/receiver.conf" > "$bench/fix.json" 2> "$bench/fix.log"; }
has_fix() { fix && jq -e "$1" "$bench/fix.json" > /dev/null; }

# guest_log_says NAME TEXT: what runs in the background has said so.
guest_log_says() { said_in_background "$1" > "$bench/$1.log" && says "$bench/$1.log" "$2"; }

begin "$out/test/ground"
mkdir -p "$bench/vm/files"/{bin,etc,frames}
put_ground "$bench/vm"
make_bars "${size%x*}" "${size#*x}" "$bench/vm/files/frames/bars.jpg"
head -c $(( $(stat -c %s "$bench/vm/files/frames/bars.jpg") / 2 )) "$bench/vm/files/frames/bars.jpg" > "$bench/vm/files/frames/cut.jpg"
: > "$bench/vm/files/frames/empty"
cp "$root/board/tests/field.nmea" "$bench/vm/files"
for name in receiver button hands; do
  printf '[node]\nstate_directory = /tmp/%s\nruntime_directory = /tmp/%s\n\n' $name $name > "$bench/vm/files/etc/$name.conf"
done
printf '[location]\ndriver = serial\nport = /dev/ttyACM0\n' >> "$bench/vm/files/etc/receiver.conf"
printf '[%s]\ndriver = gpio\nchip = pinctrl-rp1\nline = %d\n\n' light 17 button 27 >> "$bench/vm/files/etc/button.conf"
printf '[tool %s]\nkind = gpio\nline = %s\ndirection = out\nsafe = on\n\n' lamp pinctrl-rp1:GPIO22 fan GPIO23 >> "$bench/vm/files/etc/hands.conf"
"$root/board/vm" start "$bench/vm" "" "$ground_drivers"
guest 'mkdir -p /tmp/receiver /tmp/button /tmp/hands'

say "a camera that sends any bytes"
loop_cameras 9
feeds /frames/bars.jpg
claim "a photo shows the picture that it sends" sees_bars
feeds -a /frames/cut.jpg
claim "of pictures that are all cut off there is no photo" prints "$snap 0" "CAMERA_UNAVAILABLE: camera gave only damaged frames"
feeds -a /frames/cut.jpg /frames/bars.jpg
claim "between whole ones those that are cut off are passed over" sees_bars
feeds -a /frames/empty /frames/bars.jpg
claim "and so are empty ones" sees_bars
feeds -n 3 -k /frames/bars.jpg
# Ten come in a second, so the three are over long before the photo is taken.
claim "when it sends no more, that is told" prints "$snap 3000" "CAMERA_UNAVAILABLE: camera stopped sending frames"
starve_camera 9
claim "without a program that feeds it the camera is gone" prints "$snap 0" "camera device not found: /dev/video9"
feeds /frames/bars.jpg
claim "and fed again it works" sees_bars
starve_camera 9

say "a display that comes and goes"
add_display
claim "a card is listed with its display" prints 'talon screen' "/dev/dri/card0  drm  1024x768"
"$out/x86_64/talon" screen test --out "$bench/picture.ppm" --size 640x480
in_background screen "talon screen test --mode 640x480"
claim "what it scans out is the picture, in every pixel" draws
turn_display unplugged
claim "without it that is told" wait_for 10 guest_log_says screen "the display was changed or removed"
ends_in_background screen
claim "and the card is listed with nothing at it" prints 'talon screen' "/dev/dri/card0  drm  nothing is connected"
claim "nothing is drawn there" prints 'talon screen test --device /dev/dri/card0' "cannot find a connected display: it is no longer there"
turn_display plugged
in_background screen "talon screen test --mode 640x480 --device /dev/dri/card0"
claim "plugged in again, it shows the picture" draws
ends_in_background screen

say "the GPIO chips of a Raspberry Pi 5"
make_pi5_chips > "$bench/chips"
claim "the pins are on the last of five chips" test "$(tail -n 1 "$bench/chips")" = gpiochip4
pull rp1 27 up
in_background light "talon light live --config /etc/button.conf"
claim "a light blinks on a line of the chip with that label" eval "wait_for 10 level_of 17 1 && wait_for 10 level_of 17 0"
press rp1 27 0.3
claim "a button on another is heard" wait_for 10 guest_log_says light "button: acknowledge"
ends_in_background light
claim "tools find their lines by the names of chip and line, or of the line alone" eval \
  "guest 'talon io safe --config /etc/hands.conf' | tr '\n' ' ' | grep -qx 'lamp: on fan: on '"

say "a receiver at a USB socket"
in_background receiver_agent "talon run --config /etc/receiver.conf"
plug_receiver
stream_receiver /field.nmea
claim "plugged in, it tells where the board is" wait_for 30 has_fix '.state == "open" and .fix and (.fix.lat - 46.948 | fabs) < 0.001'
unplug_receiver
claim "unplugged, that is told" wait_for 10 has_fix '.state == "lost"'
plug_receiver
stream_receiver /field.nmea
claim "plugged in again, it is found" wait_for 30 has_fix '.state == "open" and .fixAge < 3000'
silence_receiver
