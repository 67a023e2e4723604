#!/usr/bin/env bash
# This board's functions in the list of tools of the gateway's agent: the x86_64 firmware publishes what its owner switched on, a person
# approves it once, and the agent calls it as a model does (talon-gateway tools). A gateway of June knows no tools, and everything else works.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

talon=${TALON-$out/x86_64/talon}

tools() { gateway tools "$@"; }
# sees NAME...: these and no other are the agent's tools.
sees() { [[ "$(tools list | jq -r '[.tools[].name] | sort | join(" ")')" == "$*" ]]; }
# state_is WORD: what the board says of its tools.
state_is() { [[ $("$talon" status --json --config "$bench/board/talon.conf" | jq -r .tools.state) == "$1" ]]; }
# gives NAME ARGUMENTS FILTER: the tool's result satisfies the jq filter.
gives() { tools call "$1" "$2" --out "$bench/picture" > "$bench/result.json" && jq -e "$3" "$bench/result.json" > /dev/null; }
# fails NAME ARGUMENTS WORDS: the tool says so in a sentence with these words.
fails() {
  ! tools call "$1" "$2" > "$bench/result.json" && jq -e --arg words "$3" '.isError and (.content[0].text | contains($words))' \
    "$bench/result.json" > /dev/null
}
# tries NAME ARGUMENTS WORDS: a person at the board calls the tool, which says these words.
tries() { "$talon" tools test "$1" "$2" --config "$bench/board/talon.conf" > "$bench/tried.txt" && grep -qF -- "$3" "$bench/tried.txt"; }
# lists WORDS: a line of talon tools.
lists() { "$talon" tools --config "$bench/board/talon.conf" > "$bench/tools.txt" && grep -qE -- "$1" "$bench/tools.txt"; }
operator_is_online() { grep -qF "operator online" <("$talon" status --config "$bench/board/talon.conf" 2> /dev/null | tr -s ' '); }
published() { tools list | jq -r '.nodes[0].published'; }

# start_board CHOICE
start_board() {
  write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = simulated"$'\n'"folder = $bench/pictures" \
    "driver = simulated"$'\n'"replay = $root/board/tests/field.nmea"$'\n'"track = 24h"
  cat >> "$bench/board/talon.conf" << END

[tools]
publish = $1
about = the greenhouse by the north wall

[canvas]
screen = 480x320

[speaker]
driver = simulated
file = $bench/spoken.wav

[microphone]
driver = simulated
file = $bench/mouth.wav
gain = 0
denoise = off

[talk]
chime = none

[operator]
enabled = yes
END
  "$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
  node_pid=$!
}

stop_board() {
  kill "$node_pid"
  wait "$node_pid" || true
}

begin "$out/test/tools"
mkdir -p "$bench/pictures"
make_bars 640 480 "$bench/pictures/bars.jpg"
# Somebody speaks for a second, and is silent for two, over and over.
ffmpeg -hide_banner -v error -y -f lavfi -i "aevalsrc=if(between(mod(t\,3)\,0.5\,1.5)\,sin(2*PI*1000*t)/4\,0):s=16000:d=30" \
  -c:a pcm_s16le "$bench/mouth.wav"

say "a gateway of today, where a person approves what a board can do"
start_gateway 0 --surface manual
start_board all
wait_for 20 is_pending || die "no pairing request arrived; see $bench/talon.log"
gateway devices approve "$(pending_request)" > /dev/null
claim "approved as a device, it is connected" wait_for 20 is_connected
claim "its tools wait for the second approval" wait_for 10 state_is waiting
claim "which the log names" wait_for 5 says "$bench/talon.log" "openclaw nodes pending"
claim "until then the agent has none" sees
gateway nodes approve --latest > /dev/null
claim "approved, the agent has those that this board can do, without a new connection" \
  sees field_board_ask field_board_health field_board_listen field_board_location field_board_notify field_board_photo \
  field_board_say field_board_screen field_board_show field_board_where_was
claim "and the board learns it within half a minute" wait_for 40 state_is accepted
claim "by asking no more than every 30 s" test "$(published)" -le 3
claim "the agent reads which board it is" eval \
  "tools list | jq -e '.tools[0].description | contains(\"the greenhouse by the north wall (node: Field board)\")' > /dev/null"

say "the agent calls them"
claim "a photo is a picture that the model sees" gives field_board_photo '{"maxWidth":320}' \
  '.content[0].type == "text" and .content[1].mimeType == "image/jpeg"'
claim "with what is before the camera" shows_bars "$bench/picture" 320
claim "the position is facts" gives field_board_location '{}' '(.structuredContent.lat - 46.948 | fabs) < 0.001'
claim "and where it was" gives field_board_where_was '{}' '(.structuredContent.segments | last | (.lat // .toLat) - 46.948 | fabs) < 0.001'
claim "and so is the board's health" gives field_board_health '{}' '.structuredContent.services.gateway.state == "ok"'
claim "the screen is a picture" gives field_board_screen '{}' '.content[1].mimeType == "image/png"'
claim "a text is spoken" gives field_board_say '{"text":"The kettle has boiled."}' '.structuredContent.ok'
claim "by the board's own voice" test "$(stat -c %s "$bench/spoken.wav")" -gt 20000
claim "a card is on the screen" gives field_board_show \
  '{"title":"Greenhouse","list":["one","two"],"table":[["Bed","Moisture"],["1","41 %"]],"gauge":{"label":"Tank","value":62,"unit":"%"},"qr":"https://example.org"}' \
  '.structuredContent.ok'
claim "which the agent sees when it looks" gives field_board_screen '{}' '.content[1].mimeType == "image/png"'
cp "$bench/picture" "$bench/card.png"
claim "its console connection is approved" wait_for 30 is_pending
gateway devices approve "$(pending_request)" > /dev/null
wait_for 30 operator_is_online || die "the console connection is missing"
gateway talk expect "yes please" > /dev/null
claim "it hears what somebody says, as text" gives field_board_listen '{"seconds":10}' \
  '(.content[0].text | startswith("Somebody said: yes please (")) and (.structuredContent.transcript | startswith("yes please ("))'
claim "a question is spoken and shown, and answered by voice" gives field_board_ask '{"question":"Shall I water the plants?","seconds":60}' \
  '(.structuredContent.answer | startswith("yes please (")) and .structuredContent.by == "voice"'
claim "nobody is no answer" gives field_board_ask '{"question":"Anybody?","seconds":5,"speak":false,"buttons":["Here"]}' '.content[0].text != null'
claim "a notification is taken" gives field_board_notify '{"title":"Hello"}' '.structuredContent.ok'
claim "what is wrong is said in a sentence" fails field_board_notify '{"title":7}' "title"
claim "a tool that was not published is refused" eval \
  "! invoke mcp.tools.call.v1 '{\"server\":\"talon\",\"tool\":\"shell\"}' > $bench/refused.json && grep -q MCP_TOOL_UNAVAILABLE $bench/refused.json"
claim "a person at the board sees what the agent has" lists "^photo +the agent sees it +field_board_photo"
claim "and what it has not, and why" lists "^steps +this board lacks what it needs"
claim "and may try a tool" tries photo '{"maxWidth":320}' "[image/jpeg,"
claim "with facts" tries health '{}' '"memory"'
claim "of a tool that is not there the sentence says where to look" eval \
  "! \"$talon\" tools test shell --config $bench/board/talon.conf 2> $bench/tried.txt && grep -q 'talon tools lists them' $bench/tried.txt"
claim "nothing that the board sent left the protocol" eval "[[ \$(gateway nodes status | jq .violations) == 0 ]]"
stop_board

say "less, by the owner's choice"
start_board "health, notify"
claim "it is connected" wait_for 20 is_connected
claim "the agent has those that are left" wait_for 20 sees field_board_health field_board_notify
stop_board
stop_gateway

say "a gateway of June"
rm -r "$bench/gateway" "$bench/board"
start_gateway 0 --generation J
start_board all
wait_for 20 is_pending || die "no pairing request arrived; see $bench/talon.log"
gateway devices approve "$(pending_request)" > /dev/null
claim "it is connected" wait_for 20 is_connected
claim "the board says that the gateway knows no tools" wait_for 10 state_is unsupported
claim "and its commands work" answers device.info '{}' '.systemName == "Linux"'
stop_board
