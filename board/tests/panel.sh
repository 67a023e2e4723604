#!/usr/bin/env bash
# The aarch64 firmware's light and button on a real GPIO chip and real LEDs of the kernel: each pattern, each colour and each
# press, judged by the kernel's own events and their stamps (panel.py); then a board's life, from its start to its factory reset.
# Then its button is the one that is held to talk: what comes out of a file while it is down is what the gateway understands. In the
# end a key and a backlight of the kernel's own drivers, on lines of that chip, for the canvas.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/virt.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

tracing=/sys/kernel/tracing
first_signals="live reset-offered panic trust-alarm urgent interrupt active booting no-network"
second_signals="gateway-unreachable awaiting-approval hardware-fault commands-blocked consent notify passive working listening understanding speaking connected pressed"
gpio_signals="live panic trust-alarm urgent booting reset-offered awaiting-approval working connected"
# Seconds for a signal: the longest pattern takes 4.9 s.
pattern_seconds=6
color_seconds=3

guest() { "$root/board/vm" run "$bench/vm" "$1"; }
pins() { "$root/board/peers/pins.py" "$bench/vm" "$@"; }
panel() { "$root/board/tests/panel.py" "$1" "$bench/trace" "${@:2}"; }
mark() { guest "echo $* > $tracing/trace_marker"; }

# light NAME LINES: a configuration in the guest.
light() { printf '[light]\n%s\n' "$2" > "$bench/vm/files/etc/talon/$1.conf"; }

configure() {
  write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon $'driver = simulated\nfolder = /etc/talon\nidle = 4000' \
    $'driver = simulated\nreplay = /etc/talon/dark.nmea\n
[light]\ndriver = led\nled = one\n
[button]\ndriver = gpio\nline = 7'
  echo '$GPGGA,123519,,,,,0,00,,,M,,M,,*6B' > "$bench/vm/files/etc/talon/dark.nmea"
  make_bars 320 240 "$bench/vm/files/etc/talon/bars.jpg"
  light one $'driver = led\nled = one'
  light two $'driver = led\nled = two\nbrightness = 30'
  light three $'driver = gpio\nline = 2'
  light colors $'driver = led\nred = status:red\ngreen = status:green\nblue = status:blue'
  light four $'driver = gpio\nchip = 9030000.pl061\nline = 3\n[button]\ndriver = gpio\nline = 7'
}

# The same board with another life, whose only button is the one that is held to talk, beside somebody who talks on and on.
configure_talk() {
  write_config "$bench/vm/files/etc/talk" 10.0.2.2 /etc/talk $'driver = simulated\nfolder = /etc/talon' \
    $'driver = simulated\nreplay = /etc/talon/dark.nmea\n
[microphone]\ndriver = simulated\nfile = /etc/talk/mouth.wav\ngain = 0\ndenoise = off\n
[speaker]\ndriver = simulated\nfile = /tmp/speaker.wav\n
[talk]\nbutton = 9030000.pl061:7\nchime = none\n
[operator]\nenabled = yes'
  ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(gt(t\,0.3)\,sin(2*PI*1000*t)/4\,0):s=16000:d=30" -c:a pcm_s16le \
    "$bench/vm/files/etc/talk/mouth.wav"
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

light_is() { [[ $(guest 'talon status --json --config /etc/talon/talon.conf' 2> /dev/null | jq -r .light 2> /dev/null) == "$1" ]]; }

# shows SIGNAL NAME [SECONDS]: the agent's light comes to say it, and 5.5 s of it, or so many, are kept under a name.
shows() {
  claim "the agent says $1" wait_for 30 light_is "$1"
  mark agent "$2"
  sleep "${3-5.5}"
  mark agent end
}

start_agent() { guest 'talon run --config /etc/talon/talon.conf >> /tmp/agent.log 2>&1 & echo $! > /tmp/agent.pid'; }
agent_says() { fetch agent.log && grep -qF -- "$1" "$bench/agent.log"; }
is_other_board() { gateway devices list | jq -e --arg id "$1" 'any(.pending[]; .deviceId != $id)' > /dev/null; }

# What needs no button: the one there is still belongs to another program.
agent_begins() {
  guest 'ip link set eth0 down'
  start_agent
  shows no-network no-network
  stop_gateway
  guest 'ip link set eth0 up; ip route add default via 10.0.2.2'
  shows gateway-unreachable gateway-unreachable
  start_gateway "$gateway_port"
  wait_for 60 is_pending || die "no pairing request arrived"
  shows awaiting-approval awaiting-approval
  gateway devices approve "$(pending_request)" > "$bench/approved.json"
  shows connected connected 3
  invoke camera.snap '{"delayMs":0}' > "$bench/snap.json" &
  shows live live 3
  claim "the camera closes, and the light with it" wait_for 10 light_is connected
  invoke location.get '{"timeoutMs":6000}' > "$bench/location.json" &
  shows working working 3
}

agent_is_pressed() {
  guest "sed -i 's/pairing_poll.*/pairing_poll = 3/' /etc/talon/talon.conf; kill -HUP \$(cat /tmp/agent.pid)"
  claim "the button is the agent's" wait_for 60 button_works
  claim "and it is online" wait_for 30 is_connected
  invoke system.notify '{"title":"Come here","attention":"interrupt"}' > "$bench/notify.json"
  shows interrupt interrupt
  press 300
  claim "a short press acknowledges" wait_for 5 light_is connected
  claim "and the gateway hears that somebody is there" wait_for 10 gateway_heard_person
  press 3500
  claim "a long press ends the session" wait_for 5 is_gone
  shows panic panic
  guest 'kill -9 $(cat /tmp/agent.pid); while [ -d /proc/$(cat /tmp/agent.pid) ]; do sleep 0.1; done'
  start_agent
  shows panic still-panic 5
  claim "held through a restart, it does not connect" is_gone
  press 3500
  claim "the same press lets go" wait_for 30 is_connected
  shows connected again 2
  local id
  id=$(gateway nodes status | jq -r '.nodes[0].nodeId // .nodes[0].deviceId')
  press 10600
  sleep 1
  shows reset-offered reset-offered 2
  press 250
  claim "after a factory reset it is another board" wait_for 60 is_other_board "$id"
}

button_works() { guest 'talon status --json --config /etc/talon/talon.conf' | jq -e '.hardware[] | select(.name == "button") | .state == "ok"' > /dev/null 2>&1; }
gateway_heard_person() { (( $(grep -c 'node.presence.alive' "$bench/gateway.log") > 0 )); }

talk() { guest "talon $* --config /etc/talk/talon.conf 2> /dev/null"; }
# is_now PHASE: what talk is about. hold MILLISECONDS: as `press`, and returns at once; `wait "$finger"` until the button is up.
is_now() { talk talk --mode status | grep -q "^now  *$1\$"; }
talk_mode_is() { talk talk --mode status | grep -q "^talk mode  *$1"; }
hold() { pins press "$1" & finger=$!; }
# What the gateway listened to: how often, and the last time. asked: what the agent was asked.
sessions() { gateway talk heard | jq '.sessions | length'; }
heard_sessions() { (( $(sessions) == $1 )); }
heard_last() { gateway talk heard | jq -e ".sessions[-1] | $1" > /dev/null; }
asked() { grep -qF -- "$1" <(talk history); }
is_let_in() {
  local request
  for request in $(gateway devices list | jq -r '.pending[].requestId'); do gateway devices approve "$request" > /dev/null || true; done
  grep -q '^operator *online' <(talk status)
}

talks_by_button() {
  local before
  guest 'kill $(cat /tmp/agent.pid); talon run --config /etc/talk/talon.conf >> /tmp/talk.log 2>&1 & echo $! > /tmp/talk.pid'
  claim "the board talks to the gateway" wait_for 60 is_let_in
  # A reply to that takes ten seconds, unless somebody ends it.
  gateway talk expect "$(printf 'word %.0s' {1..60})" > /dev/null
  before=$(sessions)
  press 10
  claim "a press of 10 ms is nobody's" is_now idle
  hold 2500
  claim "a button that is held opens the microphone" wait_for 5 is_now hearing
  wait "$finger"
  claim "what was said meanwhile is understood when it is let go" wait_for 15 heard_last \
    '.speechMilliseconds > 1200 and .speechMilliseconds < 3500 and (.transcripts | length) == 1'
  claim "once" heard_sessions $(( before + 1 ))
  claim "the agent was asked" wait_for 10 asked "word word"
  claim "and the board speaks its reply" wait_for 20 is_now speaking
  gateway talk expect "that will do" > /dev/null
  hold 1500
  claim "the button ends that, and the board listens" wait_for 5 is_now hearing
  wait "$finger"
  claim "the agent is told" wait_for 20 asked "that will do"
  claim "by what was said then" heard_sessions $(( before + 2 ))
  wait_for 30 is_now idle
  press 200
  claim "a short press is talk mode" wait_for 5 talk_mode_is on
  press 200
  claim "and another one its end" wait_for 5 talk_mode_is off
  claim "nothing complains of the button" test -z "$(guest 'grep "the talk button does not work" /tmp/talk.log')"
  guest 'kill $(cat /tmp/talk.pid)'
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

begin "$out/test/panel"
start_gateway
mkdir -p "$bench/vm/files/etc/talon"
configure
configure_talk
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
# The agent's light is the LED of the first half.
all_shown() { guest 'cd /tmp && [ -f one.done -a -f two.done -a -f three.done -a -f colors.done ]'; }
wait_for 180 all_shown || die "the patterns do not end"
agent_begins
wait "$lapse"
fetch four.out
agent_is_pressed

guest "cat $tracing/trace" > "$bench/trace"
for file in one.triggers two.triggers one.log two.log three.log colors.log four.log four.presses four.late agent.log; do fetch "$file"; done

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
for signal in no-network gateway-unreachable awaiting-approval live working interrupt panic still-panic connected again reset-offered; do
  claim "the agent's light in the kernel's events: $signal" panel agent agent 0 "$signal"
done
talks_by_button
claim "a key on a line of the chip is heard, by the kernel's own driver" key_is_pressed
claim "a backlight of the kernel's is lit as the configuration wants it, on its line" backlight_is_lit
