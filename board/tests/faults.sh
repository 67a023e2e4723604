#!/usr/bin/env bash
# What a board in a field can suffer, seen from afar: a real Debian with systemd, the package in it, and one fault after the other that
# `talon doctor` knows. Each is read by one command over the gateway, as a person at the board would read it, and is gone when it is
# mended. Prometheus and rsyslog hear of the board meanwhile, over TLS. Faults that need no system are in diagnosis.sh; every check of the
# doctor has one here or there.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-system.sh"
source "$root/board/lib/servers.sh"
source "$root/board/lib/claims.sh"

"$root/board/prepare" metrics syslog

system_modules+=" virtio_blk ext4 sbs-battery"
state=/var/lib/talon
# What is not provoked: findings that say that no gateway hears the board (panic, gateway, pairing, address) or that no agent runs, an
# agent that fills its memory, and a board of which nothing can be read; commands that a gateway does not allow (operator.sh has that
# fault, and diagnosis.sh what is said of those that a list leaves out); and how the gateway is known, which is never a fault.
unprovoked=(agent panic gateway pairing address board commands trust)

# findings_here, findings_there: at the board by root, and from afar.
findings_here() { guest 'talon doctor --json || true'; }
findings_there() { invoke debug.doctor; }
# fault CHECK: those findings of the check that are no good, without numbers of the moment.
fault() { jq -cS --arg check "$1" '[.findings[] | select(.check == $check and (.grade == "warning" or .grade == "failure")) | {grade, remedy}]'; }
# finds CHECK TEXT: from afar, and the same at the board; but for the decoder, which a limit of the service alone keeps from working.
finds() {
  findings_there > "$bench/there.json" || return 1
  has_finding "$bench/there.json" "$1" "$2" warning failure || return 1
  [[ $1 != decoder ]] || return 0
  findings_here > "$bench/here.json"
  [[ $(fault "$1" < "$bench/here.json") == "$(fault "$1" < "$bench/there.json")" ]]
}
is_mended() { findings_there > "$bench/there.json" && ! has_text "$1"; }
has_text() { jq -e --arg text "$1" 'any(.findings[]; .grade != "ok" and .grade != "unknown" and (.text | contains($text)))' "$bench/there.json" > /dev/null; }

# with_fault CHECK WORDS TEXT BREAK MEND: what the guest does to break it, and to mend it if that can be; the finding contains TEXT.
with_fault() {
  guest "$4"
  claim "$2" wait_for 40 finds "$1" "$3"
  [[ $5 ]] || return 0
  guest "$5"
  claim "  and that it is mended" wait_for 40 is_mended "$3"
}

# cover FOLDER FILE=TEXT...: what a board without that hardware has instead of the kernel's folder; uncovered by umount.
cover() {
  local folder=$1 word commands; shift
  commands="mount -t tmpfs -o mode=755 none $folder"
  for word in "$@"; do commands+=" && mkdir -p $folder/$(dirname "${word%%=*}") && echo '${word#*=}' > $folder/${word%%=*}"; done
  echo "$commands"
}

# query EXPRESSION FILTER: the filter of jq holds for the result, a list of series.
query() {
  curl -sf --cacert "$bench/ca.pem" "https://127.0.0.1:$metrics_port/api/v1/query" --data-urlencode "query=$1" > "$bench/answer.json" &&
    jq -e ".data.result | $2" "$bench/answer.json" > /dev/null
}
start_prometheus() {
  metrics_port=$(free_port)
  certify metrics metrics "subjectAltName=IP:127.0.0.1,IP:10.0.2.2"
  printf 'tls_server_config:\n  cert_file: %s\n  key_file: %s\n' "$bench/metrics.pem" "$bench/metrics-key.pem" > "$bench/web.yml"
  printf 'storage: {tsdb: {out_of_order_time_window: 2d}}\n' > "$bench/prometheus.yml"
  prometheus --config.file="$bench/prometheus.yml" --storage.tsdb.path="$bench/prometheus" --web.enable-remote-write-receiver \
    --web.listen-address="127.0.0.1:$metrics_port" --web.config.file="$bench/web.yml" --log.level=warn 2>> "$bench/prometheus.log" &
}

# checks_of_doctor: the words of every finding that the program can make.
checks_of_doctor() {
  cat "$root"/Sources/talon/Doctor/*.swift "$root/Sources/talon/Full/BoardCheck+Media.swift" "$root/Sources/Device/BoardDiagnosis.swift" | tr -d '\n' |
    grep -oE 'Finding\( *"[a-z]+"' | grep -oE '[a-z]+"' | tr -d '"'
  sed -nE '/enum CheckedDevice/,/^}/ s/ *case \.[a-z]+: "([a-z]+)"$/\1/p' "$root/Sources/talon/Doctor/AgentDiagnosis.swift"
}
checks_with_fault() { sed -nE 's/^with_(fault|gateway) ([a-z]+) .*/\2/p' "$root/board/tests/faults.sh" "$root/board/tests/diagnosis.sh"; printf '%s\n' "${unprovoked[@]}"; }
misses_none() { diff <(checks_of_doctor | sort -u) <(checks_with_fault | sort -u) >&2; }

claim "every check of the doctor has its fault" misses_none
begin "$out/test/faults"
"$root/board/package" --into "$bench/packages" x86_64
mkdir -p "$bench/vm/files/root"
cp "$bench"/packages/talon_*_amd64.deb "$bench/vm/files/root/talon.deb"
cp "$deps/vm/root/bin/busybox" "$bench/vm/files/root/busybox"
truncate -s 160M "$bench/disk"
PATH=$PATH:/usr/sbin mke2fs -q -t ext4 "$bench/disk"
start_gateway 0
make_authority
make_syslog
start_syslog
start_prometheus
cp "$bench/ca.pem" "$bench/vm/files/root/ca.pem"
system_more=(-drive "file=$bench/disk,format=raw,if=none,id=card" -device "virtio-blk-pci,drive=card")
start_system
guest "date -s @$(date +%s) > /dev/null
  modprobe -a virtio_blk ext4 && modprobe vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0 && udevadm settle
  mkdir -p $state && mount /dev/vda $state && rmdir $state/lost+found
  apt-get install -y /root/talon.deb > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }
  install -m 644 /root/ca.pem /etc/talon/ca.pem
  printf '[debug]\ncommands = yes\n[canvas]\nscreen = auto\n[log]\nsyslog = tls://10.0.2.2:$syslog_port\nsyslog_ca_file = /etc/talon/ca.pem\n' >> /etc/talon/talon.conf
  printf '[metrics]\ninterval = 5\nurl = https://10.0.2.2:$metrics_port/api/v1/write\nca_file = /etc/talon/ca.pem\n' >> /etc/talon/talon.conf
  talon config check && systemctl restart talon"
code=$("$gateway_program" qr --state "$bench/gateway" --setup-code-only --url "wss://10.0.2.2:$gateway_port")
guest "echo $code | talon connect"
wait_for 60 is_pending || die "no pairing request arrived"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
board_name=field-board
claim "a board in a virtual machine connects" wait_for 90 is_connected
claim "Prometheus takes its samples, over TLS" wait_for 60 query 'talon_info' '.[0].metric.board == "field-board"'
claim "and rsyslog its log" wait_for 30 syslog_says '^field-board talon gateway notice.*online: connected'
claim "the doctor can be asked from afar" wait_for 30 findings_there > "$bench/first.json"

with_fault config "a line that nobody understands" "expected" 'cp /etc/talon/talon.conf /root/right && echo nonsense >> /etc/talon/talon.conf' 'cp /root/right /etc/talon/talon.conf'
with_fault service "an agent that does not start with the board" "does not start" 'systemctl disable -q talon' 'systemctl enable -q talon'
with_fault secrets "a state folder that others may look into" "others may look" "chmod 755 $state" "chmod 700 $state"
with_fault camera "a camera that goes" "camera" 'modprobe -r vivid' 'modprobe vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0'
# The kernel's driver for batteries on I2C, with the registers of an empty one: SBS 1.1, 5.1.10 (RelativeStateOfCharge) and 5.1.21 (BatteryStatus).
with_fault power "a battery that is nearly empty" "battery" 'modprobe i2c-stub chip_addr=0x0b && bus=$(basename "$(dirname /sys/class/i2c-adapter/*/new_device)") && bus=${bus#i2c-} &&
  for word in 0x16=0x40 0x0d=5 0x0e=5 0x09=3500 0x0a=0xff00 0x08=2950 0x0f=100 0x10=2000 0x18=2000 0x19=3700; do /root/busybox i2cset -y $bus 0x0b ${word%=*} ${word#*=} w; done &&
  modprobe sbs-battery && echo sbs-battery 0x0b > /sys/bus/i2c/devices/i2c-$bus/new_device && udevadm settle' 'for device in /sys/bus/i2c/drivers/sbs-battery/*-000b; do echo "${device##*/}" > /sys/bus/i2c/drivers/sbs-battery/unbind; done'
with_fault power "a voltage that is too low" "voltage" "$(cover /sys/class/hwmon hwmon0/name=rpi_volt hwmon0/in0_lcrit_alarm=1)" 'umount /sys/class/hwmon'
guest "$(cover /sys/class/thermal thermal_zone0/type=cpu-thermal thermal_zone0/temp=90000)"
claim "a board that is too hot is in its metrics" wait_for 60 query 'talon_temperature_celsius' 'any(.[]; .value[1] == "90")'
with_fault heat "and in its findings" "too hot" true 'umount /sys/class/thermal'
with_fault clock "a clock that nobody has set" "long past" 'date -s "2001-01-01" > /dev/null' "date -s @$(date +%s) > /dev/null"
with_fault memory "a memory that is full" "only" 'mkdir -p /mnt && mount -t tmpfs -o size=95% none /mnt &&
  head -c "$(awk "/MemTotal/ { all = \$2 } /MemAvailable/ { free = \$2 } END { print (free - all / 28) \"K\" }" /proc/meminfo)" /dev/zero > /mnt/fill' 'umount /mnt'
with_fault route "a board without a way out" "no way out" 'ip route show default > /root/way; ip -6 route show default > /root/way6
  ip route flush default; ip -6 route flush default 2> /dev/null || true' 'ip route add $(sed "s/ expires .*//" /root/way | head -n 1)'
with_fault link "a board without a linked interface" "no interface is linked" "$(cover /sys/class/net wlan0/device/vendor=1 wlan0/type=1 wlan0/ifindex=9 wlan0/carrier=0)" 'umount /sys/class/net'
with_fault watchdog "a watchdog that sleeps" "sleeps" 'modprobe softdog' 'modprobe -r softdog'
with_fault decoder "a decoder that cannot have a process" "no picture" \
  'systemctl set-property --runtime talon TasksMax=$(( $(cat /sys/fs/cgroup/system.slice/talon.service/pids.current) + 1 ))' 'systemctl set-property --runtime talon TasksMax=20'
with_fault storage "a card that is nearly full" "MiB free" "fallocate -l \$(( \$(df --output=avail -k $state | tail -n 1) - 20000 ))K $state/fill" "rm $state/fill"
with_fault card "a file system that met an error" "errors" 'echo talon > /sys/fs/ext4/vda/trigger_fs_error' ''
with_fault storage "one that turned read-only by it" "nothing can be written" \
  "mount -o remount,errors=remount-ro $state && echo talon > /sys/fs/ext4/vda/trigger_fs_error" ''
claim "the board is there still" wait_for 30 is_connected
claim "with its process of the beginning" eval '[[ $(guest "systemctl show -P NRestarts talon") == 0 ]]'
