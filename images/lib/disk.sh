# shellcheck shell=bash
# The disk of an image: a partition table, the boot partition (FAT) and the read-only system (squashfs). The data partition
# is made on the board, of the rest of the card.

# MiB. Partitions begin at multiples of 4 MiB, the size of an erase block of most cards.
boot_start=4
boot_size=96
# "TLN1" as a disk's number: the initramfs knows the card by it.
disk_number=0x314e4c54
# Any number does; the same for all, so that images are the same.
boot_number=54414c4e

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

# make_boot_files ROOT FOLDER: what stands on the boot partition.
make_boot_files() {
  local mode=
  in_work "$2"
  rm -rf "${2:?}"
  mkdir -p "$2"
  [[ $architecture != arm64 ]] || mode=arm_64bit=1
  cp "$root"/images/boot-partition/* "$2"
  sed -i "s/^@mode@$/$mode/" "$2/config.txt"
  cp "$tree"/root/boot/vmlinuz-* "$2/vmlinuz"
  for file in "${boot_loader_files[@]}"; do cp "$tree/root/usr/lib/raspi-firmware/$file" "$2"; done
  find "$tree"/root/usr/lib/linux-image-* -name 'bcm*-rpi-*.dtb' -exec cp {} "$2" \;
  [[ -f $2/$device_tree ]] || die "the kernel has no device tree for $board"
  make_initramfs "$1" "$2/initramfs.zst"
}

# make_fat FOLDER FILE: files in order of their names, as old as SOURCE_DATE_EPOCH.
make_fat() {
  local file
  rm -f "$2"
  mkfs.vfat --invariant -F 32 -s 1 -n TALON -i "$boot_number" -C "$2" $(( boot_size * 1024 )) > /dev/null
  find "$1" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  for file in "$1"/*; do TZ=UTC mcopy -m -i "$2" "$file" ::; done
}

mebibytes() { echo $(( ($(stat -c %s "$1") + 1048575) / 1048576 )); }

# make_disk FAT SQUASHFS FILE
make_disk() {
  local root_start=$(( boot_start + boot_size )) root_size
  root_size=$(( ($(mebibytes "$2") + 3) / 4 * 4 ))
  rm -f "$3"
  truncate -s $(( root_start + root_size ))M "$3"
  sfdisk --quiet "$3" <<TABLE
label: dos
label-id: $disk_number
start=${boot_start}MiB, size=${boot_size}MiB, type=c, bootable
start=${root_start}MiB, size=${root_size}MiB, type=83
TABLE
  dd if="$1" of="$3" bs=1M seek="$boot_start" conv=notrunc,sparse status=none
  dd if="$2" of="$3" bs=1M seek="$root_start" conv=notrunc status=none
}

# On a finished disk: put_boot DISK FILE NAME, get_boot DISK NAME FILE.
put_boot() { touch -d "@$SOURCE_DATE_EPOCH" "$2"; TZ=UTC mcopy -o -m -i "$1@@${boot_start}M" "$2" "::$3"; }
get_boot() { mcopy -o -n -i "$1@@${boot_start}M" "::$2" "$3"; }
