#!/usr/bin/env bash
# The data partition of an image's card: made once, found again when the image is written anew, and made a second time only when three
# starts could not mount it; then with the identity from its second place. The scripts of the image run in the image's own shell, on a disk that is a file, with the programs that touch devices told here.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/bench.sh"

scripts=$root/images/root/usr/lib/talon-image

disk_mebibytes=700
first_sector=$(( 596 * 2048 ))

# A partition table with two entries, or with a third.
disk_with() {
  truncate -s 0 "$bench/disk"
  truncate -s "${disk_mebibytes}M" "$bench/disk"
  {
    echo "label: dos"
    echo "start=8192, size=8192, type=c"
    echo "start=16384, size=1204224, type=f"
    (( $1 < 3 )) || echo "start=$first_sector, size=8192, type=83"
  } | sfdisk --quiet "$bench/disk"
}

# run_script: the lines of standard input after the image's scripts, with what touches devices told here.
run_script() {
  : > "$bench/made"
  rm -rf "$bench/scripts"
  mkdir -p "$bench/scripts"
  for name in card-data card-reserve; do
    sed "s|/run/card-|$bench/card-|g; s|/data/lib|$bench/data/lib|g" "$scripts/$name" > "$bench/scripts/$name"
  done
  {
    cat << SCRIPT
disk=$bench/disk
boot=$bench/part1
data=$bench/part3
problem() { echo "problem: \$*" >> "$bench/made"; }
note() { echo "note: \$*" >> "$bench/made"; }
sleep() { :; }
sync() { :; }
folder() { mkdir -p "\$1"; }
. $bench/scripts/card-reserve
. $bench/scripts/card-data
sectors() { echo $(( disk_mebibytes * 2048 )); }
addpart() { echo "addpart \$3" >> "$bench/made"; }
make_data() { echo "mkfs" >> "$bench/made"; }
SCRIPT
    cat
  } > "$bench/script"
  sed -i "s|/usr/bin/setpriv --reuid=talon --regid=talon --clear-groups /bin/busybox|$deps/vm/root/bin/busybox|g" "$bench/scripts/card-reserve"
  "$deps/vm/root/bin/busybox" sh "$bench/script"
}

# sets_up MOUNTS CHECKS SHOWN: mount_data's exit code; $bench/made tells what was done. MOUNTS: at which try the partition can be
# mounted (0: never). CHECKS: the exit codes of e2fsck, one after the other. SHOWN: at which look the kernel shows the partition.
sets_up() {
  run_script <<SCRIPT
mounts=0 looks=0
create_data() { echo "create" >> "$bench/made"; make_data; }
restore_reserve() { echo "restore" >> "$bench/made"; }
await() { looks=\$((looks + 1)); [ "\$looks" -ge $3 ]; }
e2fsck() { echo "e2fsck \$1" >> "$bench/made"; result=\${codes%% *}; codes=\${codes#* }; return "\$result"; }
mount() { mounts=\$((mounts + 1)); echo "mount" >> "$bench/made"; [ $1 -gt 0 ] && [ "\$mounts" -ge $1 ]; }
codes="$2 0 0 0 0 0 0 0 0 0 0 0 0"
mount_data
SCRIPT
}

# creates: the data partition of a card that has none in its table.
creates() {
  run_script <<< 'await() { :; }
e2fsck() { :; }
mount() { echo "mount" >> '"$bench/made"'; }
mount_data'
}
entry() { sfdisk --json "$bench/disk" | jq -e ".partitiontable.partitions[] | select(.node | endswith(\"disk3\")) | $1" > /dev/null; }

# The second place: what is kept of the state folder, and what comes back of it.
keeps() { run_script <<< keep_reserve; }
restores() { rm -rf "$bench/data/lib/talon"; run_script <<< restore_reserve; }

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
claim "and leaves the identity on it" made mkfs 0
claim "the second start as well" sets_up_fails 1 0 99
claim "leaves it alone" made "mkfs\|e2fsck" 0
claim "one that then comes is taken" sets_up 1 0 1
claim "and counts anew" sets_up_fails 0 0 1
claim "so it is the first" made "problem: the data partition is left as it is.*(1 of 3)" 1
sets_up_fails 0 0 1
claim "after three starts it is made anew" sets_up 0 0 1
claim "once" made mkfs 1
claim "with what its second place has" made restore 1
claim "which is told" made "problem: the data partition is lost" 1

disk_with 2
claim "a new card gets its partition" creates
claim "with a file system" made mkfs 1
claim "where every card has it" entry ".start == $first_sector and .size == $(( (disk_mebibytes - 596) * 2048 )) and .type == \"83\""
disk_with 2
mke2fs -q -F -t ext4 -L talon-data -E "offset=$(( 596 << 20 ))" "$bench/disk" 64M 2> /dev/null
claim "a card that was written anew is given it back" creates
claim "without a file system over it" made mkfs 0
claim "mounted" made mount 1
claim "and in the table" entry ".start == $first_sector"

mkdir -p "$bench/data/lib/talon"
echo "the identity" > "$bench/data/lib/talon/identity"
echo "the pin" > "$bench/data/lib/talon/gateway-0123456789abcdef"
echo "the pin before" > "$bench/data/lib/talon/gateway-0123456789abcdef.old"
head -c 100000 /dev/zero > "$bench/data/lib/talon/outbox"
claim "identity and gateways are kept in a second place" keeps
cp "$bench/disk" "$bench/before"
claim "again" keeps
claim "which writes nothing that is there" cmp "$bench/disk" "$bench/before"
claim "they come back" restores
claim "whole" says "$bench/data/lib/talon/identity" "the identity"
claim "with the certificate that was trusted" says "$bench/data/lib/talon/gateway-0123456789abcdef" "the pin"
claim "and nothing else" [ "$(find "$bench/data/lib/talon" -type f | wc -l)" == 2 ]
printf x | dd of="$bench/disk" bs=1 seek=$(( 6145 * 512 + 600 )) conv=notrunc status=none
claim "damaged, they are not taken" restores
claim "no file comes of it" [ ! -e "$bench/data/lib/talon/identity" ]
