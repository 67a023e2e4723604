#!/usr/bin/env bash
# Motion sensors of a real kernel under the x86_64 firmware, without a gateway: chips of registers alone (i2c-stub) behind
# real i2c-dev ioctls are told apart, hold what the driver wrote, and are read; what is wrong with a bus or a chip is told.
# i2c-stub has neither FIFOs nor time: what those do is tried on models of the chips, in unit tests. Then sensors that the
# kernel's own drivers have: one that captures nothing, and a hub (uhid) whose accelerometer and gyroscope are captured.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

bus=/dev/i2c-0

# new_chips PARAMETER...: other chips on the bus, all registers 0.
new_chips() {
  guest "rmmod i2c-stub 2> /dev/null; load i2c-stub $*; test -c $bus"
}

# holds ADDRESS REGISTER VALUE [REGISTER VALUE...]: what stands in a chip's registers.
holds() {
  local address=$1 found; shift
  while (( $# )); do
    found=$(guest "i2cget -y 0 $address $1 b")
    [[ $found == "$2" ]] || { say "register $1 of $address holds $found"; return 1; }
    shift 2
  done
}

# put ADDRESS REGISTER VALUE [REGISTER VALUE...]
put() {
  local address=$1 commands=true; shift
  while (( $# )); do
    commands+=" && i2cset -y 0 $address $1 $2 b"
    shift 2
  done
  guest "$commands"
}

# probes TEXT [OPTION...]: talon imu probe ends well and prints the text.
probes() { prints 0 "$1" --bus "$bus" "${@:2}"; }
# fails TEXT [OPTION...]: it ends with 69 and prints the text.
fails() { prints 69 "$1" --bus "$bus" "${@:2}"; }
# listens TEXT [OPTION...], is_deaf TEXT [OPTION...]: the same with the kernel's IIO.
listens() { prints 0 "$1" --iio "${@:2}"; }
is_deaf() { prints 69 "$1" --iio "${@:2}"; }

prints() {
  local code=0 text=$2 wanted=$1; shift 2
  guest "talon imu probe $* 2>&1" > "$bench/printed" || code=$?
  cat "$bench/printed" >> "$bench/log"
  if (( code != wanted )) || ! says "$bench/printed" "$text"; then cat "$bench/printed" >&2; return 1; fi
}

# told_apart ADDRESS REGISTER NUMBER NAME: a chip that calls itself so is known by its name.
told_apart() {
  put "$1" "$2" "$3"
  probes "$1  $4 (it calls itself $3)" --address "$1" || return 1
  put "$1" "$2" 0x00
}

# create_hub: the event that makes a sensor hub of a report descriptor (HID usage tables 16, sensors): accelerometer (0x73)
# with report 1, gyroscope (0x76) with report 2; of each the interval of reports and two states as features, and three numbers.
create_hub() {
  local descriptor='\x05\x20\x09\x01\xa1\x00' sensor state number axis
  for sensor in "73 01 53 54 55 0d" "76 02 57 58 59 0f"; do
    # shellcheck disable=SC2086  # words
    set -- $sensor
    descriptor+="\\x09\\x$1\\xa1\\x00\\x85\\x$2\\x05\\x20"
    descriptor+='\x0a\x0e\x03\x15\x00\x27\xff\xff\xff\x7f\x75\x20\x95\x01\x55\x00\xb1\x02'
    # Power state and reporting state: one of six each.
    for state in "19 5" "16 4"; do
      descriptor+="\\x0a\\x${state% *}\\x03\\x15\\x00\\x25\\x05\\x75\\x08\\x95\\x01\\xa1\\x02"
      for number in 0 1 2 3 4 5; do descriptor+="\\x0a\\x${state#* }$number\\x08"; done
      descriptor+='\xb1\x00\xc0'
    done
    for axis in "$3" "$4" "$5"; do
      descriptor+="\\x0a\\x$axis\\x04\\x16\\x00\\x80\\x26\\xff\\x7f\\x75\\x10\\x95\\x01\\x55\\x$6\\x81\\x02"
    done
    descriptor+='\xc0'
  done
  descriptor+='\xc0'
  local size=$(( ${#descriptor} / 4 ))
  # UHID_CREATE2: name, two places, the size, bus 3, four numbers, the descriptor.
  printf '\x0b\0\0\0talon-test-hub'
  head -c $(( 128 - 14 + 64 + 64 )) /dev/zero
  printf '%b' "\\x$(printf %02x $(( size & 255 )))\\x$(printf %02x $(( size >> 8 )))\\x03\\0"
  head -c 16 /dev/zero
  printf '%b' "$descriptor"
}

begin "$out/test/imu"
mkdir -p "$bench/vm/files/sensors"
create_hub > "$bench/vm/files/sensors/hub"
install -m 755 "$root/board/guest/sensors" "$bench/vm/files/sensors/run"
"$root/board/vm" start "$bench/vm" n_devs=1 \
  "i2c-dev i2c-stub bmi160_i2c uhid hid-sensor-hub hid-sensor-trigger hid-sensor-accel-3d hid-sensor-gyro-3d"

claim "without a bus there is none" fails "no motion sensor answers"
guest "load i2c-dev"
new_chips chip_addr=0x68,0x69,0x6a,0x53
claim "the adapter speaks SMBus alone" fails "SMBus, 32 bytes at once"
claim "a chip of zeros is unknown" fails "an unknown chip answers at 0x68: 0x75 = 0x00, 0x00 = 0x00, 0x0f = 0x00"
claim "where nobody is, nobody answers" fails "no motion sensor answers" --address 0x6b

claim "MPU-6050" told_apart 0x68 0x75 0x68 MPU-6050
claim "MPU-6500" told_apart 0x68 0x75 0x70 MPU-6500
claim "MPU-9250" told_apart 0x69 0x75 0x71 MPU-9250
claim "MPU-9255" told_apart 0x69 0x75 0x73 MPU-9255
claim "ICM-42688-P" told_apart 0x69 0x75 0x47 ICM-42688-P
claim "BMI160" told_apart 0x68 0x00 0xd1 BMI160
claim "LSM6DS3" told_apart 0x6a 0x0f 0x69 LSM6DS3
claim "LSM6DS3TR-C" told_apart 0x6a 0x0f 0x6a LSM6DS3TR-C
claim "LSM6DSO" told_apart 0x6a 0x0f 0x6c LSM6DSO
claim "LSM9DS1" told_apart 0x6a 0x0f 0x68 LSM9DS1
claim "ADXL345" told_apart 0x53 0x00 0xe5 ADXL345
claim "ICM-20689" told_apart 0x68 0x75 0x98 ICM-20689
claim "ICM-20602" told_apart 0x68 0x75 0x12 ICM-20602
claim "LSM6DSR" told_apart 0x6a 0x0f 0x6b LSM6DSR
claim "LSM6DSV" told_apart 0x6a 0x0f 0x70 LSM6DSV
put 0x68 0x75 0x99
claim "an unknown number is told" fails "an unknown chip answers at 0x68: 0x75 = 0x99, 0x00 = 0x00, 0x0f = 0x00"
claim "and its registers stand in the list" fails "0x68  unknown (0x75 = 0x99, 0x00 = 0x00, 0x0f = 0x00)"
claim "what it is may be said" probes "MPU-6500: accelerometer and gyroscope" --chip mpu6500
put 0x68 0x75 0x00 0x00 0x24
claim "a BMI270 is named" fails "Talon cannot set up the BMI270"
put 0x68 0x00 0x00

# Twelve bytes stand where the stub reads the FIFO: 0x74 to 0x7f, its own number among them.
new_chips chip_addr=0x68
put 0x68 0x75 0x68 0x72 0x00 0x73 0x0c 0x74 0x10 0x76 0x00 0x77 0x00 0x78 0xf0 0x79 0x00 0x7a 0x01 0x7b 0x48
claim "an MPU-6050 is found among all addresses" probes "MPU-6050: accelerometer and gyroscope, 50.0 samples a second"
claim "its record is read, one in 300 ms" probes "1 samples in 300 ms"
claim "in its units" probes "acceleration  x 1.025  y 0.000  z -1.000 g"
claim "and in degrees" probes "rotation      x 10.0  y 0.0  z 0.0 degrees/s"
claim "asked at its address alone, it is found too" probes "remembers 1700 ms" --address 0x68
# Rate, filter, ranges, interrupts and FIFO stand as they were set; at the end it sleeps.
claim "its registers hold the configuration" \
  holds 0x68 0x19 0x13 0x1a 0x04 0x1b 0x10 0x1c 0x10 0x23 0x78 0x38 0x10 0x6a 0x40 0x6b 0x40

# The stub's banks are an ICM-20948's.
new_chips chip_addr=0x69 bank_reg=0x7f bank_mask=0x30 bank_start=0x00 bank_end=0x7e
put 0x69 0x7f 0x00 0x00 0xea
claim "an ICM-20948 is told apart and set up" probes "ICM-20948: accelerometer and gyroscope, 48.9 samples a second"
claim "its bank 0 holds the configuration" holds 0x69 0x67 0x1e 0x03 0x40 0x12 0x1f
put 0x69 0x7f 0x20
claim "and its bank 2" holds 0x69 0x00 0x16 0x11 0x16 0x01 0x25 0x14 0x25
claim "left in bank 2, it is found again" probes "ICM-20948: accelerometer"

# functionality: bytes alone, without blocks.
new_chips chip_addr=0x68 functionality=0x00180000
put 0x68 0x75 0x68
claim "an adapter that reads single bytes identifies a chip" fails "0x68  MPU-6050 (it calls itself 0x68)"
claim "and is refused for its FIFO" fails "motion sensor: its driver cannot do this"

# A driver of the kernel has the chip.
new_chips chip_addr=0x68
put 0x68 0x75 0x68
guest "echo dummy 0x68 > /sys/bus/i2c/devices/i2c-0/new_device"
claim "what a driver of the kernel has is left alone" fails "a driver of the kernel has it"
claim "and that is told" fails "set driver = iio"
guest "echo 0x68 > /sys/bus/i2c/devices/i2c-0/delete_device"
claim "given back, it is found" probes "MPU-6050: accelerometer"
claim "a wrong address is refused" eval '! guest "talon imu probe --address 0x99" > /dev/null 2>&1'

# A driver of the kernel on a chip of registers: real attributes of IIO, and nothing that says when to take a sample.
claim "without IIO there is no sensor" is_deaf "no motion sensor answers"
new_chips chip_addr=0x68
put 0x68 0x00 0xd1
guest "load bmi160_i2c && echo bmi160 0x68 > /sys/bus/i2c/devices/i2c-0/new_device"
claim "the kernel's BMI160 has no trigger" is_deaf "is there a trigger"
claim "and is not taken from it" fails "set driver = iio" --address 0x68
guest "echo 0x68 > /sys/bus/i2c/devices/i2c-0/delete_device"

# A sensor hub, whose drivers capture into buffers.
guest "load uhid && load hid-sensor-hub && load hid-sensor-trigger && load hid-sensor-accel-3d && load hid-sensor-gyro-3d"
guest "/sensors/run /sensors > /tmp/sensors.log 2>&1 &"
claim "an accelerometer of the kernel's" wait_for 30 guest "cat /sys/bus/iio/devices/*/name 2> /dev/null | grep -c _3d-dev | grep -q 2"
claim "and a gyroscope beside it are captured" listens "accel_3d: accelerometer and gyroscope, 50.0 samples a second"
claim "acceleration is right" listens "acceleration  x 0.250  y -0.500  z 1.000 g"
claim "rotation is right" listens "rotation      x 10.0  y -20.0  z 30.0 degrees/s"
claim "it is found by its name" listens "samples in 300 ms" --device accel_3d
claim "another name is not there" is_deaf "no motion sensor answers" --device gyro_9d
