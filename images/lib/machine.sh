# shellcheck shell=bash
# An image in a machine: qemu's Raspberry Pi, or its "virt" board with virtio devices, which is faster. What the boot loader
# would take from the partition TALON is taken from there: U-Boot, which starts the kernel. No KVM.
#
# A machine has a folder: card.img (its SD card), serial.log (what came over its serial port), serial (a socket to that port).

# Emulated cards have a power of two of bytes; the data partition is made of what the image leaves.
card_size=1G

# MiB of memory on virt: as much as a Zero 2 W has; raspi3b has 1 GiB.
virt_memory=512

# insert_card IMAGE FOLDER: a new card with the image on it.
insert_card() {
  mkdir -p "$2"
  cp --sparse=always --reflink=auto "$1" "$2/card.img"
  truncate -s "$card_size" "$2/card.img"
}

# machine_options KIND: sets machine. KIND: raspi or virt.
machine_options() {
  local processor
  case $1-$board in
    raspi-pi3 | raspi-zero2w | raspi-pi4)
      # Of the three, qemu has the Pi 3 alone.
      machine=(qemu-system-aarch64 -M raspi3b -kernel "$2/u-boot-rpi_arm64.bin" -dtb "$2/bcm2837-rpi-3-b.dtb" -serial null) ;;
    raspi-pi2 | raspi-pi3-32)
      # qemu puts what it starts where a kernel of 32 bits likes to be, and Debian's U-Boot for the Pi 2 runs nowhere but at 0x8000. So
      # the kernel of slot a is started without it; virt has U-Boot for 32 bits as well.
      machine=(qemu-system-arm -M raspi2b -kernel "$2/vmlinuz" -initrd "$2/initramfs.zst" -dtb "$2/bcm2836-rpi-2-b.dtb") ;;
    raspi-pi1 | raspi-zero | raspi-zerow)
      # As for the Pi 2; qemu has the Zero alone.
      machine=(qemu-system-arm -M raspi0 -kernel "$2/vmlinuz" -initrd "$2/initramfs.zst" -dtb "$2/bcm2835-rpi-zero.dtb") ;;
    virt-pi1 | virt-zero | virt-zerow) die "the kernel of a $board starts on no other machine: raspi" ;;
    virt-*)
      processor=cortex-a53
      machine=(qemu-system-aarch64 -M virt)
      machine+=(-bios /usr/lib/u-boot/qemu_arm64/u-boot.bin)
      [[ $architecture == arm64 ]] || { machine=(qemu-system-arm -M virt -bios /usr/lib/u-boot/qemu_arm/u-boot.bin); processor=cortex-a7; }
      machine+=(-cpu "$processor" -smp 2 -m "$virt_memory") ;;
    *) die "no machine is called '$1'; there are raspi and virt" ;;
  esac
  machine+=(-netdev "user,id=net")
  case $1 in
    raspi) machine+=(-drive "if=sd,format=raw,file=$2/card.img" -device "usb-net,netdev=net") ;;
    virt)
      if [[ ${keeps_writes-} == yes ]]; then
        cp --sparse=always --reflink=auto "$2/card.img" "$2/card.before"
        : > "$2/writes"
        machine+=(-blockdev "driver=file,node-name=disk,filename=$2/card.img" -blockdev "driver=file,node-name=log,filename=$2/writes")
        machine+=(-blockdev "driver=blklogwrites,node-name=card,file=disk,log=log")
      else
        machine+=(-drive "if=none,id=card,format=raw,file=$2/card.img")
      fi
      machine+=(-device "virtio-blk-device,drive=card" -device "virtio-net-device,netdev=net") ;;
  esac
}

# emulation_words KIND: more words for the kernel, where qemu's Raspberry Pi differs from a real one: it starts again as soon as
# its watchdog is set, and without the VideoCore behind it the driver vchiq crashes, as does that of the power domains, which is a part of the
# armel kernel.
emulation_words() {
  [[ $1 == raspi ]] || return 0
  echo "systemd.watchdog_sec=off module_blacklist=vchiq$([[ $architecture != armel ]] || echo " initcall_blacklist=bcm2835_power_driver_init")"
}

# The serial port as a socket, with everything that comes over it in a file, or (terminal) as the terminal of who started it.
serial_options() {
  if [[ ${serial_port-} == terminal ]]; then
    echo "-serial mon:stdio"
  else
    echo "-chardev socket,id=serial,path=$1/serial,server=on,wait=off,logfile=$1/serial.log,logappend=on -serial chardev:serial"
  fi
}

# kernel_arguments KIND FOLDER: adds to machine how the kernel gets its words; kernel_words: more of them. U-Boot takes them from the
# device tree, as on a Pi, whose boot loader puts cmdline.txt there; that of virt has no place for them before it is written out.
kernel_arguments() {
  local words
  words="$(< "$2/cmdline.txt") $(emulation_words "$1") ${kernel_words-}"
  case $1 in
    raspi)
      [[ $architecture == arm64 ]] || words="$(sed -n 's/^words=//p' "$2/boot.env") $words"
      machine+=(-append "$words") ;;
    virt)
      "${machine[@]}" -machine "dumpdtb=$2/virt.dtb" -display none > /dev/null 2>&1
      fdtput -p -t s "$2/virt.dtb" /chosen bootargs "$words"
      machine+=(-dtb "$2/virt.dtb") ;;
  esac
}

# start_machine KIND FOLDER [OPTION...]: powers it on. OPTION: more of qemu's; kernel_words: more for the kernel; restarts=yes: it may
# start again by itself, where it would be off otherwise; keeps_writes=yes (virt): every write to the card is kept in FOLDER/writes, and
# the card as it was in FOLDER/card.before, for replay.py. Sets machine_pid.
start_machine() {
  local kind=$1 folder=$2 name; shift 2
  for name in u-boot-rpi_arm64.bin cmdline.txt "bcm2837-rpi-3-b.dtb" "bcm2836-rpi-2-b.dtb" "bcm2835-rpi-zero.dtb"; do
    get_boot "$folder/card.img" "$name" "$folder/$name" 2> /dev/null || true
  done
  if [[ $kind == raspi && $architecture != arm64 ]]; then
    for name in vmlinuz initramfs.zst boot.env; do mcopy -o -n -i "$folder/card.img@@${kernel_start_a}M" "::$name" "$folder/$name"; done
  fi
  machine_options "$kind" "$folder"
  kernel_arguments "$kind" "$folder"
  rm -f "$folder/serial"
  [[ ${restarts-} == yes ]] || machine+=(-no-reboot)
  # shellcheck disable=SC2046,SC2054,SC2207  # words; qemu's options have commas
  machine+=(-display none $(serial_options "$folder") "$@")
  if [[ ${serial_port-} == terminal ]]; then
    "${machine[@]}"
  else
    "${machine[@]}" -monitor none 2> "$folder/qemu.log" &
    machine_pid=$!
  fi
}

# cut_power: qemu is killed, whatever the board does at that moment; nothing where none was started.
cut_power() {
  [[ ${machine_pid-} ]] || return 0
  kill -KILL "$machine_pid" 2> /dev/null || true
  wait "$machine_pid" 2> /dev/null || true
}
