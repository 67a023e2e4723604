# shellcheck shell=bash
# The seconds that processors work for a step, with everything that it starts: a machine in qemu goes on by itself (-daemonize), so its
# time is in no `time` of the shell. The kernel's control groups count it. Sourced after common.sh, never run.
#
# Where no group may be made (without root, outside a service of one's own), `is_counted` is false, and callers use `time`.

accounts=

# own_group: the control group of this process, as a folder that counts processor time. Version 1 has a hierarchy for it, version 2 one for
# everything (cgroups(7)).
own_group() {
  local path
  path=$(awk -F: '$2 ~ /(^|,)cpuacct(,|$)/ { print $3 }' /proc/self/cgroup)
  if [[ $path && -d /sys/fs/cgroup/cpuacct ]]; then
    echo "/sys/fs/cgroup/cpuacct${path%/}"
    return
  fi
  path=$(awk -F: '$1 == 0 { print $3 }' /proc/self/cgroup)
  [[ -f /sys/fs/cgroup$path/cgroup.procs ]] && echo "/sys/fs/cgroup${path%/}"
}

# open_accounts: makes the group of this run, in which each step has its own.
open_accounts() {
  local group
  group=$(own_group) || return 0
  group=$group/talon-$$
  mkdir "$group" 2> /dev/null || return 0
  accounts=$group
}
is_counted() { [[ $accounts ]]; }

# join_account NAME: what this shell does from now on counts for NAME.
join_account() {
  is_counted || return 0
  mkdir -p "$accounts/$1"
  echo "$BASHPID" > "$accounts/$1/cgroup.procs"
}

# spent [NAME]: whole seconds of NAME, or of everything.
spent() {
  local folder=$accounts${1:+/$1}
  if [[ -f $folder/cpuacct.usage ]]; then
    awk '{ printf "%.0f", $1 / 1e9 }' "$folder/cpuacct.usage"
  else
    awk '$1 == "usage_usec" { printf "%.0f", $2 / 1e6 }' "$folder/cpu.stat"
  fi
}

# close_account NAME, close_accounts: nothing may be left in them; what is stays, and the group with it.
close_account() { ! is_counted || rmdir "$accounts/$1" 2> /dev/null || true; }
close_accounts() {
  is_counted || return 0
  rmdir "$accounts"/*/ "$accounts" 2> /dev/null || true
}
