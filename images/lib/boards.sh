# shellcheck shell=bash
# The boards that images are built for, one row each. Boards of one architecture share one image: the Raspberry Pi's boot
# loader chooses the device tree by itself.
#
#   board    Debian   kernel      firmware   device tree                 Wi-Fi firmware
board_table='
pi3        arm64    arm64       aarch64    bcm2837-rpi-3-b.dtb         brcmfmac43430-sdio.raspberrypi,3-model-b.txt
pi4        arm64    arm64       aarch64    bcm2711-rpi-4-b.dtb         brcmfmac43455-sdio.raspberrypi,4-model-b.txt
zero2w     arm64    arm64       aarch64    bcm2837-rpi-zero-2-w.dtb    brcmfmac43430b0-sdio.bin
pi2        armhf    armmp       armv7      bcm2836-rpi-2-b.dtb         -
pi3-32     armhf    armmp       armv7      bcm2837-rpi-3-b.dtb         brcmfmac43430-sdio.raspberrypi,3-model-b.txt
'
all_boards=(pi3 pi4 zero2w pi2 pi3-32)

# select_board NAME: sets board, architecture, kernel, target, device_tree, wifi_firmware, boot_loaders, start_command, and tree: where
# its unpacked packages are.
select_board() {
  # shellcheck disable=SC2034  # for those who source this
  read -r board architecture kernel target device_tree wifi_firmware \
    < <(awk -v name="$1" '$1 == name' <<< "$board_table") \
    || die "no board is called '$1'; there are: ${all_boards[*]}"
  tree=$deps/images-$architecture
  # Debian's U-Boot for these boards, and its command for a kernel of theirs.
  boot_loaders="rpi_arm64" start_command=booti
  [[ $architecture == arm64 ]] || boot_loaders="rpi_2 rpi_3_32b" start_command=bootz
}
