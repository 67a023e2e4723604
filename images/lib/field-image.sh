# shellcheck shell=bash
# An image in a machine beside a gateway on this host (board/lib/bench.sh): what tests, power cuts and images/boot share.

source "$root/board/lib/bench.sh"
source "$root/images/lib/boards.sh"
source "$root/images/lib/disk.sh"
source "$root/images/lib/machine.sh"
source "$root/images/lib/inspect.sh"
PATH=$PATH:/usr/sbin:/sbin

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# card_config [CAMERA]: talon.conf for a board that finds this bench's gateway at 10.0.2.2, where qemu puts this machine.
# CAMERA: lines of its section.
card_config() {
  printf '[gateway]\nurl = wss://10.0.2.2:%s\ntoken_file = /etc/talon/token\npairing_poll = 2\n\n' "$gateway_port"
  printf '[node]\nname = %s\n\n[camera]\n%s\n' "$board_name" "${1-driver = none}"
}

# write_card IMAGE FOLDER [CAMERA]: a card with the image, and with the files of its boot partition that a person would edit.
write_card() {
  insert_card "$1" "$2"
  card_config "${3-driver = none}" > "$2/talon.conf"
  put_boot "$2/card.img" "$2/talon.conf" talon.conf
  put_boot "$2/card.img" "$bench/gateway/token" token
}

# type_line FOLDER TEXT: over the serial port.
type_line() {
  python3 -c '
import socket, sys
port = socket.socket(socket.AF_UNIX)
port.connect(sys.argv[1])
port.sendall(sys.argv[2].encode() + b"\r")
port.settimeout(1)
try:
    while port.recv(4096): pass
except TimeoutError:
    pass' "$1/serial" "$2"
}

approve_pending() { gateway devices approve "$(pending_request)" > /dev/null 2>&1; }
connected_id() { gateway nodes status | jq -er 'first(.nodes[] | select(.connected)).nodeId'; }
