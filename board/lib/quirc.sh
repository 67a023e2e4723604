# shellcheck shell=bash
# The reader of QR codes, quirc: its C sources come inside the source archive of a Python package, for Debian 12 has none of it. Sourced, never run.

quirc_release=pyquirc==0.2.0.post1
quirc_hash=91cfa5ab076b7764903b263f4362cd78fefbf1dcda3921e624d52e02123f43f5
# Waits between attempts to fetch it.
quirc_waits=(0 2 5)

# fetch_quirc FOLDER: pip takes no archive but the one with this hash, and asks it for its name only then. For that the package wants
# scikit-build, and with it CMake, of which nothing is used: it gets setuptools under that name.
fetch_quirc() {
  local wait
  printf '%s --hash=sha256:%s\n' "$quirc_release" "$quirc_hash" > "$1/wanted"
  mkdir -p "$1/names"
  cat > "$1/names/skbuild.py" <<'PYTHON'
import setuptools

def setup(cmake_install_dir=None, cmake_args=None, **words):
    setuptools.setup(**words)
PYTHON
  for wait in "${quirc_waits[@]}"; do
    sleep "$wait"
    PYTHONPATH=$1/names /usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --no-binary :all: \
      --no-build-isolation --require-hashes -r "$1/wanted" -d "$1" > "$1/log" 2>&1 && return 0
  done
  die "cannot fetch $quirc_release: $(tail -1 "$1/log")"
}

# Leaves .deps/quirc/lib (the library's C files) and .deps/quirc/LICENSE.
prepare_quirc() {
  local folder=$deps/quirc fresh=$deps/quirc.new
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$quirc_release --hash=sha256:$quirc_hash" ]] && return 0
  say "fetching $quirc_release"
  install_packages "${engine_tools[@]}"
  rm -rf "$fresh"
  mkdir -p "$fresh"
  fetch_quirc "$fresh"
  tar -xzf "$fresh"/*.tar.gz -C "$fresh" --strip-components=3 --wildcards '*/extern/quirc/lib/*' '*/extern/quirc/LICENSE'
  grep -q '^ISC License' "$fresh/LICENSE" || die "the licence of $quirc_release is not where it was"
  rm -rf "$fresh"/*.tar.gz "$fresh/log" "$fresh/names" "$folder"
  mv "$fresh" "$folder"
}
