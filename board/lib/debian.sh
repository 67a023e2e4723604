# shellcheck shell=bash
# Debian packages: installed on this machine, or unpacked into a folder of ours for any architecture.

# Waits between attempts to refresh an index: a mirror in the middle of a sync is whole again soon.
update_waits=(0 2 5)

# recipe NAME: the hash of board/lib/NAME. What a script makes is made once for each version of it.
recipe() { sha256sum < "$root/board/lib/$1" | cut -d ' ' -f 1; }

installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

# install_packages NAME...: does nothing, quickly, when all are there.
install_packages() {
  local package missing=()
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  (( ${#missing[@]} )) || return 0
  say "installing ${missing[*]}"
  refresh as_root apt-get -qq update
  # Without apt-utils debconf says for each package that it asks its questions later; here it asks none.
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" 2>&1 > /dev/null | { grep -v '^debconf: delaying' >&2 || true; }
}

# refresh COMMAND...: an index that stays broken is not fatal, what is there may be enough.
refresh() {
  local wait
  for wait in "${update_waits[@]}"; do
    sleep "$wait"
    "$@" >/dev/null 2>&1 && return 0
  done
  say "some package indexes could not be refreshed; going on with those that could"
}

# foreign_apt ARCHITECTURE TOOL ARGUMENT...: apt with its own indexes, away from the system's. The
# system learns of no foreign architecture, and one target's build never needs another's index.
foreign_apt() {
  local architecture=$1 tool=$2 state=$deps/apt/$1; shift 2
  "$tool" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o Dir::State="$state" -o Dir::State::Lists="$state/lists" -o Dir::State::Status="$state/status" \
    -o Dir::Cache="$state" -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o APT::Sandbox::User="$(id -un)" "$@"
}

# The system's own Debian mirrors, third-party sources left out.
debian_sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u
}

# whole_source ARCHITECTURE LINE: its index can be fetched. A mirror in the middle of a sync breaks one at a time.
whole_source() {
  local state code=0
  state=$(mktemp -d)
  mkdir -p "$state/lists/partial"
  : > "$state/status"
  echo "$2" > "$state/sources.list"
  apt-get -qq update --error-on=any -o APT::Architecture="$1" -o APT::Architectures="$1" -o Dir::State="$state" \
    -o Dir::State::Lists="$state/lists" -o Dir::State::Status="$state/status" -o Dir::Cache="$state" \
    -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o APT::Sandbox::User="$(id -un)" > /dev/null 2>&1 || code=$?
  rm -rf "$state"
  return "$code"
}

# drop_broken_sources ARCHITECTURE FILE: those that stay broken are left out, and named.
drop_broken_sources() {
  local line
  while read -r line; do
    if whole_source "$1" "$line"; then echo "$line"; else say "left out, because its index is broken: ${line#*\] }"; fi
  done < "$2" > "$2.whole"
  mv "$2.whole" "$2"
}

# open_index NAME [KIND]: leaves in .deps/apt/NAME the indexes of the system's mirrors: of packages for the architecture NAME, or with the
# KIND deb-src of sources. Refreshed once in a run: each time takes seconds.
declare -A opened_indexes=()
open_index() {
  local state=$deps/apt/$1
  [[ ! ${opened_indexes[$1]-} ]] || return 0
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  : > "$state/status"
  [[ -n $(debian_sources) ]] || refresh as_root apt-get -qq update
  debian_sources | sed "s/^deb /${2-deb} /" > "$state/sources.list"
  [[ -s $state/sources.list ]] || die "apt on this machine knows no Debian mirror"
  refresh foreign_apt "$1" apt-get update
  opened_indexes[$1]=yes
}

# package_behind ARCHITECTURE NAME: the versioned package that a kernel's metapackage stands for, other names as they are.
package_behind() {
  [[ $2 == linux-image-$1 ]] || { echo "$2"; return; }
  foreign_apt "$1" apt-cache depends "$2" | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | head -1
}

# unpack FOLDER ARCHITECTURE PACKAGE...: leaves FOLDER/root (the files), FOLDER/packages (name and
# version) and FOLDER/files/NAME (what came from where). Whole or not at all: FOLDER appears last.
unpack() {
  local folder=$1 architecture=$2 wanted="$2 ${*:3}" fresh=$1.new deb name names=(); shift 2
  [[ -f $folder/wanted && $(< "$folder/wanted") == "$wanted" ]] && return 0
  say "fetching for ${folder##*/} ($architecture): $*"
  open_index "$architecture"
  rm -rf "$fresh"
  mkdir -p "$fresh/root" "$fresh/files" "$fresh/debs"
  for name in "$@"; do names+=("$(package_behind "$architecture" "$name")"); done
  (cd "$fresh/debs" && foreign_apt "$architecture" apt-get download "${names[@]}")
  for deb in "$fresh"/debs/*.deb; do
    name=$(dpkg-deb -f "$deb" Package)
    dpkg-deb -f "$deb" Package Version | sed 's/^[^:]*: //' | paste -sd ' ' >> "$fresh/packages"
    dpkg-deb --fsys-tarfile "$deb" | tar -t > "$fresh/files/$name"
    dpkg-deb -x "$deb" "$fresh/root"
  done
  rm -rf "$fresh/debs" "$folder"
  echo "$wanted" > "$fresh/wanted"
  mv "$fresh" "$folder"
}
