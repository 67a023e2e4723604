# shellcheck shell=bash
# What board/demo is made of, beside lib/bench.sh and lib/field-vm.sh: what it says, what it keeps, and what its board has.
#
# For the page: story.jsonl has who did or said what, light.tsv what the light did, agent.jsonl (peers/demo_agent.py) what the agent called.

leds=/sys/class/leds
demo_drivers="v4l2loopback i2c-dev i2c-stub lm75"

# step WORDS: what is done now. found WORDS: what came of it. Both are lines of the page, too.
step() { printf '\n%s  %s\n' "$(clock $(( SECONDS - demo_started )))" "$*"; note step "$*"; }
found() { printf '      %s\n' "$*"; note found "$*"; }
# note WHO WORDS: a line of the story.
note() {
  jq -nc --arg who "$1" --arg text "$2" --argjson at $(( SECONDS - demo_started )) '{at: $at, who: $who, text: $text}' >> "$bench/story.jsonl"
}
# words WHO WORDS: said by a person, the board or the agent.
words() { printf '      %s: "%s"\n' "$1" "$2"; note "$1" "$2"; }

# keep COMMAND [PARAMS [ARGUMENT...]]: the answer is also kept in COMMAND.json.
keep() { invoke "$@" | jq 'del(.file?)' > "$bench/$1.json"; }
# told COMMAND FILTER: what the answer to that command said.
told() { jq -r "$2" "$bench/$1.json"; }
# fetch FILE NAME: a file of the board becomes one of the demo.
fetch() { guest "base64 $1" | base64 -d > "$bench/$2"; }
kilobytes() { echo "$(( ($(stat -c %s "$bench/$1") + 999) / 1000 )) KB"; }
# seconds_of FILE: how long a WAV file of 16 bits and one channel is; its header has 44 bytes, and the rate from byte 24 on.
seconds_of() {
  awk -v bytes="$(stat -c %s "$bench/$1")" -v rate="$(od -An -tu4 -j 24 -N 4 "$bench/$1")" 'BEGIN { printf "%.1f", (bytes - 44) / 2 / rate }'
}

# light NAME WORDS: what the light does for some seconds, ten times a second (# is lit), and what that means.
light() {
  local seen
  seen=$(guest "for n in \$(seq 40); do cat $leds/$(< "$bench/light.txt")/brightness; sleep 0.1; done" \
    | awk '{ printf "%s", ($1 > 0 ? "#" : ".") } END { print "" }')
  printf '%s\t%s\t%s\n' "$1" "$seen" "$2" >> "$bench/light.tsv"
  printf '      Its light: %s  %s\n' "$seen" "$2"
}
# The board's light is the keyboard's; its number depends on what the kernel found before it.
has_light() { guest "cd $leds && ls -d *::scrolllock" > "$bench/light.txt"; }

# make_scene: what the camera will see and the microphone will hear, in the folder that becomes the machine's root.
make_scene() {
  local width
  for width in 960 640; do
    mkdir -p "$bench/vm/files/scene/$width"
    "$root/board/lib/scene.py" "$bench/vm/files/scene/$width" "$width"
  done
  mkdir -p "$bench/canvas"
  "$root/board/lib/birdsong.py" "$bench/vm/files/scene/evening.wav"
  put_ground "$bench/vm"
}

# configure_board: sections of its configuration beside those of start_vm. The thermometer is the kernel's lm75 on a bus without wires.
configure_board() {
  cat >> "$bench/vm/files/etc/talon/talon.conf" <<CONFIG

[consent]
camera = ask

[light]
driver = led
led = $(< "$bench/light.txt")

[canvas]
screen = 800x480

[microphone]
driver = simulated
file = /scene/evening.wav
gain = 0
denoise = off

[speaker]
driver = simulated
file = /tmp/spoken.wav

[talk]
chime = none

[operator]
enabled = yes

[tools]
publish = all
about = the greenhouse behind the house

[tool thermometer]
kind = sensor
about = Air temperature in the greenhouse.
label = The greenhouse
from = hwmon lm75 temp1
every = 2
CONFIG
}

# show_scene NUMBER WIDTH: what this camera sees from now on, in pictures so wide.
show_scene() { feed_camera "$1" "$2" $(( $2 * 9 / 16 )) YU12 10 "/scene/$2/*.yuv"; }

# The machine's own camera of colour bars goes; two that show the scene come, one of them for the film. LM75: 24.0 degrees, its first byte the whole ones.
plug_in_greenhouse() {
  unplug_camera
  loop_cameras 0 1
  show_scene 0 960
  guest 'load i2c-dev; load lm75; load i2c-stub chip_addr=0x48
    i2cset -f -y 0 0x48 0x00 0x0018 w && echo lm75 0x48 > /sys/bus/i2c/devices/i2c-0/new_device'
}

has_operator() { guest "talon status || true" | grep -q "operator online"; }
has_tools() { gateway tools list | jq -e 'any(.tools[]; .name == "greenhouse_thermometer")' > /dev/null; }
asks_person() { guest "talon grants" > "$bench/question.txt" && grep -q "wants to" "$bench/question.txt"; }
has_reply() { guest '[ -f /tmp/reply.done ]'; }
