# shellcheck shell=bash
# The boards that firmware is built for, one row each:
#
#   target    Swift triple               GNU triple           Debian  emulator
#
# armv7 is for the 32-bit Pi 2 and 3 (Debian armhf). armv6 is for the Pi 1 and Zero, and links Debian's
# armel, because armhf uses instructions that an ARM1176 does not have. All of them are linked as static PIE, and stand at another
# address each time; Debian's 32-bit ARM C library has no start file for that, so those two have ours (toolsets/arm-start.c). The flags
# of the compilers stand in toolsets/.
# They optimise for size: that saves 107 KB of 6.3 MB, and -O would save 9 of 42 us of our own time per invoke.

target_table='
x86_64    x86_64-unknown-linux-gnu   x86_64-linux-gnu     amd64   -
aarch64   aarch64-none-none-elf      aarch64-linux-gnu    arm64   qemu-aarch64-static
armv7     armv7-none-none-eabi       arm-linux-gnueabihf  armhf   qemu-arm-static
armv6     armv6-none-none-eabi       arm-linux-gnueabi    armel   qemu-arm-static,-cpu,arm1176
'
all_targets=(x86_64 aarch64 armv7 armv6)

# select_target NAME: sets target, triple, gnu, architecture and emulator (an array, empty for none).
select_target() {
  read -r target triple gnu architecture emulator < <(awk -v name="$1" '$1 == name' <<< "$target_table") \
    || die "no target is called '$1'; there are: ${all_targets[*]}"
  IFS=, read -ra emulator <<< "${emulator#-}"
}
