# shellcheck shell=bash
# Libraries of which Debian has no static build, from their source archives. Sourced, never run.

# Debian's own changes (debian/patches) are not applied, for none of them touches what we compile, but for one of flite:
#
#   alsa-lib 1.2.8-1   0001-Enabled-extended-namehints: alsa.conf, which we do not read.
#   qrencode 4.1.1-1   0001-use-verbose-configure, 0002-qrenc-string-boundary, 0003-use-tests-cmake: the build, the program
#                      qrencode, the tests; the library is as it was.
#   flite 2.2-5        make_voice_list, shared_os, verbose: makefiles. flite.texi, example_fix, flags: the manual.
#                      typos-found-by-lintian: a word of the Indic lexicon, which we leave out. 64bit: values have the layout
#                      of wide pointers on all 64-bit processors, and not on x86-64 alone; Sources/CFlite/pointers.h does that.
#
# Whoever takes another version looks at its patches: apt-get source --diff-only NAME.

# debian_source NAME FILE SHA256 FOLDER: leaves the unpacked source archive FILE of Debian's source package NAME in FOLDER. Whole or
# not at all, and only when it is what it was.
debian_source() {
  local name=$1 file=$2 sum=$3 folder=$4
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$sum" ]] && return 0
  say "fetching the source of $name"
  open_index source deb-src
  rm -rf "$folder" "$folder.new"
  mkdir -p "$folder.new"
  (cd "$folder.new" && foreign_apt source apt-get source --download-only --tar-only "$name") > /dev/null
  echo "$sum  $folder.new/$file" | sha256sum --check --quiet || die "$file is not what it was"
  tar -xf "$folder.new/$file" -C "$folder.new" --strip-components=1
  rm "$folder.new"/*.{tar.*,dsc} 2> /dev/null || true
  echo "$sum" > "$folder.new/wanted"
  mv "$folder.new" "$folder"
}

# Leaves .deps/qrencode (Sources/CQRCode).
prepare_qrencode() {
  debian_source qrencode qrencode_4.1.1.orig.tar.bz2 \
    e455d9732f8041cf5b9c388e345a641fd15707860f928e94507b1961256a6923 "$deps/qrencode"
}

# Leaves .deps/alsa (Sources/CALSA). Debian has alsa-lib as a shared object only, and that reads plug-ins and files that a board may lack.
prepare_alsa() {
  debian_source alsa-lib alsa-lib_1.2.8.orig.tar.bz2 \
    1ab01b74e33425ca99c2e36c0844fd6888273193bd898240fe8f93accbcbf347 "$deps/alsa"
}

# Leaves .deps/flite (Sources/CFlite). Debian's armel is compiled for boards without floating point, where a sentence takes longer than to say it.
prepare_flite() {
  debian_source flite flite_2.2.orig.tar.gz \
    ab1555fe5adc3f99f1d4a1a0eb1596d329fd6d74f1464a0097c81f53c0cf9e5c "$deps/flite"
}
