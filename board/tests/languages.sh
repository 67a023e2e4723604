#!/usr/bin/env bash
# Text in 28 scripts, beside Pango with the same fonts: lines end at the same places, and are as wide.
#
# Pango has a dictionary of Thai (libthai), which Talon has not: Thai is compared as one line. Blanks have the text's own font in both, and Pango adds
# no hyphens.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/debian.sh"

lab=$root/.build/debug/talon-lab
work=$out/test/languages
fixtures=$root/Tests/Fixtures/canvas
fonts=/usr/share/fonts
size=20
# In 1/64 pixel: what a line of fifty glyphs loses where each is rounded.
slack=64

install_packages fonts-inter fonts-dejavu-core fonts-noto-core fonts-noto-cjk gir1.2-pango-1.0 python3-gi-cairo jq

# The scripts in the order of their texts, and the texts.
names() { jq -r 'select(.surfaceUpdate).surfaceUpdate.components[1:][].id' "$fixtures"/languages{,-cjk}.jsonl; }
texts() { jq -r 'select(.surfaceUpdate).surfaceUpdate.components[1:][].component.Text.text.literalString' "$fixtures"/languages{,-cjk}.jsonl; }

# families NAME: what Talon shows a script with, by the names that Pango knows.
families() {
  case $1 in
    Latin | Greek | Cyrillic) echo Inter ;;
    Chinese | Japanese | Korean) echo "Inter, Noto Sans CJK JP" ;;
    *) echo "Inter, Noto Sans $1" ;;
  esac
}

# Only these fonts, so that neither program finds another.
configure_fonts() {
  local folder
  {
    echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
    for folder in truetype/dejavu truetype/noto opentype/noto opentype/inter; do echo "<dir>$fonts/$folder</dir>"; done
    echo "<cachedir>$work/cache</cachedir></fontconfig>"
  } > "$work/fonts.conf"
}

# lines WIDTH: leaves what both programs make of the texts in talon.WIDTH and pango.WIDTH.
lines() {
  "$lab" lines "$work/texts" --size "$size" --width "$1" --fonts "$fonts/truetype/noto" --fonts "$fonts/opentype/noto" > "$work/talon.$1"
  while read -r name; do families "$name"; done < "$work/names" |
    FONTCONFIG_FILE=$work/fonts.conf /usr/bin/python3 "$root/board/peers/pango_lines.py" "$work/texts" "$size" "$1" > "$work/pango.$1"
}

# of PROGRAM WIDTH NUMBER: its lines of one text.
of() { awk -F '\t' -v number="$3" '$1 == number' "$work/$1.$2"; }

# ends_alike WIDTH NUMBER: the same lines.
ends_alike() { diff <(of talon "$1" "$2" | cut -f 3) <(of pango "$1" "$2" | cut -f 3) > "$work/difference"; }

# is_as_wide WIDTH NUMBER: each line, to a pixel.
is_as_wide() {
  paste <(of talon "$1" "$2" | cut -f 2) <(of pango "$1" "$2" | cut -f 2) |
    awk -v slack="$slack" '{ off = $1 - $2; if (off < 0) off = -off; if (off > most) most = off } END { if (NR == 0 || most > slack) { print most / 64 " pixels off"; exit 1 } }'
}

mkdir -p "$work"
names > "$work/names"
texts > "$work/texts"
configure_fonts
mapfile -t scripts < "$work/names"
for width in 220 400 100000; do
  lines "$width"
  for number in "${!scripts[@]}"; do
    name=${scripts[number]}
    [[ $width == 100000 || $name != Thai ]] || continue
    claim "$name in $width pixels: lines end where Pango's do" ends_alike "$width" "$number"
    claim "$name in $width pixels: each is as wide as Pango's" is_as_wide "$width" "$number"
  done
done
