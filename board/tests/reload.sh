#!/usr/bin/env bash
# Pages that follow what the gateway hosts: the x86_64 firmware with a screen that nobody sees, before talon-gateway's canvas host and
# before one of other code. A file changes, the host says so, the screen changes; what is no such word changes nothing.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

talon=${TALON-$out/x86_64/talon}
web=$root/board/peers/web.py

# pixel X Y: what the screen shows there.
pixel() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/shot.png" > "$bench/shot.json" || return 1
  "$root/board/peers/png.py" "$bench/shot.png" "$bench/shot.ppm" > /dev/null && "$web" pixel "$bench/shot.ppm" "$1" "$2"
}
shows() { [[ $(pixel 240 160) == "$1" ]]; }
goes() { answers canvas.navigate "{\"url\":\"$1\"}" .ok; }

# paints FILE COLOR: a picture, whole or not at all.
paints() {
  "$web" picture "$1.new" 48 32 "$2"
  mv "$1.new" "$1"
}

# sockets: how many connections the board has.
sockets() { find "/proc/$node_pid/fd" -lname 'socket:*' | wc -l; }
has_sockets() { (( $(sockets) == $1 )); }

# start_board PORT SCHEME NAME: its log is NAME.log.
start_board() {
  write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
  sed -i "s|^url = .*|url = $2://127.0.0.1:$1|" "$bench/board/talon.conf"
  printf '\n[canvas]\nscreen = 480x320\n' >> "$bench/board/talon.conf"
  "$talon" run --config "$bench/board/talon.conf" > "$bench/$3.log" 2>&1 &
  node_pid=$!
  wait_for 20 is_pending || die "no pairing request arrived; see $bench/$3.log"
  gateway devices approve "$(pending_request)" > "$bench/approved.json"
  claim "approved, it connects" wait_for 20 is_connected
}

# stop_board NAME
stop_board() {
  kill "$node_pid"
  wait "$node_pid" || true
  claim "nothing went wrong" lacks "$bench/$1.log" "<[0-3]>"
  claim "no capability is part of the log" lacks "$bench/$1.log" "/cap/|__openclaw__"
}
lacks() { [[ -s $1 ]] && ! grep -qE "$2" "$1"; }

begin "$out/test/reload"
mkdir -p "$bench/hosted"
paints "$bench/hosted/a.png" 0000ff
paints "$bench/hosted/other.png" 808080

say "talon-gateway, encrypted"
start_gateway 0 --canvas-folder "$bench/hosted" --canvas-ms 1500
start_board "$gateway_port" wss own
plain=$(sockets)
claim "a page that the gateway hosts" goes /__openclaw__/canvas/a.png
claim "is on the screen" shows 0000ff
claim "and listened to" wait_for 5 has_sockets $(( plain + 1 ))
sleep 0.5
paints "$bench/hosted/a.png" ff0000
claim "it changes, and so does the screen" wait_for 30 shows ff0000
rm "$bench/hosted/a.png"
sleep 2
claim "gone, it stays on the screen" shows ff0000
paints "$bench/hosted/a.png" 00ff00
claim "and is there again when it is" wait_for 30 shows 00ff00
claim "documents take the screen" answers canvas.a2ui.pushJSONL "$(jq -nc '{jsonl: ([{surfaceUpdate:{surfaceId:"s",components:[
  {id:"root",component:{Text:{text:{literalString:"Hello"}}}}]}},{beginRendering:{surfaceId:"s",root:"root"}}] | map(tojson) | join("\n"))}')" .ok
claim "nothing is listened to" wait_for 5 has_sockets "$plain"
paints "$bench/hosted/a.png" ffff00
sleep 1.5
claim "and nothing changes" eval '! shows ffff00'
claim "the page again" goes /__openclaw__/canvas/a.png
claim "as it is now" shows ffff00
claim "the documents are still there" answers canvas.a2ui.dump '{}' '.surfaceCount == 1'
wait_for 5 has_sockets $(( plain + 1 ))
answers canvas.hide '{}' .ok
claim "hidden, it is not listened to" wait_for 5 has_sockets "$plain"
sleep 2
paints "$bench/hosted/a.png" 00ffff
claim "presented, it is" answers canvas.present '{}' .ok
claim "and shows what it became, with a new capability" wait_for 30 shows 00ffff
stop_gateway
start_gateway "$gateway_port" --canvas-folder "$bench/hosted" --canvas-ms 1500
claim "after the gateway was away" wait_for 60 is_connected
claim "the screen is as it was" shows 00ffff
wait_for 10 has_sockets $(( plain + 1 ))
sleep 0.5
paints "$bench/hosted/a.png" ff00ff
claim "and follows again" wait_for 30 shows ff00ff
stop_board own
stop_gateway

say "a canvas host of other code"
host=$bench/host
mkdir -p "$host/hosted"
rm -rf "$bench/board" "$bench/gateway"
start_gateway 0 --plain --canvas-folder "$bench/hosted"
"$root/board/peers/canvas_host.py" "$host" "$gateway_port" &
host_pid=$!
wait_for 10 test -s "$host/port"
asked() { grep -c -F -- "$1" "$host/asked" || true; }
says_word() { printf '%s' "$1" > "$host/say.new"; mv "$host/say.new" "$host/say"; }
fetches() { asked "GET /__openclaw__/cap/TOKEN/__openclaw__/canvas/$1"; }
paints "$host/hosted/a.png" 0000ff
start_board "$(< "$host/port")" ws other
claim "its page" goes /__openclaw__/canvas/a.png
claim "is on the screen" shows 0000ff
claim "and listened to with the capability" wait_for 5 says "$host/asked" "GET /__openclaw__/cap/TOKEN/__openclaw__/ws"
claim "by a client that keeps to the protocol" wait_for 5 says "$host/asked" listens
paints "$host/hosted/a.png" ff0000
sleep 1
claim "without a word nothing changes" shows 0000ff
says_word others
claim "it answers pings" wait_for 5 says "$host/asked" "pong reload"
sleep 1.5
claim "and other words change nothing" shows 0000ff
claim "nor are they asked about" test "$(fetches a.png)" = 1
says_word pieces
claim "a word in pieces is one" wait_for 30 shows ff0000
sleep 1.5
before=$(fetches a.png)
says_word burst
sleep 4
claim "two hundred at once are one ($before, then $(fetches a.png))" test "$(fetches a.png)" = $(( before + 1 ))
paints "$host/hosted/a.png" 00ff00
says_word cut
claim "cut off, it listens again" wait_for 20 eval '(( $(asked listens) == 2 ))'
claim "and fetches what it may have missed" wait_for 30 shows 00ff00
says_word close
claim "closed, too" wait_for 20 eval '(( $(asked listens) == 3 ))'
claim "it left when it was asked to" wait_for 5 eval '(( $(asked left) == 2 ))'
mv "$host/hosted/a.png" "$host/hosted/b.png"
sleep 1.5
says_word reload
sleep 2
claim "a page that is gone stays" shows 00ff00
claim "and is said to be, in the log" says "$bench/other.log" "a page that has changed could not be fetched again"
claim "the client kept to the protocol" eval '! grep -qE "violation|unexpected" "$host/asked"'
goes "data:image/png;base64,$(base64 -w 0 "$bench/hosted/other.png")"
claim "a page of another place is not listened to" wait_for 5 eval '(( $(asked left) == 3 ))'
stop_board other
kill "$host_pid"

say "a gateway without such a path"
rm -f "$host/port" "$host/asked"
"$root/board/peers/canvas_host.py" "$host" "$gateway_port" --deaf &
wait_for 10 test -s "$host/port"
sed -i "s|^url = .*|url = ws://127.0.0.1:$(< "$host/port")|" "$bench/board/talon.conf"
"$talon" run --config "$bench/board/talon.conf" > "$bench/deaf.log" 2>&1 &
node_pid=$!
claim "it connects" wait_for 20 is_connected
claim "its page" goes /__openclaw__/canvas/b.png
claim "is shown" shows 00ff00
sleep 20
claim "it was asked twice, the second time with a new capability, and left alone" test "$(asked /__openclaw__/ws)" = 2
claim "the page stays" shows 00ff00
stop_board deaf
