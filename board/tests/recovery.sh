#!/usr/bin/env bash
# A board that hangs, in a real Debian with systemd: root's side obeys what it knows and nothing else; a worker of the agent that
# nothing can kill, and an agent that hangs five times in a row, restart the board, three times at most; the next start says why.
#
#   recovery.sh [--dead-link | --hanging]
#
# With --dead-link it also waits until the agent itself has found a dead link, which takes a quarter of an hour; with --hanging for a worker that
# nothing can kill and for an agent that hangs five times: on a machine with nothing else to do, for the clock decides there.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-system.sh"
source "$root/board/lib/claims.sh"

system_modules+=" virtio_blk ext4 loop dm-mod mac80211_hwsim"
kept=/var/lib/talon-recovery
request=/var/lib/talon/recovery/request

# What lasts over a restart, as a card would: its own disk. The rest of this system is in memory, so the package comes anew.
boot() {
  rm -rf "$bench"/vm/{command,uart}.{in,out} "$bench/vm/pid"
  system_more=(-drive "file=$bench/disk,format=raw,if=none,id=card,cache=writethrough" -device "virtio-blk-pci,drive=card")
  start_system
  guest 'modprobe -a virtio_blk ext4 mac80211_hwsim && udevadm settle && mkdir -p /data && mount /dev/vda /data &&
    mkdir -p /data/talon /data/talon-recovery /var/lib/talon /var/lib/talon-recovery &&
    mount -o bind /data/talon /var/lib/talon && mount -o bind /data/talon-recovery /var/lib/talon-recovery &&
    apt-get install -y /root/talon.deb > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }'
}

switch_on() {
  guest 'systemctl enable --now talon-recovery.path 2> /dev/null && systemctl restart talon'
  wait_for 20 talon_runs
}

# Its exit code says more than that it runs.
agent_status() { guest 'talon status --json 2> /dev/null || true'; }
talon_runs() { agent_status | grep -q '"pid":'; }
# runs_anew PID: another process than that one does.
runs_anew() {
  pid=$(guest 'systemctl show -P MainPID talon')
  [[ $pid && $pid != 0 && $pid != "$1" ]] && talon_runs
}
is_off() { guest '! systemctl is-enabled -q talon-recovery.path && ! systemctl is-active -q talon-recovery.path && ! test -e /run/talon-system/restart'; }
last_restart() { agent_status | jq -ce '.restart'; }
last_restart_is() { [[ $(last_restart) == "$1" ]] || { last_restart >&2; return 1; }; }
journal_says() { guest 'journalctl -u talon-recovery -u talon -o cat' > "$bench/journal" && says "$bench/journal" "$1"; }
# qemu takes its file away when it ends.
is_down() { [[ ! -f $bench/vm/pid ]] || ! kill -0 "$(cat "$bench/vm/pid" 2> /dev/null)" 2> /dev/null; }

# asks LINE...: as the agent does, by its user, without its minute between two requests.
asks() {
  local lines=$1
  guest "rm -f /run/talon-recovery/at; setpriv --reuid=talon --regid=talon --clear-groups sh -c '
    mkdir -p -m 700 ${request%/*}; printf \"%b\" \"$lines\" > $request.new; mv $request.new $request'"
}

refuses() {
  local words=$1; shift
  asks "$@"
  wait_for 10 journal_says "the agent's request is refused: $words"
}

# The agent's user may put anything in the place of its request: what it cannot read itself stays unread.
stays_unread() {
  guest "printf 'id = 90\ndo = restart\nreason = read by root\n' > /root/secret; chmod 600 /root/secret; rm -f /run/talon-recovery/at
    setpriv --reuid=talon --regid=talon --clear-groups ln -sf /root/secret $request.new
    setpriv --reuid=talon --regid=talon --clear-groups mv $request.new $request"
  sleep 3
  ! journal_says "read by root"
}

link_again() {
  guest 'timeout 60 ip monitor link > /root/links 2>&1 &'
  asks 'id = 20\ndo = interface\nname = '"$wire"'\nreason = the link has a carrier and no router\n'
  wait_for 15 journal_says "$wire is switched off and on: the link has a carrier and no router" || return 1
  wait_for 20 guest "grep -q 'state DOWN' /root/links && grep -q 'state UP' /root/links"
}

# The kernel numbers its interfaces as they come. A service that is bound to it, as talon-wifi is, ends with it and comes back.
driver_again() {
  local before bound
  guest 'printf "[Unit]\nBindsTo=sys-subsystem-net-devices-wlan0.device\nAfter=sys-subsystem-net-devices-wlan0.device\n[Service]\nExecStart=/bin/sleep 9999\n" \
    > /run/systemd/system/bound.service && systemctl daemon-reload && systemctl start bound'
  bound=$(guest 'systemctl show -P MainPID bound')
  before=$(guest 'cat /sys/class/net/wlan0/ifindex')
  asks 'id = 30\ndo = driver\nname = wlan0\nreason = the link has a carrier and no address\n'
  wait_for 20 eval "(( \$(guest 'cat /sys/class/net/wlan0/ifindex 2> /dev/null || echo 0') > $before ))" || return 1
  wait_for 20 guest "systemctl is-active -q bound && test \$(systemctl show -P MainPID bound) != $bound"
}

# A camera whose files lie on a disk that does not answer any more: who reads it is in uninterruptible sleep, SIGKILL or not.
hangs_a_worker() {
  guest 'set -e
    truncate -s 16M /root/pictures && loop=$(losetup -f --show /root/pictures) && mke2fs -q $loop
    echo "0 32768 linear $loop 0" | dmsetup create hanging
    mkdir -p /mnt && mount /dev/mapper/hanging /mnt && echo picture > /mnt/one.jpg && sync
    mkdir -p /etc/systemd/system/talon.service.d
    printf "[Service]\nWatchdogSec=5\nTimeoutStopSec=30\nTimeoutAbortSec=2\nRestartSec=1\n" > /etc/systemd/system/talon.service.d/test.conf
    printf "[camera]\ndriver = simulated\nfolder = /mnt\n" >> /etc/talon/talon.conf
    systemctl daemon-reload && systemctl restart talon'
  wait_for 20 talon_runs
  guest 'dmsetup suspend --nolockfs hanging && echo 3 > /proc/sys/vm/drop_caches
    timeout 8 talon snap > /dev/null 2>&1; true'
  guest 'cat /proc/$(systemctl show -P MainPID talon)/task/*/stat | grep "(talon) D " > /dev/null'
  # Ten minutes of the worker and the watchdog are not waited for: they would end in this.
  guest 'kill -KILL $(systemctl show -P MainPID talon)'
}

hangs_five_times() {
  local time pid=0
  guest 'mkdir -p /etc/systemd/system/talon.service.d
    printf "[Service]\nWatchdogSec=2\nTimeoutStopSec=20\nTimeoutAbortSec=1\nRestartSec=1\n" > /etc/systemd/system/talon.service.d/test.conf
    systemctl daemon-reload && systemctl restart talon'
  for time in 1 2 3 4 5; do
    wait_for 30 runs_anew "$pid" || return 1
    ! journal_says "the agent hung" || return 1
    guest "kill -STOP $pid"
  done
  wait_for 30 journal_says "restarting the board: the agent hung 5 times in a row"
}

# The agent finds it by itself: the carrier stays, and the address is taken away for good.
finds_a_dead_link() {
  guest 'systemctl stop systemd-networkd.socket systemd-networkd && for link in /sys/class/net/e*; do ip address flush dev ${link##*/}; done'
  wait_for 720 journal_says "the link has a carrier and no address: $wire; asking the system to switch it off and on" || return 1
  wait_for 20 journal_says "$wire is switched off and on: the link has a carrier and no address" || return 1
  wait_for 240 is_down
}

begin "$out/test/recovery"
"$root/board/package" --into "$bench/packages" x86_64
mkdir -p "$bench/vm/files/root"
cp "$bench"/packages/talon_*_amd64.deb "$bench/vm/files/root/talon.deb"
truncate -s 64M "$bench/disk"
PATH=$PATH:/usr/sbin mke2fs -q -t ext4 "$bench/disk"

boot
claim "the package leaves it off" is_off
switch_on
wire=$(guest 'basename /sys/class/net/e*')
claim "a first start is one by power" last_restart_is '{"cause":"power"}'
claim "a request without a number is refused" refuses "its number is none" 'do = restart\nreason = x\n'
claim "an unknown word is refused" refuses "what it asks for is not known" 'id = 1\ndo = erase\nreason = x\n'
claim "a name that leads elsewhere is refused" refuses "its name is none of an interface" 'id = 2\ndo = interface\nname = ../../x\nreason = x\n'
claim "an interface that is none is refused" refuses "there is no interface" 'id = 3\ndo = interface\nname = lo\nreason = x\n'
claim "a restart without a reason is refused" refuses "it has no reason" 'id = 4\ndo = restart\n'
claim "a request is not read with root's rights" stays_unread
claim "an interface is switched off and on" link_again
claim "a Wi-Fi driver is loaded again" driver_again
if [[ ${1-} == --hanging ]]; then
  hangs_a_worker
  claim "a worker that nothing can kill: the board restarts" wait_for 150 is_down
  boot
  switch_on
  claim "and says why" last_restart_is '{"cause":"recovery","reason":"a process of the agent cannot be killed"}'
fi
if [[ ${1-} == --dead-link ]]; then
  claim "a dead link is switched off and on, and as that does not help, the board restarts" finds_a_dead_link
else
  asks 'id = 40\ndo = restart\nreason = the link has a carrier and no router\n'
  claim "a restart that the agent asks for is one" wait_for 90 is_down
fi
boot
guest "echo '3 0' > $kept/restarts"
switch_on
claim "the next start says why" eval "last_restart | jq -e '.cause == \"recovery\" and (.reason | startswith(\"the link has a carrier\"))' > /dev/null"
[[ ${1-} != --hanging ]] || claim "an agent that hangs five times in a row is a reason" hangs_five_times
[[ ${1-} == --hanging ]] || asks 'id = 50\ndo = restart\nreason = the link has a carrier and no address\n'
claim "but three restarts are enough" wait_for 20 journal_says "the board is not restarted: it was 3 times"
claim "and the agent goes on" wait_for 30 talon_runs
