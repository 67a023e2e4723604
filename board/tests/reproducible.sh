#!/usr/bin/env bash
# Two builds of one commit in two folders are the same bytes: the x86_64 firmware that is here, and one that is built from the same files in
# another folder, with libraries that are fetched and made there. Its symbols, NOTICE, list of parts and Debian package are compared as well.
#
#   board/tests/reproducible.sh
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

work=$out/test/reproducible
# Of another length than the name of any clone, so that what has the length of a path differs.
other=$work/another-folder-with-a-name-of-its-own

# copy_sources: the commit and what differs from it.
copy_sources() {
  rm -rf "$work"
  mkdir -p "$work"
  git clone --quiet --shared "$root" "$other"
  (cd "$root" && git ls-files -zco --exclude-standard | xargs -0 cp --parents -t "$other")
  (cd "$root" && git ls-files -zd) | (cd "$other" && xargs -0 -r rm -f)
}

same_commit() { [[ $("$out/x86_64/talon" version) == "$("$other/.out/x86_64/talon" version)" ]]; }
same() { cmp "$out/x86_64/$1" "$other/.out/x86_64/$1"; }
# Both folders pack their own firmware.
same_package() {
  "$root/board/package" --into "$work/here" x86_64 > /dev/null && "$other/board/package" --into "$work/there" x86_64 > /dev/null || return 1
  cmp "$work"/here/talon_*.deb "$work"/there/talon_*.deb
}
holds_no_folder() { ! grep -aqF -e "$root" "$out/x86_64/$1"; }

[[ -x $out/x86_64/talon ]] || die "there is no firmware; run board/firmware x86_64"
copy_sources
"$other/board/firmware" --old-libraries x86_64 > "$work/build.log" 2>&1 || { tail -n 30 "$work/build.log" >&2; die "the firmware is not built"; }
claim "both are of one commit" same_commit
claim "the list of parts is the same" same parts
claim "the NOTICE" same NOTICE
claim "the folder is named in no symbols" holds_no_folder talon.debug
claim "the symbols are the same bytes" same talon.debug
claim "the program" same talon
claim "the Debian package" same_package
