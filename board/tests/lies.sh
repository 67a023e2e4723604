#!/usr/bin/env bash
# What root's side of updates and of recovery makes of the lies of an agent that was taken over: whatever its user can write, and what any
# process can call itself. The scripts run in the image's own shell and in this machine's, in a folder, with what touches devices told here.
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
    s|/sys/fs/cgroup|$board/cgroup|g; s|/sys/class|$board/class|g" "$1"
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

begin "$out/test/lies"
"$root/board/prepare" vm
update_claims
file_claims
name_claims
reserve_claims
