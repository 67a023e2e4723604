#!/usr/bin/env bash
# Pictures on the screen: the x86_64 firmware with a screen that nobody sees, a gateway that hosts a canvas, and web servers good and
# bad. What is fetched is on the screen when it is said to be; what may not be fetched is not; nothing waits for a slow server.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/confined.sh"

talon=${TALON-$out/x86_64/talon}
web=$root/board/peers/web.py

# pixel X Y: what the screen shows there.
pixel() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/shot.png" > "$bench/shot.json" || return 1
  "$root/board/peers/png.py" "$bench/shot.png" "$bench/shot.ppm" > /dev/null && "$web" pixel "$bench/shot.ppm" "$1" "$2"
}
shows() { [[ $(pixel "$1" "$2") == "$3" ]]; }
goes() { answers canvas.navigate "{\"url\":\"$1\"}" '.ok'; }
refuses_url() { refuses canvas.navigate "{\"url\":\"$1\"}" "$2"; }
pushes() { answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$1")" '.ok'; }
asked() { grep -c -F -- "$1" "$bench/web/requests"; }

# image URL [HINT]: a document with one picture.
image() {
  printf '%s\n%s\n' \
    "{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":{\"Column\":{\"alignment\":\"start\",\"children\":{\"explicitList\":[\"p\",\"t\"]}}}},{\"id\":\"p\",\"component\":{\"Image\":{\"url\":{\"literalString\":\"$1\"},\"altText\":{\"literalString\":\"the door\"},\"usageHint\":\"${2-mediumFeature}\"}}},{\"id\":\"t\",\"component\":{\"Text\":{\"text\":{\"literalString\":\"below\"}}}}]}}" \
    '{"beginRendering":{"surfaceId":"s","root":"root"}}'
}
place() { invoke canvas.a2ui.dump | jq -r --arg id "$1" 'first(.layout[] | select(.id == $id)) | "\(.x),\(.y) \(.w)x\(.h)"'; }
is_at() { [[ $(place "$1") == "$2" ]]; }

# holds_decoder: it is there, and stands still.
holds_decoder() { decoder_pid=$(confined decode-picture) && kill -STOP "$decoder_pid"; }

begin "$out/test/pictures"
mkdir -p "$bench/web" "$bench/other" "$bench/hosted"
"$web" picture "$bench/web/red.png" 60 40 ff0000
"$web" picture "$bench/web/tall.png" 30 60 00ff00
"$web" picture "$bench/web/huge.png" 4000 3000 8080ff
"$web" picture "$bench/hosted/blue.png" 40 40 0000ff
printf '%%PDF-1.4\n' > "$bench/web/a.pdf"
printf '<!DOCTYPE html><html><body><script>x()</script></body></html>' > "$bench/web/page.html"
printf '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2" fill="#0f0"/><rect x="1" y=".5" width="1" height="1" fill="#f0f"/></svg>' > "$bench/web/drawing.svg"
printf '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><script>x()</script></svg>' > "$bench/web/script.svg"
head -c 100 "$bench/web/red.png" > "$bench/web/broken.png"
{
  printf '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320">'
  printf '<g opacity=".99"><rect width="480" height="320" fill="red"/></g>%.0s' {1..20000}
  printf '</svg>'
} > "$bench/web/bomb.svg"
certify() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=bench -addext "subjectAltName=DNS:localhost" \
    -keyout "$1/key.pem" -out "$1/ca.pem" 2> "$bench/openssl.log"
  "$web" serve "$1" "$1/ca.pem" "$1/key.pem" &
  wait_for 10 test -s "$1/port-tls"
}
certify "$bench/web"
certify "$bench/other"
"$web" serve "$bench/web" &
wait_for 10 test -s "$bench/web/port"
port=$(cat "$bench/web/port") tls=$(cat "$bench/web/port-tls") other=$(cat "$bench/other/port-tls")
start_gateway 0 --canvas-folder "$bench/hosted" --canvas-ms 1500
write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
printf '\n[canvas]\nscreen = 480x320\nallow = localhost:%s, localhost:%s, localhost:%s\nauthorities = %s\n' \
  "$port" "$tls" "$other" "$bench/web/ca.pem" \
  >> "$bench/board/talon.conf"
"$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
node_pid=$!
wait_for 20 is_pending || die "no pairing request arrived; see $bench/talon.log"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 20 is_connected
claim "it says what it shows" answers canvas.caps '{}' '.navigate and (.media.image | contains(["png","jpeg","webp","gif","svg"]))'

# Documents.
claim "a document with a picture is shown at once" pushes "$(image "https://localhost:$tls/P/red.png")"
claim "and the picture soon" wait_for 10 shows 20 40 ff0000
claim "in its own shape" is_at p "12,12 300x200"
claim "a tall one is not taller than it is wide" pushes "$(image "https://localhost:$tls/chunked/tall.png")"
claim "in chunks" wait_for 10 shows 20 40 00ff00
claim "at its place" is_at p "12,12 300x300"
claim "one that stands in the document" pushes "$(image "data:image/png;base64,$(base64 -w 0 "$bench/web/red.png")")"
claim "is shown" wait_for 5 shows 20 40 ff0000
claim "one without a host is the gateway's" pushes "$(image /__openclaw__/canvas/blue.png icon)"
claim "and is shown" wait_for 5 shows 20 20 0000ff
claim "one of another machine's own" pushes "$(image "http://localhost:3000/photo.jpg")"
claim "is not fetched, and has the place of one" is_at p "12,12 300x200"
claim "which is said" wait_for 5 says "$bench/talon.log" "a picture cannot be shown: CANVAS_UNAVAILABLE: localhost "
claim "seen before, it is there at once" pushes "$(image "https://localhost:$tls/P/red.png")"
claim "without another question" test "$(asked "/P/red.png")" = 1

# Navigation.
claim "a picture fills the screen" goes "https://localhost:$tls/P/tall.png"
claim "when it is said to" shows 240 160 00ff00
claim "on black" shows 20 160 000000
claim "hidden" answers canvas.hide '{}' .ok
claim "and presented, it is there again" answers canvas.present '{}' .ok
claim "as it was" shows 240 160 00ff00
claim "a large one is made smaller" goes "https://localhost:$tls/P/huge.png"
claim "to fit" shows 30 160 8080ff
claim "in an address" goes "data:image/png;base64,$(base64 -w 0 "$bench/web/red.png")"
claim "it is there" shows 240 160 ff0000
claim "by plain http where that is allowed" goes "http://localhost:$port/P/tall.png"
claim "presented with an address" answers canvas.present "{\"url\":\"https://localhost:$tls/P/red.png\"}" .ok
claim "it is there" shows 240 160 ff0000
claim "over redirects" goes "https://localhost:$tls/to?/to?/P/tall.png"
claim "it is there" shows 240 160 00ff00
claim "no cookie, no referrer, no compression is asked for" eval '! grep -qiE "cookie|referer|gzip" "$bench/web/requests"'

claim "a drawing fills the screen, whatever size it names" goes "https://localhost:$tls/P/drawing.svg"
claim "sharply" shows 240 8 00ff00
claim "all of it" shows 240 160 ff00ff
claim "a drawing in a document" pushes "$(image "https://localhost:$tls/P/drawing.svg")"
claim "is shown" wait_for 5 shows 20 20 00ff00
claim "a drawing that scripts make is refused" refuses_url "https://localhost:$tls/P/script.svg" CANVAS_UNSUPPORTED_CONTENT

# The canvas host.
sleep 2
claim "an address of the gateway's that has run out is refreshed" goes /__openclaw__/canvas/blue.png
claim "and shown" shows 240 160 0000ff
claim "by its own name, too" goes "http://127.0.0.1:18793/__openclaw__/canvas/blue.png"
claim "what is not there is said after one refresh" refuses_url /__openclaw__/canvas/none.png "answered with status 404"
claim "the capability is no part of the log" eval '! grep -qF /cap/ "$bench/talon.log"'

# What may not be fetched.
for place in 127.0.0.1 169.254.169.254 10.0.0.1 192.168.0.1 "[::1]" "[::ffff:127.0.0.1]" "[fe80::1]" 0.0.0.0; do
  claim "nothing from $place" refuses_url "https://$place/" "address of this board or its network"
done
claim "nor at another port of an allowed host" refuses_url "https://localhost:1/x.png" "address of this board or its network"
claim "nor where a server leads" refuses_url "https://localhost:$tls/to?https://127.0.0.1:$tls/P/red.png" "address of this board or its network"
claim "nor the metadata of a cloud" refuses_url "https://localhost:$tls/to?http://169.254.169.254/latest/" "address of this board or its network"
claim "nor anything but the web" refuses_url file:///etc/passwd INVALID_REQUEST
claim "nor what is no address" refuses_url "https://localhost:99999/" INVALID_REQUEST
claim "nor from a server that nobody vouches for" refuses_url "https://localhost:$other/P/red.png" "could not be trusted: self"
claim "the screen still shows what it did" shows 240 160 0000ff

# What cannot be shown.
claim "a page" refuses_url "https://localhost:$tls/P/page.html" "CANVAS_UNSUPPORTED_CONTENT: the document has a script element"
claim "a document" refuses_url "https://localhost:$tls/P/a.pdf" "CANVAS_UNSUPPORTED_CONTENT: this is a PDF document"
claim "half a picture" refuses_url "https://localhost:$tls/P/broken.png" "CANVAS_UNAVAILABLE: PNG"
claim "what is not there" refuses_url "https://localhost:$tls/none" "localhost answered with status 404"
claim "what leads nowhere" refuses_url "https://localhost:$tls/loop" "redirects too often"
claim "too much" refuses_url "https://localhost:$tls/large" "8 MiB"
claim "without end" refuses_url "https://localhost:$tls/endless" "8 MiB"
claim "half of it" refuses_url "https://localhost:$tls/cut" "closed the connection before the end of the response"
claim "what is no HTTP" refuses_url "https://localhost:$tls/garbage" "not HTTP"
claim "compressed" refuses_url "https://localhost:$tls/gzip" "encoding"
claim "no TLS where TLS should be" refuses_url "https://localhost:$port/P/red.png" "could not be trusted"

# Who decodes: a process that can do nothing else.
claim "while nothing is decoded there is no process for it" eval '! confined decode-picture'
answers canvas.navigate "{\"url\":\"https://localhost:$tls/P/bomb.svg\"}" '.ok and (.warnings[0] | contains("drawn in part"))' & bomb=$!
claim "a drawing is drawn by a process of its own" wait_for 10 holds_decoder
claim_confined "$decoder_pid"
kill -CONT "$decoder_pid"
claim "meanwhile others are answered" answers device.info '{}' .deviceName
claim "one without end is shown as far as it came, and the answer says so" wait "$bomb"
claim "its process is gone" eval '! confined decode-picture'
claim "and the next picture is shown" goes "https://localhost:$tls/P/red.png"
claim "it is there" shows 240 160 ff0000

# Slow servers.
started=$SECONDS
refuses_url "https://localhost:$tls/slow" "took too long" & slow=$!
sleep 1
for _ in 1 2 3 4 5; do
  claim "while a server drips, others are answered" timeout 2 "$gateway_program" nodes invoke --state "$bench/gateway" --json \
    --node "$board_name" --command device.info --params '{}' > /dev/null
done
claim "and it is left" wait "$slow"
claim "in time" test $(( SECONDS - started )) -le 24
refuses_url "https://localhost:$tls/silent" "another command took the screen" & slow=$!
sleep 1
claim "a newer command takes the place of an older" goes "https://localhost:$tls/P/red.png"
claim "which is told so" wait "$slow"
claim "the newer one is on the screen" shows 240 160 ff0000

# Videos.
jpeg() {
  "$web" picture "$bench/one.png" 480 320 "$1"
  ffmpeg -hide_banner -v error -y -i "$bench/one.png" -q:v 1 "$bench/web/next.jpg"
  mv "$bench/web/next.jpg" "$bench/web/video.jpg"
}
plays() {
  answers canvas.draw "{\"op\":\"draw\",\"elements\":[{\"id\":\"v\",\"type\":\"video\",\"url\":\"https://localhost:$tls/$1/video.jpg\",\"bounds\":{\"x\":0,\"y\":0,\"width\":480,\"height\":320}}]}" .ok
}
last_watcher() { [[ $(tail -n 1 "$bench/web/watchers") == "$1" ]]; }
for kind in motion motion-chunked; do
  jpeg ffffff
  claim "a video is drawn ($kind)" plays "$kind"
  claim "its picture is shown" wait_for 10 shows 240 160 ffffff
  jpeg 000000
  claim "and the next one, by itself" wait_for 10 shows 240 160 000000
  claim "while somebody may see it" last_watcher comes
  claim "a page in its place" goes "https://localhost:$tls/P/red.png"
  claim "ends it" wait_for 10 last_watcher goes
done

# The connection.
stop_gateway
start_gateway "$gateway_port" --canvas-folder "$bench/hosted" --canvas-ms 1500
claim "after the gateway was away" wait_for 60 is_connected
claim "the screen is as it was" shows 240 160 ff0000
claim "and what it hosts can be had again" goes /__openclaw__/canvas/blue.png
claim "its memory is small" eval '(( $(awk "/VmRSS/ { print \$2 }" /proc/$node_pid/status) <= 24576 ))'
say "    $(grep -E 'VmRSS|RssAnon' "/proc/$node_pid/status" | paste -sd ' ')"
kill "$node_pid"
wait "$node_pid" || true
claim "nothing went wrong" eval '! grep -qE "<[0-3]>" "$bench/talon.log"'
