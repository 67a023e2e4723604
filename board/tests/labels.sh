#!/usr/bin/env bash
# Labels of boards, as a printer gets them: another program reads the code of every label where its sheet has it, and the words beside it.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

"$root/board/prepare" labels codes
bench=$out/test/labels
rm -rf "$bench"
mkdir -p "$bench"
cards=$bench/cards.csv pdf=$bench/labels.pdf
count=70 long=$(printf 'a%.0s' {1..63})

# A list as images/build writes it, with the longest name that a board may have, and places of every kind.
places=('"Barn, north wall"' 'Mast by the pond' 'Ärztehaus, Łódź' '' "$long $long")
{
  echo name,device_id,public_key,image,place,tags,pin
  for (( number = 1; number <= count; number++ )); do
    name=barn-$(printf %02d "$number")
    (( number != 2 )) || name=$long
    printf '%s,%s,%064d,x.img,"%s",north,%06d\n' "$name" "$(printf %s "$number" | sha256sum | cut -d ' ' -f 1)" 0 \
      "${places[number % 5]//\"/}" $(( number * 7919 ))
  done
} > "$cards"

draws() { "$root/images/labels" "$@" --out "$pdf" "$cards" > "$bench/said" 2> "$bench/errors" || { cat "$bench/errors" >&2; return 1; }; }
rejects() { ! "$root/images/labels" "${@:2}" > "$bench/said" 2> "$bench/errors" && says "$bench/errors" "$1"; }
pages() { pdfinfo "$pdf" | awk '/^Pages:/ { print $2 }'; }
shows() { [[ $(pdftotext -layout "$pdf" -) == *"$1"* ]]; }
pins_of_pages() { pdftotext -layout "$pdf" - | grep -oE ' [0-9]{6}$' | tr -d ' '; }
lists_pins() { diff <(tail -n +2 "$cards" | sed 's/.*,//') <(pins_of_pages); }
lacks() { ! shows "$1"; }

# code_at DPI PAGE LEFT TOP WIDTH HEIGHT: what the code of that piece of a page holds; lengths in hundredths of a millimetre.
code_at() {
  local dots=$1 piece=()
  for length in "${@:3}"; do piece+=($(( length * dots / 2540 ))); done
  pdftoppm -r "$dots" -f "$2" -l "$2" -x "${piece[0]}" -y "${piece[1]}" -W "${piece[2]}" -H "${piece[3]}" -gray -singlefile -png \
    "$pdf" "$bench/piece"
  zbarimg --quiet --nodbus --raw "$bench/piece.png" 2> /dev/null
}

# reads FIRST LINK COLUMNS ROWS LEFT TOP PITCH WIDTH HEIGHT: every label of the list holds its own code, from this label of the first sheet
# on, and no further page is there.
reads() {
  local at=$(( $1 - 1 )) on_sheet=$(( $3 * $4 )) name id line left top wanted got
  while IFS=, read -r name id _; do
    left=$(( $5 + at % $3 * $7 ))
    line=$(( at % on_sheet / $3 ))
    top=$(( $6 + line * $9 ))
    wanted=${2:-"$name $id"}
    got=$(code_at 200 $(( at / on_sheet + 1 )) "$left" "$top" "$8" "$9")
    [[ $got == "${wanted//NAME/$name}" ]] || { echo "label $at of '$name' holds '$got'" >&2; return 1; }
    at=$(( at + 1 ))
  done < <(tail -n +2 "$cards")
  (( $(pages) == (at - 1) / on_sheet + 1 ))
}

claim "a sheet of 24 is drawn" draws
claim "each of its labels has the code of its board" reads 1 '' 3 8 725 1290 6600 6350 3390
claim "the name is there" shows barn-07
claim "so is the beginning of the device id" shows "$(printf 7 | sha256sum | cut -c 1-16)"
claim "a place that another language writes is there" shows "Ärztehaus, Łódź"
claim "what is too long is cut, and says so" shows "…"
claim "no PIN is there" lacks 007919
claim "a sheet of 65 is drawn" draws --sheet a4-65
claim "each of its labels has the code of its board" reads 1 '' 5 13 475 1070 4060 3810 2120
claim "labels begin where a used sheet goes on, with a link" draws --sheet letter-30 --first 28 \
  --link 'https://inventory.example/?board={name}'
claim "each has the link of its board" reads 28 'https://inventory.example/?board=NAME' 3 10 476 1270 6985 6667 2540
claim "PINs come when they are asked for" draws --pins
claim "the list has each of them" lists_pins
claim "the file is its owner's alone" test "$(stat -c %a "$pdf")" = 600

claim "a list without device ids is refused with the column" rejects "there is no column device_id" <(echo name,place)
claim "so is a board without a name, with its line" rejects ":2: a board needs a name" <(printf 'name,device_id\n,ab\n')
claim "a link that is the same for every board is refused" rejects "--link needs {name}" --link https://inventory.example "$cards"
claim "so is a label that no sheet has" rejects "from 1 to 24" --first 25 "$cards"
claim "PINs that were not made are refused with the option that makes them" \
  rejects "images/build --pins" --pins <(printf 'name,device_id\na,b\n')
