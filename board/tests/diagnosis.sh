#!/usr/bin/env bash
# Help from afar: what `talon doctor` and `talon support` say on the board can be had over the gateway, for one fault after the other, and
# no secret is in it. rsyslog gets the log over TLS.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/servers.sh"

"$root/board/prepare" syslog

secret=S3cret-of-the-update-server

# same_findings: what the gateway is told is what a person at the board is told; numbers and addresses of the moment are left out.
findings_here() { talon doctor --json || true; }
findings_there() { invoke debug.doctor; }
facts() { jq -S '[.findings[] | {check, grade, remedy}]'; }
same_findings() {
  findings_here > "$bench/here.json"
  findings_there > "$bench/there.json"
  diff <(facts < "$bench/here.json") <(facts < "$bench/there.json") > "$bench/differences"
}
finds() {
  same_findings && has_finding "$bench/there.json" "$1" "" warning failure
}

restart_agent() {
  kill -HUP "$agent"
  wait_for 30 is_connected
}
# with_fault CHECK WORDS EDIT: the configuration as sed's EDIT changes it; then the fault is seen from afar.
with_fault() {
  cp "$bench/board/talon.conf" "$bench/right.conf"
  sed -i "$3" "$bench/board/talon.conf"
  restart_agent
  claim "$2" wait_for 20 finds "$1"
  cp "$bench/right.conf" "$bench/board/talon.conf"
  restart_agent
}

# with_gateway NODES: the gateway starts anew with this configuration of its nodes.
with_gateway() {
  printf '{"gateway":{"nodes":%s}}' "$1" | install -m 600 /dev/stdin "$bench/gateway/gateway.json"
  stop_gateway
  start_gateway "$gateway_port"
}
# remarks WORD: the commands are no fault, and what is said of them has this word, here and from afar.
remarks() {
  same_findings && jq -e ".findings[] | select(.check == \"commands\" and .grade == \"ok\") | tostring | contains(\"$1\")" "$bench/there.json" > /dev/null
}

unpack() {
  rm -rf "${bench:?}/$1"
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

is_held() { findings_here > "$bench/held.json"; grep -q 'a person holds this board' "$bench/held.json"; }
is_without() { ! gateway nodes status | jq -e 'any(.nodes[].commands[]?; startswith("debug."))' > /dev/null; }

# silence: two seconds of a WAV file, of 16,000 samples each.
silence() {
  printf 'RIFF\x24\xFA\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data\0\xFA\0\0'
  head -c 64000 /dev/zero
}

begin "$out/test/diagnosis"
silence > "$bench/silence.wav"
start_gateway
make_authority
make_syslog
start_syslog
printf -v lines '[log]\nsyslog = tls://127.0.0.1:%s\nsyslog_ca_file = %s\n[debug]\ncommands = yes\n' "$syslog_port" "$bench/ca.pem"
printf -v lines '%s[update]\nserver = https://127.0.0.1:9/DEFAULT\ntoken = %s' "$lines" "$secret"
start_emulated x86_64 "$lines"
agent=$!
pairs log_says
claim "rsyslog takes the log, by board, module and severity" wait_for 15 syslog_says '^Field-board talon gateway notice.*online: connected'
stop_syslog
claim "a wrong level is refused by name" eval "! invoke debug.logs '{\"level\":\"loud\"}' > '$bench/refused' && grep -q 'level must be' '$bench/refused'"
start_syslog
claim "what was said while rsyslog was away is sent when it is back" wait_for 40 syslog_says 'commands warning.*debug.logs failed: INVALID_REQUEST'
claim "debug.logs gives the newest lines" logs_say '{"lines":5}' '(split("\n") | length) == 6'
claim "of one module" logs_say '{"module":"gateway"}' 'contains("gateway: ") and (contains("talon: ") | not)'
claim "findings from afar are those at the board" same_findings
claim "a support file comes from afar" bundle_from_afar
claim "and at the board" bundle_here
claim "with the same files" same_files
claim "without a secret" has_no_secret
claim "which are marked as hidden" says_hidden
with_fault camera "a camera that is not there is seen from afar" '/^\[camera\]/,/^$/ s|^driver = .*|driver = v4l2|'
with_fault receiver "a receiver that is not there" '/^\[location\]/,/^$/ { s|^driver = .*|driver = serial|; s|^replay = .*|port = /dev/none| }'
with_fault microphone "a microphone that is not there" '$a [microphone]\ndriver = alsa\ncard = absent'
with_fault light "a light that is not there" '$a [light]\ndriver = led\nled = none'
with_fault button "a button that is not there" '$a [button]\ndriver = gpio\nchip = gpiochip99\nline = 4'
with_fault motion "a motion sensor that is not there" '$a [motion]\ndriver = i2c\nbus = /dev/none'
with_fault console "a console that nobody has approved" '$a [operator]\nenabled = yes'
with_fault recogniser "a recogniser without its model" '$a [talk]\nrecogniser = /none'
with_fault wake "a language that is not there" '$a [microphone]\ndriver = simulated\nfile = '"$bench/silence.wav"'\n[wake]\nenabled = yes\nmodel = /none'
with_fault tools "a chip of a tool that is not there" '$a [tool vent]\nkind = pwm\nchip = pwmchip99\nchannel = 0'
with_fault secrets "a PIN in clear" '$a [console]\npin = 12345678'
chmod 755 "$bench/board/state"
claim "a state folder that others may look into" finds secrets
chmod 700 "$bench/board/state"
# The console's connection hears what the gateway holds back.
printf '\n[operator]\nenabled = yes\n' >> "$bench/board/talon.conf"
restart_agent
wait_for 30 is_pending || die "the console does not ask to be approved"
gateway devices approve "$(pending_request)" > /dev/null
claim "the console is approved" wait_for 30 status_says "operator online"
with_gateway '{"commands":{"deny":["camera.snap"]}}'
claim "a command that the gateway's list leaves out is a remark" wait_for 60 remarks camera.snap
talon panic > /dev/null
claim "a board that a person holds says so at the board" is_held
talon panic release > /dev/null
claim "and again when it is released" wait_for 30 same_findings

sed -i 's/^commands = yes/commands = no/' "$bench/board/talon.conf"
restart_agent
claim "without the line in its configuration the board has none of these commands" wait_for 10 is_without
kill -TERM "$agent"
wait "$agent" || true
claim "without an agent the file says so" eval "talon support --out '$bench/alone.tar.gz' > /dev/null && unpack alone '$bench/alone.tar.gz' && grep -q 'not running' '$bench/alone/status.json'"
claim "a folder that is not there is named, with its exit code" exits_with 73 talon support --out "$bench/none/file"
