#!/usr/bin/env bash
# Who decides, on a real kernel: the x86_64 firmware on a DRM card, with a gateway of its own that asks all day (consent.py) and a person
# who sees the question on the card, touches an answer with a tablet, goes away, holds the board and kills the agent. CONSENT_REQUESTS:
# how many requests; 200 without it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

requests=${CONSENT_REQUESTS:-200}
grants() { guest "talon grants $* --config /etc/talon/talon.conf"; }
journal() { guest "talon journal --limit 1000 --config /etc/talon/talon.conf"; }
journal_says() { journal > "$bench/journal"; grep -q "$1" "$bench/journal" || { cat "$bench/journal"; return 1; }; }
# lists_no TEXT [WORD...]: `talon grants` is answered with its list, in which this text does not stand.
lists_no() { grants "${@:2}" > "$bench/grants" && grep -q "^camera " "$bench/grants" && ! grep "$1" "$bench/grants"; }
figure() { jq -r ".[\"$1\"]" "$bench/figures.json"; }
day() { "$root/board/tests/consent.py" "$gateway_port" "$bench/vm" "$requests" "${1:-26}" > "$bench/figures.json"; }

begin "$out/test/consent"
mkdir -p "$bench/gateway"
echo secret > "$bench/gateway/token"
gateway_port=$(python3 -c 'import socket; s = socket.create_server(("", 0)); print(s.getsockname()[1])')
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon $'driver = simulated\nfolder = /etc/talon\nidle = 0' \
  $'driver = simulated\nreplay = /etc/talon/field.nmea\n
[microphone]\ndriver = simulated\nfile = /etc/talon/mouth.wav\n
[canvas]\nscreen = /dev/dri/card0\nmode = 800x600\n
[consent]\ncamera = ask\nmicrophone = ask\nlocation = ask\nscreen.record = ask\nrefusal = 10'
cp "$root/board/tests/field.nmea" "$bench/vm/files/etc/talon/field.nmea"
make_bars 320 240 "$bench/vm/files/etc/talon/bars.jpg"
python3 - "$bench/vm/files/etc/talon/mouth.wav" <<'PYTHON'
import sys, wave
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(16000)
    file.writeframes(bytes(16000 * 2 * 30))
PYTHON
sed -i "s|^url = .*|url = ws://10.0.2.2:$gateway_port|; s|^\[gateway\]|&\nallow_plaintext = yes|" "$bench/vm/files/etc/talon/talon.conf"
"$root/board/vm" start "$bench/vm" "" "bochs virtio_input evdev" "bochs-display virtio-tablet-pci" ""
guest 'load bochs; load evdev; load virtio_input'
start_talon
claim "$requests requests: nothing is used without a touch that allowed it, none is answered twice, late or never" day
cat "$bench/figures.json"
claim "some were served" test "$(figure served)" -gt $(( requests / 20 ))
claim "some were refused" test "$(figure refused)" -gt $(( requests / 20 ))
claim "the person was asked, and answered" eval '(( $(figure once) > 0 && $(figure no) > 0 && $(figure 60s) > 0 ))'
claim "the journal has what was granted at the screen" journal_says "granted .* at the screen"
copy_log
claim "the log has each answer of the screen" grep -q "granted at the screen" "$bench/talon.log"
claim "nothing waits at the end, and nothing is asked" lists_no "wants to"
claim "the grants of the day end" lists_no "granted for" end
claim "a yes that names no question grants nothing" eval '! grants yes today && lists_no "granted for"'
claim "nor does one that names another" eval '! grants yes 1-0000 today && lists_no "granted for"'
claim "a grant at the console is listed" eval 'grants give camera 2h | grep "camera .*granted for 1 h 59 min more\|camera .*granted for 2 h more" > /dev/null'
claim "and is taken back" lists_no "granted for" end camera
