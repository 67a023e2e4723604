#!/usr/bin/env bash
# The aarch64 firmware's light and button on a real GPIO chip and real LEDs of the kernel: each pattern, each colour and each
# press, judged by the kernel's own events and their stamps (panel.py). In the end a key and a backlight of the kernel's own drivers,
# on lines of that chip, for the canvas. What an agent does with them is in panel.sh.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/virt.sh"
source "$root/board/lib/claims.sh"

tracing=/sys/kernel/tracing
first_signals="live reset-offered panic trust-alarm urgent interrupt active booting no-network"
second_signals="gateway-unreachable awaiting-approval hardware-fault commands-blocked consent notify passive working listening understanding speaking connected pressed"
gpio_signals="live panic trust-alarm urgent booting reset-offered awaiting-approval working connected"
# Seconds for a signal: the longest pattern takes 4.9 s.
pattern_seconds=6
color_seconds=3
# The chip's first line, as the kernel numbers lines.
base=504

guest() { "$root/board/vm" run "$bench/vm" "$1"; }
pins() { "$root/board/peers/pins.py" "$bench/vm" "$@"; }
panel() { "$root/board/tests/panel.py" "$1" "$bench/trace" "$base" "${@:2}"; }
mark() { guest "echo $* > $tracing/trace_marker"; }

# light NAME LINES: a configuration in the guest.
light() { printf '[light]\n%s\n' "$2" > "$bench/vm/files/etc/talon/$1.conf"; }

configure() {
  light one $'driver = led\nled = one'
  light two $'driver = led\nled = two\nbrightness = 30'
  light three $'driver = gpio\nline = 2'
  light colors $'driver = led\nred = status:red\ngreen = status:green\nblue = status:blue'
  light four $'driver = gpio\nchip = 9030000.pl061\nline = 3\n[button]\ndriver = gpio\nline = 7'
}

trace_on() {
  guest "mount -t tracefs trace $tracing; cd $tracing; echo mono > trace_clock; echo 8192 > buffer_size_kb
    echo 1 > events/gpio/gpio_value/enable; echo 1 > events/irq/irq_handler_entry/enable
    echo 'name ~ \"talon*\"' > events/irq/irq_handler_entry/filter; echo 1 > tracing_on"
}

# plays NAME SECONDS SIGNAL...: a command for the guest that shows signals on a light, one after the other, and notes which trigger
# the kernel has meanwhile.
plays() {
  echo "for signal in ${*:3}; do
    echo $1 \$signal > $tracing/trace_marker
    talon light \$signal --seconds $2 --config /etc/talon/$1.conf > /dev/null 2>> /tmp/$1.log &
    job=\$!
    sleep 1
    echo \$signal \$(grep -o '\\[.*\\]' /sys/class/leds/$1/trigger 2> /dev/null) >> /tmp/$1.triggers
    wait \$job || echo \$signal failed >> /tmp/$1.log
    echo $1 end > $tracing/trace_marker
  done; touch /tmp/$1.done"
}

# during NAME COMMAND...: what happens between two marks of the light "four".
during() {
  mark four "$1"
  "${@:2}"
  mark four end
}

press() { pins press "$@"; sleep 0.4; }

# behind_its_back TIMES...: presses while the program is stopped, and time passes.
behind_its_back() {
  guest 'kill -STOP $(cat /tmp/four.pid)'
  press "$@"
  sleep 4
  guest 'kill -CONT $(cat /tmp/four.pid)'
  sleep 0.5
}

presses() {
  during short press 300
  during glitch press 10
  during bounce press 3 3 3 3 3 3 3 3 300 3 3 3 3 3 3
  during panic press 3500
  sleep 0.6
  during release press 3300
  during offer press 10600
  sleep 1
  during confirm press 250
  guest 'cat /tmp/four.out > /tmp/four.presses; echo > /tmp/four.out'
  behind_its_back 800
  # More edges than the kernel keeps: 16.
  # shellcheck disable=SC2046  # words
  behind_its_back $(printf '40 %.0s' {1..39})
  guest 'cat /tmp/four.out > /tmp/four.late; echo > /tmp/four.out'
}

# What the guest noted.
fetch() { guest "cat /tmp/$1" > "$bench/$1"; }
told() { grep '^button' "$bench/$1" | cut -d' ' -f2- | tr '\n' ','; }

# ends: what the program of the presses says came in the end.
lapses() {
  mark four lapse
  press 10600
  sleep 30.5
  mark four end
  guest 'kill $(cat /tmp/four.pid)'
}

is_heard() { fetch keys && grep -qx "press activate" "$bench/keys" && grep -qx "release activate" "$bench/keys"; }
key_is_pressed() {
  guest 'load evdev; load gpio_keys; talon screen input --seconds 20 > /tmp/keys & echo'
  wait_for 10 eval 'fetch keys && grep -q "keys yes" "$bench/keys"' || return 1
  pins set 3 1
  sleep 0.2
  pins set 3 0
  wait_for 5 is_heard
}

backlight_is() {
  [[ $(guest 'cat /sys/class/backlight/backlight/brightness') == "$1" && $(guest 'grep backlight /sys/kernel/debug/gpio') == *" out $2 "* ]]
}
backlight_is_lit() {
  guest 'mount -t debugfs debug /sys/kernel/debug; load gpio_backlight; echo 0 > /sys/class/backlight/backlight/brightness
    mkdir -p /tmp/lit; printf "[node]\nstate_directory = /tmp/lit\nruntime_directory = /tmp/lit\n[canvas]\nscreen = 320x240\nbrightness = 30\n" > /tmp/lit.conf'
  backlight_is 0 lo || return 1
  guest 'talon run --config /tmp/lit.conf > /tmp/lit.log 2>&1 & echo $! > /tmp/lit.pid'
  wait_for 10 backlight_is 1 hi
  guest 'kill $(cat /tmp/lit.pid)'
}

begin "$out/test/lights"
mkdir -p "$bench/vm/files/etc/talon"
configure
start_virt "$bench/vm"
pins set 7 1
trace_on
# shellcheck disable=SC2086  # words
guest "( $(plays one $pattern_seconds $first_signals) ) & ( $(plays two $pattern_seconds $second_signals) ) &
  ( $(plays three $pattern_seconds $gpio_signals) ) &
  ( $(plays colors $color_seconds $first_signals $second_signals) ) &
  talon light connected --config /etc/talon/four.conf >> /tmp/four.out 2> /tmp/four.log & echo \$! > /tmp/four.pid"
sleep 2
presses
lapses & lapse=$!
all_shown() { guest 'cd /tmp && [ -f one.done -a -f two.done -a -f three.done -a -f colors.done ]'; }
wait_for 180 all_shown || die "the patterns do not end"
wait "$lapse"
fetch four.out

guest "cat $tracing/trace" > "$bench/trace"
for file in one.triggers two.triggers one.log two.log three.log colors.log four.log four.presses four.late; do fetch "$file"; done

# shellcheck disable=SC2086  # words
{
  claim "the first half of the signals blinks on an LED as it should" panel patterns one 0 $first_signals
  claim "so does the second half, on another" panel patterns two 1 $second_signals
  claim "and what a GPIO line shows step by step" panel patterns three 2 $gpio_signals
  claim "three LEDs show each signal's colour" panel colors colors $first_signals $second_signals
}
claim "the kernel blinks by itself" grep -q '^trust-alarm \[pattern\]' "$bench/one.triggers"
claim "by its timer where that is enough" grep -q '^booting \[timer\]' "$bench/one.triggers"
claim "nothing complains" eval "! grep . '$bench/one.log' '$bench/two.log' '$bench/three.log' '$bench/colors.log' '$bench/four.log'"
claim "each press does what it should, at its time" panel presses four 3
# What each press of a second or more is on its way to panic.
held="held (no, to a question)"
claim "in words: short, bounced, panic, its end, a reset that is offered and confirmed" test "$(told four.presses)" = \
  "acknowledge,acknowledge,$held,panic,$held,panic,$held,panic,factory reset offered,factory reset confirmed (not here: this only shows the light),"
claim "presses while the program was stopped count by their stamps, and none is panic" eval \
  "[[ \$(told four.late) =~ ^acknowledge,(acknowledge,)+\$ ]]"
claim "an offer that nobody confirms is withdrawn" test "$(told four.out)" = "$held,panic,factory reset offered,factory reset withdrawn,"
claim "a key on a line of the chip is heard, by the kernel's own driver" key_is_pressed
claim "a backlight of the kernel's is lit as the configuration wants it, on its line" backlight_is_lit
