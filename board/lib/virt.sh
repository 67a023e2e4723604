# shellcheck shell=bash
# A board with pins: Debian's arm64 kernel on qemu's `virt`, whose GPIO chip (PL061) is a real one to the kernel. The guest is
# that of board/vm (guest/init), with the aarch64 firmware as /bin/talon, in a network in which this host is 10.0.2.2.
# After `load pwm-bcm2835` it has a PWM chip, whose registers are a page of memory that nobody else uses: what the kernel's driver
# writes there, board/peers/pins.py reads.
# On the chip's lines: LEDs of the kernel (gpio-leds) on 0 and 1, on 4, 5 and 6 one for each colour; a button on 7, which connects it
# to ground. Lines 2 and 3 are free until `load gpio_backlight` and `load gpio_keys`: then they are a backlight and a key (Enter).
#
# It needs neither root nor KVM. board/peers/pins.py presses the button, and reads the kernel's own events.

virt_modules="
virtio_mmio
virtio_net
virtio_console
leds-gpio
ledtrig-timer
ledtrig-pattern"
# Loaded when a scenario says so.
virt_drivers="evdev gpio_keys gpio_backlight pwm-bcm2835"
virt_boot_seconds_max=120
virt_root=$deps/virt/root
PATH=$PATH:/usr/sbin

virt_machine=(-M virt -cpu cortex-a53 -m 256 -smp 2 -nodefaults -display none -no-reboot)

# virt_files MODULE: the files to load, in order.
virt_files() {
  modprobe -C /dev/null -d "$virt_root" -S "$virt_version" --show-depends "$1" | awk '$1 == "insmod" { print $2 }'
}

make_virt_initramfs() {
  local folder=$1 tree=$1/tree module path
  virt_version=$(ls "$virt_root/lib/modules")
  [[ -f $virt_root/lib/modules/$virt_version/modules.dep ]] || depmod -b "$virt_root" "$virt_version"
  rm -rf "$tree"
  mkdir -p "$tree"/{bin,dev,etc,modules,proc,sys}
  cp "$virt_root/bin/busybox" "$tree/bin/busybox"
  ln -s busybox "$tree/bin/sh"
  install -m 755 "$root/board/guest/init" "$tree/init"
  install -m 755 "$out/aarch64/talon" "$tree/bin/talon"
  for module in $virt_modules; do
    for path in $(virt_files "$module"); do
      [[ -f $tree/modules/${path##*/} ]] && continue
      cp "$path" "$tree/modules"
      echo "${path##*/}"
    done
  done > "$tree/modules/order"
  install -m 755 "$root/board/guest/load" "$tree/bin/load"
  for module in $virt_drivers; do
    for path in $(virt_files "$module"); do
      cp "$path" "$tree/modules"
      echo "${path##*/}"
    done > "$tree/modules/$module.needs"
  done
  [[ ! -d $folder/files ]] || cp -r "$folder/files/." "$tree"
  (cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) > "$folder/initramfs"
  rm -rf "$tree"
}

# The machine's own device tree, and LEDs on its GPIO chip.
make_virt_tree() {
  local folder=$1 chip clock
  qemu-system-aarch64 "${virt_machine[@]}" -machine dumpdtb="$folder/plain.dtb" > /dev/null 2>&1
  dtc -q -I dtb -O dts "$folder/plain.dtb" > "$folder/tree.dts"
  chip=$(awk '/pl061@/ { inside = 1 } inside && /phandle/ { gsub(/[<>;]/, "", $3); print $3; exit }' "$folder/tree.dts")
  clock=$(awk '/apb-pclk/ { inside = 1 } inside && /phandle/ { gsub(/[<>;]/, "", $3); print $3; exit }' "$folder/tree.dts")
  # The machine's own key would switch it off (KEY_POWER); this one is KEY_ENTER.
  sed -i 's/linux,code = <0x74>/linux,code = <0x1c>/' "$folder/tree.dts"
  cat >> "$folder/tree.dts" <<TREE
/ {
  leds {
    compatible = "gpio-leds";
    one { label = "one"; gpios = <$chip 0 0>; };
    two { label = "two"; gpios = <$chip 1 0>; };
    red { label = "status:red"; gpios = <$chip 4 0>; };
    green { label = "status:green"; gpios = <$chip 5 0>; };
    blue { label = "status:blue"; gpios = <$chip 6 0>; };
  };
  backlight { compatible = "gpio-backlight"; gpios = <$chip 2 0>; default-on; };
  reserved-memory {
    #address-cells = <2>;
    #size-cells = <2>;
    ranges;
    registers@4fff0000 { reg = <0 0x4fff0000 0 0x1000>; no-map; };
  };
  pwm@4fff0000 { compatible = "brcm,bcm2835-pwm"; reg = <0 0x4fff0000 0 0x1000>; clocks = <$clock>; #pwm-cells = <3>; };
};
TREE
  dtc -q -I dts -O dtb "$folder/tree.dts" > "$folder/tree.dtb"
}

# start_virt FOLDER: boots it; what is in FOLDER/files is copied to the guest's root before.
start_virt() {
  local folder=$1
  [[ -x $out/aarch64/talon ]] || die "there is no aarch64 firmware; run board/firmware aarch64"
  [[ -d $virt_root ]] || die "there is no kernel; run board/prepare virt"
  mkdir -p "$folder"
  make_virt_initramfs "$folder"
  make_virt_tree "$folder"
  rm -f "$folder"/command.{in,out} "$folder"/{qtest,qmp}.sock
  mkfifo "$folder"/command.{in,out}
  qemu-system-aarch64 -accel tcg "${virt_machine[@]}" -dtb "$folder/tree.dtb" \
    -kernel "$virt_root"/boot/vmlinuz-* -initrd "$folder/initramfs" -append "console=ttyAMA0 quiet panic=-1 mitigations=off" \
    -chardev "file,id=console,path=$folder/console.log" -serial chardev:console \
    -netdev user,id=net -device virtio-net-device,netdev=net \
    -device virtio-serial-device -chardev "pipe,id=command,path=$folder/command" -device virtserialport,chardev=command \
    -qtest "unix:$folder/qtest.sock,server=on,wait=off" -qtest-log none -qmp "unix:$folder/qmp.sock,server=on,wait=off" \
    -pidfile "$folder/pid" -daemonize
  timeout "$virt_boot_seconds_max" "$root/board/vm" run "$folder" true || die "no answer after boot; see $folder/console.log"
}
