# shellcheck shell=bash
# The shaper of text, HarfBuzz: compiled from its sources, for Debian has it as a shared object only. Sourced after archives.sh, never run.
#
# Debian applies no change to what is compiled here (its one patch is of the tests). What is left out: Apple's tables, variable fonts, colour tables
# (FreeType draws), threads, and reading of files. There are no exceptions and no types at run time, so that nothing of a C++ library is linked.

harfbuzz_archive=harfbuzz_6.0.0+dfsg.orig.tar.xz
harfbuzz_hash=89266cb363e49b6aa999eda04ca25b0d234a69ad9304679631371f4697652368
harfbuzz_flags=(
  -std=c++11 -Os -DHB_LEAN -DHB_NO_AAT -DHB_NO_MT -DHB_NO_OT_LAYOUT_BLOCKLIST -DNDEBUG -fno-exceptions -fno-rtti -fno-threadsafe-statics -fvisibility=hidden
  -fPIC -ffunction-sections -fdata-sections -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -w
)

# harfbuzz_target_flags TARGET: how the compiler is told of it, one a line; nothing for this machine.
harfbuzz_target_flags() {
  [[ $1 == host ]] || jq -r '.cCompiler.extraCLIOptions[]' "$root/board/toolsets/$1.json"
}

# prepare_harfbuzz TARGET: leaves .deps/harfbuzz (the headers and COPYING), and .deps/harfbuzz/TARGET/libshaper.a, for this machine with the target "host".
prepare_harfbuzz() {
  local folder=$deps/harfbuzz built=$deps/harfbuzz/$1 tools options=() wanted
  debian_source harfbuzz "$harfbuzz_archive" "$harfbuzz_hash" "$folder"
  # The tests' fonts are nine tenths of it.
  find "$folder" -mindepth 1 -maxdepth 1 -type d \( -name test -o -name docs -o -name perf -o -name m4 \) -exec rm -rf {} +
  install_packages jq
  mapfile -t options < <(harfbuzz_target_flags "$1")
  wanted="$(recipe harfbuzz.sh) ${options[*]}"
  [[ -f $built/wanted && $(< "$built/wanted") == "$wanted" ]] && return 0
  say "compiling HarfBuzz for $1"
  tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
  rm -rf "$built" "$built.new"
  mkdir -p "$built.new"
  (cd "$root" && "$tools/clang++" "${harfbuzz_flags[@]}" "${options[@]}" -I"$folder/src" -c "$folder/src/harfbuzz.cc" -o "$built.new/harfbuzz.o")
  "$tools/llvm-ar" rcsD "$built.new/libshaper.a" "$built.new/harfbuzz.o"
  rm "$built.new/harfbuzz.o"
  echo "$wanted" > "$built.new/wanted"
  mv "$built.new" "$built"
}
