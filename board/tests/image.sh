#!/usr/bin/env bash
# An SD-card image, from its making to the field: started in qemu's Raspberry Pi 3 from its card, paired with a gateway by a
# person, asked for its state and a photo, seen on its serial port, switched off in the middle of everything, and started
# again.
#
#   image.sh [--again]
#
# With --again it is also built a second time, which gives the same bytes, with PINs for its cards; and its power is cut at a
# random moment of its start. rollout cuts the power of an image in each run.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/images/lib/field-image.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

# Guest time, which the bar of the figures is in; the emulated processors share 500 million instructions a second.
boot_seconds_max=25
compressed_mebibytes_max=150

network_setup=$root/images/root/usr/lib/talon-image/network-setup

# network FILE_TEXT: network-setup's exit code; what it made is in $bench/network, what it said in network.log.
network() {
  rm -rf "$bench/network"
  mkdir -p "$bench/network"
  printf '%b' "$1" > "$bench/network.conf"
  "$deps/vm/root/bin/busybox" sh "$network_setup" "$bench/network.conf" "$bench/network" > "$bench/network.log"
}
wired_says() { says "$bench/network/systemd/network/20-wired.network" "$1"; }
wifi_says() { says "$bench/network/wpa_supplicant.conf" "$1"; }
network_refuses() { ! network "$1" && says "$bench/network.log" "$2" && wired_says DHCP=yes && [[ ! -e $bench/network/wpa_supplicant.conf ]]; }

network_claims() {
  say "network.conf"
  claim "an empty one is a cable with DHCP" network ""
  claim "so it is" wired_says DHCP=yes
  claim "the example as it is, as well" network "$(sed 's/\\/&&/g' "$root/images/boot-partition/network.conf")"
  claim "a fixed address" network '[wired]\r\naddress = 192.0.2.7/24\ngateway = 192.0.2.1\ndns=192.0.2.1 9.9.9.9\n'
  claim "is taken" wired_says "Address=192.0.2.7/24"
  claim "with its router" wired_says "Gateway=192.0.2.1"
  claim "Wi-Fi by passphrase" network '[wifi]\ncountry=CH\nssid = W\303\266rk "1"\npassphrase = a "quoted" $word\n'
  claim "any name" wifi_says "ssid=57c3b6726b20223122"
  claim "any passphrase" wifi_says 'psk="a "quoted" $word"'
  claim "Wi-Fi by key" network "[wifi]\\ncountry=CH\\nssid=x\\npsk=$(printf 'ab%.0s' {1..32})\\n"
  claim "without quotes" wifi_says "psk=abab"
  claim "a file of Windows with a byte-order mark" network '\357\273\277[wired]\r\naddress = 192.0.2.8/24\r\n'
  claim "is taken, too" wired_says "Address=192.0.2.8/24"
  claim "one in two bytes for each letter" network '\377\376[\000w\000i\000r\000e\000d\000]\000\n\000d\000n\000s\000=\0009\000.\0009\000.\0009\000.\0009\000'
  claim "as well" wired_says "DNS=9.9.9.9"
  claim "and old ends of lines, quotes and spaces that nobody sees" network \
    '[wifi]\rcountry=\302\240CH\rssid="My net"\342\200\213\rpassphrase=\342\200\234long enough\342\200\235\r'
  claim "with the name inside the quotes" wifi_says "ssid=4d79206e6574"
  claim "and the passphrase" wifi_says 'psk="long enough"'
  claim "lines count as an editor counts them" network_refuses '[wired]\r\n\r\naddress = 1\r\n' "line 3: address"
  claim "a wrong address is told with its line" network_refuses '[wired]\naddress = 300.1.1.1/24\n' "line 2: address"
  claim "a short passphrase" network_refuses '[wifi]\ncountry=CH\nssid=x\npassphrase=short\n' "line 4: passphrase"
  claim "a radio without a country" network_refuses '[wifi]\nssid=x\n' "needs country"
  claim "a code for the camera without one, too" network_refuses '[wifi]\ncamera=yes\n' "needs country"
  claim "and one that is neither allowed nor not" network_refuses '[wifi]\ncountry=CH\ncamera=maybe\n' "line 3: camera"
  claim "an unknown key" network_refuses '[wired]\nadress = dhcp\n' "line 2: no key is called 'adress'"
  claim "a line of noise" network_refuses '\001\377 \377\n' "line 1:"
}

build_claims() {
  say "the image"
  local card=$bench/images/cards/field-01.img
  for _ in 1 2; do setup_code; done > "$bench/codes"
  printf '[gateway]\npairing_poll = 2\n' > "$bench/talon.conf"
  printf 'name,place,tags\nfield-01,"Barn, north wall",north pilot\nfield-02,Mast,north\n' > "$bench/boards.csv"
  mkdir -p "$bench/files"
  echo token-of-the-fleet > "$bench/files/updates-token"
  claim "a file that no card looks for is refused with the names of those it does" eval '! make_images > "$bench/refusal" 2>&1 &&
    says "$bench/build.log" "updates-token: a card looks for update-token"'
  printf '[gateway]\ntoken_file = /etc/talon/token\n' > "$bench/talon.conf"
  mv "$bench/files/updates-token" "$bench/files/update-token"
  claim "so is a configuration that names a file of /etc/talon which the card does not get" eval '! make_images > "$bench/refusal" 2>&1 &&
    says "$bench/build.log" "talon.conf:2: [gateway] token_file: /etc/talon/token cannot be read"'
  printf '[gateway]\npairing_poll = 2\n' > "$bench/talon.conf"
  make_images > "$bench/build.log" 2>&1 || { cat "$bench/build.log" >&2; die "no image"; }
  claim "compressed it has $(mebibytes "$bench/images/talon-arm64.img.xz") of $compressed_mebibytes_max MiB" \
    eval '(( $(mebibytes "$bench/images/talon-arm64.img.xz") <= compressed_mebibytes_max ))'
  claim "two cards have two names and two identities" eval '[[ $(tail -n +2 "$bench/images/cards/cards.csv" | cut -d, -f1 | paste -sd" ") == "field-01 field-02" ]] &&
    (( $(tail -n +2 "$bench/images/cards/cards.csv" | cut -d, -f2 | sort -u | wc -l) == 2 ))'
  get_boot "$card" setup-code.txt "$bench/setup-code"
  claim "each has its setup code" says "$bench/setup-code" "$(head -n 1 "$bench/codes")"
  get_boot "$card" update-token "$bench/update-token"
  claim "and the files of its fleet" says "$bench/update-token" token-of-the-fleet
  get_boot "$card" network.conf "$bench/card-network"
  claim "its place is in the list for the operator" says "$bench/images/cards/cards.csv" '"Barn, north wall",north pilot'
  claim "and on the card its host name" says "$bench/card-network" "hostname = field-01"
  mkdir -p "$bench/identities"
  for name in field-01 field-02; do get_boot "$bench/images/cards/$name.img" identity "$bench/identities/$name"; done
  cp --sparse=always "$card" "$bench/field-01.img"
}

# Once more, from the same inputs.
again_claims() {
  local card=$bench/images/cards/field-01.img first
  first=$(sums)
  cp --sparse=always "$card" "$bench/without-pin.img"
  claim "the same inputs once more, and PINs for the cards" make_images --fast --pins --identities "$bench/identities"
  claim "give the same bytes" [ "$first" = "$(sums)" ]
  get_boot "$card" talon.conf "$bench/pinned.conf"
  claim "also on a card, but for its PIN" eval 'put_boot "$bench/without-pin.img" "$bench/pinned.conf" talon.conf &&
    [[ $(boot_files "$card") == "$(boot_files "$bench/without-pin.img")" ]]'
  pin_claims
}

# Each card has a PIN.
pin_claims() {
  local pin card=$bench/images/cards/field-02.img
  pin=$(awk -F, '$1 == "field-02" { print $NF }' "$bench/images/cards/cards.csv")
  claim "of their own" eval '[[ $pin =~ ^[0-9]{6}$ && $(sed "s/.*,//" "$bench/images/cards/cards.csv" | sort -u | wc -l) == 3 ]]'
  claim "labels and a list of PINs are drawn of the cards' list" eval '"$root/images/labels" --pins "$bench/images/cards/cards.csv" >> "$bench/build.log" 2>&1 &&
    [[ -s $bench/images/cards/labels.pdf ]]'
  get_boot "$card" talon.conf "$bench/pinned.conf"
  claim "the card has the hash alone" eval 'says "$bench/pinned.conf" "pin = \$scrypt\$" && ! says "$bench/pinned.conf" "$pin"'
  claim "in a configuration that is right" "$out/x86_64/talon" config check --config "$bench/pinned.conf"
  claim "no console of an image starts a shell" says <(unsquashfs -o $(( system_start_a << 20 )) -cat "$bench/images/talon-arm64.img" \
    "usr/lib/systemd/system/talon-console@.service.d/no-shell.conf") "--no-shell"
}

make_images() {
  "$root/images/build" pi3 --out "$bench/images" --boards "$bench/boards.csv" --config "$bench/talon.conf" \
    --files "$bench/files" --codes "$bench/codes" "$@" 2>> "$bench/build.log"
}
setup_code() {
  "$gateway_program" qr --setup-code-only --state "$bench/gateway" --url "wss://10.0.2.2:$gateway_port" --expires-in 3600
}
sums() { (cd "$bench/images" && sha256sum talon-arm64.img && cut -d, -f1,2 cards/cards.csv); }
# boot_files CARD: the sums of all files of its boot partition.
boot_files() {
  rm -rf "$bench/boot-files"
  mkdir "$bench/boot-files"
  mcopy -s -n -i "$1@@${boot_start}M" "::*" "$bench/boot-files" && (cd "$bench/boot-files" && find . -type f -exec sha256sum {} + | sort -k 2)
}

serial_says() { grep -aqF -- "$1" "$card/serial.log"; }

# types LINE TEXT: typed at the serial port, the line is answered with the text.
types() { type_line "$card" "$1" && serial_says "$2"; }

# on_time: by the board's own clock, when it makes its first answer.
on_time() {
  local seconds
  wait_for 30 eval 'seconds=$(uptime)' || return 1
  say "  $seconds s after power-on it answers"
  (( seconds <= boot_seconds_max ))
}
uptime() { invoke device.status '{}' 2> /dev/null | jq -e '.uptimeSeconds | floor' 2> /dev/null; }

# lacks NAME...: the card's boot partition has no such file any more.
lacks() {
  local name
  for name in "$@"; do ! get_boot "$card/card.img" "$name" "$bench/taken" 2> /dev/null || return 1; done
}

# has_remnants CARD TEXT: the text stands somewhere in the boot partition, be it in what is free.
has_remnants() {
  partition "$1" 1 "$bench/boot-partition"
  LC_ALL=C grep -aqF -- "$2" "$bench/boot-partition"
}
lacks_remnants() { ! has_remnants "$@"; }

# leave_remnants FILE TEXT: as an editor does that saves a file anew: the old one's clusters are free, and have the text still.
leave_remnants() {
  { echo "# an old copy"; echo "$2"; head -c 20000 /dev/zero | tr '\0' '#'; echo "$2"; } > "$bench/old-copy"
  put_boot "$1" "$bench/old-copy" old-copy
  mdel -i "$1@@${boot_start}M" ::old-copy
}

boot_claims() {
  say "in qemu's Raspberry Pi 3: the first card, of which nobody has edited a file"
  card=$bench/card board_name=field-01
  node=$(awk -F, '$1 == "field-01" { print $2 }' "$bench/images/cards/cards.csv")
  insert_card "$bench/field-01.img" "$card"
  code=$(tail -n 1 "$bench/setup-code")
  leave_remnants "$card/card.img" "$code"
  claim "what an editor left of the setup code is on the card" has_remnants "$card" "$code"
  kernel_words="modules_load=vivid vivid.n_devs=1 vivid.node_types=0x1 vivid.num_inputs=1 vivid.input_types=0"
  power_on
  wait_for 300 is_pending || { tail -n 50 "$card/serial.log" >&2; die "no pairing request arrived"; }
  claim "its serial port shows who has to do what" wait_for 60 serial_says "devices approve"
  claim "to whoever types there, it answers" wait_for 30 types version "(build"
  gateway devices approve "$(pending_request)" > "$bench/approved.json"
  claim "approved, the node connects" wait_for 120 is_connected
  claim "it is the one of the list for the operator" [ "$(connected_id)" = "$node" ]
  claim "device.status answers" answers device.status '{}' \
    '.storage.totalBytes > 0 and .uptimeSeconds > 0 and .network.status == "satisfied"'
  claim "it knows its place and its groups" answers device.info '{}' '.place == "Barn, north wall" and .tags == ["north", "pilot"]'
  claim "a photo of the kernel's test camera shows its picture" snaps 640 "$bench/640.jpg"
  cut_power
  claim "without power its file systems are whole" is_clean "$card"
  claim "its seed and its setup code are gone from the boot partition" lacks identity setup-code.txt
  claim "and so is what was left of them where nothing is" lacks_remnants "$card" "$code"
  printf '[board]\nhostname = %s\n[wired]\naddress = 300.1.1.1/24\n' "$board_name" > "$bench/network.conf"
  put_boot "$card/card.img" "$bench/network.conf" network.conf
  power_on
  claim "the second start needs no approval" wait_for 300 is_connected
  claim "in time" on_time
  claim "it is the same board" [ "$(connected_id)" = "$node" ]
  claim "a mistake in network.conf is told on the serial port, and a cable did" serial_says "network.conf: line 4: address"
  cut_power
}

# Timing by instructions, so that a busy computer does not count.
power_on() {
  rm -f "$card/serial.log"
  start_machine raspi "$card" -icount shift=1
}

select_board pi3
begin "$out/test/image"
"$root/board/prepare" images
start_gateway
network_claims
build_claims
[[ ${1-} != --again ]] || again_claims
boot_claims
[[ ${1-} != --again ]] || "$root/images/cut" pi3 --times 1 --within 20 --image "$bench/images/talon-arm64.img" --folder "$bench/cut" >&2
