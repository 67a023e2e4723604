# shellcheck shell=bash
# Input devices that a scenario plugs into its virtual machine, beside lib/field-vm.sh: the kernel makes them (uinput), and all
# that is on the way from there is real.

# put_inputs FOLDER: the guest of the machine in FOLDER has the program that makes them.
put_inputs() { put_program "$1" uinput; }

# plug NAME WORD...: a device, until `unplug`, and back when a program reads it. What it can: key=CODE rel=CODE abs=CODE,MINIMUM,MAXIMUM prop=NUMBER.
plug() {
  guest "mkfifo /tmp/$1.events; uinput $* < /tmp/$1.events > /tmp/$1.log 2>&1 & sleep 100000 > /tmp/$1.events & echo \$! > /tmp/$1.pid
    for look in \$(seq 100); do
      path=\$(grep -lx $1 /sys/class/input/event*/device/name) && path=\${path#/sys/class/input/} &&
        ls -l /proc/[0-9]*/fd 2> /dev/null | grep -q \"/dev/input/\${path%%/*}\$\" && exit 0
      sleep 0.1
    done; cat /tmp/$1.log >&2; exit 1"
}
unplug() { guest "kill \$(cat /tmp/$1.pid); rm /tmp/$1.events"; }

# events NAME EVENT...: "TYPE CODE VALUE", or - for the end of a report.
events() {
  local name=$1 word lines=; shift
  for word in "$@"; do lines+=${word#-}'\n'; done
  guest "printf '$lines' > /tmp/$name.events"
}
