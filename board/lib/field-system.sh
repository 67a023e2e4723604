# shellcheck shell=bash
# A whole Debian with systemd in a virtual machine, beside lib/bench.sh: Debian's kernel, its modules loaded by udev, a
# network by DHCP in which this host is 10.0.2.2, a display with a keyboard, and a camera once `modprobe vivid` was said.

# What udev or a test loads.
system_modules="virtio_pci virtio_net virtio_console vivid softdog usbserial cdc_acm g_serial usb_f_acm dummy_hcd virtio-gpu virtio_input evdev i2c-dev i2c-stub industrialio input-leds ledtrig-timer ledtrig-pattern"
system_root=$deps/system
# More words for qemu.
system_more=()

guest() { "$root/board/vm" run "$bench/vm" "$1"; }

# copy_kernel_modules TREE: where modprobe looks for them.
copy_kernel_modules() {
  local kernel=$deps/vm/root version name path folder
  version=$(ls "$kernel/lib/modules")
  folder=$1/usr/lib/modules/$version
  mkdir -p "$folder"
  [[ -f $kernel/lib/modules/$version/modules.dep ]] || depmod -b "$kernel" "$version"
  for name in $system_modules; do
    modprobe -C /dev/null -d "$kernel" -S "$version" --show-depends "$name" | awk '$1 == "insmod" { print $2 }'
  done | sort -u | while read -r path; do cp "$path" "$folder"; done
  cp "$kernel/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$folder"
  mkdir -p "$1/lib" && ln -s ../usr/lib/modules "$1/lib/modules"
  depmod -b "$1" "$version"
  rm -r "${1:?}/lib"
}

# put_bench TREE: the program that runs the commands of this host, one at a time, as guest/init does.
put_bench() {
  mkdir -p "$1/etc/systemd/system/multi-user.target.wants" "$1/etc/systemd/network" "$1/usr/local/sbin"
  cat > "$1/usr/local/sbin/bench" <<'GUEST'
#!/bin/sh
while ! port=$(ls /sys/class/virtio-ports 2> /dev/null) || [ ! -c "/dev/$port" ]; do sleep 0.1; done
exec 3<> "/dev/$port"
while :; do
  read -r line <&3 || { sleep 0.1; continue; }
  echo "$line" | base64 -d > /run/bench.command
  sh /run/bench.command < /dev/null >&3 2>&3
  printf '\004exit %d\n' $? >&3
done
GUEST
  chmod 755 "$1/usr/local/sbin/bench"
  cat > "$1/etc/systemd/system/bench.service" <<'GUEST'
[Unit]
After=basic.target
[Service]
ExecStart=/usr/local/sbin/bench
OOMScoreAdjust=-1000
GUEST
  ln -s ../bench.service "$1/etc/systemd/system/multi-user.target.wants/bench.service"
  printf '[Match]\nName=e*\n[Network]\nDHCP=ipv4\n' > "$1/etc/systemd/network/wired.network"
  ln -s /lib/systemd/system/systemd-networkd.service "$1/etc/systemd/system/multi-user.target.wants/"
  echo nameserver 10.0.2.3 > "$1/etc/resolv.conf"
  echo field-board > "$1/etc/hostname"
  ln -s usr/lib/systemd/systemd "$1/init"
}

# start_system: boots it; what is in $bench/vm/files is copied to its root before. What keeps programs from spying on the kernel takes a tenth
# of its time, and nobody spies here (mitigations=off).
start_system() {
  local folder=$bench/vm tree=$bench/vm/tree
  [[ -f $system_root/root.cpio ]] || die "there is no system; run board/prepare system"
  mkdir -p "$tree"
  copy_kernel_modules "$tree"
  put_bench "$tree"
  [[ ! -d $folder/files ]] || cp -r "$folder/files/." "$tree"
  # What comes later in an initial file system wins.
  { cat "$system_root/root.cpio"; (cd "$tree" && find . -mindepth 1 | cpio --quiet -o -H newc -R 0:0); } > "$folder/initramfs"
  rm -rf "$tree"
  mkfifo "$folder"/{command,uart}.{in,out}
  qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 1536 -smp 2 -nodefaults -display none -no-reboot \
    -kernel "$deps"/vm/root/boot/vmlinuz-* -initrd "$folder/initramfs" \
    -append "console=ttyS0 quiet panic=-1 rdinit=/init systemd.unified_cgroup_hierarchy=1 systemd.show_status=0 mitigations=off" \
    -chardev "file,id=console,path=$folder/console.log" -serial chardev:console \
    -chardev "pipe,id=uart,path=$folder/uart" -serial chardev:uart \
    -netdev user,id=net -device virtio-net-pci,netdev=net,romfile= \
    -device virtio-serial-pci -chardev "pipe,id=command,path=$folder/command" \
    -device virtserialport,chardev=command \
    -device virtio-gpu-pci,id=panel,xres=640,yres=480 -device virtio-keyboard-pci \
    -qmp "unix:$folder/qmp,server=on,wait=off" "${system_more[@]}" \
    -pidfile "$folder/pid" -daemonize
  timeout "$machine_seconds_max" "$root/board/vm" run "$folder" true || die "no answer after boot; see $folder/console.log"
}
