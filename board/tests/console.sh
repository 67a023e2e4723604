#!/usr/bin/env bash
# talon console as a person sees it: the x86_64 firmware on a real kernel's UART, a terminal (tmux) at the other end of the
# line. Its screens are kept in .out/test/console.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/claims.sh"

configuration=/etc/talon/talon.conf
pin=sesame-2468

terminal() { tmux -L "$session" -f /dev/null "$@"; }

# A person in front of a screen of 80x24, at a line of 115200 baud.
open_terminal() {
  mkfifo "$bench/requests"
  terminal new-session -d -x 80 -y 24 \
    "exec '$root/board/peers/terminal.py' '$bench/vm/line' '$bench/line.log' '$bench/requests' 2> '$bench/terminal.err'"
  wait_for 20 test -e "$bench/line.log" || die "no terminal; see $bench/terminal.err"
  # shellcheck disable=SC2064  # the session as it is named now
  trap "screen > '$bench/last.txt'; terminal kill-server 2> /dev/null || true; finish" EXIT
}

screen() { terminal capture-pane -p | sed 's/ *$//'; }
shows() { grep -qF -- "$1" <(screen); }
keep() { screen > "$bench/$1.txt"; }
keys() { terminal send-keys "$@"; }
# types LINE: and Enter.
types() { keys -l "$1"; keys Enter; }
# runs LINE: and waits for the command's end.
runs() {
  types "$1"
  sleep 0.5
  wait_for 30 shows "Enter goes back" || die "$1 does not end"
}
# costs SECONDS: a wrong PIN, after which there is a pause of nearly as long.
costs() {
  types 1111
  sleep 1
  (( $(screen | grep -oE 'PIN \(in [0-9]+' | grep -oE '[0-9]+' || echo 0) >= $1 - 3 ))
}
# sees WORDS TEXT [SECONDS]: the claim that the screen shows the text before long.
sees() { claim "$1" wait_for "${3-10}" shows "$2"; }

# The console as its unit runs it: again whenever it ends.
start_console() {
  guest "stty -F /dev/ttyS2 115200; (while :; do TERM=\$(cat /tmp/term 2> /dev/null || echo vt220) setsid talon console --baud 115200 --config $configuration < /dev/ttyS2 > /dev/ttyS2 2>> /tmp/console.err; sleep 0.5; done) > /dev/null 2>&1 &"
}

# pid WORD: the process of talon WORD in the guest.
pid() { guest "ps | awk '/[t]alon $1/ { print \$1; exit }'"; }
stop_agent() { guest "kill -TERM $(pid run)"; }

received() { awk '$2 != "sent" { sum += $2 } END { print sum + 0 }' "$bench/line.log"; }
# busiest: the most bytes that came within three seconds; in less, the emulator's own pauses count.
busiest() {
  awk '$2 != "sent" { time[++n] = $1; bytes[n] = $2; sum += $2; while (time[first + 1] <= $1 - 3000) sum -= bytes[++first]; if (sum > most) most = sum }
    END { print most + 0 }' "$bench/line.log"
}
# sends FILE: all of it has left this end of the line.
sends() {
  local before
  before=$(grep -c sent "$bench/line.log" || true)
  echo "send $1" > "$bench/requests"
  wait_for 100 eval '(( $(grep -c sent "$bench/line.log") > before ))'
}
serves() { answers device.info '{}' '.systemName == "Linux"'; }
within() { (( $1 <= $2 )) || { say "$1, and not $2"; return 1; }; }

begin "$out/test/console"
session=talon-console-$$
start_gateway
write_config "$bench/vm/files/etc/talon" 10.0.2.2 /etc/talon "driver = v4l2" "driver = none"
mkdir -p "$bench/vm/files/sbin"
printf '#!/bin/sh\necho "would start anew" > /tmp/reboot\n' > "$bench/vm/files/sbin/reboot"
chmod 755 "$bench/vm/files/sbin/reboot"
"$root/board/vm" start "$bench/vm"
open_terminal

say "before there is an agent"
start_console
sees "the screen says that no agent runs" "not running"
start_talon
sees "the screen goes on by itself when one does" "awaiting-approval"
wait_for 60 is_pending || die "no pairing request arrived"
request=$(pending_request)
sees "it shows the command that approves" "openclaw devices approve $request"
keep awaiting-approval
gateway devices approve "$request" > "$bench/approved.json"
sees "approved, it is online without a key" "online: connected" 30
sees "node, pin, network, hardware and memory are there" "memory   "
keep online
start=$(received)
sleep 10
claim "a screen on which nothing happens takes next to nothing of the line" within $(( $(received) - start )) 1500

say "commands"
keys hel Tab
sees "Tab completes a command" "talon> help"
keys Enter
sees "help lists them" "doctor        checks everything"
types ""
keys -l "config set camera.de"; keys Tab
sees "and keys of the configuration" "talon> config set camera.delay"
runs " 99999"
sees "a value that is wrong changes nothing" "nothing was changed"
runs "config set log.level debug"
sees "one that is right is set" "log.level is set"
claim "and the agent takes it up" wait_for 10 log_says "starting over with the new configuration"
types ""
sees "and is back" "online: connected" 20
runs log
sees "the log is shown" "online: connected"
keep log
keys Up Up
sees "lines come back" "talon> config set log.level debug"
keys C-c
runs version
sees "a command of talon runs" "build"
types "camera controls"
sees "what is long stops at the page's end" "More: Space"
keep page
keys q
sees "q leaves it" "Enter goes back"
types "log follow"
sees "a command that goes on does" "Ctrl-C stops it"
keys C-c
sees "and Ctrl-C ends it" "Enter goes back"
types connect
sees "connect without a code looks for gateways" "Looking for gateways"
sees "and asks for a code" "Paste the join URL" 20
keep connect
types nonsense
sees "what is none is told, and asked again" "That connects nothing"
keys C-c
sees "Ctrl-C leaves everything in place" "nothing was changed"
sees "and ends it" "Enter goes back"
runs snap
sees "a photo is taken into a file" "bytes"
claim "which is there" guest "test -s /etc/talon/run/snap.jpg"
runs selftest
sees "the board tries what it has" "gateway      online"
keep selftest
runs panic
sees "panic holds the board still" "held still"
types ""
sees "which the screen says" "Let go with: panic release"
claim "the gateway is left" wait_for 10 is_gone
runs "panic release"
sees "let go, it serves again" "released"
claim "and is online again" wait_for 30 is_connected
types reboot
sees "reboot asks" "Type yes"
types yes
sees "and then does" "rebooting"
claim "by the system's own program" guest "cat /tmp/reboot > /dev/null"
sees "and is over" "Enter goes back"
types shell
sees "there is no shell" "no command \"shell\""

say "a line that is bad"
head -c 200000 /dev/urandom | tr -d '\r\n\003\004' > "$bench/noise"
claim "noise comes" sends "$bench/noise"
keys C-c
types ""
sees "after noise the screen is whole again" "online: connected" 20
"$root/board/peers/machine.py" break "$bench/vm/qmp" line
runs version
sees "a break is nothing" "build"
types ""
head -c 1000000 /dev/zero | tr '\0' 'x' > "$bench/flood"
started=$SECONDS
claim "a million bytes without a line end" sends "$bench/flood"
say "    took $(( SECONDS - started )) s"
keys Enter
sees "are not run" "so it was not run" 20
claim "and the agent serves on" serves
runs version
sees "so does the console" "build"

say "an agent that goes and comes"
types ""
stop_agent
sees "the screen says that it ended" "restarting"
start_talon
sees "and that it is back" "online: connected" 30
guest "cat /proc/$(pid console)/status" > "$bench/console-status.txt"
# The rest of what is in memory is the program's code, which the agent has as well.
claim "the console has little memory of its own" within "$(awk '/RssAnon/ { print $2 }' "$bench/console-status.txt")" 2000

say "a shell, and a plain terminal"
runs "config set console.shell /bin/sh"
sees "nobody who types here gives himself a shell" "can only be set in the file"
guest "printf '\n[console]\nshell = /bin/sh\n' >> $configuration"
types exit
sees "the next console has what the file says" " talon "
sleep 2
types shell
sleep 1
types 'echo sum $((40 + 2))'
sees "there is a shell where the configuration names one" "sum 42"
types exit
claim "its end is the console again" wait_for 10 eval '! shows "sum 42"'
guest "sed -i '/^shell = /d' $configuration"
guest "echo dumb > /tmp/term"
types ""
types exit
sleep 1
keys Enter
sleep 1
types version
sees "a terminal that can do nothing is served line by line" "(build"
types status
sees "and told the state" "talon> status"
# What is typed while it runs is told to it, and is no command.
claim "which ends" wait_for 10 eval '[[ $(screen | grep . | tail -n 1) == "talon>" ]]'
guest "rm /tmp/term"
types exit
claim "a better one gets its screen again" wait_for 20 eval '[[ $(screen | head -n 1) == " talon "* ]]'

say "a PIN"
hash=$(guest "echo $pin | talon config hash-pin 2> /dev/null")
guest "echo 'pin = $hash' >> $configuration && echo 'lock = 1' >> $configuration"
claim "a PIN stands in the configuration as its hash alone" guest "! grep -q $pin $configuration && talon config check"
runs "config show console"
sees "and not shown" "pin = (hidden)"
types exit
sees "who comes next is asked for it" "Commands need the PIN."
keep locked
claim "wrong ones cost a pause, which doubles" wait_for 60 costs 8
guest "kill $(pid console)"
sees "and survives the console" "PIN (in "
claim "for a while" wait_for 20 eval '! shows "PIN (in "'
types "$pin"
sees "the right one opens" "talon>"
types "log follow"
sees "a command that goes on is shown" "Ctrl-C stops it."
sees "until nobody has typed for as long as the file says" "Commands need the PIN." 90
claim "which ends it" eval '! guest "ps" | grep -q "[t]alon log"'
types "$pin"
sees "and the PIN opens again" "talon>"
claim "no PIN is in the log" guest "! grep -q $pin $guest_log"

claim "the line was never asked for more than it carries" within "$(busiest)" 34560
say "    at most $(busiest) bytes in three seconds, $(received) in all"
say "    $(grep RssAnon "$bench/console-status.txt")"
claim "and nothing went wrong at the console" guest "! test -s /tmp/console.err"
