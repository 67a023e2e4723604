#!/usr/bin/env bash
# Recordings of the screen, as an independent player sees them: the x86_64 firmware with a screen that nobody sees. What was on the
# screen is in the recording, in its colours and at its time, with what the microphone hears; it fits a message however busy the screen is.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/player.sh"

talon=${TALON-$out/x86_64/talon}

# records NAME MILLISECONDS RATE: a recording arrives, says what it is, and plays for as long as was asked, to one picture.
records() { records_with true "$@"; }

# records_with SOUND NAME MILLISECONDS RATE
records_with() {
  local sound=$1; shift
  invoke screen.record "{\"durationMs\":$2,\"fps\":$3,\"includeAudio\":$sound}" --timeout $(( $2 + 20000 )) --out "$bench/$1.mp4" \
    > "$bench/$1.json" || { cat "$bench/$1.json" >&2; return 1; }
  jq -e ".format == \"mp4\" and .durationMs == $2 and .fps == $3 and .screenIndex == 0 and .hasAudio == $sound" \
    "$bench/$1.json" > /dev/null || { cat "$bench/$1.json" >&2; return 1; }
  plays "$bench/$1.mp4" && lasts "$bench/$1.mp4" "$2" $(( 1000 / $3 ))
}

# has FILE FILTER: what ffprobe tells of its pictures.
has() { probe "$1" ".streams[0] | $2"; }
pictures() { ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1" | tr -d ,; }

# colors FILE: "SECONDS RRGGBB" of the middle of every picture.
colors() {
  paste -d ' ' <(ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 "$1" | tr -d ,) \
    <(ffmpeg -hide_banner -v error -i "$1" -fps_mode passthrough -vf "crop=32:32:(iw-ow)/2:(ih-oh)/2,scale=1:1:out_range=pc" \
      -f rawvideo -pix_fmt rgb24 - | od -An -v -tx1 -w3 | tr -d ' ')
}

# is_near COLOR COLOR: to 6 of 255.
is_near() {
  local place
  for place in 0 2 4; do
    local distance=$(( 16#${1:place:2} - 16#${2:place:2} ))
    (( distance >= -6 && distance <= 6 )) || { say "$1 is not $2"; return 1; }
  done
}

# snapshot NAME: a picture of the screen as PNG.
snapshot() { invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/$1.png" > "$bench/$1.png.json"; }

# middle NAME: the colour in the middle of that picture.
middle() {
  "$root/board/peers/png.py" "$bench/$1.png" "$bench/$1.ppm" > /dev/null
  "$root/board/peers/web.py" pixel "$bench/$1.ppm" 240 160
}

# fills COLOR: all of the screen.
fills() {
  answers canvas.draw "{\"op\":\"draw\",\"elements\":[{\"id\":\"a\",\"type\":\"shape\",
    \"bounds\":{\"x\":0,\"y\":0,\"width\":1280,\"height\":720},\"style\":{\"color\":\"#$1\"}}]}" .ok
}

# shows_in_order FILE NAME...: the middle of its pictures goes through the colours of these snapshots, one after the other.
shows_in_order() {
  local file=$1 at=0 last="" color names=("${@:2}")
  colors "$file" > "$file.colors"
  while read -r _ color; do
    [[ $color != "$last" ]] || continue
    last=$color
    while (( at < ${#names[@]} )) && ! is_near "$color" "$(middle "${names[at]}")" 2> /dev/null; do at=$(( at + 1 )); done
    (( at < ${#names[@]} )) || { say "$color is of none, or comes too late"; return 1; }
  done < "$file.colors"
  (( at == ${#names[@]} - 1 )) || { say "the last is ${names[at]}"; return 1; }
}

# first FILE NAME: milliseconds at which the colour of this snapshot is first seen.
first() {
  local time color
  while read -r time color; do
    if is_near "$color" "$(middle "$2")" 2> /dev/null; then jq -n "$time * 1000 | round"; return; fi
  done < "$1.colors"
}

# resembles FILE NAME DECIBELS: its last picture is as near to that snapshot.
resembles() {
  local told
  ffmpeg -hide_banner -v error -y -sseof -5 -i "$1" -update 1 -vf scale=out_range=pc -pix_fmt rgb24 "$1.last.png"
  told=$(ffmpeg -hide_banner -v info -i "$1.last.png" -i "$bench/$2.png" -lavfi 'psnr' -f null - 2>&1 | grep -o 'average:[0-9.inf]*')
  say "    ${told#*:} dB"
  [[ ${told#*:} == inf ]] || jq -en "${told#*:} >= $3" > /dev/null
}

memory() { awk "/$1/ { print \$2 }" "/proc/$node_pid/status"; }

# start_board FOLDER SIZE
start_board() {
  write_config "$1" 127.0.0.1 "$1" "driver = none" "driver = none"
  printf '\n[canvas]\nscreen = %s\n\n[microphone]\ndriver = simulated\nfile = %s\n' "$2" "$bench/tone.wav" >> "$1/talon.conf"
  "$talon" run --config "$1/talon.conf" > "$1.log" 2>&1 &
  node_pid=$!
}

stop_board() {
  kill "$node_pid"
  wait "$node_pid" || true
}

begin "$out/test/record"
"$root/board/prepare" player
start_gateway
ffmpeg -hide_banner -v error -f lavfi -i "aevalsrc=sin(2*PI*1000*t)/4:s=16000:d=1" -c:a pcm_s16le "$bench/tone.wav"
start_board "$bench/board" 480x320
wait_for 20 is_pending || die "no pairing request arrived; see $bench/board.log"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 20 is_connected
claim "the command is declared" eval "gateway nodes status | jq -e 'any(.nodes[]; .commands | index(\"screen.record\"))' > /dev/null"

# What changes.
fills 808080
claim "a page" snapshot gray
records colors 15000 10 & recording=$!
sleep 1.5
claim "while it is recorded another is shown" fills ff0000
red_at=$(date +%s%3N)
claim "as its picture shows" snapshot red
claim "with the light that says so" eval '[[ $("$root/board/peers/png.py" "$bench/red.png" "$bench/red.ppm") == 480x320
  && $("$root/board/peers/web.py" pixel "$bench/red.ppm" 461 8) == dc2626 ]]'
sleep 1
claim "and another" fills 00c040
green_at=$(date +%s%3N)
claim "as its picture shows" snapshot green
claim "a second recording is refused" refuses screen.record '{}' "UNAVAILABLE: the screen is being recorded"
sleep 1
claim "and a page of text" answers canvas.a2ui.pushJSONL "$(jq -nc '{jsonl: ([{surfaceUpdate:{surfaceId:"s",components:[
  {id:"root",component:{Column:{children:{explicitList:["a","b","c"]}}}},
  {id:"a",component:{Text:{usageHint:"h1",text:{literalString:"Kitchen"}}}},
  {id:"b",component:{Text:{text:{literalString:"The oven is at 180 degrees; the bread wants 25 minutes more. Somebody rang at the door."}}}},
  {id:"c",component:{Button:{child:"d",action:{name:"go"}}}},{id:"d",component:{Text:{text:{literalString:"Open the door"}}}}]}},
  {beginRendering:{surfaceId:"s",root:"root"}}] | map(tojson) | join("\n"))}')" .ok
snapshot text
claim "the recording arrives, plays, and is as long as was asked" wait "$recording"
claim "as large as the screen" has "$bench/colors.mp4" '.width == 480 and .height == 320 and .codec_name == "h264" and .color_range == "pc"'
claim "with the pages in their order and colours" shows_in_order "$bench/colors.mp4" gray red green text
seen=$(( $(first "$bench/colors.mp4" green) - $(first "$bench/colors.mp4" red) ))
claim "and at their times ($seen ms, $(( green_at - red_at )) ms)" eval '(( seen - green_at + red_at <= 200 && green_at - red_at - seen <= 200 ))'
claim "its end is the text, sharp" resembles "$bench/colors.mp4" text 34
claim "and few pictures were needed ($(pictures "$bench/colors.mp4"))" eval '(( $(pictures "$bench/colors.mp4") < 60 ))'
claim "the light is out" eval 'snapshot dark && "$root/board/peers/png.py" "$bench/dark.png" "$bench/dark.ppm" > /dev/null \
  && [[ $("$root/board/peers/web.py" pixel "$bench/dark.ppm" 461 8) != dc2626 ]]'

# What does not change.
busy=$(awk '{ print $14 + $15 }' "/proc/$node_pid/stat")
claim "ten seconds of a still screen" records still 10000 10
busy=$(( $(awk '{ print $14 + $15 }' "/proc/$node_pid/stat") - busy ))
claim "cost nearly nothing ($(stat -c %s "$bench/still.mp4") bytes, $(( busy * 10 )) ms)" eval '(( busy < 100 && $(stat -c %s "$bench/still.mp4") < 200000 ))'
claim "in a handful of pictures" eval '(( $(pictures "$bench/still.mp4") <= 9 ))'
claim "with the sound of the microphone" sounds "$bench/still.mp4" 10000
claim "or without, where nobody asked for it" records_with false mute 500 10
claim "the shortest" records short 250 30

# What moves.
animate='clearInterval(globalThis.t); globalThis.step = () => { const {ctx} = __openclaw;
  ctx.fillStyle = `hsl(${Date.now() / 20 % 360} 80% 50%)`; ctx.fillRect(0, 0, innerWidth, innerHeight);
  for (let i = 0; i < (globalThis.n ?? 0); i++) { ctx.fillStyle = `hsl(${Math.random() * 360} 90% ${Math.random() * 100}%)`;
    ctx.fillRect(Math.random() * innerWidth, Math.random() * innerHeight, 30, 20) } }; step(); globalThis.t = setInterval(step, 30); "on"'
runs() { answers canvas.eval "$(jq -nc --arg s "$1" '{javaScript: $s}')" .; }
claim "an animation" runs "$animate"
claim "is recorded" records moving 4000 20
claim "at the rate that was asked for ($(pictures "$bench/moving.mp4") pictures)" eval '(( $(pictures "$bench/moving.mp4") >= 70 && $(pictures "$bench/moving.mp4") <= 80 ))'
claim "and moves" eval '(( $(colors "$bench/moving.mp4" | cut -d " " -f 2 | sort -u | wc -l) > 40 ))'
claim "hidden, it stands still, and is recorded as it is photographed" eval 'answers canvas.hide "{}" .ok && records hidden 1000 10 && answers canvas.present "{}" .ok'

# What is asked wrongly.
claim "another format is refused" refuses screen.record '{"format":"gif"}' "INVALID_REQUEST: screen format must be mp4"
claim "another screen" refuses screen.record '{"screenIndex":1}' "INVALID_REQUEST: there is one screen"
claim "a rate that is none" refuses screen.record '{"fps":"fast"}' "INVALID_REQUEST: fps must be a number"
claim "a longer one than there is time for" refuses screen.record '{"durationMs":60000}' "UNAVAILABLE: the recording would not be done in time"

# What nobody waits for any more.
id=$(gateway nodes invoke --node "$board_name" --command screen.record --params '{"durationMs":10000}' --no-wait | jq -r .invokeId)
sleep 1
claim "it is cancelled" gateway nodes cancel "$id" > "$bench/cancelled.json"
# As soon as a worker has put the rest of it away, for which a busy machine takes its time.
claim "and the next one can begin" wait_for 10 records next 500 10
claim "no frame broke the schema" eval "gateway nodes status | jq -e '.violations == 0' > /dev/null"
stop_board
claim "nothing went wrong" eval '! grep -qE "<[0-3]>" "$bench/board.log"'

# A large screen, as busy as can be, for as long as can be.
sed -i "s/^screen = .*/screen = 1920x1080/" "$bench/board/talon.conf"
"$talon" run --config "$bench/board/talon.conf" > "$bench/large.log" 2>&1 &
node_pid=$!
claim "with a large screen it connects again" wait_for 20 is_connected
claim "text on it" fills 204060
sleep 1
before=$(memory VmRSS)
claim "is recorded" records large 3000 10
claim "smaller" has "$bench/large.mp4" '.width == 1280 and .height == 720'
claim "for as much memory as an encoder has ($before kB before, $(memory VmHWM) kB at most)" eval '(( $(memory VmHWM) - before <= 24576 ))'
claim "which is given back ($(memory VmRSS) kB)" eval '(( $(memory VmRSS) - before <= 6144 ))'
claim "noise all over it" runs "globalThis.n = 300; $animate"
claim "is recorded for a minute at 30 a second" records minute 60000 30
size=$(stat -c %s "$bench/minute.mp4")
claim "and fits a message ($size bytes, $(pictures "$bench/minute.mp4") pictures)" eval '(( size <= 19611648 && (size + 2) / 3 * 4 <= 26214400 - 65536 ))'
claim "the service's memory has room for it ($(memory VmHWM) kB at most)" eval '(( $(memory VmHWM) <= 131072 ))'
claim "nothing went wrong" eval '! grep -qE "<[0-3]>" "$bench/large.log"'
stop_board
