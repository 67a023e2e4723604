#!/usr/bin/env bash
# Links (openclaw://, oc-pair://) on the x86_64 firmware: a QR code in front of the camera pairs a board, messages for the agent go with the
# board's own key or somebody's yes, and what is wrong or too long is told. The code is in pictures of a folder, and then before the
# kernel's test camera in a virtual machine: vivid's camera sees what its video output is given (board/guest/show.c). There a board without a
# network sees the code of a Wi-Fi network, too.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

talon=$out/x86_64/talon
secret=
passphrase="long enough"

# board COMMAND WORD...: a command of Talon at the board; what it says is in said.txt.
board() { "$talon" "$@" --config "$bench/board/talon.conf" > "$bench/said.txt" 2>&1; }
# tells CODE WORDS COMMAND...: the command exits with the code, and says the words.
tells() {
  local code=0
  board "${@:3}" || code=$?
  if (( code == $1 )) && says "$bench/said.txt" "$2"; then return; fi
  say "exit $code: $(cat "$bench/said.txt")"
  return 1
}
# link_name: the name of the question about a link.
link_name() {
  board open yes || true
  sed -n 's/.*talon open yes //p' "$bench/said.txt"
}
# from_input CODE WORDS LINK: the same for a link on standard input.
from_input() { tells "$1" "$2" open - <<< "$3"; }

# write_board FOLDER PREFIX CAMERA: the configuration of a board that knows no gateway, in FOLDER, which is PREFIX where Talon reads it.
# CAMERA: the lines of its section.
write_board() {
  mkdir -p "$1"
  printf '%s\n' "[gateway]" "pairing_poll = 2" "[node]" "name = $board_name" "state_directory = $2/state" "runtime_directory = $2/run" \
    "[camera]" "$3" > "$1/talon.conf"
}

# show TEXT [NAME]: the camera sees a picture with this code.
show() { "$root/board/peers/code.py" pgm 1280 720 <<< "$1" | cjpeg -quality 85 > "$bench/pictures/${2-code}.jpg"; }
# requests WORD: how many messages with the word the gateway got from the board.
requests() { grep -F 'agent.request' "$bench/gateway.log" | grep -cF -- "$1" || true; }
arrives() { wait_for 20 has_come "$1"; }
has_come() { (( $(requests "$1") > 0 )); }
never_came() { ! has_come "$1"; }
message() { printf 'openclaw://agent?message=%s' "$1"; }
letters() { head -c "$1" /dev/zero | tr '\0' "$2"; }
# guest_tells CODE WORDS COMMAND: the same as tells, for a command in the virtual machine.
guest_tells() {
  local code=0
  guest "$3" > "$bench/said.txt" 2>&1 || code=$?
  if (( code == $1 )) && grep -qE -- "$2" "$bench/said.txt"; then return; fi
  say "exit $code: $(cat "$bench/said.txt"); $(guest 'cat /tmp/show.log' 2>&1 || true)"
  return 1
}
request_file=/etc/talon/run/wifi-request
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
no_secret_told() { ! grep -qF -- "$secret" "$bench/talon.log" "$bench/said.txt" && ! grep -qF -- "$1" "$bench/talon.log"; }

begin "$out/test/links"
start_gateway
mkdir -p "$bench/pictures"
: > "$bench/talon.log"
make_bars 640 480 "$bench/pictures/a.jpg"
write_board "$bench/board" "$bench/board" "driver = simulated"$'\n'"folder = $bench/pictures"

say "codes in front of the camera"
claim "without a code, that is told when the time is up" tells 69 "no QR code was seen" connect --scan --seconds 1
show "https://example.org/"
claim "a code of something else connects nothing" tells 69 "a QR code was seen, but" connect --scan --seconds 1
show "$(message hello)"
claim "nor does a message for the agent" tells 69 "it is a message for the agent" connect --scan --seconds 1
show "openclaw://gateway?host=192.0.2.1&token=x"
claim "nor a gateway without TLS" tells 69 "it needs tls=1" connect --scan --seconds 1
code=$("$gateway_program" qr --state "$bench/gateway" --oc-pair --setup-code-only --node-only)
secret=${code#oc-pair://}
show "$code"
claim "a setup code among other pictures pairs the board" tells 0 "gateway      wss://" connect --scan --seconds 20
claim "and is told nobody" no_secret_told "$secret"
"$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
board_pid=$!
claim "it connects, and needs nobody" wait_for 60 is_connected

say "messages for the agent"
claim "a link asks at the board, where nobody types" tells 0 "talon open yes" open "$(message Water%20the%20garden)" --ask
claim "the next one within 5 s has to wait" tells 75 "another link waits" open "$(message again)" --ask
claim "nothing is sent before somebody says yes" never_came "Water the garden"
claim "a yes that does not name it shows it, and sends nothing" tells 64 "a yes names the question" open yes
claim "nor does one with another name" tells 69 "another link waits" open yes 99-0000
sleep 1
claim "yes with its name sends it" eval 'tells 0 "sent" open yes "$(link_name)"'
claim "and it arrives" arrives "Water the garden"
claim "a link that comes too soon is told so" tells 69 "one link in 5 s" open "$(message soon)" --ask
claim "--yes is one" tells 0 "sent" open "$(message ready%20at%20once)" --yes
claim "which arrives" arrives "ready at once"
board open --key
key=$(tail -1 "$bench/said.txt")
claim "the board's own key has 43 characters" test "${#key}" = 43
claim "a link with it asks nobody" from_input 0 "sent" "$(message unattended)&deliver=1&to=me&channel=test&key=$key"
claim "and arrives, the key not" arrives "unattended"
claim "the key is in no log" no_secret_told "$key"
claim "a renewed key takes its place" board open --key --renew
sleep 5
claim "and the old one asks" from_input 0 "talon open yes" "$(message old)&key=$key"
claim "no sends nothing" tells 0 "refused" open no
board open --key
key=$(tail -1 "$bench/said.txt")
claim "a long message with the key arrives whole" from_input 0 "sent" "$(message "$(letters 20000 b)")&key=$key"
claim "at the gateway, whose trace has the beginning of it" arrives "$(letters 60 b)"

say "what is refused"
claim "240 characters without the key" tells 69 "at most 240 characters, and this one has 241" open "$(message "$(letters 241 a)")" --yes
claim "20 000 with it" from_input 64 "at most 20000 characters" "$(message "$(letters 20001 a)")&key=$key"
claim "65 536 bytes in all" from_input 64 "longer than 65536 bytes" "$(message a)&x=$(letters 65536 a)"
claim "another scheme" tells 64 "neither openclaw:// nor oc-pair://" open "https://example.org/"
claim "another target" tells 64 "it is none of" open "openclaw://wallet?x=1"
claim "broken text, with its place" tells 64 "(message), at byte 25" open "$(message %FF)"
claim "none of it came" never_came "$(letters 60 a)"
claim "a board that is held opens none" board panic
claim "and says so" tells 69 "holds this board" open "$(message held)" --yes

say "the kernel's camera"
kill "$board_pid"
wait "$board_pid" 2> /dev/null || true
wait_for 20 is_gone || die "the gateway still has the first board"
write_board "$bench/vm/files/etc/talon" /etc/talon "driver = v4l2"
put_program "$bench/vm" show
code=$("$gateway_program" qr --state "$bench/gateway" --oc-pair --setup-code-only --node-only --url "wss://10.0.2.2:$gateway_port")
secret=${code#oc-pair://}
# As Talon reads a camera that offers any size.
"$root/board/peers/code.py" yu12 1280 676 <<< "$code" > "$bench/vm/files/code.yu12"
"$root/board/peers/code.py" yu12 1280 676 <<< "WIFI:T:WPA;S:Barn;P:$passphrase;;" > "$bench/vm/files/wifi.yu12"
# One HDMI input, and one HDMI output.
"$root/board/vm" start "$bench/vm" "n_devs=1 node_types=0x101 num_inputs=1 input_types=3 num_outputs=1 output_types=1"
scan="talon connect --scan --config /etc/talon/talon.conf --seconds"
claim "without a code, that is told, with how many pictures were looked at" \
  guest_tells 69 'no QR code was seen: [1-9][0-9]* pictures in 4 s' "$scan 4"
# What the driver writes on its pictures would cover a corner of the code.
guest 'talon camera controls /dev/video0 --set loop_video=1 --set osd_text_mode=2 > /dev/null
  show /dev/video0 /dev/video1 < /code.yu12 > /tmp/show.log 2>&1 &'
claim "a setup code that the driver shows pairs the board" guest_tells 0 "gateway      wss://10.0.2.2:$gateway_port" "$scan 20"
start_talon
claim "it connects, and needs nobody" wait_for 90 is_connected
copy_log
claim "and the code is told nobody" no_secret_told "$secret"

say "a Wi-Fi code, while the board has no network"
stop_talon
guest 'kill $(pidof show); ip link set eth0 down; mkdir -p /run/talon-system; echo "state = waiting" > /run/talon-system/wifi
  show /dev/video0 /dev/video1 < /wifi.yu12 > /tmp/show.log 2>&1 &'
start_talon
claim "a board whose card allows it asks for one" wait_for 120 log_says "show a Wi-Fi code to its camera"
claim "and hands over the network that it has seen" wait_for 60 guest "test -e $request_file"
request=$(guest "cat $request_file")
claim "with its name and its passphrase, as digits" eval \
  '[[ $request == *"ssid = $(hex Barn)"$'\''\n'\''* && $request == *"passphrase = $(hex "$passphrase")" ]]'
guest "(sed -n '/^id = /p' $request_file; echo 'state = failed'; echo 'reason = it gives no address') > /run/talon-system/wifi"
claim "why it was not joined is told" wait_for 30 log_says "the network of a code is not joined: it gives no address"
guest 'ip link set eth0 up; ip route add default via 10.0.2.2'
claim "with a cable it connects, and needs no code" wait_for 90 is_connected
claim "and the passphrase is told nobody" no_secret_told "$passphrase"
