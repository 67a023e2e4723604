# shellcheck shell=bash
# The boards that firmware is built for, one row each:
#
#   target    Swift triple               GNU triple           Debian  link          emulator
#
# armv7 is for the 32-bit Pi 2 and 3 (Debian armhf). armv6 is for the Pi 1 and Zero, and links Debian's
# armel, because armhf uses instructions that an ARM1176 does not have. Debian's 32-bit ARM C library has no
# start file for static PIE, so those two have a fixed address. The flags of the compilers stand in toolsets/.
# They optimise for size: that saves 107 KB of 6.3 MB, and -O would save 9 of 42 us of our own time per invoke.

target_table='
x86_64    x86_64-unknown-linux-gnu   x86_64-linux-gnu     amd64   -static-pie   -
aarch64   aarch64-none-none-elf      aarch64-linux-gnu    arm64   -static-pie   qemu-aarch64-static
armv7     armv7-none-none-eabi       arm-linux-gnueabihf  armhf   -static       qemu-arm-static
armv6     armv6-none-none-eabi       arm-linux-gnueabi    armel   -static       qemu-arm-static,-cpu,arm1176
'
all_targets=(x86_64 aarch64 armv7 armv6)

# select_target NAME: sets target, triple, gnu, architecture, link and emulator (an array, empty for none).
select_target() {
  read -r target triple gnu architecture link emulator < <(awk -v name="$1" '$1 == name' <<< "$target_table") \
    || die "no target is called '$1'; there are: ${all_targets[*]}"
  IFS=, read -ra emulator <<< "${emulator#-}"
}
