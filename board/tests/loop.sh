#!/usr/bin/env bash
# Waking to a phrase by a kernel's sound card (snd-aloop): recordings are played into one end of its loop, the x86_64 firmware listens
# at the other, in several forms of sample, and what follows the phrase arrives at a gateway; also after a gap, after the card was
# unplugged, and after the machine slept.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

driver=/sys/bus/platform/drivers/snd_aloop
status=/proc/asound/Loopback/pcm1c/sub0/status

# voice FILE MILLISECONDS PHRASE COMMAND: a phrase and what is wanted, by two voices in a quiet room, after so much silence.
voice() {
  local folder=$bench/voices
  mkdir -p "$folder"
  espeak-ng -v en-us+m3 -s 150 -w "$folder/phrase.wav" "$3"
  flite -voice slt -t "$4" -o "$folder/command.wav"
  ffmpeg -hide_banner -v error -y -i "$folder/phrase.wav" -i "$folder/command.wav" -f lavfi \
    -i "anoisesrc=r=16000:a=0.0005:d=$(( $2 / 1000 + 8 )):seed=1" -filter_complex "[0]aresample=16000,adelay=$2[p];\
[1]silenceremove=start_periods=1:start_threshold=-40dB,aresample=16000,adelay=$(( $2 + 1300 ))[c];[p][c][2]amix=inputs=3:duration=longest:normalize=0" \
    -ac 1 -ar 16000 "$1"
}

# play FILE FORMAT RATE CHANNELS: into the other end, and on while this goes on.
play() {
  guest "kill \$(cat /tmp/player 2> /dev/null) 2> /dev/null || true
    talon speaker play $1 --config /etc/talon/player.conf --card Loopback --device 0 --format $2 --rate $3 --channels $4 > /tmp/play.log 2>&1 & echo \$! > /tmp/player"
}

transcripts() { gateway nodes events | jq '[.events[] | select(.event == "voice.transcript" and (.payload.text | startswith("turn on the lamp")))] | length'; }
arrived() { (( $(transcripts) == $1 )); }
listens() { [[ $(guest "cat $status") != closed* ]]; }
is_closed() { ! listens; }

count=0
answers_once_more() {
  count=$(( count + 1 ))
  wait_for 60 arrived "$count" || { guest "cat /tmp/play.log" >&2; copy_log; tail -n 5 "$bench/talon.log" >&2; return 1; }
}

# is_woken: the phrase is played in the form in which Talon listens already, and one more transcript arrives.
is_woken() { play /voice.wav S16_LE 16000 1 && answers_once_more; }

# is_woken_through FORMAT RATE CHANNELS: the phrase is played so while nobody listens; who listens then takes the form that the player has. A
# board that was held has to find its gateway again before the phrase comes.
is_woken_through() {
  guest "talon panic --config /etc/talon/talon.conf > /dev/null"
  wait_for 20 is_closed
  play /late.wav "$@"
  guest "sleep 0.5; talon panic release --config /etc/talon/talon.conf > /dev/null"
  answers_once_more
}

stalls() { guest 'kill -STOP $(pidof talon); sleep 1.5; kill -CONT $(pidof talon)' && is_woken; }
reports_gap() { guest "talon listen --once --json --config /etc/talon/talon.conf" | grep -qE '"gaps":[1-9]'; }
sleeps() { guest "echo freeze > /sys/power/state"; }

begin "$out/test/loop"
start_gateway 0 --generation N
gateway talk expect "Computer, turn on the lamp" > /dev/null
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
cat >> "$bench/vm/files/etc/talon/talon.conf" <<'CONFIG'

[microphone]
driver = alsa
card = Loopback
device = 1

[speaker]
driver = none

[wake]
enabled = yes
phrases = computer

[operator]
enabled = yes
CONFIG
printf '[speaker]\ndriver = alsa\n' > "$bench/vm/files/etc/talon/player.conf"
voice "$bench/vm/files/voice.wav" 1500 computer "turn on the lamp"
voice "$bench/vm/files/late.wav" 20000 computer "turn on the lamp"
# The guest's clock counts instructions, 500 million a second: however slow this machine is, no sound is lost that a board of that
# speed would have heard.
"$root/board/vm" start "$bench/vm" "" "snd-aloop" "" "" "-smp 1 -icount shift=1"
guest "load snd-aloop pcm_substreams=1"

start_talon
pairs log_says
wait_for 60 is_pending || die "no request for the console connection arrived"
gateway devices approve "$(pending_request)" > /dev/null
claim "it listens for its phrase on a kernel's card" wait_for 60 log_says "listens for 1 phrases"
claim "whose microphone is open" wait_for 20 listens
claim "the phrase is heard, and what follows arrives" is_woken
claim "and after a gap, for it stood still for longer than the card holds" stalls
claim "which is counted" reports_gap
guest "echo snd_aloop.0 > $driver/unbind"
claim "a card that is unplugged is told" wait_for 20 log_says "the sound card was unplugged"
guest "echo snd_aloop.0 > $driver/bind"
claim "it listens again when the card is back" wait_for 30 listens
claim "and is woken" is_woken
# All devices are put to sleep and woken as before and after a suspension, without the sleep itself.
guest "echo devices > /sys/power/pm_test; echo 1 > /sys/module/suspend/parameters/pm_test_delay"
claim "the machine's devices sleep and wake" sleeps
claim "it listens after that" wait_for 30 listens
claim "and the gateway knows it again" wait_for 60 is_connected
claim "and is woken" is_woken
for row in "S24_LE 44100 2" "S32_LE 48000 2"; do
  # shellcheck disable=SC2086  # three words
  claim "the phrase is heard through $row" is_woken_through $row
done
