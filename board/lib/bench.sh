# shellcheck shell=bash
# The bench that the tests and the demo share: a gateway on this host, firmware somewhere, questions and
# answers. `begin FOLDER` comes first; what was started ends with the script.

board_name="Field board"
# Until a process has given back the memory that it needed for connecting (Budget.settleMilliseconds).
# shellcheck disable=SC2034  # for scripts that measure memory at rest
settle_seconds=15
gateway_program=$root/.build/debug/talon-gateway

begin() {
  bench=$1
  rm -rf "$bench"
  mkdir -p "$bench"
  trap finish EXIT
}

finish() {
  [[ ! -f $bench/vm/pid ]] || "$root/board/vm" stop "$bench/vm"
  # shellcheck disable=SC2046  # one word per process
  kill $(jobs -p) 2>/dev/null || true
  wait
}

# A port of 127.0.0.1 that nobody has.
free_port() { python3 -c 'import socket; one = socket.socket(); one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])'; }

# start_gateway [PORT [OPTION...]]: on 127.0.0.1, on a free port unless one is named; every frame goes to gateway.log. Sets
# gateway_port and gateway_pid.
start_gateway() {
  rm -f "$bench/started.json"
  "$gateway_program" run --state "$bench/gateway" --port "${1-0}" "${@:2}" --trace --json > "$bench/started.json" 2> "$bench/gateway.log" &
  gateway_pid=$!
  wait_for 20 test -s "$bench/started.json" || die "talon-gateway does not start; see $bench/gateway.log"
  gateway_port=$(jq -r .url "$bench/started.json" | sed 's|.*:\([0-9]*\)/$|\1|')
}

stop_gateway() {
  kill "$gateway_pid"
  wait "$gateway_pid" 2> /dev/null || true
}

gateway() { "$gateway_program" "$@" --state "$bench/gateway" --json; }

# write_config FOLDER HOST PREFIX CAMERA LOCATION: talon.conf and the shared token, in FOLDER on this machine;
# PREFIX is where FOLDER will be when Talon reads it. CAMERA and LOCATION are the lines of their sections.
write_config() {
  local folder=$1 host=$2 prefix=$3 camera=$4 location=$5
  mkdir -p "$folder"
  install -m 600 "$bench/gateway/token" "$folder/token"
  cat > "$folder/talon.conf" <<CONFIG
[gateway]
url = wss://$host:$gateway_port
token_file = $prefix/token
pairing_poll = 2

[node]
name = $board_name
state_directory = $prefix/state
runtime_directory = $prefix/run

[camera]
$camera

[location]
$location
CONFIG
}

pending_request() { gateway devices list | jq -er '.pending[0].requestId'; }
is_pending() { pending_request > /dev/null 2>&1; }
is_connected() { gateway nodes status | jq -e 'any(.nodes[]; .connected)' > /dev/null; }
is_gone() { ! is_connected; }

# A machine in qemu that shares two processors with three others takes up to 15 s to start a program, which is how long the gateway waits by
# itself.
invoke_milliseconds=45000

# invoke COMMAND [PARAMS [ARGUMENT...]]: prints the payload; fails, and prints the error, when the node does.
invoke() {
  local answer
  if answer=$(gateway nodes invoke --node "$board_name" --command "$1" --params "${2-{\}}" --timeout "$invoke_milliseconds" "${@:3}"); then
    jq .payload <<< "$answer"
  else
    jq .error <<< "$answer"
    return 1
  fi
}
