#!/usr/bin/env bash
# Updates by apt: a signed repository behind a plain web server, a real Debian that installs the agent from it and upgrades to the
# next version. The agent keeps its state and its work, and what is not signed by the key, or damaged, is refused. Then: a firmware is not
# built with old libraries unnoticed.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-system.sh"
source "$root/board/lib/claims.sh"

board_name=field-board
served=$root/.out/test/repository/served

# make_package SECONDS: of the same firmware, so many seconds younger than the last commit. Prints its file.
make_package() {
  SOURCE_DATE_EPOCH=$(( $(git -C "$root" log -1 --format=%ct) + $1 )) "$root/board/package" --into "$bench/made.$1" x86_64 > /dev/null
  echo "$bench/made.$1"/talon_*_amd64.deb
}

publish() { "$root/board/repository" --key "$key" "$@"; }
version_of() { dpkg-deb -f "$1" Version; }

serve() {
  python3 -m http.server --bind 127.0.0.1 --directory "$served" 0 > "$bench/web.log" 2>&1 &
  wait_for 10 grep -q 'port [0-9]' "$bench/web.log" || die "the web server does not start"
  web_port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$bench/web.log")
}

use_repository() {
  guest "cat > /usr/share/keyrings/talon.asc <<'KEY'
$(< "$served/talon.asc")
KEY
cat > /etc/apt/sources.list.d/talon.sources <<'SOURCES'
$(sed "s|^URIs:.*|URIs: http://10.0.2.2:$web_port|" "$served/talon.sources")
SOURCES
rm -f /etc/apt/sources.list"
}

updates() { guest 'apt-get -q update --error-on=any > /root/apt.log 2>&1'; }
update_fails_with() { ! updates || return 1; guest 'cat /root/apt.log' > "$bench/apt.log"; says "$bench/apt.log" "$1"; }
has_version() { [[ $(guest "dpkg-query -W -f='\${Version}' talon") == "$1" ]]; }
is_active() { [[ $(guest 'systemctl show -P ActiveState talon') == active ]]; }
pid() { guest 'systemctl show -P MainPID talon'; }
state() { guest 'sha256sum /var/lib/talon/identity /var/lib/talon/paired'; }
node_id() { guest 'talon status --json' | jq -r .nodeId; }

pairs() {
  local code
  code=$("$gateway_program" qr --state "$bench/gateway" --setup-code-only --url "wss://10.0.2.2:$gateway_port")
  guest "echo $code | talon connect > /dev/null 2>&1"
  wait_for 120 is_pending || return 1
  gateway devices approve "$(pending_request)" > "$bench/approved.json"
  wait_for 120 is_connected
}

# One program after the other runs for the gateway when the next version is set up, until it has said that it waits: on a busy machine even
# one of apt's steps can last longer than one of them. All are answered, and then the agent is started anew.
works() {
  until [[ -e $bench/waits ]]; do
    invoke system.run '{"command":["sleep","60"]}' --timeout 300000 > "$bench/work.json" || return 1
    jq -e '.exitCode == 0' "$bench/work.json" > /dev/null || return 1
  done
}

is_busy() { guest 'talon status --json' | jq -e .busy > /dev/null; }
apt_says() { guest 'cat /root/apt.log' > "$bench/apt.log"; says "$bench/apt.log" "$1"; }
waits_or_ended() { apt_says "the agent is busy" || apt_says "ended with"; }

# set_up: the next version is set up while the agent runs a program. It waits, unless it looks between two of them.
set_up() {
  guest 'dpkg --unpack /var/cache/apt/archives/talon_*.deb > /root/apt.log 2>&1' || return 1
  wait_for 120 is_busy || return 1
  guest '{ dpkg --configure talon; echo "ended with $?"; } >> /root/apt.log 2>&1 &'
  wait_for 120 waits_or_ended
}

upgrades_after_its_work() {
  local before work
  guest 'apt-get -q -y --download-only upgrade > /root/apt.log 2>&1' || return 1
  for _ in 1 2 3 4; do
    before=$(pid)
    rm -f "$bench/waits"
    works &
    work=$!
    set_up || break
    touch "$bench/waits"
    ! apt_says "the agent is busy" || { wait "$work" && wait_for 120 apt_says "ended with 0" && [[ $(pid) != "$before" ]] && return; break; }
    wait "$work" || true
    wait_for 120 is_connected
  done
  cat "$bench/apt.log" "$bench/work.json"
  return 1
}

# One byte of the index is another one.
damage() { sed -i 's/^Version: 0/Version: 1/' "$served/dists/stable/main/binary-amd64/Packages"; rm "$served/dists/stable/main/binary-amd64/Packages.xz"; }

# A debian package of ours, signed by somebody else's key.
forge() { "$root/board/repository" --key "$bench/other.asc" "$served" "$1"; }

make_key() {
  GNUPGHOME=$bench/gnupg.$1 && mkdir -m 700 "$GNUPGHOME" && export GNUPGHOME
  gpg --batch --quiet --passphrase '' --quick-generate-key "Test $1 <test@board.invalid>" ed25519 sign never 2> /dev/null
  gpg --batch --quiet --armor --export-secret-keys > "$bench/$1.asc"
  gpgconf --kill gpg-agent
  unset GNUPGHOME
}

# The index of this machine's Debian, and a library that is older than what it says.
names_old_libraries() {
  local code=0
  printf 'libssl-dev 1.0.0-1\n' > "$bench/packages"
  "$root/board/lib/old-libraries" amd64 "$bench/packages" "$bench/lists" > "$bench/old" || code=$?
  [[ $code == 1 ]] && grep -qx 'libssl-dev 1.0.0-1 3.0.99-1~deb12u1' "$bench/old"
}

takes_new_libraries() {
  printf 'libssl-dev 3.0.99-1~deb12u1\nlibtalon-none 1\n' > "$bench/packages"
  "$root/board/lib/old-libraries" amd64 "$bench/packages" "$bench/lists"
}

says_when_it_cannot_know() {
  local code=0
  mkdir -p "$bench/none"
  "$root/board/lib/old-libraries" amd64 "$bench/packages" "$bench/none" > "$bench/old" || code=$?
  [[ $code == 2 ]] && grep -q 'no index' "$bench/old"
}

make_lists() {
  local name=deb.debian.org_debian-security_dists_bookworm-security
  mkdir -p "$bench/lists/partial"
  printf 'Package: libssl-dev\nVersion: 3.0.99-1~deb12u1\nArchitecture: amd64\nMaintainer: x\nFilename: x.deb\nSize: 1\nSHA256: %064d\n\n' 0 \
    > "$bench/lists/${name}_main_binary-amd64_Packages"
  printf 'Origin: Debian\nSuite: bookworm-security\nCodename: bookworm-security\nArchitectures: amd64\nComponents: main\nDate: Thu, 26 Nov 2026 00:00:00 UTC\n' \
    > "$bench/lists/${name}_InRelease"
}

begin "$out/test/repository"
key=$bench/ours.asc
make_key ours
make_key other
first=$(make_package 0)
publish "$served" "$first"
second=$(make_package 3600)
start_gateway 0
serve
start_system
use_repository

claim "apt takes the repository" updates
claim "and installs the agent from it" guest 'apt-get -q -y install talon > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }'
claim "which runs" wait_for 90 is_active
guest "printf '\n[run]\nprograms = /usr/bin/sleep\ntimeout = 300\n' >> /etc/talon/talon.conf
  systemctl restart talon && systemctl enable --now talon-run.socket 2> /dev/null"
claim "and is paired" pairs
before=$(state) id=$(node_id)
publish "$served" "$second"
claim "apt sees the next version" eval "updates && guest 'apt-get -q -s upgrade' | grep -q '^Inst talon'"
claim "an upgrade waits until the agent is idle" upgrades_after_its_work
claim "the next version is there" has_version "$(version_of "$second")"
claim "its state is kept" eval '[[ $(state) == "$before" && $(node_id) == "$id" ]]'
claim "and the board is back without a new approval" wait_for 120 is_connected
publish --keep 1 "$served" "$second"
claim "of older versions no more are kept than was said" eval '(( $(find "$served" -name "*.deb" | wc -l) == 1 ))'
damage
claim "a damaged index is refused" update_fails_with "Hash Sum mismatch"
forge "$second"
claim "another key is refused" update_fails_with "NO_PUBKEY"
make_lists
claim "old libraries are named" names_old_libraries
claim "new ones are taken" takes_new_libraries
claim "what cannot be known is said" says_when_it_cannot_know
