#!/usr/bin/env bash
# Every firmware file is small enough for the board with the least flash: the program itself has 17.5 MB at most, what it hears wake phrases
# with 6 MB; what it speaks with is stated beside them. Each is position-independent, and says of which commit and day it is. The list of what
# an idle board needs is of a firmware like this one.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/targets.sh"
source "$root/board/lib/claims.sh"

program_bytes_max=17500000
waking_bytes_max=6000000
# The models by their symbols: the network, the phrases and the other speech of waking (Sources/CVoiceModel); of flite the voice, its
# lexicon and the rules of pronunciation.
waking_symbols='^(tl_voice_weights|tl_voice_bank|tl_voice_recordings)'
voice_symbols='^(cmu_us_slt|cmu_lex|cmu_lts)'
# Of 100 names in the list of an idle board's functions (board/order), how many the firmware must still have.
ordered_percent_min=90

# symbol_bytes TARGET SYMBOLS: what they have in its file. What the assembler included has no size, but an end.
symbol_bytes() {
  local address size name kind sum=0
  declare -A begin=()
  while read -r address size kind name; do
    if [[ -z $name ]]; then
      name=$kind
      [[ $name == *_end ]] || { begin[$name]=$((16#$address)); continue; }
      (( sum += 16#$address - ${begin[${name%_end}]} ))
    else
      (( sum += 16#$size ))
    fi
  done < <(nm -nS "$out/$1/talon.debug" | awk -v models="$2" '$NF ~ models' | sort -k 1,1)
  echo "$sum"
}

# fits PROGRAM WAKING VOICE: none of these bytes is too many, and none was overlooked.
fits() { (( $1 <= program_bytes_max && $2 > 0 && $2 <= waking_bytes_max && $3 > 0 )); }

# has_no_address FILE: the kernel chooses where it stands, and another place each time (ELF type DYN; no loader: board/firmware).
has_no_address() { [[ $(readelf -hW "$1") == *'Type: '*DYN* ]]; }

# has_order LIST: it names functions that the firmware has.
has_order() {
  local names found
  names=$(sort -u "$1")
  found=$(comm -12 <(echo "$names") <(nm --defined-only "$out/x86_64/talon.debug" | awk '{ print $3 }' | sort -u) | wc -l)
  (( found > 0 && found * 100 >= ordered_percent_min * $(wc -l <<< "$names") ))
}
lacks_order() { ! has_order "$@"; }

# keeps_apart TARGET: the constants that a process does not keep (Sources/CFlite/constants.c) are more than 200 KB in a section of their own.
keeps_apart() {
  local bytes
  bytes=$(readelf -SW "$out/$1/talon" | sed -n 's/.* flite_constants *PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
  (( 16#${bytes:-0} > 200000 ))
}

# says_its_build FILE: this machine runs its own processor's file; of others the text is in the file.
says_its_build() { grep -aqE '[0-9a-f]{12}[+]? 20[0-9]{2}-[0-9]{2}-[0-9]{2}' "$1"; }
prints_its_build() { "$1" version | grep -qxE 'talon [0-9.]+ \(build [0-9a-f]{12}[+]? 20[0-9]{2}-[0-9]{2}-[0-9]{2}\)'; }

claim "a program or models that are too large would be found" eval '
  fits "$program_bytes_max" "$waking_bytes_max" 1 && ! fits $(( program_bytes_max + 1 )) 1 1 && ! fits 1 $(( waking_bytes_max + 1 )) 1'
for target in "${all_targets[@]}"; do
  [[ -x $out/$target/talon ]] || continue
  total=$(stat -c %s "$out/$target/talon")
  waking=$(symbol_bytes "$target" "$waking_symbols") voice=$(symbol_bytes "$target" "$voice_symbols")
  program=$(( total - waking - voice ))
  say "  $target: the file has $total bytes, of which the voice has $voice"
  claim "the program has $program of $program_bytes_max bytes, what it hears wake phrases with $waking of $waking_bytes_max" \
    fits "$program" "$waking" "$voice"
  claim "$target: it stands at an address of the kernel's choice" has_no_address "$out/$target/talon"
  claim "$target: the voice's constants stand apart, for they are given back" keeps_apart "$target"
  claim "$target: it has the commit and the day of its build" says_its_build "$out/$target/talon"
done
claim "talon version says which build it is" prints_its_build "$out/x86_64/talon"
claim "the list of what an idle board needs is of this firmware: else run board/order" has_order "$root/board/toolsets/idle-order.txt"
claim "a list of another program would be found" lacks_order <(printf 'main_of_%s\n' {1..100})
