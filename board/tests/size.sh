#!/usr/bin/env bash
# Every firmware file is small enough for the board with the least flash.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/targets.sh"
source "$root/board/lib/claims.sh"

# The model of the wake phrases, 1.4 MB, is in it.
firmware_bytes_max=16000000

fits() { (( $(stat -c %s "$out/$1/talon") <= firmware_bytes_max )); }

for target in "${all_targets[@]}"; do
  [[ -x $out/$target/talon ]] || continue
  claim "$target: $(stat -c %s "$out/$target/talon") of $firmware_bytes_max bytes" fits "$target"
done
