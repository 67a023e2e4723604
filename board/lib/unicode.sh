# shellcheck shell=bash
# Properties of characters, for line breaking and for what counts as one character: a table made of Debian's unicode-data. Sourced, never run.

# Leaves .deps/unicode/properties.bin (Sources/CUnicode), and in .deps/unicode/root what it was made from, and the tests of Unicode's rules.
prepare_unicode() {
  local folder=$deps/unicode maker=$root/board/lib/make-unicode.py
  unpack "$folder" "$(dpkg --print-architecture)" unicode-data
  [[ -f $folder/made && $(< "$folder/made") == "$(recipe make-unicode.py)" ]] && return 0
  install_packages python3
  /usr/bin/python3 "$maker" "$folder/root/usr/share/unicode" "$folder/properties.bin.new"
  mv "$folder/properties.bin.new" "$folder/properties.bin"
  recipe make-unicode.py > "$folder/made"
}
