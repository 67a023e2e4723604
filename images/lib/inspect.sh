# shellcheck shell=bash
# A card whose board has no power, looked at from this machine: are its file systems whole?

# partition FOLDER NUMBER FILE: a copy, so that looking changes nothing.
partition() {
  local start size
  read -r start size < <(sfdisk --json "$1/card.img" | jq -r ".partitiontable.partitions[] | select(.node | endswith(\"img$2\")) | \"\(.start) \(.size)\"")
  [[ ${start-} ]] || return 1
  dd if="$1/card.img" of="$3" bs=1M iflag=skip_bytes,count_bytes skip=$(( start * 512 )) count=$(( size * 512 )) \
    conv=sparse status=none
}

has_data() { sfdisk --json "$1/card.img" | jq -e '.partitiontable.partitions | any(.node | endswith("img3"))' > /dev/null; }

# is_clean FOLDER: the data partition needs no more than its journal replayed, and then a full check finds nothing; the boot
# partition has no fault. A card whose first boot was cut short has no data partition yet. What is wrong is printed.
is_clean() {
  local copy=$1/partition code=0
  partition "$1" 1 "$copy"
  fsck.fat -n "$copy" > "$copy.log" 2>&1 || { cat "$copy.log" >&2; return 1; }
  if has_data "$1"; then
    partition "$1" 3 "$copy"
    e2fsck -p "$copy" > "$copy.log" 2>&1 || code=$?
    if (( code > 1 )) || ! e2fsck -f -n "$copy" >> "$copy.log" 2>&1; then cat "$copy.log" >&2; return 1; fi
  fi
  rm -f "$copy" "$copy.log"
}

# data_file FOLDER PATH: prints a file of the data partition.
data_file() {
  partition "$1" 3 "$1/partition"
  e2fsck -p "$1/partition" > /dev/null 2>&1 || true
  debugfs -R "cat $2" "$1/partition" 2> /dev/null
  rm -f "$1/partition"
}
