#!/usr/bin/env bash
# The Debian package in a real Debian with systemd: it installs and runs by itself, says how it does, is watched, works in
# its sandbox under its memory limit, is upgraded, and leaves nothing behind.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-system.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

exposure_max=1.5
# What stays of any package: logs, caches, and what dpkg and systemd note of themselves.
kept='^/(proc|sys|dev|run|tmp|root)(/|$)|^/var/(log|cache|tmp|lib/(apt|dpkg|systemd/deb-systemd))(/|$)|^/etc/(passwd|group|shadow|gshadow)-$'

property() { guest "systemctl show -P $1 talon"; }
is_active() { [[ $(property ActiveState) == active ]]; }
status_says() { [[ $(property StatusText) == *"$1"* ]]; }
pid_differs() { [[ $(property MainPID) != "$1" ]] && is_active; }
journal_says() { guest 'journalctl -u talon -o cat' > "$bench/journal" && says "$bench/journal" "$1"; }

is_clean() { lintian --allow-root --fail-on error,warning "$@"; }
is_reproducible() {
  local before after
  before=$(sha256sum "$deb")
  "$root/board/package" x86_64
  after=$(sha256sum "$deb")
  [[ $before == "$after" ]]
}

# Every file, every user and every group of the guest.
list_all() { guest "find / -xdev | grep -Ev '$kept' | sort; getent passwd; getent group | grep -Ev '^(i2c|gpio):'"; }

is_as_installed() {
  guest 'set -e
    test "$(stat -c "%U:%G %a" /etc/talon/talon.conf)" = "root:talon 640"
    test "$(stat -c "%U %a" /var/lib/talon)" = "talon 700"
    systemctl is-enabled talon
    id -nG talon | grep -w video | grep -w input | grep -w dialout | grep -w i2c | grep -w gpio
    talon config check
    talon --help | grep -q "talon run"
    zcat /usr/share/man/man1/talon.1.gz | grep -q "^.SS talon run"
    zcat /usr/share/man/man5/talon.conf.5.gz | grep -qF "[gateway]"
    test -s /usr/share/doc/talon/NOTICE.gz
    bash -c "source /usr/share/bash-completion/completions/talon; COMP_WORDS=(talon st); COMP_CWORD=1; _talon; test \"\${COMPREPLY[*]}\" = status"'
}

# Chips on I2C, whose /dev/i2c-0 the rules load, lights, and the files of a light's trigger, which come when it is chosen.
gives_devices_to_groups() {
  guest 'modprobe -a input-leds ledtrig-timer ledtrig-pattern && modprobe i2c-stub chip_addr=0x68 && udevadm settle && udevadm settle
    cd /sys/class/leds/*capslock && echo timer > trigger && udevadm settle
    for file in brightness trigger delay_on; do test "$(stat -c "%G %A" $file)" = "video -rw-rw-r--" || exit 1; done
    echo none > trigger
    test "$(stat -c "%G %a" /dev/i2c-0)" = "i2c 660"'
}

# By the kernel where udev gives the trigger's files away soon enough, which a machine as slow as this one may not.
light_is_well() { { guest 'talon status --json 2> /dev/null' || true; } | jq -e 'any(.hardware[]; .name == "light" and .state == "ok")' > /dev/null; }
light_blinks() {
  guest 'led=$(basename /sys/class/leds/*capslock)
    printf "[light]\ndriver = led\nled = $led\n" >> /etc/talon/talon.conf && systemctl reload talon'
  guest 'cd /sys/class/leds/*capslock && for look in $(seq 100); do
    if grep -q "\[pattern\]" trigger || test "$(cat brightness)" != 0; then exit 0; fi
    sleep 0.1
  done; exit 1'
  # The agent begins anew to take its configuration over.
  wait_for 10 light_is_well
}

qemu_screen() { "$root/board/peers/screen.py" "$@"; }
shot() { qemu_screen shot "$bench/vm" "$bench/$1.ppm" panel; }
has_text() { shot now && qemu_screen same "$bench/text.ppm" "$bench/now.ppm"; }
has_other_text() { [[ $(shown_console) == tty1 ]] && ! has_text 2> /dev/null; }
shown_console() { guest 'cat /sys/class/tty/tty0/active'; }
# What is scanned out is the gateway's picture of the screen.
has_canvas() {
  invoke canvas.snapshot '{"format":"png","maxWidth":4096}' --out "$bench/now.png" > "$bench/now.json" || return 1
  "$root/board/peers/png.py" "$bench/now.png" "$bench/picture.ppm" > /dev/null
  shot now && qemu_screen shows "$bench/now.ppm" "$bench/picture.ppm" 0 24 2> /dev/null
}
is_its_own_user() { [[ $(guest 'stat -c %U /proc/$(systemctl show -P MainPID talon)') == talon ]]; }

# presses KEY...: all of them together.
presses() {
  local key events=()
  for key in "$@"; do events+=("key:$key"); done
  for key in "$@"; do events+=("keyup:$key"); done
  qemu_screen send "$bench/vm" "${events[@]}"
}

takes_the_screen() {
  # The text stands still, but for what is typed.
  guest "printf '\\033[?25l' > /dev/tty1"
  [[ $(shown_console) == tty1 ]] && shot text || return 1
  guest 'printf "[canvas]\nscreen = auto\n" >> /etc/talon/talon.conf && systemctl reload talon'
  wait_for 20 journal_says "the screen has 640x480 pixels: drm" && wait_for 5 eval '[[ $(shown_console) == tty8 ]]'
}

# dies_of SIGNAL: the console is back while the service waits to be started anew, and then the canvas is.
dies_of() {
  guest "kill -$1 \$(systemctl show -P MainPID talon)"
  wait_for 4 has_text && wait_for 60 is_connected && wait_for 20 has_canvas
}

# doctor_says CODE FILTER: talon doctor ends so, and what it says satisfies the jq filter.
doctor_says() {
  local code=0
  guest 'talon doctor --json' > "$bench/doctor.json" || code=$?
  guest 'talon doctor' > "$bench/doctor.txt" || true
  if [[ $code == "$1" ]] && jq -e "$2" "$bench/doctor.json" > /dev/null; then return; fi
  cat "$bench/doctor.txt" >&2
  return 1
}

is_closed() {
  local exposure
  exposure=$(guest 'systemd-analyze security talon.service --no-pager' | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
  say "    systemd-analyze security: $exposure"
  awk -v is="$exposure" -v most="$exposure_max" 'BEGIN { exit !(is != "" && is <= most) }'
}

# A process that is stopped feeds no watchdog.
restarts_what_hangs() {
  local pid
  guest 'mkdir -p /run/systemd/system/talon.service.d
    printf "[Service]\nWatchdogSec=3\nRestartSec=1\n" > /run/systemd/system/talon.service.d/test.conf
    systemctl daemon-reload && systemctl restart talon'
  pid=$(property MainPID)
  guest "kill -STOP $pid"
  wait_for 20 pid_differs "$pid" && journal_says "Watchdog timeout"
  guest 'rm -r /run/systemd/system/talon.service.d && systemctl daemon-reload && systemctl restart talon'
}

# What wants more than the limit, in the service's own group, is ended; the service goes on.
ends_a_glutton() {
  guest 'sh -c "echo \$\$ > /sys/fs/cgroup/system.slice/talon.service/cgroup.procs && exec tail /dev/zero"' || true
  journal_says "killed by the OOM killer" || journal_says "oom-kill" || return 1
  wait_for 20 is_active
}

# CAP_SYS_TIME is bit 25 (linux/capability.h).
may_set_the_clock() { [[ $(guest 'sed -n "s/^CapEff:\t//p" /proc/$(systemctl show -P MainPID talon)/status') == 0000000002000000 ]]; }
gets_the_clock() {
  ! may_set_the_clock || return 1
  guest 'mkdir -p /etc/systemd/system/talon.service.d
    cp /usr/share/doc/talon/examples/talon-clock.conf /etc/systemd/system/talon.service.d/clock.conf
    systemctl daemon-reload && systemctl restart talon'
  may_set_the_clock && is_active
}

# The console stands on the line in place of a login, draws its screen there, and takes what is typed.
console_stands() {
  guest 'systemctl start serial-getty@ttyS1 && systemctl enable --now talon-console@ttyS1 2> /dev/null
    ! systemctl is-active serial-getty@ttyS1 > /dev/null'
  cat "$bench/vm/uart.out" > "$bench/console.raw" &
  sleep 4
  printf 'version\r' > "$bench/vm/uart.in"
  wait_for 20 says "$bench/console.raw" "talon 0." && [[ $(guest 'systemctl is-active talon-console@ttyS1') == active ]]
}

# The rule of images turns a USB port that can be a device into a serial port with a console; the computer at the other end is
# the same kernel here, by its own driver.
console_comes_by_usb() {
  guest 'install -D /root/usb-console.rules /run/udev/rules.d/70-talon-usb-console.rules && udevadm control --reload && modprobe dummy_hcd
    for look in $(seq 100); do systemctl is-active talon-console@ttyGS0 && test -c /dev/ttyACM0 && break; sleep 0.2; done
    stty -F /dev/ttyACM0 raw -echo && exec 4<> /dev/ttyACM0
    timeout 20 cat <&4 > /root/usb.raw & sleep 4
    # The first line ends what this end sent back of the screen before it stopped to echo.
    printf "\r" >&4 && sleep 1 && printf "version\r" >&4
    for look in $(seq 60); do grep -aq "talon 0\." /root/usb.raw && exit 0; sleep 0.2; done
    cat -v /root/usb.raw; exit 1' > "$bench/usb.log"
}

reloads() {
  local pid
  pid=$(property MainPID)
  guest 'systemctl reload talon'
  wait_for 20 journal_says "starting over with the new configuration" && wait_for 20 is_active && [[ $(property MainPID) == "$pid" ]]
}

pairs() {
  local code
  code=$("$gateway_program" qr --state "$bench/gateway" --setup-code-only --url "wss://10.0.2.2:$gateway_port")
  guest "echo $code | talon connect"
}

memory_stays_below_its_limit() {
  local peak most
  peak=$(guest 'cat /sys/fs/cgroup/system.slice/talon.service/memory.peak')
  most=$(property MemoryMax)
  say "    memory at its height: $(( peak / 1024 )) of $(( most / 1024 )) KiB"
  (( peak < most / 2 ))
}

keeps_what_was_changed() {
  guest 'echo "# mine" >> /etc/talon/talon.conf && apt-get install -y --reinstall /root/talon.deb > /dev/null 2>&1 &&
    grep -q "# mine" /etc/talon/talon.conf && test "$(stat -c %G /etc/talon/talon.conf)" = talon'
}

purges() {
  guest 'apt-get purge -y talon > /dev/null 2>&1'
  list_all > "$bench/after"
  diff "$bench/before" "$bench/after" >&2
}

begin "$out/test/package"
"$root/board/package" x86_64
deb=$(echo "$out"/packages/talon_*_amd64.deb)
start_gateway 0
mkdir -p "$bench/vm/files/root"
cp "$deb" "$bench/vm/files/root/talon.deb"
cp "$root/images/root/usr/lib/udev/rules.d/70-talon-usb-console.rules" "$bench/vm/files/root/usb-console.rules"
start_system
list_all > "$bench/before"

claim "apt installs it" guest 'apt-get install -y /root/talon.deb > /root/apt.log 2>&1 || { cat /root/apt.log; exit 1; }'
claim "the service runs" is_active
claim "systemctl status says what a person must do" status_says "run talon connect"
claim "files, rights, users, manual and completion are there" is_as_installed
claim "its sandbox is tight" is_closed
claim "devices belong to the groups" gives_devices_to_groups
claim "a light is blinked from inside the sandbox" light_blinks
claim "the service takes the screen, and shows a console of its own" takes_the_screen
claim "not as root" is_its_own_user
claim "the doctor says what is to be done" doctor_says 2 'any(.findings[]; .check == "gateway" and (.remedy | contains("talon connect")))'
guest 'modprobe vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0'
claim "a camera that is plugged in is found from inside the sandbox" wait_for 10 journal_says "1 camera is there"
claim "a setup code pairs it" pairs
claim "it asks for approval" wait_for 30 is_pending
claim "systemctl status shows the command" wait_for 5 status_says "devices approve $(pending_request)"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
board_name=field-board
claim "it connects" wait_for 60 is_connected
claim "systemctl status says so" wait_for 5 status_says connected
claim "the doctor has nothing to mend" doctor_says 1 \
  'all(.findings[]; .grade != "failure") and any(.findings[]; .check == "pairing" and .grade == "ok")
    and any(.findings[]; .check == "camera" and .grade == "ok")'
claim "a photo is taken in the sandbox" snaps 640 "$bench/640.jpg"
claim "a clip is recorded" answers camera.clip '{"durationMs":2000}' '.format == "mp4"'
claim "its health is told" answers device.health '{}' '.memory.totalRamBytes > 0 and .devices.camera.state == "ok"'
claim "memory stays far below its limit" memory_stays_below_its_limit
claim "the display shows home, pixel by pixel" wait_for 20 has_canvas
presses ctrl alt f1
claim "keys lead to the console of the login" wait_for 5 has_text
presses x
claim "where what is typed is the login's" wait_for 5 has_other_text
shot text
presses ctrl alt f8
claim "and back" wait_for 5 has_canvas
guest 'systemctl stop talon'
claim "a service that stops gives the console back" has_text
guest 'systemctl start talon'
claim "one that starts takes it" eval 'wait_for 60 is_connected && wait_for 20 has_canvas'
claim "killed, it has given it back, and comes again" dies_of KILL
claim "crashed, the same" dies_of ABRT
claim "a reload keeps the process" reloads
claim "after it the board is back" wait_for 30 is_connected
claim "a console stands on a serial line" console_stands
claim "a console comes by USB" console_comes_by_usb
claim "an upgrade keeps a changed configuration" keeps_what_was_changed
claim "after it the board is back" wait_for 30 is_connected
claim "the right to set the clock comes by a file" gets_the_clock
claim "what hangs is started anew" restarts_what_hangs
guest 'systemctl stop talon'
claim "the doctor sees that no agent runs, and reaches the gateway by itself" doctor_says 2 \
  'any(.findings[]; .check == "agent" and .grade == "failure") and any(.findings[]; .check == "address" and .grade == "ok")'
guest 'systemctl start talon'
claim "what eats memory is ended" ends_a_glutton
claim "a purge leaves nothing" purges
claim "lintian has nothing to say" is_clean "$deb"
claim "the same sources give the same package" is_reproducible
