#!/usr/bin/env bash
# The aarch64 firmware's light and button on a real GPIO chip and real LEDs of the kernel: each pattern, each colour and each
# press, judged by the kernel's own events and their stamps (panel.py).
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/virt.sh"
source "$root/board/lib/claims.sh"

tracing=/sys/kernel/tracing
signals="live reset-offered panic trust-alarm urgent interrupt active booting no-network gateway-unreachable awaiting-approval
  hardware-fault commands-blocked notify passive working connected pressed"
seconds=6

guest() { "$root/board/vm" run "$bench/vm" "$1"; }
pins() { "$root/board/lib/pins.py" "$bench/vm" "$@"; }
panel() { "$root/board/tests/panel.py" "$1" "$bench/trace" "${@:2}"; }
mark() { guest "echo $* > $tracing/trace_marker"; }

# light NAME LINES: a configuration in the guest.
light() {
  mkdir -p "$bench/vm/files/etc/talon"
  printf '[light]\n%s\n' "$2" > "$bench/vm/files/etc/talon/$1.conf"
}

# plays NAME SECONDS SIGNAL...: a command for the guest that shows signals on a light, one after the other.
plays() {
  echo "for signal in ${*:3}; do
    echo $1 \$signal > $tracing/trace_marker
    talon light \$signal --seconds $2 --config /etc/talon/$1.conf > /dev/null 2>> /tmp/$1.log &
    job=\$!
    sleep 1
    echo \$signal \$(grep -o '\\[.*\\]' /sys/class/leds/$1/trigger 2> /dev/null) >> /tmp/$1.triggers
    wait \$job || echo \$signal failed >> /tmp/$1.log
    echo $1 end > $tracing/trace_marker
  done"
}

# during NAME COMMAND...: what happens between two marks of the lamp "four".
during() {
  mark four "$1"
  "${@:2}"
  mark four end
}

press() { pins press "$@"; sleep 0.4; }

begin "$out/test/panel"
light one $'driver = led\nled = one'
light two $'driver = led\nled = two\nbrightness = 30'
light three $'driver = gpio\nline = 2'
light colors $'driver = led\nred = status:red\ngreen = status:green\nblue = status:blue'
light four $'driver = gpio\nchip = 9030000.pl061\nline = 3\n[button]\ndriver = gpio\nline = 7'
start_virt "$bench/vm"
pins set 7 1
guest "mount -t tracefs trace $tracing; cd $tracing; echo mono > trace_clock; echo 8192 > buffer_size_kb
  echo 1 > events/gpio/gpio_value/enable; echo 1 > events/irq/irq_handler_entry/enable
  echo 'name ~ \"talon*\"' > events/irq/irq_handler_entry/filter; echo 1 > tracing_on"

# shellcheck disable=SC2086  # words
set -- $signals
guest "( $(plays one $seconds "${@:1:9}") ) & ( $(plays two $seconds "${@:10}") ) &
  ( $(plays three $seconds live panic trust-alarm urgent booting reset-offered awaiting-approval working connected pressed) ) &
  ( $(plays colors 3 "$@") ) & jobs -p > /tmp/jobs
  talon light connected --config /etc/talon/four.conf > /tmp/four.out 2> /tmp/four.log & echo \$! > /tmp/four.pid"
sleep 2

during short press 300
during glitch press 10
during bounce press 3 3 3 3 3 3 3 3 300 3 3 3 3 3 3
during panic press 3500
sleep 0.6
during release press 3300
during offer press 10600
sleep 1
during confirm press 250
# A program that was stopped judges by the stamps of what it missed; and more edges than the kernel keeps leave no button pressed.
guest 'kill -STOP $(cat /tmp/four.pid)'
press 800
sleep 4
guest 'kill -CONT $(cat /tmp/four.pid)'
sleep 0.5
guest 'kill -STOP $(cat /tmp/four.pid)'
# shellcheck disable=SC2046  # words
press $(printf '40 %.0s' {1..39})
sleep 4
guest 'kill -CONT $(cat /tmp/four.pid)'
sleep 0.5
mark four lapse
press 10600
sleep 30.5
mark four end
guest 'kill $(cat /tmp/four.pid); while [ -d /proc/$(cat /tmp/four.pid) ]; do sleep 0.1; done; while pidof talon > /dev/null; do sleep 0.5; done'
guest "cat $tracing/trace" > "$bench/trace"
for file in one.triggers two.triggers one.log two.log three.log colors.log four.log four.out; do
  guest "cat /tmp/$file" > "$bench/$file" || true
done

claim "the first half of the signals blinks on an LED as it should" panel patterns one 0 "${@:1:9}"
claim "so does the second half, on another" panel patterns two 1 "${@:10}"
