# shellcheck shell=bash
# The boards that images are built for, one row each. Boards of one architecture share one image: the Raspberry Pi's boot
# loader chooses the device tree by itself, and U-Boot by the sections of config.txt.
#
#   board    Debian   kernel      firmware   device tree                 Wi-Fi firmware
board_table='
pi3        arm64    arm64       aarch64    bcm2837-rpi-3-b.dtb         brcmfmac43430-sdio.raspberrypi,3-model-b.txt
pi4        arm64    arm64       aarch64    bcm2711-rpi-4-b.dtb         brcmfmac43455-sdio.raspberrypi,4-model-b.txt
zero2w     arm64    arm64       aarch64    bcm2837-rpi-zero-2-w.dtb    brcmfmac43430b0-sdio.bin
pi2        armhf    armmp       armv7      bcm2836-rpi-2-b.dtb         -
pi3-32     armhf    armmp       armv7      bcm2837-rpi-3-b.dtb         brcmfmac43430-sdio.raspberrypi,3-model-b.txt
pi1        armel    rpi         armv6      bcm2835-rpi-b.dtb           -
zero       armel    rpi         armv6      bcm2835-rpi-zero.dtb        -
zerow      armel    rpi         armv6      bcm2835-rpi-zero-w.dtb      brcmfmac43430-sdio.raspberrypi,model-zero-w.txt
'
all_boards=(pi3 pi4 zero2w pi2 pi3-32 pi1 zero zerow)

# Debian's U-Boot of each architecture, in the sections of config.txt, and its command for a kernel of theirs.
#
#   Debian   command   SECTION:LOADER...; a loader without a section is for all boards; where a board has two sections, the last one counts
loader_table='
arm64      booti     rpi_arm64
armhf      bootz     pi2:rpi_2 pi3:rpi_3_32b
armel      bootz     pi1:rpi pi0:rpi pi0w:rpi_0_w
'

# select_board NAME: sets board, architecture, kernel, target, device_tree, wifi_firmware, boot_loaders, start_command, and tree: where
# its unpacked packages are.
select_board() {
  # shellcheck disable=SC2034  # for those who source this
  read -r board architecture kernel target device_tree wifi_firmware \
    < <(awk -v name="$1" '$1 == name' <<< "$board_table") \
    || die "no board is called '$1'; there are: ${all_boards[*]}"
  tree=$deps/images-$architecture
  # shellcheck disable=SC2034
  read -r _ start_command boot_loaders < <(awk -v name="$architecture" '$1 == name' <<< "$loader_table")
}

# loader_lines: what config.txt says of U-Boot.
loader_lines() {
  local word
  for word in $boot_loaders; do
    [[ $word != *:* ]] || echo "[${word%:*}]"
    echo "kernel=u-boot-${word#*:}.bin"
  done
  [[ $boot_loaders != *:* ]] || echo "[all]"
}
