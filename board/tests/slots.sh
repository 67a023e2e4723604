#!/usr/bin/env bash
# The two slots of a card: the records that say which one is started, as the image's own scripts write them and as U-Boot reads them, and
# writes them back. The scripts run in the image's shell on a disk that is a file; U-Boot runs in qemu, on a card whose kernels cannot be
# started, so that it chooses again and again.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/images/lib/field-image.sh"
source "$root/board/lib/claims.sh"

scripts=$root/images/root/usr/lib/talon-image

# make_board: a root folder with the scripts and busybox, and a disk of which slot a is started.
make_board() {
  local name
  chroot=$bench/board disk=$bench/board/dev/disk
  rm -rf "$chroot"
  mkdir -p "$chroot"/{bin,dev,data/update,run/talon-system,usr/lib/talon-image}
  cp "$deps/vm/root/bin/busybox" "$chroot/bin"
  for name in $("$chroot/bin/busybox" --list); do ln -s busybox "$chroot/bin/$name" 2> /dev/null || true; done
  cp "$scripts"/slot* "$chroot/usr/lib/talon-image"
  echo 1.0 > "$chroot/usr/lib/talon-image/version"
  echo talon-arm64 > "$chroot/usr/lib/talon-image/compatible"
  echo 2.0 > "$chroot/data/update/version-b"
  echo 1.0 > "$chroot/data/update/version-a"
  echo /dev/disk > "$chroot/run/talon-system/disk"
  mkdir "$chroot/proc"
  echo panic=10 > "$chroot/proc/cmdline"
  mknod "$chroot/dev/null" c 1 3
  mknod "$chroot/dev/zero" c 1 5
  truncate -s 4M "$disk"
  make_record "$bench/record"
  for megabyte in 1 2; do dd if="$bench/record" of="$disk" bs=1M seek="$megabyte" conv=notrunc status=none; done
}

# slot RUNNING WORD...: as the board does it whose slot RUNNING runs.
slot() {
  echo "$1" > "$chroot/run/talon-system/running"; shift
  chroot "$chroot" /bin/busybox sh /usr/lib/talon-image/slot "$@" > "$bench/said" 2> "$bench/complaint"
}
slot_fails() { ! slot "$@"; }
tells() { grep -qx "$1" "$chroot/run/talon-system/slot"; }
answers_rauc() { slot a "${@:2}" && [[ $(< "$bench/said") == "$1" ]]; }

# damage MEGABYTE: of one copy of the record.
damage() { printf x | dd of="$disk" bs=1 seek=$(( ($1 << 20) + 40 )) conv=notrunc status=none; }

record_claims() {
  say "the record"
  make_board
  claim "a new card starts slot a" slot a tell
  claim "tells what runs" tells "slot = a"
  claim "and that the other slot is empty" tells "other_state = empty"
  claim "which cannot be tried" slot_fails a try
  claim "RAUC is told which slot is started" answers_rauc a get-primary
  claim "and that the other one is not good" answers_rauc bad get-state b
  claim "what it begins to write stays empty" slot a set-state b bad
  claim "what is whole" slot a set-primary b
  claim "is installed" tells "other_state = installed"
  claim "with its version" tells "other_version = 2.0"
  claim "and is not started before it is tried" answers_rauc a get-primary
  claim "a trial begins" slot a try
  claim "the new system knows that it is one" slot b tell
  claim "so it says" tells "state = trial"
  claim "with three starts" tells "starts_left = 3"
  claim "and ten minutes" tells "trial_seconds = 600"
  echo "panic=10 talon.trial_seconds=900 quiet" > "$chroot/proc/cmdline"
  claim "or as long as cmdline.txt says" slot b tell
  claim "in seconds" tells "trial_seconds = 900"
  claim "what confirms itself" slot b confirm
  claim "is good" tells "state = good"
  claim "and is told" tells "last_result = confirmed"
  claim "it is what is started" answers_rauc b get-primary
  claim "a good slot can be gone back to" slot b rollback
  claim "which is then started" answers_rauc a get-primary
  claim "a second trial" slot a set-primary b
  slot a try
  claim "can be left" slot b leave asked 'no camera'$'\n''x = y'
  claim "the slot is bad" slot a tell
  claim "so it says" tells "other_state = bad"
  claim "with the reason on one line" tells "last_reason = asked no camera"
  claim "it can be tried once more" slot a try
  claim "but no slot leaves that is in no trial" slot_fails a leave time
}

# Whatever was cut while it was written, the copy before it counts.
damage_claims() {
  say "damage"
  make_board
  slot a set-primary b
  damage 2
  claim "of the newer copy gives the older" slot a tell
  claim "as it was" tells "other_state = empty"
  make_board
  slot a set-primary b
  damage 1
  claim "of the older copy changes nothing" slot a tell
  claim "so it is" tells "other_state = installed"
  damage 2
  claim "of both starts slot a" answers_rauc a get-primary
  printf 'seq=ffffffff\nprimary=$(reboot)\ntrial=none\na=good\nb=good\n' | mkenvimage -s 512 -p 0 -o "$bench/record" -
  dd if="$bench/record" of="$disk" bs=1M seek=1 conv=notrunc status=none
  claim "words that are none of ours are not taken" answers_rauc a get-primary
}

# A card with U-Boot and kernels that are none.
loader_card() {
  rm -rf "$bench/loader"
  mkdir -p "$bench/loader/files" "$bench/loader/kernel"
  : > "$bench/loader/serial.log"
  mkimage -A arm -T script -C none -d "$root/images/slot/boot.cmd" "$bench/loader/files/boot.scr" > /dev/null
  echo panic=10 > "$bench/loader/files/cmdline.txt"
  { echo start=booti; cat "$root/images/slot/boot.env"; } > "$bench/loader/kernel/boot.env"
  head -c 4096 /dev/zero > "$bench/loader/kernel/vmlinuz"
  cp "$bench/loader/kernel/vmlinuz" "$bench/loader/kernel/initramfs.zst"
  make_fat "$bench/loader/files" "$bench/loader/boot.fat" "$boot_size" TALON
  make_fat "$bench/loader/kernel" "$bench/loader/kernel.fat" "$kernel_size" TALON-SYS
  truncate -s 4K "$bench/loader/system"
  make_disk "$bench/loader/boot.fat" "$bench/loader/kernel.fat" "$bench/loader/system" "$bench/loader/card.img"
  truncate -s "$card_size" "$bench/loader/card.img"
  dd if="$bench/loader/kernel.fat" of="$bench/loader/card.img" bs=1M seek="$kernel_start_b" conv=notrunc,sparse status=none
}

# to_card, from_card: the records, between the board of the scripts and the card of U-Boot.
to_card() { dd if="$disk" of="$bench/loader/card.img" bs=1M skip=1 seek=1 count=2 conv=notrunc status=none; }
from_card() { dd if="$bench/loader/card.img" of="$disk" bs=1M skip=1 seek=1 count=2 conv=notrunc status=none; }
starts() { [[ $(grep -aoE 'talon: slot [ab]' "$bench/loader/serial.log" | cut -d' ' -f3 | paste -sd' ') == $1* ]]; }

loader_claims() {
  say "U-Boot"
  loader_card
  make_board
  slot a set-primary b
  slot a try
  to_card
  restarts=yes start_machine virt "$bench/loader"
  claim "starts a slot in trial three times, then the one before" wait_for 180 starts "b b b a"
  cut_power
  from_card
  claim "what it wrote is read" slot a tell
  claim "the slot was left" tells "other_state = bad"
  claim "for its starts" tells "last_reason = starts"
  # Both are good, and the first cannot be started: there is no trial, so nothing is counted.
  make_board
  slot a set-primary b
  slot a try
  slot b confirm
  to_card
  : > "$bench/loader/serial.log"
  restarts=yes start_machine virt "$bench/loader"
  claim "a good slot whose kernel cannot be started gives way to the other good one" wait_for 90 starts "b a"
  cut_power
  local number moment
  for number in 1 2 3 4 5 6; do
    slot a set-primary b
    slot a try
    to_card
    : > "$bench/loader/serial.log"
    restarts=yes start_machine virt "$bench/loader"
    wait_for 60 starts "b"
    moment=$(( RANDOM % 4000 ))
    sleep "$(( moment / 1000 )).$(printf %03d $(( moment % 1000 )))"
    cut_power
    from_card
    slot a tell || die "after cut $number the record is not read"
    grep -qE '^other_state = (trial|bad)$' "$chroot/run/talon-system/slot" || die "after cut $number the trial is forgotten"
  done
  say "  power was cut six times beside its writing, and the record was whole each time"
}

select_board pi3
begin "$out/test/slots"
"$root/board/prepare" vm images
SOURCE_DATE_EPOCH=0
record_claims
damage_claims
loader_claims
