# shellcheck shell=bash
# The script engine of canvas.eval, QuickJS-ng: its C sources come inside the source archive of a Python package. Sourced, never run.

engine_release=quickjs-ng==0.17.0.2
engine_hash=43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef
# Waits between attempts to fetch it.
engine_waits=(0 2 5)
# pip asks a source archive for its name before it leaves it; that takes setuptools, and nothing is installed.
engine_tools=(python3-pip python3-setuptools python3-wheel)

# fetch_engine FOLDER: pip takes no archive but the one with this hash, and looks at it only then.
fetch_engine() {
  local wait
  printf '%s --hash=sha256:%s\n' "$engine_release" "$engine_hash" > "$1/wanted"
  for wait in "${engine_waits[@]}"; do
    sleep "$wait"
    /usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --no-binary :all: \
      --no-build-isolation --require-hashes -r "$1/wanted" -d "$1" > "$1/log" 2>&1 && return 0
  done
  die "cannot fetch $engine_release: $(tail -1 "$1/log")"
}

# Leaves .deps/quickjs/source (the engine's C files) and .deps/quickjs/LICENSE, which stands at the top of each of them.
prepare_engine() {
  local folder=$deps/quickjs fresh=$deps/quickjs.new
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$engine_release --hash=sha256:$engine_hash" ]] && return 0
  say "fetching $engine_release"
  install_packages "${engine_tools[@]}"
  rm -rf "$fresh"
  mkdir -p "$fresh/source"
  fetch_engine "$fresh"
  tar -xzf "$fresh"/*.tar.gz -C "$fresh/source" --strip-components=2 --wildcards '*/upstream-quickjs/*'
  awk '/^ \*\// { exit } NR > 1 { sub(/^ \* ?/, ""); print }' "$fresh/source/quickjs.c" > "$fresh/LICENSE"
  grep -q 'Permission is hereby granted' "$fresh/LICENSE" || die "the licence of $engine_release is not where it was"
  rm -rf "$fresh"/*.tar.gz "$fresh/log" "$folder"
  mv "$fresh" "$folder"
}
