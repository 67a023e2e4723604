# shellcheck shell=bash
# A Modbus device that shares no code with Talon: pymodbus (PyPI) in an environment of its own. Sourced after common.sh, never run.

modbus_wheels="pymodbus==3.11.3 --hash=sha256:fcb84f3389325fc37a644229abf1f31f6704a86265ff3f5ad6ec550c2f243aa1
pyserial==3.5 --hash=sha256:c4451db6ba391ca6ca299fb3ec7bae67a5c55dde170964c7a14ceefec02f2cf0"
# Waits between attempts to fetch it.
modbus_waits=(0 2 5)
modbus_root=$out/modbus

# Leaves an interpreter with pymodbus in modbus_python; pip takes no wheel but those with these hashes.
prepare_modbus() {
  local wait
  modbus_python=$modbus_root/bin/python
  [[ -f $modbus_root/wanted && $(< "$modbus_root/wanted") == "$modbus_wheels" ]] && return 0
  rm -rf "$modbus_root"
  mkdir -p "$modbus_root"
  printf '%s\n' "$modbus_wheels" > "$modbus_root/list"
  /usr/bin/python3 -m venv --without-pip "$modbus_root"
  for wait in "${modbus_waits[@]}"; do
    sleep "$wait"
    if /usr/bin/python3 -m pip --python "$modbus_python" install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
      --only-binary :all: --require-hashes -r "$modbus_root/list" > "$modbus_root/log" 2>&1; then
      printf '%s' "$modbus_wheels" > "$modbus_root/wanted"
      return 0
    fi
  done
  die "cannot fetch pymodbus: $(tail -1 "$modbus_root/log")"
}

# start_modbus SOCKET NOISE: the device at the line of a virtual machine (board/peers/modbus.py).
start_modbus() {
  "$modbus_python" "$root/board/peers/modbus.py" "$@" > "$bench/modbus.log" 2>&1 &
  modbus_pid=$!
}
