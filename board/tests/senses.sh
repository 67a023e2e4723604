#!/usr/bin/env bash
# Where the board is and how it moves, for a gateway, with the x86_64 firmware on a real kernel: a receiver on a UART at several
# speeds, with a line that is cut; strict answers; a limited position; the last fix over a restart; a move that is told; a
# clock that satellites set; steps and activity of a chip on an I2C bus.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

walk=$root/board/tests/field.nmea
configuration=/etc/talon/talon.conf

# feed FILE: the receiver sends what is in it from now on.
feed() {
  "$root/board/vm" nmea "$bench/vm" "$1" &
  feeder=$!
}

# cut_line: the receiver falls silent in the middle of a sentence.
cut_line() {
  kill "$feeder"
  wait "$feeder" 2> /dev/null || true
  printf '$GPGGA,1235' > "$bench/vm/uart.in"
}

# put REGISTER:VALUE...: what the chip's registers hold from now on.
put() {
  local register
  for register; do guest "i2cset -y 0 0x68 ${register%:*} ${register#*:} b"; done
}

# configure SED...: changes the configuration, and has Talon read it again.
configure() {
  local change
  for change; do guest "sed -i '$change' $configuration"; done
  guest "kill -HUP \$(pidof talon)"
  sleep 1
  wait_for 30 is_connected || die "Talon does not come back"
}

# at_speed BAUD: Talon reads the UART at this speed, and the kernel's driver has it.
at_speed() {
  configure "s/^baud = .*/baud = $1/"
  answers location.get '{"timeoutMs":15000}' '.source == "gps"' || return 1
  [[ $(guest "stty -F /dev/ttyS1 speed") == "$1" ]]
}

is_recorded() { grep -qF significant_location "$bench/gateway.log"; }
# clock_is_right: the guest's clock is less than 5 s off.
clock_is_right() {
  local off=$(( $(guest "date +%s") - $(date +%s) ))
  (( off > -5 && off < 5 ))
}

begin "$out/test/senses"
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" \
  $'driver = serial\nport = /dev/ttyS1\nbaud = auto\nsignificant_move = 500\nprecision = exact\n\n[motion]\ndriver = i2c\nbus = /dev/i2c-0'
"$root/board/vm" start "$bench/vm" "n_devs=1" "i2c-dev i2c-stub"
# An MPU-6050 of registers alone: its FIFO has one sample each time, at rest.
guest "load i2c-dev; load i2c-stub chip_addr=0x68"
put 0x75:0x68 0x72:0x00 0x73:0x0c 0x74:0x00 0x78:0x10
feed "$walk"
start_talon
pairs log_says

claim "the speed of the line is found" log_says "a receiver is heard at 9600 baud"
location_claims
claim "a fix is fresh, precise and made by satellites" answers location.get '{"timeoutMs":10000,"desiredAccuracy":"precise"}' \
  '.isPrecise and .source == "gps" and .satellites == 9 and (now - (.timestamp | sub("\\.[0-9]+"; "") | fromdate) | fabs < 5)'

claim "the sensor is found on its bus" log_says "MPU-6050 samples at 50 Hz"
claim "motion.pedometer counts" answers motion.pedometer '{}' '.steps == 0 and .startISO < .endISO'
claim "motion.activity lists what was" answers motion.activity '{"limit":5}' '.activities | type == "array"'
claim "a window that ends before it begins is refused" \
  refuses motion.pedometer '{"startISO":"2026-01-02T00:00:00Z","endISO":"2026-01-01T00:00:00Z"}' INVALID_REQUEST
claim "the device tells of both sensors" answers device.health '{}' \
  '.devices.location.state == "ok" and .devices.motion.state == "ok"'
# Its FIFO stays empty, and it no longer says who it is.
put 0x73:0x00 0x75:0x99
claim "a chip that falls silent is told" wait_for 15 log_says "motion sensor no longer answers"
claim "and known to be gone" answers device.health '{}' '.devices.motion.state == "error"'
claim "so is one that is another when it comes back" wait_for 15 log_says "unknown chip answers at 0x68: 0x75 = 0x99"
put 0x73:0x0c 0x75:0x68
claim "one that is itself again is sampled" wait_for 70 answers device.health '{}' '.devices.motion.state == "ok"'

cut_line
claim "a line that is cut is no fix, and that is said" refuses location.get '{"timeoutMs":6000}' "LOCATION_TIMEOUT: no fix in time: the receiver sends nothing; the last fix is"
claim "who takes an older fix gets the last one" answers location.get '{"maxAgeMs":600000}' '.source == "gps"'
feed "$walk"
claim "the line that goes on is read" answers location.get '{"timeoutMs":30000}' '.source == "gps"'
for speed in 4800 38400 115200; do claim "$speed baud" at_speed "$speed"; done

configure 's/^precision = .*/precision = 1000/'
claim "a limited position is off, and says so" answers location.get '{"timeoutMs":30000}' \
  '.isPrecise == false and .accuracyMeters > 700 and (has("altitudeMeters") or has("speedMps") | not) and (.lat - 46.948 | fabs) < 0.01'
configure 's/^precision = .*/precision = exact/'

# A minute of arc north: 1.85 km.
sed 's/,4656\./,4657./' "$walk" > "$bench/moved.nmea"
cut_line
feed "$bench/moved.nmea"
claim "a move is told to the gateway" wait_for 90 is_recorded

guest "date -s '2021-01-01 00:00:00'" > /dev/null
claim "a clock that is wrong is set by satellites" wait_for 20 clock_is_right

cut_line
stop_talon
start_talon
wait_for 30 is_connected || die "Talon does not come back"
claim "after a restart the last fix is given for its age" answers location.get '{"maxAgeMs":600000}' '(.lat - 46.964 | fabs) < 0.01'
claim "and not as a new one" refuses location.get '{"timeoutMs":2000}' LOCATION_TIMEOUT
