#!/usr/bin/env bash
# Push to talk between the x86_64 firmware, whose microphone hears a file and whose speaker writes one, and gateways that share no code
# with it: what was said arrives there as sound, comes back as text, reaches the agent, and the reply is spoken; and conversations, in
# which sound goes both ways.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/player.sh"

# hears MILLISECONDS: half a second of silence, so much of a tone at a quarter of full scale, then silence.
hears() {
  ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(between(t\,0.5\,0.5+$1/1000)\,sin(2*PI*1000*t)/4\,0):s=16000:d=30" \
    -c:a pcm_s16le "$bench/mouth.wav"
}

# talks_in_turns: a second of a tone and two of silence, over and over.
talks_in_turns() {
  ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(between(mod(t\,3)\,0.5\,1.5)\,sin(2*PI*1000*t)/4\,0):s=16000:d=30" \
    -c:a pcm_s16le "$bench/mouth.wav"
}

# once FILTER: what push to talk answers satisfies the jq filter.
once() { answers_late talk.ptt.once "$1"; }
# answers_late COMMAND FILTER: as `answers`, for what takes as long as somebody speaks, and a gateway to understand it.
answers_late() { answers_to "$1" '{}' "$2"; }
# answers_to COMMAND PARAMETERS FILTER
answers_to() {
  local payload
  payload=$(invoke "$1" "$2" --timeout 60000) || { say "$payload"; return 1; }
  jq -e "$3" <<< "$payload" > /dev/null || { say "$payload"; return 1; }
}
refuses_late() {
  local error
  if error=$(invoke "$1" '{}' --timeout 60000); then say "$error"; return 1; fi
  [[ $error == *"$2"* ]] || { say "$error"; return 1; }
}
# heard_last FILTER: what the gateway heard last, as it measured it.
heard_last() { gateway talk heard | jq -e ".sessions[-1] | $1" > /dev/null || { gateway talk heard >&2; return 1; }; }
spoke_last() { gateway talk heard | jq -e ".spoken[-1] | $1" > /dev/null; }
# films NAME MILLISECONDS: a clip of the camera arrives with what the microphone hears, and plays, as long as was asked.
films() {
  invoke camera.clip "{\"durationMs\":$2,\"includeAudio\":true}" --timeout 60000 --out "$bench/$1.mp4" > "$bench/$1.json" || { cat "$bench/$1.json" >&2; return 1; }
  jq -e '.format == "mp4" and .hasAudio == true' "$bench/$1.json" > /dev/null && plays "$bench/$1.mp4" && lasts "$bench/$1.mp4" "$2" 100
}
# The tone of the gateway's voice, as it went out of the speaker.
is_spoken() { "$root/board/peers/tone.py" "$bench/speaker.wav" 1000 0.25 > /dev/null 2>&1; }
# Something as loud as that tone, in pieces.
is_loud() { grep -qE '^peak 0\.2[45]' <("$root/board/peers/tone.py" "$bench/speaker.wav" 1000 0.25 2> /dev/null); }
# speaks LEAST MOST: the speaker played speech, loud for so many seconds. Its file is whole when the speaker was closed.
speaks() { "$root/board/peers/heard.py" "$bench/speaker.wav" speech "$@" > /dev/null 2>&1; }
chimes() { "$root/board/peers/heard.py" "$bench/speaker.wav" notes "$@" > /dev/null 2>&1; }
# told FILTER: an event that readers of the gateway got.
told() { sed -n 's/^[^{]*//p' "$bench/gateway.log" | grep -F '"event":"talk.event"' | jq -es "any(.[]; $1)" > /dev/null; }
# holds_by_console TEXT: two seconds between the beginning and Enter.
holds_by_console() { prints_some "$1" eval '{ sleep 2; echo; } | talon talk'; }
prints_some() { grep -qF -- "$1" <("${@:2}"); }
has_talk() { gateway nodes status | jq -e 'any(.nodes[]; .commands | index("talk.ptt.once"))' > /dev/null; }

sound='[microphone]
driver = simulated
file = BENCH/mouth.wav
gain = 0
denoise = off

[speaker]
driver = simulated
file = BENCH/speaker.wav

[talk]
chime = none
mode = MODE
commands = yes

[operator]
enabled = yes'

# begins GENERATION [OPTION...]: $mode says what talk mode is; a board and a gateway of that age that know each other, in both roles.
begins() {
  say "generation $1 ${*:2}"
  begin "$out/test/talk-$1"
  start_gateway 0 --generation "$@"
  hears 2400
  local lines=${sound//BENCH/$bench}
  start_emulated x86_64 "${lines/MODE/${mode-turns}}"
  agent=$!
  pairs log_says
  wait_for 30 is_pending || die "no request for the console connection arrived"
  gateway devices approve "$(pending_request)" > /dev/null
  claim "the console connection is there" wait_for 30 status_says "operator online"
}

ends() {
  claim "no frame broke the schema" violations 0
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
  stop_gateway
}

# understands: somebody speaks for 2.4 s, which arrives at the gateway as it was and comes back as text.
understands() {
  gateway talk expect "turn on the lamp" > /dev/null
  claim "the node has push to talk" wait_for 10 has_talk
  claim "what is said comes back as text" once \
    '.status == "queued" and (.transcript | startswith("turn on the lamp (")) and .captureId != ""'
  claim "its sound arrived in its length" heard_last \
    '.speechMilliseconds >= 2300 and .speechMilliseconds <= 2500 and (.transcripts | length) == 1'
  claim "and in its loudness" heard_last '.peak > 7700 and .peak < 8700'
  claim "the agent was asked" wait_for 10 prints_some "turn on the lamp (" talon history
  claim "its reply, which repeats that, becomes speech" wait_for 20 spoke_last '.text // "" | startswith("turn on the lamp (")'
  claim "which the speaker played" wait_for 30 is_spoken
}

# transcribes GENERATION [OPTION...]: all that push to talk does.
transcribes() {
  begins "$@"
  understands
  claim "readers were told of the capture" told \
    '.payload.talkEvent.type == "capture.once" and .payload.talkEvent.payload.status == "queued"'

  hears 20000
  claim "a clip of the camera has the sound of the microphone" films clip 3000
  claim "all of it, as it was" sounds "$bench/clip.mp4" 3000
  claim "in step with the pictures" in_step "$bench/clip.mp4"
  claim "a button that is pressed opens the microphone" answers_late talk.ptt.start '.captureId != ""'
  sleep 2
  claim "let go, what was said comes back" answers_late talk.ptt.stop \
    '.status == "queued" and (.transcript | startswith("turn on the lamp ("))'
  claim "it was as long as the button was held" heard_last '.speechMilliseconds > 1000 and .speechMilliseconds < 4000'
  claim "the console holds it, too" holds_by_console "understood: turn on the lamp ("
  claim "another press" answers_late talk.ptt.start '.captureId != ""'
  claim "can be taken back" answers_late talk.ptt.cancel '.status == "cancelled" and .transcript == null'

  claim "what is said is a text of a command" answers_to stt.listen '{"timeoutMs":60000}' \
    '(.text | startswith("turn on the lamp (")) and .engineEffective == "gateway" and .durationMs > 2000'
  claim "for as long as it is told, too" answers_to stt.transcribe '{"maxDurationMs":3000}' \
    '.transcribed and (.text | startswith("turn on the lamp (")) and .durationMs >= 2900 and .durationMs <= 3200'
  claim "the gateway understands for the board" answers_to stt.status '{}' '.engine == "gateway" and .readiness == "ready"'

  hears 0
  claim "silence is nothing" once '.status == "empty" and .transcript == null'
  claim "though the gateway listened to all of it" heard_last '.milliseconds > 8000 and .speechMilliseconds == 0'

  hears 1000
  gateway talk fail "out of quota" > /dev/null
  claim "a gateway that fails in the end has only guessed, and that is no order" refuses_late talk.ptt.once "Speech recognizer unavailable"
  gateway talk fail "out of quota" --at-once > /dev/null
  claim "where it fails at once nobody understands" refuses_late talk.ptt.once "Speech recognizer unavailable"
  claim "and the log says why" log_says "out of quota"
  gateway talk expect "are you there" > /dev/null
  gateway talk mute > /dev/null
  claim "a gateway without a voice" once '.transcript | startswith("are you there (")'
  claim "leaves speaking to the board, which the log says" wait_for 20 log_says "the board speaks with its own voice: "
  claim "and which the speaker played" wait_for 30 speaks 0.5 9
  rm -f "$bench/speaker.wav"
  claim "what the gateway wants said is said" answers_to tts.speak '{"text":"The tank is full, and the pump is off.","provider":"other"}' \
    '.spoken and .provider == "board" and .requestedProvider == "other" and .fellBack and .durationMs > 1000'
  claim "by the board's own voice" wait_for 10 speaks 1 4
  rm -f "$bench/speaker.wav"
  claim "what a person at the board wants said is said" talon say "The kettle has boiled, and the door is open."
  claim "by the same voice" wait_for 10 speaks 1 4
  ends
}

# forms OPTION...: other sound, and the other form of events.
forms() {
  begins N "$@"
  understands
  ends
}

# conversation FILTER: the gateway's last realtime session satisfies it.
conversation() { gateway talk heard | jq -e "[.sessions[] | select(.mode == \"realtime\")][-1] | $1" > /dev/null; }
transcripts() { conversation "(.transcripts | length) > $1"; }
talk_status() { grep -qE -- "$1" <(talon talk --mode status); }

# converses GENERATION [OPTION...]: talk mode as a conversation.
converses() {
  mode=realtime begins "$@"
  # A reply to that takes ten seconds, unless somebody interrupts it.
  gateway talk expect "$(printf 'word %.0s' {1..60})" > /dev/null
  talks_in_turns
  claim "talk mode is switched on" talon talk --mode on
  claim "and is a conversation" wait_for 10 talk_status 'conversing'
  claim "what is said arrives in its loudness" wait_for 30 conversation '.peak > 7700 and .peak < 8700 and .transcripts != []'
  claim "what the gateway says comes out of the speaker" wait_for 30 is_loud
  claim "who speaks meanwhile ends that" wait_for 30 conversation '.cancels > 0'
  claim "and is heard again" wait_for 30 transcripts 1
  gateway talk expect "short" --stalls-after 2 > /dev/null
  local count
  count=$(gateway talk heard | jq '[.sessions[] | select(.mode == "realtime")][-1].transcripts | length')
  claim "a gateway that stops in the midst of its words does not stop the conversation" wait_for 40 transcripts $(( count + 2 ))
  gateway talk expect "ask where the lamp is" > /dev/null
  claim "what the voice asks the agent is asked, and it says what the agent answers" wait_for 40 \
    conversation '(.answers[-1] // "") | startswith("You said: where the lamp is")'
  gateway talk fail "out of quota" > /dev/null
  claim "a conversation that breaks is told" wait_for 30 log_says "the conversation ended with an error"
  claim "with the reason" log_says 'the gateway broke it off: "out of quota"'
  claim "talk mode is switched off" talon talk --mode off
  claim "and nothing is left open" talk_status 'off, realtime'
  claim "no session either" wait_for 10 conversation '.state != "open"'
  ends
}

# tones: what the board does is heard.
tones() {
  local sound=${sound/chime = none/$'chime = both\nspeak = no'}
  begins N
  hears 20000
  gateway talk expect "hello" > /dev/null
  claim "the microphone opens" answers_late talk.ptt.start '.captureId != ""'
  claim "two notes up tell that the board listens" wait_for 10 chimes 659.26 987.77
  rm -f "$bench/speaker.wav"
  claim "the button is let go" answers_late talk.ptt.stop '.status == "queued"'
  claim "two notes down tell that it was sent" wait_for 10 chimes 987.77 659.26
  ends
}

# A gateway that cannot listen.
too_old() {
  mode=realtime begins "$1"
  claim "talk mode is turns with a gateway of before talk sessions" talon talk --mode on
  claim "and the log says so" wait_for 10 log_says "the gateway offers no conversation to this board"
  claim "it is switched off" talon talk --mode off
  claim "with a gateway of before talk sessions nobody understands" refuses_late talk.ptt.once "Speech recognizer unavailable"
  ends
}

"$root/board/prepare" player
transcribes N
converses N
converses J --talk-events common
forms --talk-audio pcm_24000 --talk-events common
forms --talk-audio pcm_16000 --talk-drain-ms 0
tones
too_old M
transcribes J
