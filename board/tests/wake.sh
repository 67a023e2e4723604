#!/usr/bin/env bash
# Waking to a phrase: a room in which synthetic voices speak, the x86_64 firmware whose microphone is in it, and a gateway. First with
# simulated devices, then on a kernel's sound card, whose other end another Talon plays into.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

# Who says the phrase: a voice of espeak-ng, or one of flite instead.
espeak_voice=en-us+m3
flite_voice=

# sound OUTPUT SECONDS PHRASE COMMAND: both as WAV after so much silence, spoken by two voices. Prints where the phrase ends.
sound() {
  local folder=$bench/voices
  mkdir -p "$folder"
  if [[ $flite_voice ]]; then flite -voice "$flite_voice" -t "$3" -o "$folder/phrase.wav"
  else espeak-ng -v "$espeak_voice" -s 150 -w "$folder/phrase.wav" "$3"; fi
  flite -voice slt -t "$4" -o "$folder/command.wav"
  # The last sample of a phrase is where its level falls under a hundredth.
  ffmpeg -hide_banner -v error -y -i "$folder/phrase.wav" -af "silenceremove=start_periods=1:start_threshold=-40dB,areverse,\
silenceremove=start_periods=1:start_threshold=-40dB,areverse" -ar 16000 -ac 1 "$folder/cut.wav"
  ffmpeg -hide_banner -v error -y -f lavfi -i "anullsrc=r=16000:cl=mono" -i "$folder/cut.wav" -i "$folder/command.wav" -filter_complex \
    "[0]atrim=0:$2,asplit[a][b];[b]atrim=0:0.3[c];[2]silenceremove=start_periods=1:start_threshold=-40dB,aresample=16000[d];[a][1][c][d]concat=n=4:v=0:a=1" -ar 16000 -ac 1 -f wav "$1"
  ffprobe -v error -show_entries format=duration -of csv=p=0 "$folder/cut.wav" | awk "{ print $2 + \$1 }"
}

# says_aloud PHRASE COMMAND: in the room of the simulated microphone.
says_aloud() {
  rm -f "$bench/latency" "$bench/chime.wav"
  sound "$bench/say.new" 0.6 "$1" "$2" > "$bench/say.end"
  mv "$bench/say.new" "$bench/say.wav"
}

# teaches PHRASE: says it whenever talon listen --enrol asks for it.
teaches() {
  local said=0 enrol
  sound "$bench/alone.wav" 0.3 "$1" "$1" > /dev/null
  ffmpeg -hide_banner -v error -y -i "$bench/voices/cut.wav" -af adelay=300 "$bench/alone.wav"
  rm -f "$bench/say.end"
  "$out/x86_64/talon" listen --enrol "$1" --config "$bench/board/talon.conf" > "$bench/enrol.log" 2>&1 &
  enrol=$!
  while kill -0 "$enrol" 2> /dev/null; do
    if (( $(grep -c ': now$' "$bench/enrol.log") > said )); then
      said=$(( said + 1 ))
      cp "$bench/alone.wav" "$bench/say.new"
      mv "$bench/say.new" "$bench/say.wav"
    fi
    sleep 0.1
  done
  wait "$enrol"
}

# transcribed FILTER: such a transcript arrived.
transcribed() { heard voice.transcript "(.payload | $1)"; }
transcripts() { gateway nodes events | jq '[.events[] | select(.event == "voice.transcript")] | length'; }
no_more_than() { (( $(transcripts) <= $1 )); }
wakes_by_voice() { gateway nodes status | jq -e 'any(.nodes[]; .caps | index("voiceWake"))' > /dev/null; }
# The two notes, one after the other, each nearly alone.
chimes() {
  ffmpeg -hide_banner -v error -y -ss 0.012 -t 0.05 -i "$bench/chime.wav" "$bench/first.wav"
  ffmpeg -hide_banner -v error -y -ss 0.085 -t 0.08 -i "$bench/chime.wav" "$bench/second.wav"
  "$root/board/peers/note.py" "$bench/first.wav" 659.26 && "$root/board/peers/note.py" "$bench/second.wav" 987.77
}

wake='[microphone]
driver = simulated
file = BENCH/ear
gain = 0
denoise = off

[speaker]
driver = simulated
file = BENCH/speaker.wav

[wake]
enabled = yes
learn = no
cautions = hey claude -10

[operator]
enabled = yes'

begin "$out/test/wake"
start_gateway 0 --generation N
mkfifo "$bench/ear"
"$root/board/peers/mouth.py" "$bench/ear" "$bench/speaker.wav" "$bench" &
start_emulated x86_64 "${wake//BENCH/$bench}"
agent=$!
pairs log_says
wait_for 30 is_pending || die "no request for the console connection arrived"
gateway devices approve "$(pending_request)" > /dev/null
claim "the console connection is there" wait_for 30 status_says "operator online"
claim "it claims that it wakes by voice" wait_for 10 wakes_by_voice
claim "it listens for the gateway's phrases" log_says "listens for 3 phrases"
claim "talon status names them" status_says "openclaw, claude, computer"

gateway talk expect "Computer, turn on the lamp" > /dev/null
gateway talk route computer agent:main:lamps > /dev/null
says_aloud computer "turn on the lamp"
claim "a phrase is heard" wait_for 20 log_says "heard: computer"
claim "and answered by a chime" wait_for 20 test -s "$bench/latency"
claim "$(< "$bench/latency") ms after the phrase's end, of at most 300" test "$(< "$bench/latency")" -le 300
claim "of two notes up" chimes
claim "what is said after it arrives without it, in the session that the route names" wait_for 30 transcribed \
  '(.text | startswith("turn on the lamp (") and (contains("omputer") | not)) and .sessionKey == "agent:main:lamps"'

talon voicewake "hey claude" "hey nobody" > /dev/null
claim "another list of the gateway takes effect" wait_for 5 log_says "listens for 1 phrases"
claim "a phrase that nobody can be heard with is named in the log" log_says 'cannot detect "hey nobody"'
claim "and in the status" status_says "no vector for: hey nobody"
claim "and told by the health" answers device.health '{}' '.services.wake.state == "error"'
prints_doctor() { grep -qF "cannot detect hey nobody" <(talon doctor 2> /dev/null); }
claim "and by the doctor" prints_doctor
gateway talk expect "hey claude are you there" > /dev/null
says_aloud computer "are you there"
sleep 6
claim "the phrase of before wakes nobody" no_more_than 1
says_aloud "hey claude" "are you there"
shows() { grep -qE "$1" <(talon listen --once); }
claim "talon listen shows the scores of both" wait_for 10 shows 'hey claude: .*, needs'
claim "the new one does, to the session of before" wait_for 30 transcribed \
  '(.text | startswith("are you there (")) and (.sessionKey // "" | contains("lamps") | not)'
claim "nothing else came" no_more_than 2

# What nobody has a vector for, a person teaches it while it runs.
claim "a phrase is taught to the running agent by saying it" teaches "hey nobody"
claim "which lends its microphone for that" grep -q "The running agent lends its microphone" "$bench/enrol.log"
claim "and takes it over at once" grep -q "The running agent listens for it" "$bench/enrol.log"
claim "so the status says" wait_for 5 status_says "learned from recordings: hey nobody"
gateway talk expect "hey nobody open the door" > /dev/null
says_aloud "hey nobody" "open the door"
claim "it wakes the board" wait_for 20 log_says "heard: hey nobody"
claim "and what is said after it arrives" wait_for 30 transcribed '(.text | startswith("open the door (")) and (.sessionKey // "" | contains("lamps") | not)'
claim "nothing woke it while it was taught" no_more_than 3
claim "the same phrase is forgotten" talon listen --forget "hey nobody"
claim "which the running agent knows at once, too" wait_for 5 status_says "no vector for: hey nobody"

# What nobody has a vector for, the board learns from its spelling. First its process is killed in the middle.
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
sed -i '/^learn = no$/d' "$bench/board/talon.conf"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
learner() { pgrep -P "$agent" -f 'talon listen --serve'; }
# It makes itself the last when it has begun.
is_last() { [[ $(ps -o ni= -p "$(learner)" | tr -d ' ') == 19 ]]; }
claim "with learn = yes the phrase of before is learned" wait_for 20 log_says '"hey nobody" is being learned from its spelling'
claim "the console connection is there again" wait_for 30 status_says "operator online"
talon voicewake "purple dragon" "hey claude" > /dev/null
claim "another list calls that back, and begins with its own" wait_for 10 log_says '"purple dragon" is being learned from its spelling'
claim "a process of its own does it" wait_for 5 learner
claim "which comes last on the machine" wait_for 5 is_last
claim "the status says so" status_says "is being learned: purple dragon"
claim "and talon listen" shows 'purple dragon: is being learned from its spelling'
claim "the doctor, too" grep -qF "is being learned: purple dragon" <(talon doctor 2> /dev/null)
claim "the health is well meanwhile" answers device.health '{}' '.services.wake.state == "ok"'
kill -KILL "$(learner)"
claim "a process that is killed is told" wait_for 5 log_says '"purple dragon" could not be learned from its spelling: its process was ended by signal 9; it is tried again in 5 s'
claim "and tried again" wait_for 200 log_says '"purple dragon" is learned from its spelling in '
say "  $(grep -o '"purple dragon" is learned from its spelling in .*' "$bench/talon.log")"
claim "the status says how" status_says "learned from spelling: purple dragon"
claim "nothing of it runs any more" exits_with 1 learner
gateway talk expect "Purple dragon, turn on the lamp" > /dev/null
flite_voice=kal16
says_aloud "purple dragon" "turn on the lamp"
claim "a voice that it has never heard wakes it" wait_for 20 log_says "heard: purple dragon"
claim "and what is said after it arrives" wait_for 30 transcribed \
  '(.text | startswith("turn on the lamp (")) and (.sessionKey // "" | contains("lamps") | not)'
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "it is known after a restart" wait_for 10 log_says "listens for 2 phrases"
says_aloud "purple dragon" "turn on the lamp"
claim "and heard" wait_for 20 log_says "heard: purple dragon"
flite_voice=
talon voicewake "hey claude" > /dev/null
claim "another list takes effect" wait_for 5 log_says "listens for 1 phrases"

stop_gateway
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "without its gateway it listens for what that named last" wait_for 10 log_says "listens for 1 phrases"
rm -f "$bench/latency"
says_aloud "hey claude" "hello"
claim "and hears it" wait_for 20 log_says "heard: hey claude"
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
printf x | dd of="$bench/board/state/phrases" bs=1 seek=20 conv=notrunc 2> /dev/null
rm -f "$bench/board/state/phrases.old"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "a damaged list is told" wait_for 10 log_says "the stored phrases cannot be read"
claim "and the usual one takes its place" wait_for 10 log_says "listens for 3 phrases"
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"

# Another language: a folder with a text file, and espeak-ng's voices of it.
mkdir "$bench/german"
printf 'language = de\nname = German\nvoices = de\nletters = äöüß\n' > "$bench/german/model.conf"
sed -i "s|^\[wake\]$|[wake]\nmodel = $bench/german\nphrases = guten morgen|" "$bench/board/talon.conf"
# learns_typed PHRASE: what it says stands in typed.txt, the most KiB of memory that it or espeak-ng had in typed.kib.
learns_typed() {
  python3 -c 'import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[1], "w"))
sys.exit(code)' "$bench/typed.kib" "$out/x86_64/talon" listen --enrol "$1" --typed --config "$bench/board/talon.conf" > "$bench/typed.txt" 2>&1
}
refuses_typed() { ! learns_typed "$1" && grep -qF "$2" "$bench/typed.txt"; }
claim "a phrase with letters that the language has not is named" refuses_typed "žluť" '"žluť" has letters that no voice of German pronounces'
claim "a German phrase is learned from its spelling" learns_typed "Guten Morgen"
claim "by espeak-ng's voices alone" grep -qE "said 128 times, 128 of them by espeak-ng" "$bench/typed.txt"
say "  $(grep -F 'said 128 times' "$bench/typed.txt")"
# Budget.spellingProcessBytes is for both.
claim "in $(( $(< "$bench/typed.kib") / 1024 )) MiB, which with espeak-ng's 8 are less than the 32 that a learning process may have" test "$(< "$bench/typed.kib")" -le 24576
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "the agent listens for it" wait_for 10 log_says "listens for 1 phrases"
claim "and says which language it learns in" status_says "learns phrases in German"
espeak_voice=de+Andy
says_aloud "guten morgen" "hello"
claim "a German voice that it has never heard wakes it" wait_for 20 log_says "heard: guten morgen"
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
head -c 1000 /dev/zero > "$bench/german/speech.bin"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "a model that is damaged is told by its file" wait_for 10 log_says "[wake] model: $bench/german/speech.bin is not a bank of speech: no phrase is learned"
claim "also by the status" status_says "learns none: $bench/german/speech.bin is not a bank of speech"
claim "and what is known is listened for" wait_for 10 log_says "listens for 1 phrases"
kill -TERM "$agent"
wait "$agent"
