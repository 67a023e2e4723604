#!/usr/bin/env bash
# The data partition of an image's card: made once and never again, however often the card fails to show or to mount it. The
# scripts of the image run in the image's own shell, on a disk that is a file, with the programs that touch devices told here.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/bench.sh"

scripts=$root/images/root/usr/lib/talon-image

# A partition table with two entries, or with a third.
disk_with() {
  truncate -s 0 "$bench/disk"
  truncate -s 64M "$bench/disk"
  {
    echo "label: dos"
    echo "start=8192, size=8192, type=c"
    echo "start=16384, size=8192, type=83"
    (( $1 < 3 )) || echo "start=24576, size=8192, type=83"
  } | sfdisk --quiet "$bench/disk"
}

# sets_up MOUNTS CHECKS SHOWN: mount_data's exit code; $bench/made tells what was done. MOUNTS: at which try the partition can be
# mounted (0: never). CHECKS: the exit codes of e2fsck, one after the other. SHOWN: at which look the kernel shows the partition.
sets_up() {
  : > "$bench/made"
  cat > "$bench/script" <<SCRIPT
disk=$bench/disk
boot=${bench}/part1
data=${bench}/part3
here=$scripts
mounts=0 looks=0
problem() { echo "problem: \$*" >> "$bench/made"; }
note() { echo "note: \$*" >> "$bench/made"; }
sleep() { :; }
. "\$here/card-data"
make_data() { echo "mkfs" >> "$bench/made"; }
create_data() { echo "create" >> "$bench/made"; make_data; }
await() { looks=\$((looks + 1)); [ "\$looks" -ge $3 ]; }
e2fsck() { echo "e2fsck \$1" >> "$bench/made"; result=\${codes%% *}; codes=\${codes#* }; return "\$result"; }
mount() { mounts=\$((mounts + 1)); echo "mount" >> "$bench/made"; [ $1 -gt 0 ] && [ "\$mounts" -ge $1 ]; }
codes="$2 0 0 0 0 0 0 0 0 0 0 0 0"
mount_data
SCRIPT
  sed -i "s|/run/card-|$bench/card-|g" "$bench/script"
  sed "s|/run/card-|$bench/card-|g" "$scripts/card-data" > "$bench/card-data"
  sed -i "s|^here=.*|here=$bench|" "$bench/script"
  "$deps/vm/root/bin/busybox" sh "$bench/script"
}

made() { [[ $(grep -c "^$1" "$bench/made") == "$2" ]]; }
sets_up_fails() { ! sets_up "$@"; }

begin "$out/test/card"
"$root/board/prepare" vm
disk_with 2
claim "a card without a data partition gets one" sets_up 1 0 1
claim "once" made mkfs 1
disk_with 3
claim "a data partition is checked and mounted" sets_up 1 0 1
claim "and never made" made mkfs 0
claim "one that mounts at the third try is taken then" sets_up 3 0 1
claim "which is told" made "problem: the data partition cannot be mounted" 2
claim "so is that it came" made "note: the data partition is mounted at try 3" 1
claim "it is never made for that" made mkfs 0
claim "one that the kernel shows late is waited for" sets_up 1 0 2
claim "and not made" made mkfs 0
claim "damage is repaired before it is mounted" sets_up 1 "4 1" 1
claim "by the second kind of check" made "e2fsck -y" 1
claim "a card that cannot be read just now is not repaired" sets_up 1 8 1
claim "at the first try" made "e2fsck -y" 0
claim "one that never mounts ends the start, to be tried anew" sets_up_fails 0 "8 8 8 8 8 8 8 8 8" 1
claim "with five tries" made mount 5
claim "says what a person can do" made "problem: where that helps no more" 1
claim "and leaves the identity on it" made mkfs 0
claim "one that never shows, as well" sets_up_fails 1 0 99
claim "is left alone" made "mkfs\|e2fsck" 0
