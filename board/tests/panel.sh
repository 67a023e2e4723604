#!/usr/bin/env bash
# A board's life with its light and its button, on two lines of a Raspberry Pi 5's GPIO chip (gpio-sim) under the x86_64 firmware: without a
# network, without a gateway, approved, asked, in panic over a power cut, released, and reset by its finder. Each light is judged by the
# kernel's own events and their stamps (panel.py). Then the button is the one that is held to talk: what comes out of a file while it is
# down is what the gateway understands. Every pattern, colour and press by itself is in lights.sh.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/ground.sh"

tracing=/sys/kernel/tracing
light_line=17 button_line=27

mark() { guest "echo agent $1 > $tracing/trace_marker"; }

configure() {
  write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon $'driver = simulated\nfolder = /etc/talon\nidle = 4000' \
    $'driver = simulated\nreplay = /etc/talon/dark.nmea'
  printf '\n[%s]\ndriver = gpio\nline = %s\n' light $light_line button "pin 13" >> "$bench/vm/files/etc/talon/talon.conf"
  echo '$GPGGA,123519,,,,,0,00,,,M,,M,,*6B' > "$bench/vm/files/etc/talon/dark.nmea"
  make_bars 320 240 "$bench/vm/files/etc/talon/bars.jpg"
}

# The same board with another life, whose only button is the one that is held to talk, beside somebody who talks on and on.
configure_talk() {
  write_config "$bench/vm/files/etc/talk" 10.0.2.2 /etc/talk $'driver = simulated\nfolder = /etc/talon' \
    $'driver = simulated\nreplay = /etc/talon/dark.nmea\n
[microphone]\ndriver = simulated\nfile = /etc/talk/mouth.wav\ngain = 0\ndenoise = off\n
[speaker]\ndriver = simulated\nfile = /tmp/speaker.wav\n
[talk]\nbutton = GPIO'$button_line$'\nchime = none\n
[operator]\nenabled = yes'
  ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(gt(t\,0.3)\,sin(2*PI*1000*t)/4\,0):s=16000:d=30" -c:a pcm_s16le \
    "$bench/vm/files/etc/talk/mouth.wav"
}

trace_on() {
  guest "mount -t tracefs trace $tracing; cd $tracing; echo mono > trace_clock; echo 4096 > buffer_size_kb
    echo 1 > events/gpio/gpio_value/enable; echo 1 > tracing_on"
  base=$(guest 'cat "$(dirname "$(grep -l pinctrl-rp1 /sys/class/gpio/gpiochip*/label)")/base"')
}

pushes() { press rp1 $button_line "$1"; sleep 0.4; }

# holds SECONDS: returns while it is down; `wait_for 10 is_up` until it is no more.
holds() { guest "rm -f /tmp/up; { chip press rp1 $button_line $1; touch /tmp/up; } > /dev/null 2>&1 &"; }
is_up() { guest 'test -f /tmp/up'; }

light_is() { [[ $(guest 'talon status --json --config /etc/talon/talon.conf' 2> /dev/null | jq -r .light 2> /dev/null) == "$1" ]]; }

# shows SIGNAL NAME [SECONDS]: the agent's light comes to say it, and 5.5 s of it, or so many, are kept under a name.
shown=()
shows() {
  claim "the agent says $1" wait_for 30 light_is "$1"
  mark "$2"
  sleep "${3-5.5}"
  mark end
  shown+=("$2")
}

start_agent() { guest 'talon run --config /etc/talon/talon.conf >> /tmp/talon.log 2>&1 & echo $! > /tmp/agent.pid'; }
cut_power() { guest 'kill -9 $(cat /tmp/agent.pid); while [ -d /proc/$(cat /tmp/agent.pid) ]; do sleep 0.1; done'; }
is_other_board() { gateway devices list | jq -e --arg id "$1" 'any(.pending[]; .deviceId != $id)' > /dev/null; }
heard_person() { grep -q 'node.presence.alive' "$bench/gateway.log"; }

is_approved() {
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

is_pressed() {
  local id
  invoke system.notify '{"title":"Come here","attention":"interrupt"}' > "$bench/notify.json"
  shows interrupt interrupt
  pushes 0.3
  claim "a short press acknowledges" wait_for 5 light_is connected
  claim "and the gateway hears that somebody is there" wait_for 10 heard_person
  pushes 3.5
  claim "a long press ends the session" wait_for 5 is_gone
  shows panic panic
  cut_power
  start_agent
  shows panic still-panic 5
  claim "held through a restart, it does not connect" is_gone
  pushes 3.5
  claim "the same press lets go" wait_for 30 is_connected
  shows connected again 2
  id=$(gateway nodes status | jq -r '.nodes[0].nodeId // .nodes[0].deviceId')
  pushes 10.6
  shows reset-offered reset-offered 2
  pushes 0.25
  claim "after a factory reset it is another board" wait_for 60 is_other_board "$id"
}

talk() { guest "talon $* --config /etc/talk/talon.conf 2> /dev/null"; }
# is_now PHASE: what talk is about.
is_now() { talk talk --mode status | grep -q "^now  *$1\$"; }
talk_mode_is() { talk talk --mode status | grep -q "^talk mode  *$1"; }
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
  pushes 0
  claim "a glitch of the line is nobody's press" is_now idle
  holds 2.5
  claim "a button that is held opens the microphone" wait_for 5 is_now hearing
  wait_for 10 is_up
  claim "what was said meanwhile is understood when it is let go" wait_for 15 heard_last \
    '.speechMilliseconds > 1200 and .speechMilliseconds < 3500 and (.transcripts | length) == 1'
  claim "once" heard_sessions $(( before + 1 ))
  claim "the agent was asked" wait_for 10 asked "word word"
  claim "and the board speaks its reply" wait_for 20 is_now speaking
  gateway talk expect "that will do" > /dev/null
  holds 1.5
  claim "the button ends that, and the board listens" wait_for 5 is_now hearing
  wait_for 10 is_up
  claim "the agent is told" wait_for 20 asked "that will do"
  claim "by what was said then" heard_sessions $(( before + 2 ))
  wait_for 30 is_now idle
  pushes 0.2
  claim "a short press is talk mode" wait_for 5 talk_mode_is on
  pushes 0.2
  claim "and another one its end" wait_for 5 talk_mode_is off
  claim "nothing complains of the button" test -z "$(guest 'grep "the talk button does not work" /tmp/talk.log')"
  guest 'kill $(cat /tmp/talk.pid)'
}

begin "$out/test/panel"
start_gateway
mkdir -p "$bench/vm/files/bin" "$bench/vm/files/etc/talon"
put_ground "$bench/vm"
configure
configure_talk
"$root/board/vm" start "$bench/vm" "" "$ground_drivers"
make_pi5_chips > "$bench/chips"
pull rp1 $button_line up
trace_on

say "a life"
is_approved
is_pressed
guest 'talon doctor --config /etc/talon/talon.conf || true' > "$bench/doctor.txt"
claim "the doctor says which line of which chip the light is" says "$bench/doctor.txt" "(pinctrl-rp1), GPIO17"
claim "and the button" says "$bench/doctor.txt" "(pinctrl-rp1), GPIO27"
guest "cat $tracing/trace" > "$bench/trace"
for name in "${shown[@]}"; do
  claim "the light in the kernel's events: $name" "$root/board/tests/panel.py" agent "$bench/trace" "$base" agent $light_line "$name"
done

say "a button to talk"
talks_by_button
