# shellcheck shell=bash
# An update server that shares no code with Talon: gooseBit (PyPI) in an environment of its own. Sourced after common.sh, never run.

update_server_root=$out/update-server
# Waits between attempts to fetch it.
update_server_waits=(0 2 5)

# Leaves an interpreter with gooseBit in update_server_python; pip takes no wheel but those of fleet/server/goosebit.txt, with these hashes.
prepare_update_server() {
  local wait wanted=$root/fleet/server/goosebit.txt
  update_server_python=$update_server_root/bin/python
  cmp -s "$update_server_root/wanted" "$wanted" && return 0
  rm -rf "$update_server_root"
  mkdir -p "$update_server_root"
  /usr/bin/python3 -m venv --without-pip "$update_server_root"
  for wait in "${update_server_waits[@]}"; do
    sleep "$wait"
    if /usr/bin/python3 -m pip --python "$update_server_python" install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
      --only-binary :all: --require-hashes -r "$wanted" > "$update_server_root/log" 2>&1; then
      cp "$wanted" "$update_server_root/wanted"
      return 0
    fi
  done
  die "cannot fetch gooseBit: $(tail -1 "$update_server_root/log")"
}

# start_update_server PORT [ADDRESS]: at 127.0.0.1; its data are in the bench's folder. ADDRESS: it speaks TLS, with a certificate for the
# address at which boards find it, server.pem in that folder.
start_update_server() {
  local tls=()
  mkdir -p "$bench/server"
  if [[ ${2-} ]]; then
    export UPDATE_SERVER_TLS=yes
    "$update_server_python" "$root/board/peers/update_server.py" certificate "$bench/server" "$2"
    tls=("$bench/server/server.pem" "$bench/server/server.key")
  fi
  "$update_server_python" "$root/board/peers/update_server.py" serve "$bench/server" "$1" "${tls[@]}" >> "$bench/server.log" 2>&1 &
  update_server_pid=$!
  update_server_port=$1
  wait_for 30 eval "(: < /dev/tcp/127.0.0.1/$1) 2> /dev/null" || die "gooseBit does not start; see $bench/server.log"
}

update_server() { "$update_server_python" "$root/board/peers/update_server.py" "$1" "$update_server_port" "${@:2}"; }
