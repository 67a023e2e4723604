# shellcheck shell=bash
# What builds the handbook as a site: MkDocs Material (PyPI), in an environment of its own. Sourced after common.sh and debian.sh.

site_pins=$root/board/site/pins.txt
site_wanted='mkdocs-material==9.*'
site_python=$deps/site/bin/python
# Waits between attempts to fetch it.
site_waits=(0 2 5)

# pin_site: writes what pip would install today, each archive with its SHA-256. They are for CPython 3.11 of Debian 12 on x86_64.
pin_site() {
  local report=$out/site-pins.json
  mkdir -p "$out"
  install_packages python3-pip python3-venv jq
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --dry-run --ignore-installed --only-binary :all: \
    --report "$report" "$site_wanted" || die "the package registry (PyPI) does not answer"
  jq -r '.install[] | "\(.metadata.name | ascii_downcase)==\(.metadata.version)"
    + " --hash=sha256:\(.download_info.archive_info.hashes.sha256)"' "$report" | sort > "$site_pins.new"
  [[ -s $site_pins.new ]] || die "pip names nothing that it would install"
  mv "$site_pins.new" "$site_pins"
}

# Leaves an interpreter with MkDocs Material in site_python; pip takes no wheel but those of pins.txt, with these hashes. Nothing is
# fetched when it is there.
prepare_site() {
  local folder=$deps/site wait
  cmp -s "$folder/wanted" "$site_pins" && return 0
  say "fetching MkDocs Material from PyPI"
  install_packages python3-pip python3-venv
  rm -rf "$folder"
  mkdir -p "$folder"
  /usr/bin/python3 -m venv --without-pip "$folder"
  for wait in "${site_waits[@]}"; do
    sleep "$wait"
    if /usr/bin/python3 -m pip --python "$site_python" install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
      --only-binary :all: --require-hashes -r "$site_pins" > "$folder/log" 2>&1; then
      cp "$site_pins" "$folder/wanted"
      return 0
    fi
  done
  die "cannot fetch MkDocs Material: the package registry (PyPI) does not answer, or has other archives: $(tail -1 "$folder/log")"
}

# build_site [FOLDER [CONFIGURATION]]: the site in .out/site, or in the folder. A warning of MkDocs ends it: a dead link, a dead anchor, a
# page outside of the navigation. Its times are those of the last commit.
build_site() {
  local folder=${1-$out/site} config=${2-$root/mkdocs.yml} log=$out/site.log commit=unknown day=unknown
  mkdir -p "$out"
  if git -C "$root" rev-parse --verify --quiet HEAD > /dev/null; then
    commit=$(git -C "$root" log -1 --format=%h) day=$(git -C "$root" log -1 --format=%cs)
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
  fi
  # MkDocs Material prints an advertisement of its successor otherwise. With --quiet MkDocs counts no warnings, and --strict means nothing.
  if ! NO_MKDOCS_2_WARNING=1 TALON_SITE_RELEASE="MIT license. Handbook of $day, commit $commit." PYTHONDONTWRITEBYTECODE=1 \
    "$site_python" -m mkdocs build --strict --clean --config-file "$config" --site-dir "$folder" > "$log" 2>&1; then
    grep -v '^INFO' "$log" >&2 || true
    return 1
  fi
}
