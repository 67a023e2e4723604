# shellcheck shell=bash
# SQLite as one C file, made from the sources of Debian's package: Debian itself has it as libraries with options of its own. Sourced after archives.sh,
# never run.
#
# SQLite's own archive is one with this hash, and the fixes that Debian adds to it (debian/patches, security updates among them) are the newest
# that its index names: apt checks them by the index, which is signed. Where they no longer fit, that is an error. Delete .deps/sqlite to fetch newer
# ones; .deps/sqlite/version names the one that is there.

sqlite_archive=sqlite3_3.40.1.orig.tar.xz
sqlite_hash=aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655
# What makes the one file of many: scripts in Tcl, and programs in C that make a parser and tables.
sqlite_tools=(tcl make patch libc6-dev)
# Parts of the language that Talon says nothing in, a tenth of a megabyte. The parser is made without them, so the compiler has to be told of the same
# ones: parts.h does that.
sqlite_omitted=(WINDOWFUNC TRIGGER VIEW EXPLAIN REINDEX GENERATED_COLUMNS FOREIGN_KEY ANALYZE CTE UPSERT)

# fetch_sqlite FOLDER: leaves the sources with Debian's fixes in FOLDER/source, and the version in FOLDER/version.
fetch_sqlite() {
  local folder=$1 source=$1/source patch
  mkdir -p "$source"
  open_index source deb-src
  (cd "$folder" && foreign_apt source apt-get source --download-only sqlite3) > /dev/null
  echo "$sqlite_hash  $folder/$sqlite_archive" | sha256sum --check --quiet || die "$sqlite_archive is not what it was"
  tar -xf "$folder/$sqlite_archive" -C "$source" --strip-components=1
  tar -xf "$folder"/sqlite3_*.debian.tar.xz -C "$source"
  sed -n 's/^Version: //p' "$folder"/sqlite3_*.dsc > "$folder/version"
  while read -r patch; do
    patch --directory="$source" --strip=1 --quiet --forward --batch --no-backup-if-mismatch < "$source/debian/patches/$patch" \
      || die "Debian's $patch does not fit $sqlite_archive"
  done < <(sed 's/[ #].*//; /^$/d' "$source/debian/patches/series")
}

# make_sqlite FOLDER: leaves sqlite3.c, sqlite3.h and parts.h in FOLDER, made of FOLDER/source.
make_sqlite() {
  local folder=$1 compiler
  compiler=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
  mkdir -p "$folder/build"
  make -C "$folder/build" -f "$folder/source/main.mk" TOP="$folder/source" BCC="$compiler -w" OPTS="${sqlite_omitted[*]/#/-DSQLITE_OMIT_}" sqlite3.c \
    > "$folder/log" 2>&1 || die "SQLite's one file cannot be made: $(tail -1 "$folder/log")"
  mv "$folder/build/sqlite3.c" "$folder/build/sqlite3.h" "$folder/"
  printf '#define SQLITE_OMIT_%s 1\n' "${sqlite_omitted[@]}" > "$folder/parts.h"
}

# Leaves .deps/sqlite (Sources/CSQLite): sqlite3.c, sqlite3.h, parts.h, LICENSE and version.
prepare_sqlite() {
  local folder=$deps/sqlite fresh=$deps/sqlite.new wanted
  wanted=$(recipe sqlite.sh)
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$wanted" ]] && return 0
  say "fetching the source of sqlite3"
  install_packages "${sqlite_tools[@]}"
  rm -rf "$fresh"
  mkdir -p "$fresh"
  fetch_sqlite "$fresh"
  say "making SQLite's one file"
  make_sqlite "$fresh"
  cp "$fresh/source/LICENSE.md" "$fresh/LICENSE"
  grep -q '^The author disclaims copyright' "$fresh/LICENSE" || die "the licence of sqlite3 is not where it was"
  rm -rf "$fresh"/sqlite3_* "$fresh/source" "$fresh/build" "$fresh/log" "$folder"
  echo "$wanted" > "$fresh/wanted"
  mv "$fresh" "$folder"
}
