#!/usr/bin/env bash
# What makes an image removes files below the folder in which the image is made, and nowhere else: it may run as root, and a variable
# that is empty would lead to the folders of this machine. Each function of images/lib that removes something is called in a shell of its
# own in which `rm` notes what it is told, and ends: no claim that fails costs this machine a file.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

bench=$out/test/removal
image=$bench/image.new
elsewhere=$bench/elsewhere
rm -rf "$bench"
mkdir -p "$image" "$elsewhere" "$bench/bin"
# The only program that these shells find.
ln -s "$(type -P realpath)" "$bench/bin/realpath"

# removes WORK FUNCTION ARGUMENT...: leaves in $bench/removed what the function would have removed first, and in $bench/log what it said.
# True when it would have removed anything.
removes() {
  : > "$bench/removed"
  work=$1 folder=${folder-} root=$root bench=$bench tree=$elsewhere "$BASH" -euo pipefail -c '
    for part in root disk cards; do source "$root/images/lib/$part.sh"; done
    die() { printf "%s\n" "$*" >&2; exit 1; }
    rm() { printf "%s\n" "$*" > "$bench/removed"; exit 1; }
    PATH=$bench/bin
    "$@"' _ "${@:2}" > "$bench/log" 2>&1 && return 1
  [[ -s $bench/removed ]]
}

# refuse WORK FOLDER REASON: none removes anything, and each says why.
refuse() {
  local call
  for call in make_root prune link_wanted_units install_talon drop_orphans \
    "make_squashfs $elsewhere" "make_boot_files $elsewhere" "make_initramfs $elsewhere"; do
    # shellcheck disable=SC2086  # a function and perhaps its first argument
    if removes "$1" $call "$2"; then say "${call%% *} '$2' would remove $(< "$bench/removed")"; return 1; fi
    says "$bench/log" "$3" || { say "${call%% *} '$2' says:"; cat "$bench/log" >&2; return 1; }
  done
}

removes_cards() { folder=$1 removes "$image" make_cards; }

claim "below the work folder, what was made before is removed" removes "$image" make_root "$image/root"
claim "with no folder named, nothing is removed" refuse "$image" '' "is a folder of the image"
claim "with no work folder, nothing is removed" refuse '' /root "is the folder in which an image is made"
claim "beside the work folder, nothing is removed" refuse "$image" "$elsewhere" "not below the work folder"
claim "nor where a path leads out of it" refuse "$image" "$image/../elsewhere" "not below the work folder"
claim "nor the work folder itself" refuse "$image" "$image/." "not below the work folder"
claim "nor anything when the work folder is /" refuse / /root "not below the work folder"
claim "cards of before are removed from the folder of the images" removes_cards "$bench/images"
claim "with no such folder, none are" eval '! removes_cards ""'
