# shellcheck shell=bash
# The faces that are built into Talon: Inter for text, DejaVu for code and symbols, Noto for Hebrew and Arabic (with the
# letters of Persian and Urdu), cut down to what a screen of a board shows. Sourced, never run.

font_packages=(fonts-inter fonts-dejavu-core fonts-noto-core)

# Latin, Greek, Cyrillic; punctuation, currency, letterlike signs, fractions, arrows, mathematics.
text_characters=U+0020-007E,U+00A0-024F,U+0259,U+02B0-02FF,U+0300-036F,U+0370-03FF,U+0400-052F,U+1E00-1EFF
text_characters+=,U+2000-209F,U+20A0-20BF,U+2100-218F,U+2190-22FF,U+FB00-FB06,U+FFFD
# Technical, enclosed, boxes, blocks, shapes, stars, check marks, more arrows, smileys.
symbol_characters=U+2300-23FF,U+2460-24FF,U+2500-27BF,U+27F0-27FF,U+2900-297F,U+2B00-2B5F,U+1F600-1F64F
hebrew_characters=U+0590-05FF,U+FB1D-FB4F
arabic_characters=U+0600-06FF,U+0750-077F,U+08A0-08FF
# What old texts have instead of letters.
arabic_forms=U+FB50-FDFF,U+FE70-FEFC

# What is left in .deps/fonts/faces, from which file, with which characters (Sources/CFonts).
font_table="
sans.otf          opentype/inter/Inter-Regular.otf         $text_characters,$symbol_characters
sans-bold.otf     opentype/inter/Inter-SemiBold.otf        $text_characters,$symbol_characters
mono.ttf          truetype/dejavu/DejaVuSansMono.ttf       $text_characters,U+2500-259F
symbols.ttf       truetype/dejavu/DejaVuSans.ttf           $symbol_characters,U+2190-22FF
arabic.ttf        truetype/noto/NotoSansArabic-Regular.ttf $arabic_characters,$arabic_forms
arabic-bold.ttf   truetype/noto/NotoSansArabic-Bold.ttf    $arabic_characters
hebrew.ttf        truetype/noto/NotoSansHebrew-Regular.ttf $hebrew_characters
hebrew-bold.ttf   truetype/noto/NotoSansHebrew-Bold.ttf    $hebrew_characters
"
# Kerning, marks, and what letters become beside others. Without calt: Inter makes an arrow of a hyphen and a greater-than sign, and a text is
# shown as it was sent.
# With tnum, for digits of one width in numbers.
font_features=ccmp,locl,kern,mark,mkmk,liga,rlig,tnum,init,medi,fina,isol

# Without hinting instructions, for glyphs are hinted by calculation, and without tables that nothing here reads.
subset() {
  /usr/bin/python3 -m fontTools.subset "$2" --unicodes="$3" --output-file="$1" --no-hinting \
    --layout-features="$font_features" --name-IDs= --notdef-outline --drop-tables+=FFTM,gasp,kern 2> "$1.log" \
    || die "cannot cut $2: $(tail -1 "$1.log")"
  rm -f "$1.log"
}

# Leaves .deps/fonts/faces, and beside it what the NOTICE needs.
prepare_fonts() {
  local folder=$deps/fonts name file characters wanted
  wanted=$(recipe fonts.sh)
  unpack "$folder" "$(dpkg --print-architecture)" "${font_packages[@]}"
  [[ -f $folder/faces/wanted && $(< "$folder/faces/wanted") == "$wanted" ]] && return 0
  install_packages python3-fonttools
  rm -rf "$folder/faces" "$folder/new"
  mkdir "$folder/new"
  while read -r name file characters; do
    [[ -z $name ]] || subset "$folder/new/$name" "$folder/root/usr/share/fonts/$file" "$characters"
  done <<< "$font_table"
  echo "$wanted" > "$folder/new/wanted"
  mv "$folder/new" "$folder/faces"
}
