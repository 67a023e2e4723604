#!/usr/bin/env bash
# The canvas through a gateway: the x86_64 firmware with a screen that nobody sees. What is pushed is on it when the push is
# answered, where it stands is told, and pictures of it are real ones.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

talon=$out/x86_64/talon

log_says() { says "$bench/talon.log" "$1"; }

# refuses COMMAND PARAMS TEXT: the node answers with an error that says so.
refuses() {
  local error
  ! error=$(invoke "$1" "$2") && [[ $error == *"$3"* ]]
}

# pushes LINES: JSON Lines, of which the answer satisfies no more than ok.
pushes() { answers canvas.a2ui.pushJSONL "$(jq -Rsc '{jsonl: .}' <<< "$1")" '.ok'; }

# stands ID PLACE: "x,y wxh" of an instance, as the dump has it.
stands() {
  local place
  place=$(invoke canvas.a2ui.dump | jq -r --arg id "$1" 'first(.layout[] | select(.id == $id)) | "\(.x),\(.y) \(.w)x\(.h)"')
  [[ $place == "$2" ]] || { say "$1 stands at $place"; return 1; }
}

# pictures COMMAND PARAMS FILE SIZE: a picture of the screen of this size, as an independent decoder reads it.
pictures() {
  invoke "$1" "$2" --out "$3" > "$3.json" || { cat "$3.json" >&2; return 1; }
  case $3 in
    *.jpg) [[ $(djpeg -pnm "$3" | sed -n 2p | tr ' ' x) == "$4" ]] ;;
    *.png) [[ $("$root/board/peers/png.py" "$3") == "$4" ]] ;;
  esac
}

# is_red X Y: that pixel of the screen.
is_red() {
  invoke canvas.snapshot '{"format":"png"}' --out "$bench/red.png" > "$bench/red.json" &&
    "$root/board/peers/png.py" "$bench/red.png" "$bench/red.ppm" > /dev/null &&
    [[ $(tail -c +16 "$bench/red.ppm" | od -An -tx1 -j $(( 3 * ($2 * 480 + $1) )) -N 3) == " ff 00 00" ]]
}

# door COMMAND PARAMETERS: over the socket for another node at this board.
door() { "$root/board/peers/door.py" "$bench/openclaw-canvas.sock" "$1" "$2"; }

text() { printf '{"id":"%s","component":{"Text":{"text":{"literalString":"%s"}}}}' "$1" "$2"; }
card='{"surfaceUpdate":{"surfaceId":"main","components":[
{"id":"root","component":{"Column":{"children":{"explicitList":["a","list"]}}}},'$(text a Hello)',
{"id":"list","component":{"List":{"children":{"template":{"componentId":"row","dataBinding":"/rows"}}}}},
{"id":"row","component":{"Card":{"child":"name"}}},{"id":"name","component":{"Text":{"text":{"path":"name"}}}}]}}'
card=${card//$'\n'/}
rows='{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"rows","valueMap":[{"key":"0","valueMap":[{"key":"name","valueString":"first"}]},{"key":"1","valueMap":[{"key":"name","valueString":"second"}]}]}]}}'
begin_main='{"beginRendering":{"surfaceId":"main","root":"root"}}'

begin "$out/test/canvas"
start_gateway
write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
printf '\n[canvas]\nscreen = 480x320\nsocket = on\n' >> "$bench/board/talon.conf"
XDG_RUNTIME_DIR=$bench "$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
node_pid=$!
wait_for 20 is_pending || die "no pairing request arrived; see $bench/talon.log"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 20 is_connected
claim "its screen is known" answers canvas.caps '{}' \
  '.renderer == "native" and .display.width == 480 and .display.height == 320 and .display.driver == "virtual"'
claim "home is shown" pictures canvas.snapshot '{}' "$bench/home.jpg" 480x320
claim "the gateway's own test push is taken" pushes '{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Column":{"children":{"explicitList":["text"]}}}},'"$(text text 'Hello from the bench')"']}}
{"beginRendering":{"surfaceId":"main","root":"root"}}'
claim "and stands at the top" stands text 12,12\ 456x19
claim "a template, data and the root, the data last" pushes "$card
$begin_main
$rows"
claim "make instances with names of their own" stands name:1 26,118\ 428x19
claim "the root first gives the same" answers canvas.a2ui.reset '{}' .ok
claim "after a reset" pushes "$begin_main
$rows
$card"
claim "as the other order" stands name:1 26,118\ 428x19
claim "as messages, too" answers canvas.a2ui.push "{\"messages\":[$rows]}" '.ok and .surfaces == ["main"]'
claim "a picture as PNG" pictures canvas.snapshot '{"format":"png"}' "$bench/card.png" 480x320
claim "a narrow one" pictures screen.snapshot '{"format":"jpeg","maxWidth":240}' "$bench/card.jpg" 240x160
claim "v0.9 is shown beside it" pushes '{"version":"v0.9","createSurface":{"surfaceId":"next","catalogId":"https://a2ui.org/specification/v0_9/basic_catalog.json"}}
{"version":"v0.9","updateComponents":{"surfaceId":"next","components":[{"id":"root","component":"Text","text":{"call":"formatString","args":{"value":"${formatNumber(value: 1234.5)} m"}}}]}}'
claim "with what its functions say" answers canvas.a2ui.dump '{}' 'any(.layout[]; .text == "1,234.5 m")'
claim "and goes" pushes '{"version":"v0.9","deleteSurface":{"surfaceId":"next"}}'
claim "another version is refused by its name" refuses canvas.a2ui.pushJSONL \
  '{"jsonl":"{\"version\":\"v7\",\"createSurface\":{\"surfaceId\":\"main\"}}"}' "v7"
claim "what is broken is refused by its line" refuses canvas.a2ui.pushJSONL '{"jsonl":"{}\n{\"x"}' "line 1"
claim "and changes nothing" stands name:1 26,118\ 428x19
claim "a page that needs a script is refused honestly" refuses canvas.navigate \
  '{"url":"data:text/html,<script>document.write(1)</script>"}' CANVAS_UNSUPPORTED_CONTENT
claim "a plain one is shown" answers canvas.navigate '{"url":"data:text/html,<h1>Hello</h1><p>from a page"}' .ok
claim "and so is a drawing" answers canvas.navigate \
  '{"url":"data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 320\"><rect width=\"480\" height=\"320\" fill=\"red\"/></svg>"}' .ok
claim "all over the screen" is_red 240 160
claim "elements by coordinates are drawn" answers canvas.draw \
  '{"op":"draw","elements":[{"id":"a","type":"shape","bounds":{"x":200,"y":120,"width":80,"height":80},"style":{"color":"#f00"}}]}' .ok
claim "where they shall be" is_red 240 160
claim "and nowhere else" eval '! is_red 100 100'
claim "what is no drawing is refused by its place" refuses canvas.draw '{"op":"update","elements":[{"id":"b"}]}' "element 1: id names no element"
claim "another node at this board may ask, too" eval '[[ $(door canvas.present "{}") == "{\"ok\": true}" ]]'
claim "and gets its pictures" eval '[[ $(door canvas.snapshot "{\"format\":\"png\"}" | jq -r .base64 | base64 -d | head -c 4 | tail -c 3) == PNG ]]'
claim "but nothing else of the board" eval '! door device.info "{}" > /dev/null'
claim "and is told what is wrong" eval '[[ $(door canvas.a2ui.pushJSONL "{}") == "INVALID_REQUEST "* ]]'
claim "a width of nothing is refused" refuses canvas.snapshot '{"maxWidth":0}' "maxWidth"
claim "hidden, it is kept" answers canvas.hide '{}' .ok
claim "and can be photographed" pictures canvas.snapshot '{"format":"png"}' "$bench/hidden.png" 480x320
claim "which shows the same" cmp -s "$bench/card.png" "$bench/hidden.png"
claim "presented, it is back" answers canvas.present '{}' .ok
claim "pages of many kinds keep the rules of composition at six sizes, dark and light" \
  "$root/.build/debug/talon-lab" sheet "$root/Tests/Fixtures/canvas/samples"
claim "its memory is small" eval '(( $(awk "/VmRSS/ { print \$2 }" /proc/$node_pid/status) <= 24576 ))'
say "    $(grep -E 'VmRSS|RssAnon' "/proc/$node_pid/status" | paste -sd ' ')"
kill "$node_pid"
wait "$node_pid" || true
claim "nothing went wrong" eval '! grep -qE "<[0-3]>" "$bench/talon.log"'
