# shellcheck shell=bash
# The disk of an image: a partition table, the partition TALON (FAT), and the first of two slots: the kernel (FAT) and the
# read-only system (squashfs). The other slot is empty at first. The data partition is made on the board, of the rest of the card.
#
# Where everything lies is the same for every release, so that updates fit, and a card that is written anew keeps its data. MiB;
# partitions begin at multiples of 4 MiB, the size of an erase block of most cards, those of slots 4 MiB after the one before, which has the
# entry of each logical partition.
#
#     1, 2   records: which slot is started (images/slot/boot.cmd); 3: the second place of the identity (card-reserve)
#     4      partition 1, TALON: what the Raspberry Pi starts, U-Boot, and what a person edits
#    72 140  partitions 5 and 6, slot a: kernel, system
#   336 404  partitions 7 and 8, slot b
#   596      partition 3, data: the rest
boot_start=4
boot_size=64
slots_start=68
kernel_size=64
system_size=192
data_start=596
kernel_start_a=72 system_start_a=140
kernel_start_b=336 system_start_b=404
# "TLN1" as a disk's number: the initramfs knows the card by it.
disk_number=0x314e4c54
# Any number does; the same for all, so that images are the same.
boot_number=54414c4e

# What the Pi's U-Boot reads from a FAT (CONFIG_ENV_SIZE of its rpi_* configurations).
environment_size=0x4000

boot_loader_files=(bootcode.bin fixup.dat fixup4.dat start.elf start4.elf)

# Drivers that the initramfs loads, in this order: first sources of random numbers, card readers and the card's file systems; next, while the card is
# prepared, the watchdog and the boards' own networks. Virtual machines' are among them, so that what is tested is what is
# flashed.
first_modules=(
  bcm2835-rng iproc-rng200
  fixed gpio-regulator bcm2835 sdhci-iproc virtio_mmio virtio_pci virtio_blk
  squashfs ext4 vfat nls_cp437 nls_ascii
)
next_modules=(bcm2835_wdt phy-generic dwc2 smsc95xx lan78xx genet virtio_net cdc_ether cdc_subset)

# copy_modules ROOT FOLDER LIST NAME...: modules and what they need, in FOLDER, and their order in FOLDER/LIST. The kernel of
# one architecture has as a part of it what that of another has as a module, or has it not at all.
copy_modules() {
  local modules=$1 folder=$2 list=$3 version name path; shift 3
  version=$(ls "$modules/usr/lib/modules")
  : > "$folder/$list"
  for name in "$@"; do
    for path in $(modprobe -C /dev/null -d "$modules" -S "$version" --show-depends "$name" 2> /dev/null \
      | awk '$1 == "insmod" { print $2 }'); do
      [[ -f $folder/${path##*/} ]] && continue
      cp "$path" "$folder"
      echo "${path##*/}" >> "$folder/$list"
    done
  done
}

# make_initramfs ROOT FILE: busybox, drivers and one script.
make_initramfs() {
  local folder=$2.tree name
  in_work "$2"
  rm -rf "$folder"
  mkdir -p "$folder"/{bin,modules}
  install -m 755 "$1/usr/bin/busybox" "$folder/bin/busybox"
  install -m 755 "$root/images/initramfs/init" "$folder/init"
  copy_modules "$1" "$folder/modules" first "${first_modules[@]}"
  copy_modules "$1" "$folder/modules" next "${next_modules[@]}"
  for name in squashfs ext4 vfat; do
    grep -qx "$name.ko" "$folder/modules/first" || die "the kernel has no module $name"
  done
  find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  (cd "$folder" && find . | LC_ALL=C sort | cpio --quiet --reproducible -o -H newc -R 0:0) | zstd -q -19 > "$2"
  rm -rf "$folder"
}

# make_boot_files ROOT FOLDER: what stands on the partition TALON.
make_boot_files() {
  local mode='' name
  in_work "$2"
  rm -rf "${2:?}"
  mkdir -p "$2"
  [[ $architecture != arm64 ]] || mode=arm_64bit=1
  cp "$root"/images/boot-partition/* "$2"
  sed -i "s/^@mode@$/$mode/" "$2/config.txt"
  for file in "${boot_loader_files[@]}"; do cp "$tree/root/usr/lib/raspi-firmware/$file" "$2"; done
  find "$tree"/root/usr/lib/linux-image-* -name 'bcm*-rpi-*.dtb' -exec cp {} "$2" \;
  [[ -f $2/$device_tree ]] || die "the kernel has no device tree for $board"
  # shellcheck disable=SC2154  # select_board
  for name in $boot_loaders; do cp "$tree/root/usr/lib/u-boot/${name#*:}/u-boot.bin" "$2/u-boot-${name#*:}.bin"; done
  loader_lines > "$2.loaders"
  sed -i -e "/^@kernel@$/{r $2.loaders" -e 'd}' "$2/config.txt"
  rm "$2.loaders"
  mkimage -A arm -T script -C none -d "$root/images/slot/boot.cmd" "$2/boot.scr" > /dev/null
  # Without a pause in which a key, or a receiver at the serial port, would stop the start.
  mkenvimage -s "$environment_size" -o "$2/uboot.env" "$root/images/slot/u-boot.env"
}

# make_kernel_files ROOT FOLDER: what stands on the first partition of a slot.
make_kernel_files() {
  in_work "$2"
  rm -rf "${2:?}"
  mkdir -p "$2"
  cp "$tree"/root/boot/vmlinuz-* "$2/vmlinuz"
  make_initramfs "$1" "$2/initramfs.zst"
  # shellcheck disable=SC2154  # select_board
  { echo "start=$start_command"; cat "$root/images/slot/boot.env"; } > "$2/boot.env"
}

# make_fat FOLDER FILE MIB LABEL: files in order of their names, as old as SOURCE_DATE_EPOCH.
make_fat() {
  local file
  rm -f "$2"
  mkfs.vfat --invariant -F 32 -s 1 -n "$4" -i "$boot_number" -C "$2" $(( $3 * 1024 )) > /dev/null
  find "$1" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  for file in "$1"/*; do TZ=UTC mcopy -m -i "$2" "$file" ::; done
}

mebibytes() { echo $(( ($(stat -c %s "$1") + 1048575) / 1048576 )); }

# make_record FILE: slot a is started, slot b is empty; in the form of U-Boot's environments.
make_record() {
  printf 'seq=1\nprimary=a\ntrial=none\na=good\nb=empty\n' | mkenvimage -s 512 -p 0 -o "$1" -
}

# make_disk TALON KERNEL SYSTEM FILE
make_disk() {
  (( $(mebibytes "$3") <= system_size )) || die "the system has $(mebibytes "$3") MiB, a slot $system_size"
  rm -f "$4"
  truncate -s "${data_start}M" "$4"
  sfdisk --quiet "$4" <<TABLE
label: dos
label-id: $disk_number
1: start=${boot_start}MiB, size=${boot_size}MiB, type=c, bootable
2: start=${slots_start}MiB, size=$(( data_start - slots_start ))MiB, type=f
5: start=${kernel_start_a}MiB, size=${kernel_size}MiB, type=c
6: start=${system_start_a}MiB, size=${system_size}MiB, type=83
7: start=${kernel_start_b}MiB, size=${kernel_size}MiB, type=c
8: start=${system_start_b}MiB, size=${system_size}MiB, type=83
TABLE
  # The last that has something in it is the entry of partition 8.
  truncate -s "${system_start_b}M" "$4"
  make_record "$4.record"
  dd if="$4.record" of="$4" bs=1M seek=1 conv=notrunc status=none
  dd if="$4.record" of="$4" bs=1M seek=2 conv=notrunc status=none
  rm "$4.record"
  dd if="$1" of="$4" bs=1M seek="$boot_start" conv=notrunc,sparse status=none
  dd if="$2" of="$4" bs=1M seek="$kernel_start_a" conv=notrunc,sparse status=none
  dd if="$3" of="$4" bs=1M seek="$system_start_a" conv=notrunc status=none
}

# On a finished disk: put_boot DISK FILE NAME, get_boot DISK NAME FILE.
put_boot() { touch -d "@$SOURCE_DATE_EPOCH" "$2"; TZ=UTC mcopy -o -m -i "$1@@${boot_start}M" "$2" "::$3"; }
get_boot() { mcopy -o -n -i "$1@@${boot_start}M" "::$2" "$3"; }
