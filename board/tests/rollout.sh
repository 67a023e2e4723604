#!/usr/bin/env bash
# A board in the field gets a new system: a card with an image in an emulated machine, a gateway, and gooseBit, an update server that
# shares no code with Talon. The server hears of success when the new system has reached the gateway, and not before.
#
#   rollout.sh [every | raspi]
#
# With "every" then come systems that are no good (a kernel or an agent that does not start, no driver of the camera, nobody reached), and
# bundles that are refused: each time the board is back on its old system, and the server is told why. That takes its time. With "raspi" the
# rollout alone is in qemu's Raspberry Pi 3, whose network by USB takes ten minutes and more for a bundle.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/images/lib/field-image.sh"
source "$root/images/lib/keys.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/update_server.sh"

board_id=field-1
# What a trial may last, for a busy computer emulates the board: the agent gives it up 45 s before.
trial_seconds=400
# Power cuts at moments of the good rollout, replayed.
cuts=20
# A camera that is a driver of the kernel's, for the self-test to see.
camera_words="modules_load=vivid vivid.n_devs=1 vivid.node_types=0x1 vivid.num_inputs=1 vivid.input_types=0"

power_on() {
  : > "$card/serial.log"
  kernel_words="$camera_words talon.trial_seconds=$trial_seconds" restarts=yes start_machine "$1" "$card"
}
# The board asks the server each half minute; typed, it asks at once. What is typed while it starts would stop U-Boot on virt, which
# waits two seconds for a key there.
checks() { type_line "$card" "update check"; }
server_says() { update_server board "$board_id" | jq -e "$1" > /dev/null; }
starts() { grep -aoE 'talon: slot [ab]' "$card/serial.log" | cut -d' ' -f3 | paste -sd' '; }
started() { [[ $(starts) == "$1" ]]; }
health_says() { invoke device.health '{}' 2> /dev/null | jq -e ".update | $1" > /dev/null 2>&1; }
is_same_board() { [[ $(connected_id) == "$node" ]]; }

# What the server knows of the board's last update, and whether that is other than before the last offer.
server_log() { update_server board "$board_id" | jq -r .log; }
has_ended_anew() { [[ $(server_log) != "$log_before" ]] && server_says "$1"; }

# offer BUNDLE: as a rollout, also to a board that has failed before.
offer() {
  log_before=$(server_log)
  update_server rollout "$(update_server bundle "$1")" > "$bench/rollout"
  update_server retry "$board_id"
  : > "$card/serial.log"
  checks
}

# describe IMAGE: a line for replay.py of the kernel and the system in slot a. A squashfs says itself how long it is (bytes_used).
describe() {
  local bytes
  bytes=$(od -An -tu8 -j $(( (system_start_a << 20) + 40 )) -N 8 "$1" | tr -d ' ')
  echo "$2 $(( kernel_size << 20 )) $(part_sum "$1" "$kernel_start_a" $(( kernel_size << 20 ))) $bytes $(part_sum "$1" "$system_start_a" "$bytes")"
}
part_sum() { dd if="$1" bs=1M iflag=count_bytes skip="$2" count="$3" status=none | sha256sum | cut -d' ' -f1; }

# survives_cuts FIRST LAST: of what was written to the card, in bytes.
survives_cuts() {
  python3 "$root/images/lib/replay.py" "$card/card.before" "$card/writes" "$1" "$2" "$bench/systems" "$cuts" "$RANDOM" > "$bench/replay.log" 2>&1 \
    || { cat "$bench/replay.log" >&2; return 1; }
}

# begin_variant, end_variant VERSION: $bench/variant has the system and the kernel files of the image, to be changed between the two.
begin_variant() {
  rm -rf "$bench/variant"
  mkdir -p "$bench/variant"
  dd if="$image" of="$bench/variant/kernel.fat" bs=1M skip="$kernel_start_a" count="$kernel_size" conv=sparse status=none
  unsquashfs -quiet -no-progress -d "$bench/variant/root" -o $(( system_start_a << 20 )) "$image" > /dev/null
}
end_variant() {
  echo "$1" > "$bench/variant/root/usr/lib/talon-image/version"
  mksquashfs "$bench/variant/root" "$bench/variant/system" -quiet -no-progress -noappend -all-root -no-xattrs -comp zstd -Xcompression-level 1 > /dev/null
  cp --sparse=always "$image" "$bench/variant/$1.img"
  dd if="$bench/variant/kernel.fat" of="$bench/variant/$1.img" bs=1M seek="$kernel_start_a" conv=notrunc status=none
  dd if="$bench/variant/system" of="$bench/variant/$1.img" bs=1M seek="$system_start_a" conv=notrunc status=none
  describe "$bench/variant/$1.img" "$1" >> "$bench/systems"
  "$root/images/bundle" pi3 --image "$bench/variant/$1.img" --out "$bench/bundles/$1.raucb" 2>> "$bench/build.log"
  rm -rf "$bench/variant"
}

# small_bundle NAME VERSION BOARD KEY CERTIFICATE: one that is refused before it is looked into.
small_bundle() {
  rm -rf "$bench/small"
  mkdir -p "$bench/small"
  head -c 65536 /dev/urandom > "$bench/small/system.img"
  printf '[update]\ncompatible=%s\nversion=%s\n[bundle]\nformat=verity\n[image.rootfs]\nfilename=system.img\n' "$3" "$2" > "$bench/small/manifest.raucm"
  rauc bundle --cert="$5" --key="$4" "$bench/small" "$bench/bundles/$1.raucb" > "$bench/rauc.log" 2>&1
}

prepare_bench() {
  select_board pi3
  begin "$out/test/rollout"
  card=$bench/card image=$bench/images/talon-arm64.img
  "$root/board/prepare" images
  prepare_update_server
  trap 'cut_power; finish' EXIT
  mkdir -p "$bench/bundles"
  start_gateway
  start_update_server "$(free_port)" 10.0.2.2
  "$root/images/build" pi3 --fast --version 1.0.0 --out "$bench/images" >> "$bench/build.log" 2>&1 || { cat "$bench/build.log" >&2; die "no image"; }
  describe "$image" 1.0.0 > "$bench/systems"
  begin_variant
  end_variant 1.1.0
}

write_board() {
  write_card "$image" "$card" 'driver = v4l2'
  {
    cat "$card/talon.conf"
    printf '\n[update]\nserver = https://10.0.2.2:%s/DEFAULT\nname = %s\ntoken_file = /etc/talon/update-token\n' "$update_server_port" "$board_id"
    printf 'ca_file = /etc/talon/update-ca.pem\nregion = north\n'
  } > "$card/full.conf"
  put_boot "$card/card.img" "$card/full.conf" talon.conf
  put_boot "$card/card.img" "$bench/server/server.pem" update-ca.pem
  echo S3cret-of-the-board > "$bench/update-token"
  put_boot "$card/card.img" "$bench/update-token" update-token
}

good_claims() {
  local offered confirmed
  say "a rollout"
  write_board
  keeps_writes=yes power_on "$1"
  wait_for 300 is_pending || { tail -n 50 "$card/serial.log" >&2; die "no pairing request arrived"; }
  approve_pending
  claim "the board connects" wait_for 300 is_connected
  node=$(connected_id)
  claim "and the server knows it" wait_for 180 server_says '.sw_version == "1.0.0" and .hardware.model == "talon-arm64"'
  update_server join "$board_id"
  [[ $1 == raspi ]] || offered=$(stat -c %s "$card/writes")
  offer "$bench/bundles/1.1.0.raucb"
  claim "the bundle is installed into the other slot, and tried" wait_for 1200 started "b"
  claim "the server has not heard of success" server_says '.last_state == "Running"'
  claim "the new system is confirmed" wait_for 400 health_says '.version == "1.1.0"'
  claim "and the server hears of it" wait_for 300 server_says '.last_state == "Finished" and .sw_version == "1.1.0"'
  claim "it is the same board" is_same_board
  [[ $1 == raspi ]] || confirmed=$(stat -c %s "$card/writes")
  cut_power
  claim "without power its file systems are whole" is_clean "$card"
  [[ $1 != raspi ]] || return 0
  claim "and whole after $cuts cuts at any moment since the offer, with identity, trust and a system to start" survives_cuts "$offered" "$confirmed"
  sed 's/^/  /' "$bench/replay.log"
}

# is_back WORDS FILTER: the old system runs, and the server was told why.
is_back() {
  claim "$1" wait_for 900 has_ended_anew '.last_state == "Error" and .sw_version == "1.1.0"'
  claim "and the server is told why" server_says ".log | contains(\"$2\")"
  claim "the gateway has the same board" wait_for 60 is_same_board
}

bad_claims() {
  say "systems that are no good"
  power_on virt
  claim "the new system goes on running" wait_for 300 is_connected
  begin_variant
  head -c 100000 /dev/urandom > "$bench/variant/vmlinuz"
  mcopy -o -i "$bench/variant/kernel.fat" "$bench/variant/vmlinuz" ::vmlinuz
  end_variant 1.2.0
  offer "$bench/bundles/1.2.0.raucb"
  is_back "a kernel that does not start is left" "started three times"
  claim "after three starts" started "a a a b"
}

slow_claims() {
  begin_variant
  find "$bench/variant/root/usr/lib/modules" -name vivid.ko -delete
  end_variant 1.4.0
  offer "$bench/bundles/1.4.0.raucb"
  is_back "a system without the camera's driver is left" "self-test"

  begin_variant
  printf '#!/bin/busybox sh\nexit 1\n' > "$bench/variant/root/usr/bin/talon"
  end_variant 1.3.0
  offer "$bench/bundles/1.3.0.raucb"
  is_back "an agent that does not start is left" "in time"

  begin_variant
  rm "$bench"/variant/root/usr/lib/systemd/system/*.wants/systemd-networkd.service
  end_variant 1.5.0
  offer "$bench/bundles/1.5.0.raucb"
  is_back "a system without a network is left" "the old one does"
}

refused() { claim "$1" wait_for 300 has_ended_anew ".last_state == \"Error\" and (.log | contains(\"$2\"))"; }
refused_bundle() { offer "$bench/bundles/$1.raucb"; refused "$2" "$3"; }

# By its address, for the server offers a board nothing that is not for it.
refused_by_hand() {
  type_line "$card" "update https://10.0.2.2:$files_port/$1.raucb"
  claim "$2" wait_for 300 health_says "tostring | contains(\"$3\")"
}

bundle_claims() {
  files_port=$(free_port)
  say "bundles that are refused"
  make_update_key "$bench/other.key" "$bench/other.pem"
  small_bundle forged 2.0.0 talon-arm64 "$bench/other.key" "$bench/other.pem"
  small_bundle armhf 2.1.0 talon-armhf "$development_key" "$development_certificate"
  small_bundle old 0.9.0 talon-arm64 "$development_key" "$development_certificate"
  head -c 60000000 "$bench/bundles/1.1.0.raucb" > "$bench/bundles/cut.raucb"
  : > "$card/serial.log"
  python3 "$root/board/peers/files_server.py" "$bench/bundles" "$files_port" "$bench/server/server.pem" "$bench/server/server.key" > "$bench/files.log" 2>&1 &
  refused_by_hand armhf "one for another board" "is for talon-armhf, this board is talon-arm64"
  refused_by_hand cut "one that was cut" "is not accepted"
  refused_bundle forged "signed by somebody else" "signature"
  refused_bundle old "an older one" "is older than"
  claim "nothing of that was started" started ""
}

[[ ${1-} != every ]] || cuts=200
prepare_bench
began=$SECONDS
if [[ ${1-} == raspi ]]; then good_claims raspi; else good_claims virt; fi
say "  $(( SECONDS - began )) s in all"
[[ ${1-} == every ]] || exit 0
bad_claims
bundle_claims
slow_claims
