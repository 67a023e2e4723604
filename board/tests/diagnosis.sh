#!/usr/bin/env bash
# Help from afar: what `talon doctor` and `talon support` say on the board can be had over the gateway, for one fault after the other, and
# no secret is in it. The gateway's agent hears by itself of a device that goes.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

secret=S3cret-of-the-update-server

# same_findings: what the gateway is told is what a person at the board is told; numbers and addresses of the moment are left out.
findings_here() { talon doctor --json || true; }
findings_there() { invoke debug.doctor; }
facts() { jq -S '[.findings[] | {check, grade, remedy}]'; }
same_findings() {
  findings_here > "$bench/here.json"
  findings_there > "$bench/there.json"
  diff <(facts < "$bench/here.json") <(facts < "$bench/there.json")
}
finds() { same_findings && jq -e "any(.findings[]; .check == \"$1\" and .grade == \"$2\")" "$bench/there.json" > /dev/null; }

restart_agent() {
  kill -HUP "$agent"
  wait_for 30 is_connected
}
# with_fault CHECK GRADE WORDS EDIT: the configuration as sed's EDIT changes it; then the fault is seen from afar.
with_fault() {
  cp "$bench/board/talon.conf" "$bench/right.conf"
  sed -i "$4" "$bench/board/talon.conf"
  restart_agent
  claim "$3" wait_for 20 finds "$1" "$2"
  cp "$bench/right.conf" "$bench/board/talon.conf"
  restart_agent
}

unpack() {
  rm -rf "$bench/$1"
  mkdir "$bench/$1"
  tar -xzf "$2" -C "$bench/$1" --strip-components 1
}
bundle_from_afar() {
  invoke debug.bundle > "$bench/bundle.json"
  jq -r .base64 "$bench/bundle.json" | base64 -d > "$bench/afar.tar.gz"
  (( $(stat -c %s "$bench/afar.tar.gz") == $(jq .bytes "$bench/bundle.json") )) && unpack afar "$bench/afar.tar.gz"
}
bundle_here() { (cd "$bench" && talon support --out here.tar.gz > "$bench/said") && unpack here "$bench/here.tar.gz"; }
same_files() { diff <(ls "$bench/here") <(ls "$bench/afar"); }
has_no_secret() { ! grep -raqF -e "$secret" -e "$(cat "$bench/gateway/token")" "$bench/here" "$bench/afar"; }
says_hidden() { grep -qx 'token = (hidden)' "$bench/afar/configuration.txt"; }
logs_say() { invoke debug.logs "$1" | jq -e ".logs | $2" > /dev/null; }
hears_of() { heard notifications.changed ".payload.title == \"$1\""; }
is_without() { ! gateway nodes status | jq -e 'any(.nodes[].commands[]?; startswith("debug."))' > /dev/null; }

begin "$out/test/diagnosis"
start_gateway
mkfifo "$bench/receiver"
start_emulated x86_64 $'[debug]\ncommands = yes\n[update]\nserver = https://127.0.0.1:9/DEFAULT\ntoken = '"$secret"
agent=$!
pairs log_says
claim "debug.logs gives the newest lines" logs_say '{"lines":5}' '(split("\n") | length) == 6'
claim "of one module" logs_say '{"module":"gateway"}' 'contains("gateway: ") and (contains("talon: ") | not)'
claim "a wrong level is refused by name" eval "! invoke debug.logs '{\"level\":\"loud\"}' > '$bench/refused' && grep -q 'level must be' '$bench/refused'"
claim "findings from afar are those at the board" same_findings
claim "a support file comes from afar" bundle_from_afar
claim "and at the board" bundle_here
claim "with the same files" same_files
claim "without a secret" has_no_secret
claim "which are marked as hidden" says_hidden
with_fault camera warning "a camera that is not there is seen from afar" 's|^driver = simulated$|driver = v4l2|'
with_fault receiver warning "a receiver that is not there" 's|^replay = .*|port = /dev/none|; s|^\[location\]|[location]\n#|; /^#$/,/driver/ s|^driver = .*|driver = serial|'
with_fault microphone warning "a microphone that is not there" '$a [microphone]\ncard = none'
with_fault light failure "a light that is not there" '$a [light]\ndriver = led\nled = none'
with_fault button failure "a button that is not there" '$a [button]\ndriver = gpio\nchip = /dev/none\nline = 4'
with_fault motion warning "a motion sensor that is not there" '$a [motion]\ndriver = i2c\nbus = /dev/none'
with_fault secrets warning "a PIN in clear" '$a [console]\npin = 12345678'
chmod 755 "$bench/board/state"
claim "a state folder that others may look into" finds secrets warning
chmod 700 "$bench/board/state"
claim "a board that a person holds answers nothing, and says so at the board" eval "talon panic > /dev/null && talon doctor 2> /dev/null | grep -q 'a person holds this board'"
talon panic release > /dev/null
claim "and again when it is released" wait_for 30 same_findings

sed -i 's/^commands = yes/commands = no/' "$bench/board/talon.conf"
restart_agent
claim "without the line in its configuration the board has none of these commands" wait_for 10 is_without
kill -TERM "$agent"
wait "$agent" || true
claim "without an agent the file says so" eval "talon support --out '$bench/alone.tar.gz' > /dev/null && unpack alone '$bench/alone.tar.gz' && grep -q 'not running' '$bench/alone/status.json'"
claim "a folder that is not there is named, with its exit code" exits_with 73 talon support --out "$bench/none/file"
