# shellcheck shell=bash
# Talon in the virtual machine, beside lib/bench.sh: real camera driver, real serial port.

guest_log=/tmp/talon.log
camera_driver=/sys/bus/platform/drivers/vivid

guest() { "$root/board/vm" run "$bench/vm" "$1"; }

# start_vm [CAMERA [VIVID]]: boots it with a configuration for this bench's gateway, and with a GPS receiver that sends the
# walk. CAMERA: more lines of the camera's section; VIVID: parameters of the kernel's cameras.
start_vm() {
  write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon \
    "driver = v4l2"$'\n'"${1-}" $'driver = serial\nport = /dev/ttyS1\nbaud = 9600'
  "$root/board/vm" start "$bench/vm" "${@:2}"
  "$root/board/vm" nmea "$bench/vm" "$root/board/tests/field.nmea" &
}

# put_program FOLDER NAME: the guest has board/guest/NAME.c as a command, once the machine in FOLDER starts.
put_program() {
  mkdir -p "$1/files/bin"
  "$(dirname "$(realpath "$(command -v swiftc)")")/clang" -O1 -Wall -static -o "$1/files/bin/$2" "$root/board/guest/$2.c"
}

start_talon() { guest "talon run --config /etc/talon/talon.conf >> $guest_log 2>&1 &"; }
stop_talon() { guest 'kill -TERM $(pidof talon); while pidof talon; do sleep 0.2; done > /dev/null'; }

# The guest's log as it is now, in a file of ours.
copy_log() { guest "cat $guest_log" > "$bench/talon.log"; }
log_says() { copy_log && grep -qF -- "$1" "$bench/talon.log"; }

unplug_camera() { guest "echo vivid.0 > $camera_driver/unbind"; }
plug_camera() { guest "echo vivid.0 > $camera_driver/bind"; }
