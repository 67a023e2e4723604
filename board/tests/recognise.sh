#!/usr/bin/env bash
# The board's own recogniser (pocketsphinx) in the x86_64 firmware: what a synthesizer says into the microphone of a board whose gateway
# does not understand it arrives there as text, and at a gateway that was away as a transcript that waited; what it costs is given back.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

model=/usr/share/pocketsphinx/model/en-us

# speaks TEXT...: each after half a second of silence, in one of flite's voices, then silence.
speaks() {
  local text list=() number=0
  for text in "$@"; do
    flite -voice slt -t "$text" -o "$bench/words-$number.wav"
    list+=(-f lavfi -t 0.5 -i anullsrc=r=16000:cl=mono -i "$bench/words-$number.wav")
    number=$(( number + 1 ))
  done
  ffmpeg -hide_banner -v error -y "${list[@]}" -filter_complex "concat=n=$(( 2 * number )):v=0:a=1,apad=whole_dur=${seconds-12}" \
    -ar 16000 -ac 1 -c:a pcm_s16le "$bench/mouth.wav"
}

# once FILTER: what push to talk answers satisfies the jq filter.
once() {
  local payload
  payload=$(invoke talk.ptt.once '{}' --timeout 90000) || { say "$payload"; return 1; }
  jq -e "$1" <<< "$payload" > /dev/null || { say "$payload"; return 1; }
}
refuses_late() {
  local error
  if error=$(invoke talk.ptt.once '{}' --timeout 90000); then say "$error"; return 1; fi
  [[ $error == *"$1"* ]] || { say "$error"; return 1; }
}
prints_some() { grep -qF -- "$1" <("${@:2}"); }
memory() { awk "/$1/ { print \$2 }" "/proc/$2/status"; }
# The process in which the model is; nothing while there is none.
listener() { pgrep -P "$agent" -f 'recognise --serve'; }
has_none() { ! listener > /dev/null; }
told_figure() { grep -o "$1" "$bench/told" | tail -1; }

starts() {
  start_emulated x86_64 "$1"
  agent=$!
}
stops() {
  kill -TERM "$agent"
  claim "TERM ends it with 0" wait "$agent"
}

begin "$out/test/recognise"
"$root/board/prepare" recogniser
sound="[microphone]
driver = simulated
file = $bench/mouth.wav

[talk]
chime = none
recogniser = $model

[operator]
enabled = yes"

speaks "how are you today"
claim "a recording is understood from the command line" eval \
  '"$out/x86_64/talon" recognise --model "$model" "$bench/mouth.wav" > "$bench/told" && grep -q ": how are you today$" "$bench/told"'
say "    $(sed 's|.*mouth.wav: .*||; /^$/d' "$bench/told" | paste -sd ' ')"
mkdir -p "$bench/bad/en-us/en-us"
ln -s "$model"/en-us/* "$bench/bad/en-us/en-us/"
ln -s "$model"/*.bin "$model"/*.dict "$bench/bad/en-us/"
rm "$bench/bad/en-us/en-us/mdef"
claim "a model without one of its files is named" eval \
  '! "$out/x86_64/talon" recognise --model "$bench/bad/en-us" "$bench/mouth.wav" 2> "$bench/told" && grep -q "en-us/mdef: " "$bench/told"'

start_gateway 0
starts "$sound"
pairs log_says
wait_for 30 is_pending || die "no request for the console connection arrived"
gateway devices approve "$(pending_request)" > /dev/null
claim "the console connection is there" wait_for 30 status_says "operator online"
gateway talk fail "out of quota" --at-once > /dev/null
before=$(memory VmRSS "$agent")
claim "nothing is loaded while nobody speaks" has_none
claim "where the gateway understands nothing the board does" once '.status == "queued" and .transcript == "how are you today"'
claim "the agent is asked" wait_for 10 prints_some "how are you today" talon history
claim "and told how far to trust it" prints_some "Understood on the board, which expects" talon history
process=$(listener)
say "    the agent: $before kB before, $(memory VmRSS "$agent") kB now; the recogniser's process: $(memory VmRSS "$process") kB, $(memory VmHWM "$process") kB at most"
claim "the agent has no part in its memory" eval '(( $(memory VmRSS "$agent") - before < 8192 ))'
claim "the memory of a board's service has room for it" eval '(( $(memory VmHWM "$process") <= 144 * 1024 ))'

# Who kills it in the midst gets another one.
kill -9 "$process"
claim "killed, it is there again for the next one" once '.status == "queued" and .transcript == "how are you today"'

# Who looks sees what the recogniser makes of what is said, and nobody else does.
shows() { grep -qE "$1" <(talon listen --once); }
events() { gateway nodes events | jq '[.events[] | select(.event == "voice.transcript" or .event == "agent.request")] | length'; }
sent=$(events)
claim "talon listen shows the words, and how sure the recogniser is" wait_for 60 shows '^words       "how are you today" \([0-9]+ %\)$'
told_words() { talon listen --once --json | jq -e '.words.text == "how are you today" and .words.confidence > 0.4 and .words.isEnough' > /dev/null; }
claim "and so does --json" wait_for 60 told_words
claim "nothing of it is sent" test "$(events)" = "$sent"
claim "nor logged" eval '! log_says "how are you today"'
"$out/x86_64/talon" listen --config "$bench/board/talon.conf" > /dev/null &
viewer=$!
claim "whoever talks with the board goes before who looks" once '.status == "queued" and .transcript == "how are you today"'
claim "who looks sees the words again after it" wait_for 60 told_words
kill "$viewer"

ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(between(t\,0.5\,1.5)\,random(0)/2-0.25\,0):s=16000:d=12" -c:a pcm_s16le "$bench/mouth.wav"
claim "noise is no order" once '.status == "empty" and .transcript == null'
stops
claim "and its memory is given back" has_none

# A model that is there, but damaged where no look at its files shows it.
cp --remove-destination "$model/en-us/mdef" "$bench/bad/en-us/en-us/mdef"
truncate -s 1000 "$bench/bad/en-us/en-us/mdef"
speaks "how are you today"
starts "${sound/$model/$bench/bad/en-us}"
claim "with a damaged model it serves" wait_for 30 is_connected
claim "the console connection is there" wait_for 30 status_says "operator online"
claim "who speaks is told" refuses_late "Speech recognizer unavailable"
claim "the log says what is wrong" log_says "the board's own recognizer cannot load its model"
rm "$bench/bad/en-us/en-us/mdef"
claim "a file that is missing is told by its name" eval \
  'refuses_late "Speech recognizer unavailable" && log_says "en-us/mdef: no such file"'
stops
claim "the doctor names it, too" prints_some "en-us/mdef" talon doctor

# After a wake phrase, without a gateway.
stop_gateway
seconds=16 speaks computer "water the plants tomorrow"
starts "$sound

[wake]
enabled = yes"
claim "a command after a wake phrase is understood" wait_for 40 log_says "recognized here with a confidence"
start_gateway "$gateway_port"
claim "and waits for the gateway" wait_for 60 heard voice.transcript \
  '(.payload.text | test("plants|tomorrow") and startswith("[Understood on the board, which expects "))'
claim "under an id of its own, without the phrase" heard voice.transcript '(.payload.eventId | length) == 32 and (.payload.text | test("computer") | not)'
claim "no frame broke the schema" violations 0
stops
stop_gateway
