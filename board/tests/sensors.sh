#!/usr/bin/env bash
# The owner's sensors, serial devices and programs as tools of the agent, with the x86_64 firmware on a real kernel: chips behind the
# kernel's own drivers (lm75 and sht21 of hwmon, bmp280 of IIO, on i2c-stub), which hold the numbers of their datasheets; a Modbus device
# (pymodbus) at a UART; a measuring instrument of lines at another; and a program of the owner. Each is called as a model does.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/modbus.sh"

tools() { gateway tools "$@"; }
has_tool() { tools list | jq -e --arg name "$1" 'any(.tools[]; .name == $name)' > /dev/null; }
# schema_is NAME FILTER: what the model reads of the tool satisfies the jq filter.
schema_is() { tools list | jq -e --arg name "field_board_$1" ".tools[] | select(.name == \$name) | $2" > /dev/null; }
# gives NAME ARGUMENTS FILTER: the tool's result satisfies the jq filter.
gives() {
  tools call "field_board_$1" "$2" > "$bench/result.json" || { cat "$bench/result.json" >&2; return 1; }
  jq -e "$3" "$bench/result.json" > /dev/null || { cat "$bench/result.json" >&2; return 1; }
}
# fails NAME ARGUMENTS WORDS: the tool says so in a sentence with these words.
fails() {
  if tools call "field_board_$1" "$2" > "$bench/result.json"; then cat "$bench/result.json" >&2; return 1; fi
  jq -e --arg words "$3" '.isError and (.content[0].text | contains($words))' "$bench/result.json" > /dev/null \
    || { cat "$bench/result.json" >&2; return 1; }
}
# put ADDRESS REGISTER VALUE...: bytes from a register on.
put() {
  local address=$1 register=$2 commands=true value; shift 2
  for value; do
    commands+=" && i2cset -f -y 0 $address $(printf '0x%02x' "$register") $value b"
    register=$(( register + 1 ))
  done
  guest "$commands"
}
# put_word ADDRESS REGISTER VALUE: a word, whose first byte on the bus is its lower one.
put_word() { guest "i2cset -f -y 0 $1 $2 $3 w"; }
make_chip() { guest "echo $1 $2 > /sys/bus/i2c/devices/i2c-0/new_device"; }
delete_chip() { guest "echo $1 > /sys/bus/i2c/devices/i2c-0/delete_device"; }
# events COUNT: the gateway got so many events of the greenhouse. Its trace shortens their words, which unit tests read.
events() { [[ $(grep -cF 'talon.io.greenhouse' "$bench/gateway.log") == "$1" ]]; }

# instrument: answers to lines at the machine's second UART, as an instrument of lines does.
instrument() {
  local line
  while IFS= read -r line; do
    case $line in
      'MEAS?') printf '+2.3456E-3\r\n' ;;
      'VOLT 12') printf 'OK\r\n' ;;
      'CTRL?') printf 'a\033[2Jb\377c\r\n' ;;
    esac
  done < "$bench/vm/uart.out" > "$bench/vm/uart.in"
}

write_tools() {
  cat <<CONFIG

[tools]
publish = all

[tool greenhouse]
kind = sensor
about = Air temperature in the greenhouse.
label = The greenhouse
from = hwmon lm75@0-0048 temp1
every = 1
above = 30
below = 2
hysteresis = 1

[tool humidity]
kind = sensor
from = hwmon sht21 humidity1
every = 1

[tool barometer]
kind = sensor
from = iio bmp280 pressure
every = 1

[tool outside]
kind = sensor
from = iio bmp280 temp
every = 1

[tool cellar]
kind = sensor
from = hwmon lm75 temp1
every = 1

[tool pool]
kind = sensor
from = onewire 28-0316a2795bff
every = 1

[tool pump]
kind = serial
protocol = modbus
device = /dev/ttyS2
baud = 19200
address = 7
timeout = 2000
register flow = holding 0x0010 u16 scale 0.1 unit l/min
register heat = holding 17 f32 unit °C
register swapped = holding 19 f32 low-first
register outdoor = holding 21 i16 scale 0.1 unit °C writable -20..40
register hours = input 3 u16 unit h
register valve = coil 2 writable
register alarm = discrete 5

[tool wrong]
kind = serial
protocol = modbus
device = /dev/ttyS2
baud = 19200
address = 9
timeout = 300
register nothing = holding 0 u16

[tool beyond]
kind = serial
protocol = modbus
device = /dev/ttyS2
baud = 19200
address = 7
register far = holding 9999 u16

[tool meter]
kind = serial
device = /dev/ttyS1
allow = MEAS\?|VOLT [0-9]{1,2}|CTRL\?|QUIET
timeout = 2000
answer_end = \r\n

[tool valve]
kind = program
about = Opens a zone of the garden.
run = /usr/local/bin/valve --zone {zone number 1..8} {mode choice open shut} {note text 20 [a-z ]}
user = nobody

[tool hang]
kind = program
run = /usr/local/bin/hang
time_limit = 2
user = nobody

[tool asroot]
kind = program
run = /bin/id
CONFIG
}

begin "$out/test/sensors"
prepare_modbus
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = none" "driver = none"
write_tools >> "$bench/vm/files/etc/talon/talon.conf"
mkdir -p "$bench/vm/files/usr/local/bin"
printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' > "$bench/vm/files/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' > "$bench/vm/files/etc/group"
printf '#!/bin/sh\necho "$# $1 $2 $3 $4"; echo "as $(id -u) in $(pwd) with $(ls /proc/self/fd | wc -l)"; echo careful >&2; exit 3\n' \
  > "$bench/vm/files/usr/local/bin/valve"
printf '#!/bin/sh\necho begun\nsleep 1000 &\nexec sleep 1000\n' > "$bench/vm/files/usr/local/bin/hang"
chmod 755 "$bench/vm/files/usr/local/bin/"*
"$root/board/vm" start "$bench/vm" n_devs=1 "i2c-dev i2c-stub lm75 sht21 bmp280-i2c"
instrument &

say "chips of a real kernel"
guest "load i2c-dev; load lm75; load sht21; load bmp280-i2c; load i2c-stub chip_addr=0x48,0x49,0x40,0x76"
# LM75: 23.5 degrees. SHT21 (datasheet, section 6): 45 % of humidity.
put_word 0x48 0x00 0x8017
put_word 0x49 0x00 0x0005
put_word 0x40 0xe3 0xac68
put_word 0x40 0xe5 0x7068
# BMP280: its number, and the calibration and measurement of the datasheet's example (section 3.12): 25.08 degrees, 1006.53 hPa.
put 0x76 0xd0 0x58
put 0x76 0x88 0x70 0x6b 0x43 0x67 0x18 0xfc 0x7d 0x8e 0x43 0xd6 0xd0 0x0b 0x27 0x0b 0x8c 0x00 0xf9 0xff 0x8c 0x3c 0xf8 0xc6 0x70 0x17
put 0x76 0xf7 0x65 0x5a 0xc0 0x7e 0xed 0x00
make_chip lm75 0x48
make_chip lm75 0x49
make_chip sht21 0x40
make_chip bmp280 0x76
start_talon
pairs log_says
claim "the agent has them" wait_for 20 has_tool field_board_greenhouse
claim "and reads what the owner says of one" schema_is greenhouse '.description | startswith("Air temperature in the greenhouse. Returns the temperature in °C")'

claim "the LM75's degrees, in a sentence" wait_for 10 gives greenhouse '{}' \
  '.content[0].text | startswith("The greenhouse is 23.5 °C now; between 23.5 and 23.5 in the last hour.")'
claim "and as values" gives greenhouse '{}' '.structuredContent | .value == 23.5 and .unit == "°C" and .alarm == false'
claim "the SHT21's humidity" gives humidity '{}' '(.structuredContent.value - 45 | fabs) < 0.1 and .structuredContent.unit == "%"'
claim "the datasheet's pressure of a BMP280" gives barometer '{}' '.structuredContent.value == 1006.533 and .structuredContent.unit == "hPa"'
claim "and its temperature" gives outside '{}' '.structuredContent.value == 25.08'
claim "an absent bus is told, with what was looked for" fails pool '{}' "no 1-Wire thermometer named 28-0316a2795bff; it has none"
claim "one of two chips with a name is not guessed" fails cellar '{}' "several sensors are named lm75: lm75@0-004"
claim "the chip with a place is still read" gives greenhouse '{}' '.structuredContent.value == 23.5'

say "alarms"
put_word 0x48 0x00 0x0020
claim "above its limit the agent is told" wait_for 15 events 1
claim "and the tool knows minimum and maximum" gives greenhouse '{}' '.structuredContent | .alarm and .minimum == 23.5 and .maximum == 32'
put_word 0x48 0x00 0x8017
sleep 3
claim "what is back at once is not told before five minutes" events 1
delete_chip 0x48
claim "a chip that is gone is told, with its last value" wait_for 15 fails greenhouse '{}' "no hwmon chip named lm75@0-0048; it has lm75@0-0049; it was 23.5 °C"
claim "and logged once" eval '[[ $(copy_log; grep -c "io: greenhouse: the board has no" "$bench/talon.log") == 1 ]]'
make_chip lm75 0x48
claim "it comes back by itself" wait_for 15 gives greenhouse '{}' '.structuredContent.value == 23.5'

say "a Modbus device"
claim "without power it is told" fails pump '{}' "does not answer"
start_modbus "$bench/vm/line" "$bench/noise"
claim "all registers of all areas and types" wait_for 20 gives pump '{}' '.structuredContent.values
  == {"flow":12.3,"heat":23.5,"swapped":23.5,"outdoor":-10.5,"hours":4711,"valve":0,"alarm":1}'
claim "in a sentence" gives pump '{}' '.content[0].text | startswith("flow 12.3 l/min, heat 23.5 °C, ")'
claim "one of them" gives pump '{"register":"hours"}' '.structuredContent.values == {"hours":4711}'
claim "a number is written, and read back" gives pump '{"set":"outdoor","value":21.5}' '.structuredContent.values == {"outdoor":21.5}'
claim "a coil is written" gives pump '{"set":"valve","value":1}' '.structuredContent.values == {"valve":1}'
claim "the device has both" gives pump '{}' '.structuredContent.values | .outdoor == 21.5 and .valve == 1'
claim "beyond the owner's limits is refused" fails pump '{"set":"outdoor","value":41}' "value must be a number from -20 to 40"
claim "what is not writable is refused" fails pump '{"set":"flow","value":1}' "does not allow to change"
claim "the model reads the limits" schema_is pump '.parameters.properties | .set.enum == ["outdoor","valve"] and (.value.description | contains("outdoor from -20 to 40"))'
touch "$bench/noise"
claim "a spoilt frame is asked for again" gives pump '{"register":"hours"}' '.structuredContent.values == {"hours":4711}'
claim "the frame was spoilt" test ! -e "$bench/noise"
claim "a register that the device has not is told in a sentence" fails beyond '{}' "has no register at this address (exception 2)"
claim "an address where nobody is is told" fails wrong '{}' "does not answer: look at its power, its address"
claim "and the line works afterwards" gives pump '{"register":"flow"}' '.structuredContent.values == {"flow":12.3}'
claim "at the speed that is configured" eval '[[ $(guest "stty -F /dev/ttyS2 speed") == 19200 ]]'

say "an instrument of lines"
claim "a request that is allowed is answered" gives meter '{"request":"MEAS?"}' '.structuredContent.answer == "+2.3456E-3"'
claim "another is not sent" fails meter '{"request":"*RST"}' "must match the pattern MEAS"
claim "nor one with a line end in it" fails meter '{"request":"MEAS?\nVOLT 99"}' "must match the pattern"
claim "what would command a terminal comes as harmless text" gives meter '{"request":"CTRL?"}' '.structuredContent.answer == "a?[2Jb?c"'
claim "silence is told" fails meter '{"request":"QUIET"}' "the device does not answer"
claim "it answers again" gives meter '{"request":"VOLT 12"}' '.content[0].text == "The device answered: OK"'

say "a program"
claim "its arguments arrive as words, and its status and output come back" gives valve '{"zone":3,"mode":"open","note":"by the wall"}' \
  '(.content[0].text | startswith("The program failed with exit status 3. It wrote:\n4 --zone 3 open by the wall\nas 65534 in / with 4\n"))
    and (.content[0].text | contains("Its errors:\ncareful")) and .structuredContent.exitStatus == 3'
claim "what the owner does not allow is refused" fails valve '{"zone":9,"mode":"open","note":""}' "zone must be a whole number from 1 to 8"
claim "nor can a text be an option, or anything for a shell" fails valve '{"zone":1,"mode":"open","note":"$(reboot)"}' "note must be a text"
claim "the model reads types and limits" schema_is valve '.parameters | .properties.zone == {"type":"integer","minimum":1,"maximum":8}
  and .properties.mode.enum == ["open","shut"] and .properties.note.maxLength == 20 and .required == ["zone","mode","note"]'
claim "one that hangs is killed after its time" gives hang '{}' \
  '.structuredContent.isTimedOut and (.content[0].text | contains("longer than 2 s and was killed. It wrote:\nbegun"))'
claim "with all that it has begun" eval '! guest "ps | grep [s]leep.1000" > /dev/null'
claim "nothing runs as root" fails asroot '{}' "runs no program as root"

claim "nothing that the board sent left the protocol" eval "[[ \$(gateway nodes status | jq .violations) == 0 ]]"
stop_talon
