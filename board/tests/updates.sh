#!/usr/bin/env bash
# How a board gets another release: the x86_64 firmware, a root side in Python that obeys its requests and restarts it
# (board/peers/root_side.py), and gooseBit, an update server from PyPI that shares no code with Talon. Success is told only after the new
# system reached the gateway; a new system that crashes or reaches no gateway is left, and the server is told why. Then a server that
# lies (board/peers/lying_server.py), a signed list of releases on a plain web server, a server that wants a client certificate, and files by hand.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/debian.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/update_server.sh"

board_id=field-1
own_network=(unshare -rn)
(( EUID != 0 )) || own_network=(unshare -n)

# make_bundle VERSION [COMPATIBLE]: a file system with a manifest, as RAUC's, of 3 MB; VERSION.raucb in the bench.
make_bundle() {
  rm -rf "$bench/content"
  mkdir -p "$bench/content"
  printf '[update]\ncompatible=%s\nversion=%s\n' "${2-talon-x86}" "$1" > "$bench/content/manifest.raucm"
  head -c 3000000 /dev/urandom > "$bench/content/rootfs.img"
  mksquashfs "$bench/content" "$bench/$1.raucb" -noI -noD -noF -noX -quiet -noappend > /dev/null
}

# configure LINE...: the board's configuration, with these lines in [update].
configure() {
  write_config "$bench/board" 127.0.0.1 "$bench/board" $'driver = simulated\nfolder = '"$bench/photos" 'driver = none'
  { printf '\n[update]\nname = %s\ncommand = yes\n' "$board_id"; printf '%s\n' "$@"; } >> "$bench/board/talon.conf"
}
reload() { configure "$@"; pkill -HUP -P "$board_pid" || true; }
start_board() {
  /usr/bin/python3 "$root/board/peers/root_side.py" "$bench/board/state/update" "$bench/board/run-system" \
    "$out/x86_64/talon" run --config "$bench/board/talon.conf" > "$bench/root.log" 2>> "$bench/talon.log" &
  board_pid=$!
}

slot_says() { grep -qxF -- "$1" "$bench/board/run-system/slot"; }
root_says() { grep -qF -- "$1" "$bench/root.log"; }
root_times() { (( $(grep -cF -- "$2" "$bench/root.log") == $1 )); }
checks() { talon update check > /dev/null 2>&1 || true; }
update_says() { grep -qF -- "$1" <(talon update 2>&1); }
# the server says: a filter of jq on what it knows of the board.
server_says() { checks; update_server board "$board_id" | jq -e "$1" > /dev/null; }
not() { ! "$@"; }

# offer VERSION: the rollout of a bundle, also to a board that has failed.
offer() {
  make_bundle "$1"
  update_server rollout "$(update_server bundle "$bench/$1.raucb")" > "$bench/rollout"
  update_server retry "$board_id"
}

lies() { echo "$*" > "$bench/lies/mode"; checks; }
hears() { checks; [[ -f $bench/lies/heard ]] && jq -se "any(.[]; .path | endswith(\"$1\")) and any(.[]; $2)" "$bench/lies/heard" > /dev/null; }
# told NUMBER FILTER: of that action the server was told something for which the filter of jq holds.
told() { checks; [[ -f $bench/lies/heard ]] && jq -se "any(.[] | select(.path | contains(\"/deploymentBase/$1/\")) | .body.status; $2)" "$bench/lies/heard" > /dev/null; }
asked_times() { (( $(grep -c "$2" "$bench/lies/asked") >= $1 )); }

install_packages squashfs-tools
begin "$out/test/updates"
prepare_update_server
mapfile -t ports < <(python3 -c 'import socket
held = [socket.socket() for _ in range(4)]
for one in held: one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
mkdir -p "$bench/photos" "$bench/lies" "$bench/web"
make_bars 640 480 "$bench/photos/bars.jpg"
start_gateway
start_update_server "${ports[0]}"
goosebit=("server = http://127.0.0.1:${ports[0]}/DEFAULT" "token = S3cret-of-the-board" "region = north")
configure "${goosebit[@]}"
start_board
pairs log_says

say "a rollout"
claim "the board registers with its token, and says what it is" wait_for 60 server_says \
  '.sw_version == "0.4.0" and .hardware.model == "talon-x86" and .auth_token == "S3cret-of-the-board"'
update_server join "$board_id"
offer 0.5.0
checks
claim "the bundle comes, and is installed" wait_for 60 root_says "installed 0.5.0"
stop_gateway
claim "the board restarts into it, for a trial" wait_for 60 slot_says "state = trial"
sleep 10
claim "without the gateway it is not confirmed" slot_says "state = trial"
claim "and the server has not heard of success" server_says '.last_state == "Running"'
claim "talon says what it waits for" update_says "for the first time: it has to prove itself"
start_gateway "$gateway_port"
claim "with the gateway the new system is confirmed" wait_for 90 slot_says "state = good"
claim "and only now the server hears of success" wait_for 60 server_says '.last_state == "Finished" and .sw_version == "0.5.0"'
claim "the board knows it" wait_for 20 update_says "runs 0.5.0 from slot b"
claim "the agent sees it" wait_for 30 answers device.health '{}' '.update.version == "0.5.0"'
claim "no token is in the log" not log_says "S3cret-of-the-board"

say "systems that do not prove themselves"
echo 80 > "$bench/board/seconds"
echo "${own_network[*]}" > "$bench/board/environment-0.6.0"
offer 0.6.0
checks
claim "a system without a network is left" wait_for 120 root_says "left 0.6.0: asked the gateway could not be reached"
claim "the old one comes back" wait_for 20 slot_says "version = 0.5.0"
claim "the server hears why: the old one reaches the gateway" wait_for 90 server_says \
  '.last_state == "Error" and (.log | contains("the new system did not reach the gateway, and the old one does"))'
claim "with the last lines of the trial's log" server_says '.log | contains("gateway:")'
echo 0.7.0 > "$bench/board/crashes"
offer 0.7.0
checks
claim "a system that crashes is left after three starts" wait_for 90 root_says "left 0.7.0: starts"
claim "three, and no more" root_times 3 "start a 0.7.0"
claim "the server hears it" wait_for 60 server_says '.last_state == "Error" and (.log | contains("started three times"))'

say "a power cut"
offer 0.9.0
checks
claim "the bundle is installed" wait_for 60 root_says "installed 0.9.0"
touch "$bench/board/cut"
claim "after the power cut the update goes on" wait_for 120 server_says '.last_state == "Finished" and .sw_version == "0.9.0"'

say "a server that lies"
make_bundle 1.0.0
/usr/bin/python3 "$root/board/peers/lying_server.py" "${ports[1]}" "$bench/lies" "$bench/1.0.0.raucb" > "$bench/lies/log" 2>&1 &
echo honest > "$bench/lies/mode"
lying=("server = http://127.0.0.1:${ports[1]}/T" "token = another" "window = $(date -u -d "6 hours" +%H):00-$(date -u -d "7 hours" +%H):00")
reload "${lying[@]}"
claim "the board speaks to another server" wait_for 30 hears /configData true
for fault in small:"sends more bytes than it promised" large:"the server promised a bundle of" endless:"sends more bytes than it promised" \
  changed:"its digest is another" loop:"redirects too often"; do
  number=$(( ${number-10} + 1 ))
  lies "${fault%%:*}" $number
  claim "${fault%%:*}: said in the report" wait_for 60 told $number "(.details | join(\" \") | contains(\"${fault#*:}\")) and .execution == \"proceeding\""
done
claim "nothing of that was installed" root_times 0 "installed 1.0.0"
lies html
claim "a captive portal is logged" wait_for 30 log_says "is not JSON: is this the address of an update server?"
lies honest
reload "${lying[@]}"
lies slow 30 soft
claim "a download is under way" wait_for 60 told 30 '.details | join(" ") | contains("is being downloaded")'
claim "meanwhile the gateway is served" answers device.info '{}' '.systemName == "Linux"'
lies slow 30 cancel
claim "the server cancels it" wait_for 60 hears /cancelAction/c30/feedback '.body.status.execution == "closed"'
claim "and the board forgets it" wait_for 20 update_says "the last update was canceled"
lies cut 31 soft
claim "a connection that is cut three times: the rest is asked for" wait_for 120 asked_times 2 "/bundle bytes="
claim "and the bundle is installed" wait_for 120 root_says "installed 1.0.0"
claim "it waits for its window" wait_for 30 update_says "1.0.0 is installed, and waits for the restart"
lies stubborn 32 soft
claim "a server without ranges begins again" wait_for 120 root_times 2 "installed 1.0.0"
claim "and this one waits as well" wait_for 30 update_says "1.0.0 is installed, and waits for the restart"
claim "the gateway begins it at once" wait_for 20 answers update.start '{}' '.version == "1.0.0" and .slot != null'
claim "it is tried" wait_for 60 slot_says "version = 1.0.0"
claim "and confirmed" wait_for 90 slot_says "state = good"

say "a signed list"
openssl genpkey -algorithm ed25519 -out "$bench/key.pem"
openssl genpkey -algorithm ed25519 -out "$bench/other-key.pem"
key=$(openssl pkey -in "$bench/key.pem" -pubout -outform DER | tail -c 32 | base64)
make_bundle 1.1.0
cp "$bench/1.1.0.raucb" "$bench/web"
# publish NUMBER EXPIRES [KEY]: a list with one release, signed.
publish() {
  jq -nc --argjson number "$1" --arg expires "$2" --arg url "http://127.0.0.1:${ports[2]}/1.1.0.raucb" \
    --argjson size "$(stat -c %s "$bench/web/1.1.0.raucb")" --arg sha "$(sha256sum < "$bench/web/1.1.0.raucb" | cut -d' ' -f1)" \
    '{number: $number, expires: $expires, releases: [{board: "x86", channel: "stable", version: "1.1.0", minimum: "0.5.0",
      url: $url, size: $size, sha256: $sha}]}' > "$bench/list.json"
  openssl pkeyutl -sign -rawin -inkey "${3-$bench/key.pem}" -in "$bench/list.json" -out "$bench/list.sig"
  { base64 -w0 "$bench/list.sig"; echo; cat "$bench/list.json"; } > "$bench/web/releases.new"
  mv "$bench/web/releases.new" "$bench/web/releases"
}
/usr/bin/python3 -m http.server -d "$bench/web" -b 127.0.0.1 "${ports[2]}" > "$bench/web.log" 2>&1 &
publish 5 2030-01-01T00:00:00Z "$bench/other-key.pem"
reload "url = http://127.0.0.1:${ports[2]}/releases" "channel_key = $key"
asks_and_logs() { checks; log_says "$1"; }
claim "signed by somebody else: not used" wait_for 30 asks_and_logs "is not signed with the key of [update] channel_key"
publish 6 2020-01-01T00:00:00Z
claim "expired: not used" wait_for 30 asks_and_logs "has expired"
publish 7 2030-01-01T00:00:00Z
runs_listed() { checks; slot_says "version = 1.1.0"; }
claim "a right one leads to the new release" wait_for 120 runs_listed
claim "which is confirmed" wait_for 60 slot_says "state = good"
publish 3 2030-01-01T00:00:00Z
claim "an older list is not used" wait_for 30 asks_and_logs "is older than one that this board has seen"
claim "there is nothing for the gateway to begin" wait_for 20 refuses update.start '{}' "no release is offered"
claim "it may name a bundle, with TLS alone" refuses update.start '{"url":"http://127.0.0.1/x.raucb"}' "begins with https://"
claim "it sees release, slot and state" answers device.info '{}' '.update.version == "1.1.0" and .update.state == "idle" and (.update.slot | . == "a" or . == "b")'

say "a client certificate"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=field-1 -keyout "$bench/board-key.pem" \
  -out "$bench/board.pem" 2> /dev/null
mkdir -p "$bench/tls"
"$update_server_python" "$root/board/peers/update_server.py" certificate "$bench/tls" 127.0.0.1
(cd "$bench/web" && exec openssl s_server -accept "127.0.0.1:${ports[3]}" -cert "$bench/tls/server.pem" -key "$bench/tls/server.key" \
  -Verify 1 -verify_return_error -CAfile "$bench/board.pem" -WWW > "$bench/tls/log" 2>&1) &
publish 8 2030-01-01T00:00:00Z
asks_with() { reload "url = https://127.0.0.1:${ports[3]}/releases" "channel_key = $key" "ca_file = $bench/tls/server.pem" "$@"; }
certificate=("certificate = $bench/board.pem" "key = $bench/board-key.pem")
# is_answered TEST: whether the last questions failed.
is_answered() { checks; talon status --json | jq -e ".update.failures $1" > /dev/null; }
asks_with
claim "without it the board is refused, and says so" wait_for 30 asks_and_logs "the server wants a client certificate"
claim "and asks again later" is_answered "> 0"
chmod 644 "$bench/board-key.pem"
asks_with "${certificate[@]}"
claim "a key that everybody may read is not used" wait_for 30 asks_and_logs "everybody on this board may read the client certificate's key"
chmod 640 "$bench/board-key.pem"
claim "with it the list is read" wait_for 30 is_answered "== 0"

say "by hand"
claim "the release before comes back on request" wait_for 20 talon update rollback
claim "and runs" wait_for 60 slot_says "version = 1.0.0"
make_bundle 1.2.0
claim "a bundle in a file is taken" wait_for 30 talon update "$bench/1.2.0.raucb"
claim "installed, tried and confirmed" wait_for 120 update_says "runs 1.2.0"
claim "with the reason when it cannot be read" wait_for 20 talon update "$bench/no-such.raucb"
claim "in the status" wait_for 30 update_says "cannot read the file"
make_bundle 1.3.0 talon-armhf
claim "a bundle for another board" wait_for 20 talon update "$bench/1.3.0.raucb"
claim "is refused by name" wait_for 30 update_says "the bundle is for talon-armhf, this board is talon-x86"
claim "there is nothing to cancel" exits_with 69 talon update cancel
cp "$bench/1.2.0.raucb" "$bench/web/hand.raucb"
claim "a bundle at an address" wait_for 20 talon update "http://127.0.0.1:${ports[2]}/hand.raucb"
claim "is installed as well" wait_for 60 root_times 2 "installed 1.2.0"
