# shellcheck shell=bash
# Photos: what colour bars look like, made and recognised.

# The eight bars from the left: which of red, green and blue are high.
# (White, yellow, cyan, green, magenta, red, blue, black: ITU-R BT.1729, and vivid's first test pattern.)
bars=(111 110 011 010 101 100 001 000)

# make_bars WIDTH HEIGHT FILE: a JPEG of the bars at 75 %.
make_bars() {
  awk -v width="$1" -v height="$2" -v bars="${bars[*]}" 'BEGIN {
    split(bars, bar, " ")
    print "P3", width, height, 255
    for (y = 0; y < height; y++)
      for (x = 0; x < width; x++)
        for (i = 1; i <= 3; i++) print substr(bar[int(x * 8 / width) + 1], i, 1) * 191
  }' | cjpeg -quality 90 > "$3"
}

# shows_bars FILE WIDTH: it decodes, is WIDTH wide, and has the bars in two rows, below the text that vivid writes.
shows_bars() {
  local width height row bar expected
  djpeg -pnm "$1" > "$1.ppm" || return 1
  read -r width height < <(sed -n 2p "$1.ppm")
  [[ $width == "$2" ]] || { say "$1 is $width wide, not $2"; return 1; }
  for row in $(( height * 7 / 8 )) $(( height * 19 / 20 )); do
    for bar in "${!bars[@]}"; do
      expected=${bars[bar]}
      [[ $(pixel "$1.ppm" "$width" "$height" $(( (2 * bar + 1) * width / 16 )) "$row") == "$expected" ]] \
        || { say "$1: bar $bar in row $row is not $expected"; return 1; }
    done
  done
  rm "$1.ppm"
}

# pixel FILE WIDTH HEIGHT X Y: which of red, green and blue are high, as 0 and 1; ? for neither high nor low.
pixel() {
  local header=$(( $(stat -c %s "$1") - $2 * $3 * 3 ))
  od -An -tu1 -N3 -j $(( header + ($5 * $2 + $4) * 3 )) "$1" \
    | awk '{ for (i = 1; i <= 3; i++) printf "%s", ($i > 140 ? 1 : $i < 70 ? 0 : "?") }'
}
