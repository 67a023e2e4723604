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
shows_bars() { shows_rows "$1" "$2" colors "${bars[*]}"; }

# shows_gray_bars FILE WIDTH: the same without colours: each bar is darker than the one before.
shows_gray_bars() { shows_rows "$1" "$2" grays "darker"; }

shows_rows() {
  local width height row seen
  djpeg -pnm -rgb "$1" > "$1.ppm" || return 1
  read -r width height < <(sed -n 2p "$1.ppm")
  [[ $width == "$2" ]] || { say "$1 is $width wide, not $2"; return 1; }
  for row in $(( height * 7 / 8 )) $(( height * 19 / 20 )); do
    seen=$(bars_in "$1.ppm" "$width" "$height" "$row" "$3")
    [[ $seen == "$4" ]] || { say "$1: row $row is $seen, not $4"; return 1; }
  done
  rm "$1.ppm"
}

# bars_in FILE WIDTH HEIGHT ROW KIND: what the middles of the eight bars are. Of colors which of red, green and blue are
# high, as 0 and 1, ? for neither high nor low; of grays "darker", or the levels when they are not.
bars_in() {
  local header=$(( $(stat -c %s "$1") - $2 * $3 * 3 ))
  od -An -v -tu1 -w3 -j $(( header + $4 * $2 * 3 )) -N $(( $2 * 3 )) "$1" | awk -v width="$2" -v kind="$5" '
    function high(level) { return level > 140 ? 1 : level < 70 ? 0 : "?" }
    { red[NR - 1] = $1; green[NR - 1] = $2; blue[NR - 1] = $3 }
    END {
      word = "darker"
      for (bar = 0; bar < 8; bar++) {
        x = int((2 * bar + 1) * width / 16)
        colors = colors (bar ? " " : "") high(red[x]) high(green[x]) high(blue[x])
        levels = levels (bar ? " " : "") red[x]
        if (red[x] != green[x] || red[x] != blue[x] || bar && red[x] > before - 5) word = ""
        before = red[x]
      }
      print kind == "grays" ? (word ? word : levels) : colors
    }'
}
