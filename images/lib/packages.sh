# shellcheck shell=bash
# What an image is made of: Debian packages of the board's architecture, unpacked by mmdebstrap. None of their maintainer
# scripts runs, so nothing of the board's processor has to be emulated, and the same packages always give the same files.
# What the scripts would have set up stands in images/root, or is done by images/lib/root.sh.

# Programs of this machine that make images and run them.
image_tools=(
  mmdebstrap squashfs-tools mtools dosfstools fdisk cpio kmod xz-utils zstd jq u-boot-tools rauc
  qemu-system-arm u-boot-qemu device-tree-compiler
)

board_packages=(
  base-files base-passwd coreutils dash libc-bin mount util-linux   # a system
  busybox-static                                            # the initramfs, and small tools
  e2fsprogs dosfstools fdisk                                # the card
  systemd systemd-sysv udev kmod                            # services and devices
  systemd-timesyncd tzdata ca-certificates                  # time, trust
  wpasupplicant wireless-regdb firmware-brcm80211           # Wi-Fi
  espeak-ng                                                 # voices that phrases are learned from
  fonts-noto-core fonts-noto-cjk fonts-symbola              # scripts that Talon has no letters of (images/lib/root.sh keeps some)
  raspi-firmware u-boot-rpi                                 # what the Raspberry Pi itself starts, and what chooses the slot
  rauc rauc-service dbus                                    # updates
)

# The sources of this machine's apt, with the component that the firmware of radios and boot loaders lies in.
board_sources() {
  debian_sources | awk '$4 == "main" {
    print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]", $2, $3, "main non-free-firmware"
  }'
}

# unpack_packages ARCHITECTURE FOLDER NAME...: by mmdebstrap, from FOLDER/sources into FOLDER/root. Merged /usr is usual: the
# packages unpack as they would on an installed system.
unpack_packages() {
  local architecture=$1 folder=$2 suite; shift 2
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -rf "$folder/root"
  SOURCE_DATE_EPOCH=0 mmdebstrap --quiet --architectures="$architecture" --variant=extract --skip=check/qemu \
    --format=directory --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include="$(IFS=,; echo "$*")" \
    --aptopt='Apt::Install-Recommends "false"' \
    --extract-hook='cd "$1" && ls var/cache/apt/archives > packages.list' \
    "$suite" "$folder/root" "$folder/sources" >&2
}

# unpack_board ARCHITECTURE KERNEL: leaves .deps/images-ARCHITECTURE with root (the files) and packages (their names and
# versions). Whole or not at all.
unpack_board() {
  local PATH=$PATH:/usr/sbin:/sbin folder=$deps/images-$1 fresh=$deps/images-$1.new names=("${board_packages[@]}" "linux-image-$2")
  local wanted="$1 ${names[*]}"
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$wanted" ]] && return 0
  say "fetching the packages of an image ($1)"
  [[ -n $(debian_sources) ]] || refresh as_root apt-get -qq update
  rm -rf "$fresh"
  mkdir -p "$fresh"
  board_sources > "$fresh/sources"
  [[ -s $fresh/sources ]] || die "apt on this machine knows no Debian mirror"
  if ! unpack_packages "$1" "$fresh" "${names[@]}"; then
    drop_broken_sources "$1" "$fresh/sources"
    unpack_packages "$1" "$fresh" "${names[@]}" || die "the packages of $1 could not be unpacked"
  fi
  sed -n 's/_[^_]*\.deb$//p' "$fresh/root/packages.list" | sed 's/_/ /; s/%3a/:/' | sort > "$fresh/packages"
  [[ -s $fresh/packages ]] || die "mmdebstrap left no list of packages"
  depmod -b "$fresh/root" "$(ls "$fresh/root/usr/lib/modules")"
  rm -rf "$fresh/root/packages.list" "$folder"
  echo "$wanted" > "$fresh/wanted"
  mv "$fresh" "$folder"
}
