#!/usr/bin/env bash
# Sound cards of a real kernel (snd-aloop, snd-dummy) under the x86_64 firmware, without a gateway: what is played into one end
# of a loop is heard at the other, in many forms of sample; what goes wrong is told, and the next recording works. Then the agent:
# who looks opens the microphone, and panic closes it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

loop=/sys/bus/platform/drivers/snd_aloop
status=/proc/asound/Loopback/pcm1c/sub0/status

# prints COMMAND TEXT: the output of the guest's command holds the text, whatever its exit code.
prints() {
  local output
  output=$(guest "$1 2>&1") || true
  [[ $output == *"$2"* ]] || { tail -n 5 <<< "$output" >&2; return 1; }
}

# configure LINE...: lines of [microphone] beside the card.
configure() {
  {
    echo "[microphone]"$'\n'"driver = alsa"
    printf '%s\n' "$@"
  } > "$bench/sound.conf"
  guest "echo $(base64 -w 0 "$bench/sound.conf") | base64 -d > /etc/talon/sound.conf"
}

ours=("card = Loopback" "device = 1")
record="talon listen record --config /etc/talon/sound.conf --out /tmp/heard.wav"
play="talon speaker tone --config /etc/talon/sound.conf --card Loopback --device 0 --hertz 1000"

# hears FORMAT RATE CHANNELS: a tone that is played so is heard at the other end as it was.
hears() {
  local output
  output=$(guest "$play --seconds 8 --format $1 --rate $2 --channels $3 & sleep 1.5; $record --seconds 2; kill \$! 2> /dev/null; wait" 2>&1) \
    || { say "$output"; return 1; }
  [[ $output == *"$1, "*"$2 Hz"* ]] || { say "$output"; return 1; }
  guest "base64 /tmp/heard.wav" | base64 -d > "$bench/heard.wav"
  "$root/board/peers/tone.py" "$bench/heard.wav" 1000 0.1 >&2
}

works() { hears S16_LE 48000 2; }

# stops_and_goes: a program that stood still for longer than the card holds loses some, says so, and goes on.
stops_and_goes() {
  local output
  output=$(guest "$play --seconds 12 & sleep 1; $record --seconds 4 & sleep 2; kill -STOP \$!; sleep 1.5; kill -CONT \$!; wait \$!" 2>&1) \
    || { say "$output"; return 1; }
  guest 'kill $(pidof talon) 2> /dev/null; sleep 0.5' || true
  [[ $output =~ ([1-9][0-9]*)\ gaps ]] || { say "$output"; return 1; }
}

begin "$out/test/sound"
mkdir -p "$bench/vm/files/etc/talon"
# As in `loop`: the guest's clock counts instructions, so that no sound is lost on a machine that is busy.
"$root/board/vm" start "$bench/vm" "" "snd-aloop snd-dummy" "" "" "-smp 1 -icount shift=1"

claim "without a card that is told" prints "talon listen list" "no sound card that captures was found"
guest "load snd-aloop pcm_substreams=1; load snd-dummy pcm_substreams=1"
claim "cards are listed by their names" prints "talon listen list" "Loopback  Loopback"
claim "with the controls of their mixers" prints "talon listen list" "control  Mic"
configure "${ours[@]}"

# Eight channels at 192 kHz are 6 MB a second, which an emulated processor plays and records without gaps on an idle machine only: the rate
# and the channels have a row each.
for row in "S16_LE 16000 1" "S24_3LE 44100 2" "S24_LE 44100 2" "S32_LE 48000 1" "S16_BE 48000 2" "S32_BE 8000 1" "FLOAT_LE 96000 2" \
  "S32_LE 192000 1" "S32_LE 16000 8" "S16_LE 11025 1"; do
  # shellcheck disable=SC2086  # three words
  claim "a tone is heard through $row" hears $row
done

claim "where nobody plays, it says that there are only zeros" prints "$record --seconds 3" "only zeros"
claim "a second program is told that the microphone is busy" \
  prints "$record --seconds 4 > /dev/null & sleep 1; $record --seconds 1; wait" "in use by another program"
claim "frames that nobody fetched are a gap, and no end" stops_and_goes

configure "card = Nobody"
claim "a card that is not there is told by its name" prints "$record" "sound card not found: Nobody"
configure "card = Loopback" "device = 7"
claim "and so is a device" prints "$record" "the sound card has no such device: 7"
configure "${ours[@]}" "channel = 40"
claim "and a channel" prints "$record" "no channel 40"

configure "card = Dummy" "control = Mic" "level = 50"
claim "a level of the configuration" guest "$record --seconds 1 > /dev/null || true"
claim "is that of the mixer" prints "talon listen list" "control  Mic  50 %"
configure "card = Dummy" "control = Mic" "level = 0"
claim "and with none the switch is off, which is told" prints "$record --seconds 1" "the mixer's switch is off"
configure "card = Dummy" "control = Nothing" "level = 10"
claim "a control that is not there is told" prints "$record --seconds 1" "no control Nothing"

configure "${ours[@]}"
claim "a card that is unplugged in the middle is told" \
  prints "$record --seconds 5 & sleep 1.5; echo snd_aloop.0 > $loop/unbind; wait \$!" "unplugged"
guest "echo snd_aloop.0 > $loop/bind"
claim "and works when it is back" works

# The agent, which knows no gateway.
guest "printf '\n[node]\nstate_directory = /tmp/state\nruntime_directory = /tmp/run\n[camera]\ndriver = none\n' >> /etc/talon/sound.conf"
guest "talon run --config /etc/talon/sound.conf >> $guest_log 2>&1 &"
listen="talon listen --once --json --config /etc/talon/sound.conf"
# A look opens it, and the next one finds it open.
hears_now() { prints "$listen; sleep 1; $listen" '"verdict"'; }
is_closed() { [[ $(guest "cat $status") == closed* ]]; }
claim "the agent starts" wait_for 20 log_says "no gateway"
claim "the microphone is closed while nobody wants to hear" is_closed
claim "who looks opens it" wait_for 10 hears_now
claim "and who looks no more closes it" wait_for 10 is_closed
guest "talon panic --config /etc/talon/sound.conf"
guest "$listen > /dev/null; sleep 1; $listen > /dev/null"
claim "while a person holds the board it stays closed" is_closed
guest "talon panic release --config /etc/talon/sound.conf"
claim "let go it is heard again" wait_for 10 hears_now
guest "($listen; sleep 1; $listen; echo snd_aloop.0 > $loop/unbind) > /dev/null"
claim "an unplugged card is told in the log" wait_for 10 log_says "the sound card was unplugged"
guest "echo snd_aloop.0 > $loop/bind"
claim "and heard again when it is back" wait_for 10 hears_now
