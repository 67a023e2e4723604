#!/usr/bin/env bash
# The SD-card image of the boards with an ARM1176, Pi 1 and Zero, in qemu's Raspberry Pi Zero: paired with a gateway by a person, asked
# for its state, seen on its serial port, switched off, and started again. What all images have in common is for image.sh.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/images/lib/field-image.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

make_image() {
  printf 'name,place,tags\nfield-01,Mast,north\n' > "$bench/boards.csv"
  card_config > "$bench/talon.conf"
  "$root/images/build" zero --fast --out "$bench/images" --boards "$bench/boards.csv" --config "$bench/talon.conf" \
    --token "$bench/gateway/token" > "$bench/build.log" 2>&1 || { cat "$bench/build.log" >&2; return 1; }
}

# has_loader SECTION LOADER: boards of that section of config.txt start this U-Boot, which is there.
has_loader() {
  get_boot "$card/card.img" config.txt "$bench/config.txt"
  get_boot "$card/card.img" "$2" "$bench/loader"
  [[ $(sed -n "/^\[$1\]$/{n;p}" "$bench/config.txt") == "kernel=$2" && -s $bench/loader ]]
}
has_trees() {
  local name
  for name in bcm2835-rpi-{a,a-plus,b,b-plus,b-rev2,zero,zero-w}.dtb; do get_boot "$card/card.img" "$name" "$bench/tree" || return 1; done
}

power_on() {
  rm -f "$card/serial.log"
  # By instructions, so that a busy computer does not count.
  start_machine raspi "$card" -icount shift=1
}
serial_says() { grep -aqF -- "$1" "$card/serial.log"; }
lacks_cycles() { ! serial_says "ordering cycle"; }

begin "$out/test/zero"
select_board zero
board_name=field-01 card=$bench/card
start_gateway
claim "the image is made" make_image
insert_card "$bench/images/cards/field-01.img" "$card"
claim "a Pi 1 starts its U-Boot" has_loader pi1 u-boot-rpi.bin
claim "a Zero as well" has_loader pi0 u-boot-rpi.bin
claim "a Zero W its own" has_loader pi0w u-boot-rpi_0_w.bin
claim "each board has its device tree" has_trees

kernel_words=loglevel=7
power_on
wait_for 400 is_pending || { tail -n 50 "$card/serial.log" >&2; die "no pairing request arrived"; }
claim "its serial port shows who has to do what" wait_for 120 serial_says "devices approve"
claim "systemd starts every unit" lacks_cycles
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, the node connects" wait_for 200 is_connected
claim "it is a Zero" answers device.info '{}' '.modelIdentifier | test("Zero")'
claim "device.status answers" answers device.status '{}' \
  '.storage.totalBytes > 0 and .uptimeSeconds > 0 and .network.status == "satisfied"'
cut_power
claim "without power its file systems are whole" is_clean "$card"
power_on
claim "the second start needs no approval" wait_for 400 is_connected
claim "it says that its power was away" answers device.health '{}' '.restart.cause == "power"'
cut_power
