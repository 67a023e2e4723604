# shellcheck shell=bash
# Hardware that a scenario gives to its virtual machine and takes away again, beside lib/field-vm.sh: cameras that send what the scenario
# wants, a display that comes and goes, GPIO chips of any name, a receiver at a USB socket. All of it is behind the kernel's own drivers,
# so that what Talon meets is what a board has: the same calls, events and errors.
#
#   put_ground "$bench/vm"                                   before the start: the programs that the guest needs
#   "$root/board/vm" start "$bench/vm" "" "$ground_drivers"
#
#   loop_cameras 9 10             two cameras, /dev/video9 and /dev/video10, without pictures yet
#   feed_camera 9 640 480 MJPG 10 /frames/bars.jpg           one has pictures from now on: files of the guest, over and over
#   feed_camera 9 640 480 MJPG 10 -a /frames/cut.jpg         of any bytes; options are those of board/guest/feed.c
#   starve_camera 9               no more of them
#   add_display; turn_display plugged|unplugged|unknown      a card, the first of the machine unless it has others, and what is at its connector
#   display_shows PICTURE         it scans out exactly this picture (PPM)
#   make_chip NAME LABEL LINES [NUMBER=LINENAME...]; drop_chip NAME
#   make_pi5_chips [first]        those of a Raspberry Pi 5; the 40 pins are `rp1`, the last chip, or the first as newer kernels have it
#   pull NAME LINE up|down        what is connected to a line of a chip, a button for instance; the guest's `chip level NAME LINE` reads it
#   press NAME LINE SECONDS       the same of a button that connects it to ground: down and up, by the guest's clock; 0 is a glitch
#   plug_receiver; unplug_receiver                           /dev/ttyACM0
#   stream_receiver FILE          it sends a file's sentences while it is plugged in, one epoch a second; silence_receiver ends that

ground_drivers="v4l2loopback vkms gpio-sim configfs dummy_hcd usb_f_acm cdc-acm"
# The numbers in debugfs are those of DRM's minors, in the order in which the cards were loaded.
display_card=0

# put_ground FOLDER: the guest of the machine in FOLDER has what these functions call.
put_ground() {
  put_program "$1" feed
  install -m 755 "$root/board/guest/chip" "$root/board/guest/receiver" "$1/files/bin"
}

# in_background NAME COMMAND: one command, which runs in the guest until `ends_in_background NAME`. What it says is in /tmp/NAME.log there.
in_background() { guest "$2 > /tmp/$1.log 2>&1 & echo \$! > /tmp/$1.pid"; }
ends_in_background() {
  guest "[ -f /tmp/$1.pid ] || exit 0; kill \$(cat /tmp/$1.pid) 2> /dev/null
    while [ -d /proc/\$(cat /tmp/$1.pid) ]; do sleep 0.1; done; rm /tmp/$1.pid"
}
said_in_background() { guest "cat /tmp/$1.log"; }

loop_cameras() {
  local numbers=$* ones
  ones=$(printf '1,%.0s' "$@")
  guest "load v4l2loopback video_nr=${numbers// /,} exclusive_caps=${ones%,}"
}

# feed_camera NUMBER WIDTH HEIGHT FOURCC FPS [OPTION...] FILE...: returns when the driver has taken the first frame.
feed_camera() {
  local number=$1 form="$2 $3 $4 $5" options=(); shift 5
  while [[ ${1-} == -* ]]; do
    options+=("$1")
    if [[ $1 == -n ]]; then options+=("$2"); shift; fi
    shift
  done
  starve_camera "$number"
  in_background "feed$number" "feed ${options[*]} /dev/video$number $form $*"
  guest "for look in \$(seq 100); do
      ! grep -q ' at most, ' /tmp/feed$number.log || exit 0
      [ -d /proc/\$(cat /tmp/feed$number.pid) ] || break
      sleep 0.1
    done; cat /tmp/feed$number.log; exit 1" >&2
}

starve_camera() { ends_in_background "feed$1"; }

add_display() {
  guest "load vkms; [ -d /sys/kernel/debug/dri ] || mount -t debugfs debug /sys/kernel/debug"
}

turn_display() {
  local status
  case $1 in
    plugged) status=1 ;;
    unplugged) status=2 ;;
    unknown) status=3 ;;
    *) die "a display is plugged, unplugged or unknown" ;;
  esac
  guest "echo $status > /sys/module/vkms/parameters/status"
}

# display_shows PICTURE: the sum that the card makes of every pixel that it scans out is that of the picture. While another mode is set
# there may be none, and whoever waits for one waits for ever.
display_shows() {
  local shown wanted
  shown=$(guest "cd /sys/kernel/debug/dri/$display_card/crtc-0/crc && echo auto > control && timeout 3 head -n 1 data") || return 1
  wanted=$("$root/board/peers/screen.py" sum "$1")
  [[ ${shown##* } == "$wanted" ]] || { say "the display shows ${shown##* } and not $wanted"; return 1; }
}

make_chip() {
  local word words=
  for word; do words+=" '$word'"; done
  guest "chip make$words"
}
drop_chip() { guest "chip drop $1"; }
pull() { guest "chip pull $*"; }
press() { guest "chip press $*"; }

# As gpiodetect lists them on a Raspberry Pi 5. The 40 pins were gpiochip4 until July 2024; since then they are gpiochip0.
make_pi5_chips() {
  local pin pins=("0=ID_SDA" "1=ID_SCL")
  for (( pin = 2; pin < 28; pin++ )); do pins+=("$pin=GPIO$pin"); done
  [[ ${1-} != first ]] || make_chip rp1 pinctrl-rp1 54 "${pins[@]}"
  make_chip soc gpio-brcmstb@107d508500 32
  make_chip soc2 gpio-brcmstb@107d508520 4
  make_chip aon gpio-brcmstb@107d517c00 17
  make_chip aon2 gpio-brcmstb@107d517c20 6
  [[ ${1-} == first ]] || make_chip rp1 pinctrl-rp1 54 "${pins[@]}"
}

plug_receiver() { guest "receiver plug"; }
unplug_receiver() { guest "receiver unplug"; }
stream_receiver() { in_background receiver "receiver stream $1"; }
silence_receiver() { ends_in_background receiver; }
