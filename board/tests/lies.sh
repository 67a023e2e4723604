#!/usr/bin/env bash
# What root's side of updates, of recovery and of Wi-Fi by a code makes of the lies of an agent that was taken over: whatever its user
# can write, and what any process can call itself. The scripts run in the image's own shell and in this machine's, in a folder, with what
# touches devices told here.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/bench.sh"

busybox=$deps/vm/root/bin/busybox

# in_folder FILE: a script whose paths are in $board.
in_folder() {
  sed "s|/usr/bin/setpriv --reuid=talon --regid=talon --clear-groups ||
    s|/usr/lib/talon|$board/usr/lib/talon|g; s|/run/talon|$board/run/talon|g; s|/run/slot|$board/run/slot|g
    s|/var/lib/talon|$board/var/lib/talon|g; s|/data/|$board/data/|g; s|/data$|$board/data|; s|/dev/kmsg|$board/kmsg|g; s|/proc/|$board/proc/|g
    s|/sys/fs/cgroup|$board/cgroup|g; s|/sys/class|$board/class|g; s|^run=/run$|run=$board/run|" "$1"
}

# make_board: slot a runs 2.0, which was confirmed; slot b is empty.
make_board() {
  local name
  board=$bench/board here=$bench/board/usr/lib/talon-image facts=$bench/board/run/talon-system
  rm -rf "$board"
  mkdir -p "$here" "$facts" "$board"/{run/talon-recovery,data/update,data/lib/talon,proc/self,cgroup,var/lib,usr/lib/talon}
  ln -s ../../data/lib/talon "$board/var/lib/talon"
  ln -s ../../data/lib/talon-recovery "$board/var/lib/talon-recovery"
  mkdir -p "$board"/data/lib/talon-recovery "$board"/var/lib/talon/{update,recovery}
  for name in floor slot-record update; do in_folder "$root/images/root/usr/lib/talon-image/$name" > "$here/$name"; done
  in_folder "$root/images/root/usr/lib/talon-image/slot" > "$here/slot.sh"
  printf '#!/bin/sh\nexec %s sh %s "$@"\n' "$busybox" "$here/slot.sh" > "$here/slot"
  chmod +x "$here/slot"
  in_folder "$root/systemd/talon-request" > "$board/usr/lib/talon/request"
  in_folder "$root/systemd/talon-recovery" > "$board/recovery"
  echo 2.0 > "$here/version"
  echo talon-arm64 > "$here/compatible"
  echo "$board/disk" > "$facts/disk"
  echo a > "$facts/running"
  echo panic=10 > "$board/proc/cmdline"
  truncate -s 4M "$board/disk"
  "$here/slot" tell
  offers 3.0
  starts
}

# offers VERSION [INSTALLED]: a signed bundle, and what of it is installed in the end.
offers() {
  rm -rf "$board/var/lib/talon/update/bundle.raucb"
  echo "a bundle" > "$board/var/lib/talon/update/bundle.raucb"
  echo "$1" > "$board/offered"
  echo "${2-$1}" > "$board/arrives"
}

# on_board: the lines of standard input in the image's shell, with what touches devices told here.
on_board() {
  {
    cat << SCRIPT
here=$here
modprobe() { :; }
systemctl() { echo "systemctl \$*" >> $board/made; }
sleep() { :; }
umount() { rm -rf $facts/other; }
mount() { mkdir -p $facts/other$here; cp $board/other $facts/other$here/version; }
rauc() {
  [ -f "\$2" ] || [ -f "\$3" ] || return 1
  case \$1 in
    info) printf "RAUC_MF_COMPATIBLE='talon-arm64'\nRAUC_MF_VERSION='%s'\n" "\$(cat $board/offered)" ;;
    install) echo installed >> $board/made; cp $board/arrives $board/other; $here/slot set-state b bad; $here/slot set-primary b ;;
  esac
}
SCRIPT
    cat
  } > "$board/script"
  "$busybox" sh "$board/script"
}

# starts: what card-setup does with the floor at a start of a good system.
starts() {
  runs_for 10
  on_board <<< ". $here/floor; start_floor"
}
runs_for() { echo "$1.00 0.00" > "$board/proc/uptime"; }

# asks LINE...: as the agent's user.
asks() {
  : > "$board/made"
  rm -rf "$board/var/lib/talon/update/request"
  printf '%s\n' "$@" > "$board/var/lib/talon/update/request"
  obeys
}
obeys() { { echo "set --"; cat "$here/update"; } | on_board; }

# allows WORD [UPTIME]: as talon update --older and rollback, by root.
allows() { echo "$1 3 ${2-5.00} 0.00" > "$board/data/update/older"; }

is_answered() { grep -qx "state = $1" "$facts/answer" || { cat "$facts/answer"; return 1; }; }
says_why() { grep -q "^reason = .*$1" "$facts/answer" || { cat "$facts/answer"; return 1; }; }
made() { grep -qx "$1" "$board/made"; }
made_not() { ! made "$1"; }
slot_tells() { grep -qx "$1" "$facts/slot" || { cat "$facts/slot"; return 1; }; }
floor_is() { [[ $(< "$board/data/update/floor") == "$1" ]]; }
refuses() { asks "${@:2}" && is_answered failed && says_why "$1"; }
obeys_it() { asks "$@" && is_answered "done"; }

update_claims() {
  local time
  say "updates"
  make_board
  claim "what runs and is good is the floor" floor_is 2.0
  offers 1.0
  claim "an older release is refused, whatever the request says" refuses "1.0 is older than 2.0" "id = 1" "do = install" "older = yes"
  claim "and not begun" made_not installed
  offers 3.0 1.0
  claim "so is one that stood in the place of a newer one when it was installed" refuses "1.0 is older" "id = 2" "do = install"
  claim "whose slot is empty again" slot_tells "other_state = empty"
  offers 3.0
  claim "a newer one is installed" obeys_it "id = 3" "do = install"
  claim "from root's own folder, where no name stays" [ ! -e "$board/data/update/bundle.raucb" ]
  offers 1.0
  runs_for 200000
  allows install 100.00
  claim "what root said two days ago does not count" refuses "1.0 is older" "id = 4" "do = install"
  runs_for 10
  allows rollback
  claim "nor what it said of something else" refuses "1.0 is older" "id = 5" "do = install"
  echo "install yes" > "$board/data/update/older"
  claim "nor a word without its time" refuses "1.0 is older" "id = 6" "do = install"
  allows install
  starts
  starts
  claim "what root says counts, also when power has gone twice" obeys_it "id = 7" "do = install"
  claim "and is the floor then" floor_is 1.0
  claim "once" [ ! -e "$board/data/update/older" ]
  starts
  claim "a start before it was tried leaves it so" floor_is 1.0
  offers 0.9
  claim "so that what is below it is refused" refuses "0.9 is older than 1.0" "id = 8" "do = install" "older = yes"
  claim "the slot that root allowed is tried" obeys_it "id = 9" "do = try"
  "$here/slot" set-state b bad
  starts
  claim "when it was left, the floor is what runs" floor_is 2.0
  allows install
  for time in 1 2 3; do starts; done
  claim "what root said three starts ago is over" [ ! -e "$board/data/update/older" ]
  make_board
  asks "id = 1" "do = install"
  echo 1.0 > "$board/other"
  claim "a slot below the floor is not tried" refuses "1.0 is older" "id = 2" "do = try"
  echo 3.0 > "$board/other"
  claim "another is" obeys_it "id = 3" "do = try"
  echo b > "$facts/running"
  "$here/slot" tell
  claim "in a trial nothing is installed over what it goes back to" refuses "a trial is under way" "id = 4" "do = install"
  echo 3.0 > "$here/version"
  claim "it is confirmed" obeys_it "id = 5" "do = confirm"
  claim "and the floor then" floor_is 3.0
  echo 2.0 > "$board/other"
  claim "the release before is not gone back to" refuses "2.0 is older than 3.0.*sudo talon update rollback" "id = 6" "do = rollback"
  allows rollback
  claim "unless root says so" obeys_it "id = 7" "do = rollback"
  claim "which lowers the floor" floor_is 2.0
  starts
  claim "until a good newer one runs" floor_is 3.0
}

# What stands in the place of a file.
puts() {
  rm -rf "$2"
  case $1 in
    link) ln -s "$board/secret" "$2" ;;
    pipe) mkfifo "$2" ;;
    folder) mkdir -p "$2/deep/er" ;;
    huge) head -c 3000000 /dev/zero | tr '\0' '\n' > "$2"; printf 'id = 1\ndo = try\n' >> "$2" ;;
  esac
}

is_no_request() {
  puts "$1" "$board/var/lib/talon/update/request"
  obeys
  [[ ! -e $facts/answer && ! -e $board/var/lib/talon/update/request && ! -e $board/var/lib/talon/update/request.taken ]]
}
is_no_bundle() {
  offers 3.0
  puts "$1" "$board/var/lib/talon/update/bundle.raucb"
  refuses "there is no bundle" "id = 1" "do = install"
}

file_claims() {
  local kind
  say "what stands in the place of a file"
  make_board
  echo "root's" > "$board/secret"
  for kind in pipe folder; do claim "a request that is a $kind is none" is_no_request "$kind"; done
  claim "a huge request is read to its bound" is_no_request huge
  for kind in link pipe folder; do claim "a bundle that is a $kind is none" is_no_bundle "$kind"; done
  claim "what a link points at stays" says "$board/secret" "root's"
  claim "a request without a number is none" asks "do = try" "id = x"
  claim "its words are one line" refuses "nothing is called" "id = 2" "do = x\\nstate = done"
  claim "and no state of their own" [ "$(grep -c '^state' "$facts/answer")" == 1 ]
}

# process NUMBER STATE NAME: of one thread.
process() {
  mkdir -p "$board/proc/$1/task/$1"
  printf 'Name:\t%s\nUmask:\t0077\nState:\t%s\n' "$3" "$2" > "$board/proc/$1/task/$1/status"
  printf '%s (%s) %s 1\n' "$1" "$3" "${2%% *}" > "$board/proc/$1/task/$1/stat"
}

# recovers WORD: root's side of recovery.
recovers() {
  {
    cat << SCRIPT
systemctl() { echo "systemctl \$*" >> $board/made; }
sleep() { case \$1 in 0.*) command sleep "\$1" ;; esac; }
sync() { :; }
set -- $1
SCRIPT
    cat "$board/recovery"
  } > "$board/script"
  : > "$board/made"
  SERVICE_RESULT=${2-watchdog} sh "$board/script" > "$board/said" 2>&1
}
ended() { recovers ended && { [[ -e $board/run/talon-recovery/sleeping ]] || ! made "systemctl --no-block start talon-recovery.service"; }; }
is_suspected() { ended && [[ -e $board/run/talon-recovery/sleeping ]]; }
is_not_suspected() { ended && [[ ! -e $board/run/talon-recovery/sleeping ]]; }
restarts() { recovers request && says "$board/proc/sysrq-trigger" b; }
restarts_not() { : > "$board/proc/sysrq-trigger"; recovers request && [[ ! -s $board/proc/sysrq-trigger ]]; }

name_claims() {
  local unit=/system.slice/talon.service
  say "names"
  make_board
  echo "0::$unit" > "$board/proc/self/cgroup"
  echo "oom_kill 0" > "$board/proc/vmstat"
  mkdir -p "$board/cgroup$unit"
  : > "$board/cgroup$unit/cgroup.procs"
  process 200 "D (disk sleep)" "(talon) D "
  process 201 "D (disk sleep)" "talon"
  claim "a process of another unit is not the agent, whatever it calls itself" is_not_suspected
  process 300 "S (sleeping)" "x) D (talon) D "
  process 301 "S (sleeping)" 'x\nState:\tD'
  printf '300\n301\n302\n' > "$board/cgroup$unit/cgroup.procs"
  claim "a process of the agent that does not hang is none that hangs, by no name" is_not_suspected
  process 302 "D (disk sleep)" "other) S 1"
  claim "one that hangs is found by any name" is_suspected
  process 302 "S (sleeping)" "other) S 1"
  claim "one that has come back restarts no board" restarts_not
  process 302 "D (disk sleep)" "talon"
  claim "one that hangs again" is_suspected
  : > "$board/cgroup$unit/cgroup.procs"
  claim "and is another unit's by then, by its number, restarts none" restarts_not
  echo 302 > "$board/cgroup$unit/cgroup.procs"
  claim "one that goes on hanging" is_suspected
  claim "restarts the board" restarts
  printf '%s\n' "id = 5" "do = restart" 'reason = a\n<0>forged\033[2J' > "$board/var/lib/talon/recovery/request"
  echo 100.00 > "$board/proc/uptime"
  recovers request
  claim "a reason is printed as it is written" says "$board/said" 'restarting the board: a\n<0>forged\033[2J'
}

# reserves: the second place of the identity.
reserves() {
  {
    printf 'disk=%s\nsync() { :; }\nnote() { :; }\nproblem() { :; }\n' "$board/disk"
    sed "s|/run/card-|$board/card-|g" <(in_folder "$root/images/root/usr/lib/talon-image/card-reserve")
    echo keep_reserve
  } > "$board/script"
  sed -i "s|/bin/busybox|$busybox|g" "$board/script"
  "$busybox" sh "$board/script"
}
reserve_has() {
  dd if="$board/disk" of="$board/reserve" bs=512 skip=6145 count=1024 status=none
  tar -tf "$board/reserve" > "$board/names" 2> /dev/null || true
  grep -qx "$1" "$board/names"
}

reserve_claims() {
  say "the second place"
  make_board
  echo "the identity" > "$board/data/lib/talon/identity"
  echo "a pin" > "$board/data/lib/talon/gateway-0123"
  claim "identity and gateways are kept" reserves
  claim "both" reserve_has gateway-0123
  truncate -s 100G "$board/data/lib/talon/gateway-4567"
  claim "a file of 100 GB is not read to its end" reserves
  claim "and fills no memory" [ ! -e "$board/card-reserve" ]
  claim "what was kept stays" reserve_has identity
  rm "$board/data/lib/talon/gateway-4567"
  touch "$board/data/lib/talon/gateway- --checkpoint-action=exec=x"
  claim "a name that is none of Talon's is left out" reserves
  claim "and the others are kept" reserve_has identity
}

# make_card TEXT: a board that runs for two minutes without a network, whose network.conf has this text.
make_card() {
  make_board
  in_folder "$root/images/root/usr/lib/talon-image/wifi-code" > "$here/wifi-code"
  printf '#!/bin/sh\nexec %s sh %s "$@"\n' "$busybox" "$root/images/root/usr/lib/talon-image/network-setup" > "$here/network-setup"
  chmod +x "$here/network-setup"
  mkdir -p "$board"/{run/{imager,talon},data/taken,class/net/{lo,eth0,wlan0/phy80211}}
  echo 1 | tee "$board/class/net/lo/carrier" > "$board/class/net/wlan0/carrier"
  echo 0 > "$board/class/net/eth0/carrier"
  : > "$board/run/imager/network"
  echo "2: wlan0    inet 192.0.2.5/24 brd 192.0.2.255 scope global wlan0" > "$board/gives"
  runs_for 120
  card_says "$1"
  takes start
}
card_says() {
  printf '%b' "$1" > "$board/run/card-network"
  { sed -n '/^drop_old_code()/,/^}/p' "$root/images/root/usr/lib/talon-image/card-setup"; echo drop_old_code; } \
    | sed "s|/run/|$board/run/|g; s|/data/|$board/data/|g" > "$board/script"
  "$busybox" sh "$board/script"
  "$here/network-setup" "$board/run/card-network" "$board/run" shed "$board/run/imager/network" "$board/data/taken/wifi"
}

# takes [WORD]: root's side of Wi-Fi by a code. A network that is there gives its address when wpa_supplicant begins.
takes() {
  cat > "$board/script" << SCRIPT
ip() { cat $board/addresses; }
sleep() { :; }
sync() { :; }
systemctl() {
  echo "systemctl \$*" >> $board/made
  [ "\$2" != talon-wifi.service ] || [ ! -e $board/gives ] || cp $board/gives $board/addresses
}
set -- ${1-}
SCRIPT
  cat "$here/wifi-code" >> "$board/script"
  : > "$board/made"
  : > "$board/addresses"
  [[ ! -e $board/has ]] || cp "$board/has" "$board/addresses"
  "$busybox" sh "$board/script" > "$board/said" 2>&1
}
asks_for() {
  rm -rf "$board/run/talon/wifi-request"
  printf '%s\n' "$@" > "$board/run/talon/wifi-request"
  takes
}
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
is_told() { grep -qx "state = $1" "$facts/wifi" || { cat "$facts/wifi"; return 1; }; }
joins() { asks_for "$@" && is_told joined; }
joins_not() {
  local reason=$1; shift
  asks_for "$@"
  is_told failed && grep -q "^reason = .*$reason" "$facts/wifi" && made_not "systemctl restart .*" && [[ ! -e $board/data/taken/wifi ]]
}
supplicant_says() { says "$board/run/wpa_supplicant.conf" "$1"; }
is_no_wifi_request() {
  puts "$1" "$board/run/talon/wifi-request"
  takes
  is_told waiting && [[ ! -s $board/made && ! -e $board/run/talon/wifi-request && ! -e $board/run/talon/wifi-request.taken ]]
}

wifi_claims() {
  local allowed='[wifi]\ncountry = CH\ncamera = yes\n' secret="a \"secret\" one" kind line
  local -A lies=(
    ["a name of 33 bytes"]="ssid = $(printf '61%.0s' {1..33})" ["a name with the end of a line"]="ssid = 620a7073"
    ["a name that is none in hexadecimal digits"]='ssid = "barn"' ["no name"]="hidden = yes" ["an empty one"]="ssid = "
    ["half a byte"]="ssid = 626" ["a passphrase with the end of a line"]="passphrase = $(hex "longenough")0a70736b"
    ["one of 7 letters"]="passphrase = $(hex "seventh")" ["one of 64"]="passphrase = $(printf '61%.0s' {1..64})"
    ["a key of 63 digits"]="psk = $(printf 'a%.0s' {1..63})" ["another key"]="country = US" ["a shell"]='ssid = $(reboot)'
    ["a word that is neither yes nor nothing"]="hidden = no" ["a section"]="[wifi]"
  )
  say "Wi-Fi by a code"
  make_card "$allowed"
  claim "what the card allows is told the agent" is_told waiting
  claim "the network of a code is joined" joins "id = 1" "ssid = $(hex 'B "1" = x')" "passphrase = $(hex "$secret")" "hidden = yes"
  claim "by its name" supplicant_says "ssid=$(hex 'B "1" = x')"
  claim "its passphrase" supplicant_says "psk=\"$secret\""
  claim "hidden as it is, in the card's country" eval 'supplicant_says scan_ssid=1 && supplicant_says country=CH'
  claim "nothing of it is said" eval '[[ ! -s $board/said ]] && ! grep -rqF "$secret" "$facts" "$board/made" "$board/script"'
  claim "and it is root's alone" eval '[[ $(stat -c %a "$board/data/taken/wifi") == 600 && ! -e $board/run/wifi-code ]]'
  claim "the next start has it" eval 'card_says "$allowed" && supplicant_says "psk=\"$secret\""'
  claim "until a person changes network.conf" card_says "$allowed#\n"
  claim "which ends it" eval '[[ ! -e $board/run/wpa_supplicant.conf && ! -e $board/data/taken/wifi ]]'
  make_card "$allowed"
  claim "a key of 64 digits does as well" joins "id = 2" "ssid = 62" "psk = $(printf 'ab%.0s' {1..32})"
  claim "without quotes" supplicant_says "psk=abab"
  make_card "$allowed"
  claim "and no passphrase, for an open network" joins "id = 3" "ssid = 62"
  claim "so it is" supplicant_says key_mgmt=NONE
  make_card "$allowed"
  for kind in "${!lies[@]}"; do
    line=${lies[$kind]}
    case $line in
      ssid* | hidden\ =\ yes) claim "$kind is no request" joins_not "is no network" "id = 4" "$line" ;;
      *) claim "$kind is no request" joins_not "is no network" "id = 4" "ssid = 62" "$line" ;;
    esac
  done
  claim "nor are two names" joins_not "is no network" "id = 5" "ssid = 62" "ssid = 63"
  claim "nor a passphrase and a key" joins_not "is no network" "id = 5" "ssid = 62" "passphrase = $(hex longenough)" \
    "psk = $(printf 'ab%.0s' {1..32})"
  takes start
  echo "ssid = 62" > "$board/secret"
  for kind in pipe folder link; do claim "a request that is a $kind is none" is_no_wifi_request "$kind"; done
  claim "a huge one is read to its bound" is_no_wifi_request huge
  claim "what a link points at stays" says "$board/secret" "ssid = 62"
  runs_for 720
  claim "twelve minutes after power-on it is too late" joins_not "restart it" "id = 6" "ssid = 62"
  runs_for 719
  echo 1 > "$board/class/net/eth0/carrier"
  claim "a cable is a network" joins_not "has a network" "id = 7" "ssid = 62"
  echo 0 > "$board/class/net/eth0/carrier"
  cp "$board/gives" "$board/has"
  claim "so is an address" joins_not "has a network" "id = 8" "ssid = 62"
  echo "1: lo    inet6 fd00::1/128 scope global" > "$board/has"
  claim "but not that of the loopback, nor a radio's carrier" joins "id = 9" "ssid = 62"
  make_card "$allowed"
  rm -r "$board/class/net/wlan0"
  claim "without a radio nothing is begun" joins_not "no Wi-Fi" "id = 10" "ssid = 62"
  make_card '[wifi]\ncountry = CH\nssid = Card\npassphrase = of the card\n'
  claim "what the card does not allow is not done" joins_not "does not allow it" "id = 11" "ssid = 62"
  make_card "${allowed}ssid = Card\npassphrase = of the card\naddress = 192.0.2.9/24\n"
  claim "a code's network takes the place of the card's" joins "id = 12" "ssid = 62"
  claim "without its passphrase and its address" eval '! supplicant_says "of the card" &&
    ! grep -q 192.0.2.9 "$board/run/systemd/network/30-wifi.network"'
  make_card "${allowed}ssid = Card\npassphrase = of the card\n"
  rm "$board/gives"
  asks_for "id = 13" "ssid = 62" "passphrase = $(hex "not the one")"
  claim "one that gives no address has failed" is_told failed
  claim "is not kept" [ ! -e "$board/data/taken/wifi" ]
  claim "and the card's network is back" supplicant_says 'psk="of the card"'
}

begin "$out/test/lies"
"$root/board/prepare" vm
update_claims
file_claims
name_claims
reserve_claims
wifi_claims
