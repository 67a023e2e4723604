#!/usr/bin/env bash
# The owner's own tools ([tool NAME]) with the aarch64 firmware on a real GPIO chip (PL061) and a real PWM driver of the kernel
# (pwm-bcm2835), called through a gateway as a model does (talon-gateway tools) and as an operator does: a relay that is switched and
# read back, within 20 ms of the frame; pulses that end, also when the agent is killed; interlocks, limits, panic; an input whose
# change arrives as an event; a counter that survives a restart; a power in the registers of the chip. The kernel's own events and
# its debugfs are the judges.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/virt.sh"
source "$root/board/lib/claims.sh"

tracing=/sys/kernel/tracing
# Milliseconds from the frame to the relay, at most.
relay_milliseconds_max=20
registers=0x4fff0000

guest() { "$root/board/vm" run "$bench/vm" "$1"; }
pins() { "$root/board/peers/pins.py" "$bench/vm" "$@"; }

configure() {
  write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
  cat >> "$bench/vm/files/etc/talon/talon.conf" <<'CONFIG'

[tools]
publish = all
about = the greenhouse by the north wall

[tool heater]
kind = gpio
about = the frost heater
line = 9030000.pl061:0
direction = out
never_with = vent
max_pulse = 10
max_switches_per_day = 30
calls_per_minute = 600

[tool vent]
kind = gpio
about = the roof vent
line = gpiochip0:1
direction = out

[tool lamp]
kind = gpio
line = gpiochip0:6
direction = out
safe = on
min_on = 3
min_off = 3

[tool door]
kind = gpio
about = the greenhouse door
line = gpiochip0:7
direction = in
on_means = closed
off_means = open
events = both

[tool water]
kind = counter
about = the water meter
line = gpiochip0:4
debounce = 2
scale = 0.5
unit = l

[tool fan]
kind = pwm
calls_per_minute = 600
chip = pwmchip0
channel = 0
frequency = 1000
min = 20
safe = 0
CONFIG
}

start_agent() { guest 'talon run --config /etc/talon/talon.conf >> /tmp/talon.log 2>&1 & echo $! > /tmp/talon.pid'; }
kill_agent() { guest 'kill -9 $(cat /tmp/talon.pid); while [ -d /proc/$(cat /tmp/talon.pid) ]; do sleep 0.05; done'; }
stop_agent() { guest 'kill $(cat /tmp/talon.pid); while [ -d /proc/$(cat /tmp/talon.pid) ]; do sleep 0.1; done'; }
log_says() { guest 'cat /tmp/talon.log' > "$bench/talon.log" && grep -qF -- "$1" "$bench/talon.log"; }

# level LINE hi|lo: what the kernel says of a line that is an output.
level() { guest 'cat /sys/kernel/debug/gpio' > "$bench/gpio" && grep -E "^ gpio-$(( base + $1 )) .* out $2" "$bench/gpio" > /dev/null; }
# free LINE: nobody has it.
free() { guest 'cat /sys/kernel/debug/gpio' > "$bench/gpio" && ! grep -E "^ gpio-$(( base + $1 )) " "$bench/gpio" > /dev/null; }

# gives NAME ARGUMENTS FILTER: the tool's result satisfies the jq filter.
gives() { gateway tools call "field_board_$1" "$2" > "$bench/result.json" && jq -e "$3" "$bench/result.json" > /dev/null; }
# fails NAME ARGUMENTS WORDS: the tool says so in a sentence with these words.
fails() {
  ! gateway tools call "field_board_$1" "$2" > "$bench/result.json" \
    && jq -e --arg words "$3" '.isError and (.content[0].text | contains($words))' "$bench/result.json" > /dev/null
}
sees() { [[ "$(gateway tools list | jq -r '[.tools[].name] | sort | join(" ")')" == "$*" ]]; }
state_is() { gives "$1" '{}' ".structuredContent.state == \"$2\""; }
# events COUNT: the gateway got so many events of the door. Its trace shortens their words, which unit tests read.
events() { [[ $(grep -cF 'talon.io.door' "$bench/gateway.log") == "$1" ]]; }

trace_on() {
  guest "mount -t tracefs trace $tracing; mount -t debugfs debug /sys/kernel/debug; cd $tracing; echo mono > trace_clock
    echo 1 > events/gpio/gpio_value/enable; echo 1 > events/net/netif_receive_skb/enable; echo 1 > tracing_on"
}
trace_anew() { guest "echo > $tracing/trace"; }
fetch_trace() { guest "cat $tracing/trace" > "$bench/trace"; }
# switching_milliseconds: from the last packet that arrived before the line 0 was set high to that.
switching_milliseconds() {
  awk -v line="$base" '
    function stamp(   i) { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) return $i + 0 }
    /netif_receive_skb/ { packet = stamp() }
    /gpio_value/ && $0 ~ "gpio_value: " line " set 1" { printf "%.1f\n", (stamp() - packet) * 1000; exit }' "$bench/trace"
}
# pulse_milliseconds: how long the line 0 was high.
pulse_milliseconds() {
  awk -v line="$base" '
    function stamp(   i) { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) return $i + 0 }
    $0 ~ "gpio_value: " line " set 1" { on = stamp() }
    $0 ~ "gpio_value: " line " set 0" && on { printf "%d\n", (stamp() - on) * 1000; exit }' "$bench/trace"
}
within() { (( $(printf '%.0f' "$1") >= $2 && $(printf '%.0f' "$1") <= $3 )); }

# Twenty times on and off by an operator's invoke; prints the median and the longest.
measure_relay() {
  local turn
  : > "$bench/latency"
  for (( turn = 0; turn < 11; turn++ )); do
    trace_anew
    invoke io.heater '{"action":"on"}' > /dev/null
    fetch_trace
    switching_milliseconds >> "$bench/latency"
    invoke io.heater '{"action":"off"}' > /dev/null
  done
  sort -n "$bench/latency" > "$bench/latency.sorted"
  relay_median=$(sed -n 6p "$bench/latency.sorted")
  relay_longest=$(sed -n 11p "$bench/latency.sorted")
}

begin "$out/test/hands"
start_gateway
mkdir -p "$bench/vm/files/etc/talon"
configure
start_virt "$bench/vm"
pins set 7 1
trace_on
# The LEDs of the kernel have lines 0, 1, 4, 5 and 6.
guest 'echo leds > /sys/bus/platform/drivers/leds-gpio/unbind'
base=$(guest 'cat /sys/class/gpio/gpiochip*/base' | head -1)
start_agent
pairs log_says

say "the agent finds them in its list of tools"
claim "under the board's name and their own" wait_for 20 sees field_board_door field_board_fan field_board_health field_board_heater \
  field_board_lamp field_board_notify field_board_vent field_board_water
claim "with the owner's words" eval \
  "gateway tools list | jq -e '.tools[] | select(.name == \"field_board_heater\") | .description | contains(\"the frost heater. Switches it\")' > /dev/null"

say "a relay"
claim "at the start it is off, and one whose safe state is on is on" eval "level 0 lo && level 6 hi"
claim "it is switched on, and what comes back is read from the chip" gives heater '{"action":"on"}' '.structuredContent.state == "on"'
claim "the kernel agrees" level 0 hi
claim "the status of the board says who did it" eval \
  "guest 'talon status --config /etc/talon/talon.conf' > '$bench/status' && grep -q '^io  *heater on, vent off, lamp on, door closed' '$bench/status'"
claim "and so does the log" log_says "io: heater: on, for "
claim "a vent that must not be open meanwhile is refused, with what to do" fails vent '{"action":"on"}' \
  "the owner never has it on together with heater, which is on now: switch that off first"
claim "and stays closed" level 1 lo
claim "it is switched off" gives heater '{"action":"off"}' '.structuredContent.state == "off"'
claim "and the vent can be opened" gives vent '{"action":"on"}' '.structuredContent.state == "on"'
claim "then the heater is refused" fails heater '{"action":"on"}' "together with vent"
gateway tools call field_board_vent '{"action":"off"}' > /dev/null
claim "a lamp has its least times" eval "gives lamp '{\"action\":\"off\"}' '.structuredContent.state == \"off\"' && fails lamp '{\"action\":\"on\"}' 'must stay off: try again in'"
claim "what makes no sense is told in a sentence" fails heater '{"action":"pulse","seconds":11}' "seconds must be from 0.01 to 10"
measure_relay
say "  from the frame to the relay: $relay_median ms in the middle of 11, $relay_longest ms at most"
claim "the relay is on within $relay_milliseconds_max ms of the frame" within "$relay_median" 0 "$relay_milliseconds_max"

say "pulses"
trace_anew
claim "a pulse is answered when it has begun" gives heater '{"action":"pulse","seconds":0.5}' '.structuredContent.endsInMs <= 500'
sleep 1
fetch_trace
say "  0.5 s were $(pulse_milliseconds) ms"
claim "and ends at its time" within "$(pulse_milliseconds)" 495 530
claim "the agent is killed in the middle of another" eval "gives heater '{\"action\":\"pulse\",\"seconds\":9}' true && kill_agent"
claim "this chip leaves a line that is given back as it was" free 0
trace_anew
# It says that the PWM chip is not there yet.
guest 'talon io safe --config /etc/talon/talon.conf 2>&1' > "$bench/safe" || true
fetch_trace
claim "what the service runs then brings it into its safe state" eval \
  "grep -qx 'heater: off' '$bench/safe' && grep -q '^talon: fan: this line, or its chip, is not there' '$bench/safe' && grep -qx 'lamp: on' '$bench/safe' && grep -q 'gpio_value: $base set 0' '$bench/trace'"
start_agent
claim "the agent comes back" wait_for 60 state_is heater off
claim "killed again in a pulse, and started without that" eval "gives heater '{\"action\":\"pulse\",\"seconds\":9}' true && level 0 hi && kill_agent && start_agent"
claim "the next agent has it off from its first instant" wait_for 10 level 0 lo

say "an input"
claim "it is read in the owner's words" wait_for 60 state_is door closed
pins set 7 0
claim "its change arrives as an event" wait_for 10 events 1
claim "and is read" state_is door open
pins set 7 1
claim "so does the next" wait_for 10 events 2

say "a counter"
pins pulse 4 20 20
claim "twenty pulses of half a liter are ten liters" gives water '{}' '.structuredContent | .total == 10 and .pulses == 20 and .unit == "l" and .rate > 0'
stop_agent
start_agent
claim "they are so after a restart" wait_for 60 gives water '{}' '.structuredContent.total == 10'
pins pulse 4 2 20
claim "and it goes on" gives water '{}' '.structuredContent.total == 11'
kill_agent
start_agent
claim "killed, it has what was written last" wait_for 60 gives water '{}' '.structuredContent.total == 10'

say "a power"
claim "without its driver it says so" fails fan '{"percent":50}' "its device does not work (this line, or its chip, is not there"
guest 'load pwm-bcm2835'
claim "the driver of the kernel is found by itself" wait_for 70 gives fan '{}' '.structuredContent.percent == 0'
claim "half power is set" gives fan '{"percent":50}' '.structuredContent.percent == 50'
claim "in the registers of the chip" eval \
  "period=\$(pins word $(( registers + 0x10 ))) && (( period > 0 && \$(pins word $(( registers + 0x14 ))) * 2 - period <= 2 ))"
claim "less than its least is refused" fails fan '{"percent":10}' "percent must be from 20 to 100"

say "panic"
gives heater '{"action":"on"}' true
guest 'talon panic --config /etc/talon/talon.conf' > /dev/null
claim "everything goes to its safe state" eval "wait_for 5 level 0 lo && (( \$(pins word $(( registers + 0x14 ))) == 0 ))"
guest 'talon panic release --config /etc/talon/talon.conf' > /dev/null
claim "and stays there until it is switched" wait_for 60 state_is heater off
claim "nothing that the board sent left the protocol" eval "[[ \$(gateway nodes status | jq .violations) == 0 ]]"
