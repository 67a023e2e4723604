#!/usr/bin/env bash
# Displays of a real kernel under the x86_64 firmware: cards of three kinds (one without word of what changes, one that wants it,
# one that flips pages at 16 bits), the frame buffers above them, one of the BIOS at 16 bits and one in memory. What each
# scans out is compared with the picture, pixel by pixel, for each way of turning it. The text console comes back, also after a
# crash; and a tablet and a keyboard are heard.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

displays="bochs-display,id=plain virtio-gpu-pci,id=told,xres=640,yres=480 cirrus-vga,id=flips virtio-tablet-pci virtio-keyboard-pci"

guest() { "$root/board/vm" run "$bench/vm" "$1"; }
qemu_screen() { "$root/board/peers/screen.py" "$@"; }
shot() { qemu_screen shot "$bench/vm" "$bench/$1.ppm" "${@:2}"; }

# picture SIZE: the test picture as a file, made by the firmware on this machine.
picture() {
  [[ -f $bench/$1.ppm ]] || "$out/x86_64/talon" screen test --out "$bench/$1.ppm" --size "$1"
  echo "$bench/$1.ppm"
}

# upright SIZE TURN: how large a picture is on a panel of this size.
upright() { if (( $2 % 180 )); then echo "${1#*x}x${1%x*}"; else echo "$1"; fi; }

# starts OPTION...: shows the test picture, until `ends`.
starts() {
  guest "talon screen test $* > /tmp/test.log 2>&1 & echo \$! > /tmp/test.pid"
  wait_for 20 guest '[ -s /tmp/test.log ]' || { guest 'cat /tmp/test.log' >&2; return 1; }
  sleep "${pause-3}"
}

# ends [SIGNAL]
ends() { guest "kill -${1-TERM} \$(cat /tmp/test.pid); while [ -d /proc/\$(cat /tmp/test.pid) ]; do sleep 0.1; done"; }
said() { guest 'cat /tmp/test.log'; }

# pictured DEVICE PATH SIZE BITS [TURN [OPTION...]]: what is scanned out is the picture.
pictured() {
  local device=$1 path=$2 size=$3 bits=$4 turn=${5-0}
  starts --device "$path" --rotate "$turn" "${@:6}" || return 1
  sees "$device" "$size" "$bits" "$turn" || { said >&2; return 1; }
  ends
}

# The kernel's command line says that this panel's left side is up.
mounted() {
  starts --device /dev/dri/card1 || return 1
  sees told 640x480 24 270 || { said >&2; return 1; }
  ends
}

# sees DEVICE SIZE BITS TURN
sees() {
  if [[ $1 == - ]]; then shot now; else shot now "$1"; fi
  qemu_screen shows "$bench/now.ppm" "$(picture "$(upright "$2" "$4")")" "$4" "$3"
}

# The text of the console, as it was before any picture.
has_text() { shot now flips && qemu_screen same "$bench/text.ppm" "$bench/now.ppm"; }
is_picture() { sees flips 640x480 16 0; }
is_no_picture() { ! is_picture 2> /dev/null; }

waits() { guest 'awk "/ctxt/ { n += \$2 } END { print n }" /proc/$(cat /tmp/test.pid)/task/*/status'; }
is_idle() {
  local before
  before=$(waits)
  sleep 4
  (( $(waits) - before <= 1 ))
}

# holds SIZE BITS TURN: the page that the frame buffer in memory shows is the picture. Sets `top`, where it begins.
holds() {
  local width=${1%x*} height=${1#*x} stride
  starts --device "$memory" --rotate "$3" || return 1
  stride=$(guest "cat /sys/class/graphics/${memory##*/}/stride")
  top=$(guest "cut -d, -f2 /sys/class/graphics/${memory##*/}/pan")
  guest "dd if=$memory bs=$stride skip=$top count=$height 2> /dev/null | base64" | base64 -d > "$bench/memory"
  ends
  qemu_screen memory "$bench/memory" "$width" "$height" "$stride" "$2" "$(picture "$(upright "$1" "$3")")" "$3"
}

input() {
  guest 'talon screen input --seconds 6 --size 800x480 > /tmp/input.log 2>&1 & echo'
  sleep 3
  qemu_screen send "$bench/vm" place:24576,16384 press:left place:8192,8192 release:left key:shift key:a keyup:a keyup:shift \
    key:ret keyup:ret
  sleep 4
  guest 'cat /tmp/input.log' > "$bench/input.log"
}

# came TEXT...: these lines, in this order.
came() {
  local line
  while read -r line; do
    if (( $# )) && [[ $line == "$1" ]]; then shift; fi
  done < "$bench/input.log"
  (( $# == 0 )) || { say "no \"$1\" in its place"; cat "$bench/input.log" >&2; return 1; }
}

begin "$out/test/screen"
[[ -x $out/x86_64/talon ]] || die "there is no x86_64 firmware; run board/firmware x86_64"
mkdir -p "$bench/vm"
"$root/board/vm" start "$bench/vm" "" "bochs virtio-gpu cirrus vfb virtio_input evdev" "$displays" "video=Virtual-2:panel_orientation=left_side_up"
guest 'load bochs; load virtio-gpu; load cirrus; load evdev; load virtio_input; load vfb vfb_enable=1 videomemorysize=2097152 mode_option=512x384-24' > "$bench/load.log"
guest "printf '\\033[?25l\\033[2J\\033[Hthis is the text console\\n' > /dev/tty1"
guest 'talon screen' > "$bench/list"
plain_size=$(sed -n 's|^/dev/dri/card0.* \([0-9]*x[0-9]*\)@.*|\1|p' "$bench/list")
memory=/dev/$(guest 'grep -l "Virtual FB" /sys/class/graphics/fb*/name' | sed 's|.*/\(fb[0-9]*\)/name|\1|')

claim "all displays and inputs are listed" test "$(grep -c '^/dev/' "$bench/list")" -ge 9
sleep 1
# The kernel has its console where the BIOS had its text.
shot text flips
for turn in 0 90 180 270; do
  claim "a card that needs no word shows the picture turned by $turn" pictured plain /dev/dri/card0 "$plain_size" 24 $turn
done
for turn in 0 90; do
  claim "a card that wants to be told shows it turned by $turn" pictured told /dev/dri/card1 640x480 24 $turn
  claim "a card that flips pages, at 16 bits, shows it turned by $turn" pictured flips /dev/dri/card2 640x480 16 $turn --mode 640x480 --depth 16
done
claim "one that says how it is mounted is turned by itself" mounted
claim "the text console is back" wait_for 5 has_text
claim "another mode is set" pictured plain /dev/dri/card0 800x600 24 0 --mode 800x600
claim "a frame buffer above a card shows it" pictured plain /dev/fb0 "$plain_size" 24 180
for turn in 0 270; do claim "one of packed bytes holds it turned by $turn" holds 512x384 24 $turn; done
guest "echo 512,768 > /sys/class/graphics/${memory##*/}/virtual_size"
claim "one with room for two pages holds it" holds 512x384 24 90
claim "on the second page, after an odd number of frames" test "$top" -eq 384

claim "without a choice the first card is taken" eval 'starts && sees plain "$plain_size" 24 0'
claim "while nothing changes nothing runs" is_idle
ends
starts --device /dev/dri/card2 --mode 640x480 --depth 16
guest 'chvt 2'
claim "another console is let through" wait_for 5 is_no_picture
guest 'chvt 1'
claim "and when this one is back all is painted again" wait_for 5 is_picture
ends SEGV
claim "after a crash the text console is back" wait_for 5 has_text
claim "without a display there is a virtual one" guest 'talon screen test --seconds 1 --device 1280x800 | grep -q "virtual  1280x800"'

input
claim "a tablet's finger goes down, moves and goes up" came "hover 600,240" "down 0 600,240" "move 0 200,120" "up 0 200,120"
claim "keys give characters, and what they do" came "character A" "press enter" "release enter"
"$root/board/vm" stop "$bench/vm"

"$root/board/vm" start "$bench/vm" "" "" "VGA,vgamem_mb=16" "vga=0x311"
for turn in 0 90 180 270; do
  claim "the BIOS's frame buffer at 16 bits shows it turned by $turn" pictured - /dev/fb0 640x480 16 $turn
done
