#!/usr/bin/env bash
# The x86_64 firmware finds gateways: by multicast DNS on a link, from python-zeroconf, and in a domain, from dnsmasq.
# Board and gateway are two network namespaces with a cable between them; the network of this machine is not touched.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

# Everything below happens in namespaces of this script's own, as their root.
if [[ ${1-} != inside ]]; then
  "$root/board/prepare" discovery
  exec unshare --map-root-user --net --mount "$0" inside
fi

board_address=192.0.2.10
gateway_address=192.0.2.20
tls_hint=$(printf 'ab%.0s' {1..32})

talon() { "$out/x86_64/talon" "$@"; }
discover() { talon discover --json "$@" > "$bench/found.json" 2> "$bench/found.err"; }
exits_with() { local code=0; "${@:2}" > "$bench/said.txt" 2>&1 || code=$?; (( code == $1 )); }
found() { jq -e "$1" "$bench/found.json" > /dev/null || { cat "$bench/found.json" >&2; return 1; }; }
at_gateway() { nsenter --target "$gateway_side" --net "$@"; }
is_knocked() { grep -qx "$board_address" "$bench/knocks" 2> /dev/null; }
is_harmless() { ! LC_ALL=C grep -q '[^[:print:]]' <(LC_ALL=C tr -d '\n\200-\377' < "$1"); }

# A cable between the two namespaces, and an interface that leads nowhere and has no address.
lay_cable() {
  unshare --net sleep 60 &
  gateway_side=$!
  wait_for 5 other_network
  ip link set lo up
  ip link add board type veth peer name gateway
  ip link add idle type veth peer name nowhere
  ip link set gateway netns "$gateway_side"
  plug_in ip board "$board_address" 10
  plug_in "at_gateway ip" gateway "$gateway_address" 20
  ip link set idle up
  board_index=$(ip -json link show board | jq '.[0].ifindex')
}

other_network() { [[ $(readlink "/proc/$gateway_side/ns/net") != $(readlink /proc/self/ns/net) ]]; }

# plug_in IP INTERFACE IPV4 NUMBER: IPv6 addresses without waiting for duplicates.
plug_in() {
  $1 link set "$2" addrgenmode none
  $1 link set "$2" up
  $1 address add "$3/24" dev "$2"
  $1 address add "fd00::$4/64" dev "$2" nodad
  $1 address add "fe80::$4/64" dev "$2" nodad
}

start_advertising() {
  nsenter --target "$gateway_side" --net /usr/bin/python3 "$root/board/peers/advertise.py" "$gateway_address" "$bench/knocks" > "$bench/advertiser.txt" 2>&1 &
  wait_for 10 grep -q ready "$bench/advertiser.txt" || die "python-zeroconf does not start; see $bench/advertiser.txt"
}

start_name_server() {
  local name=shed-gateway._openclaw-gw._tcp.openclaw.internal
  echo "nameserver $gateway_address" > "$bench/resolv.conf"
  mount --bind "$bench/resolv.conf" /etc/resolv.conf
  nsenter --target "$gateway_side" --net dnsmasq --no-daemon --conf-file=/dev/null --no-resolv --no-hosts --pid-file= \
    --listen-address="$gateway_address" --bind-interfaces --local=/internal/ \
    --ptr-record="_openclaw-gw._tcp.openclaw.internal,$name" --srv-host="$name,shed.openclaw.internal,18790" \
    --txt-record="$name,role=gateway,transport=gateway,displayName=Shed,gatewayPort=1,gatewayTls=yes" \
    --host-record=shed.openclaw.internal,192.0.2.30,fd00::30 > "$bench/dnsmasq.log" 2>&1 &
}

begin "$out/test/discovery"
claim "without a network nothing is found, and why is said" exits_with 69 talon discover --seconds 1
claim "which is that there is none" says "$bench/said.txt" "no network"
lay_cable
claim "where nobody advertises nothing is found" exits_with 69 talon discover --seconds 1
claim "and a person is told what to do instead" says "$bench/said.txt" "url = wss://HOST:18789"

start_advertising
claim "a link with gateways shows them" discover --seconds 2
claim "two gateways, and nothing else" found '[.gateways[].instance] | sort == ["Küche ✓", "Studio (OpenClaw)"]'
studio='.gateways[] | select(.instance == "Studio (OpenClaw)") |'
kitchen='.gateways[] | select(.instance == "Küche ✓") |'
claim "where SRV says, whatever TXT says" found "$studio .url == \"wss://studio.local:18789\""
claim "IPv4 first, the link-local address last and with its interface" found "$studio .addresses == [\"$gateway_address\", \"fd00::20\", \"fe80::20%$board_index\"]"
claim "the fingerprint is a hint" found "$studio .unprovenFingerprint == \"$tls_hint\""
claim "the id stays when all else changes" found "$studio .id == \"_openclaw-gw._tcp|local.|studio (openclaw)\""
claim "no TLS is said, and no other name than SRV's" found "$kitchen .tls == false and .url == \"ws://kitchen.local:8080\""
claim "a name with control characters loses them" found "$kitchen .displayName == \"[31mKüche txt\""
claim "people see the same" exits_with 0 talon discover --seconds 1
claim "with a line for the configuration" says "$bench/said.txt" "url = wss://studio.local:18789"
claim "and nothing that a terminal would obey" is_harmless "$bench/said.txt"

mkdir "$bench/board"
echo secret > "$bench/board/token"
printf '[gateway]\nurl = wss://studio.local:18789\ntoken_file = %s/token\n[node]\nstate_directory = %s/state\nruntime_directory = %s/run\n' \
  "$bench/board" "$bench/board" "$bench/board" > "$bench/board/talon.conf"
"$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "a configured NAME.local is reached without a daemon" wait_for 8 is_knocked
kill "$agent"

start_name_server
claim "a domain shows its gateway" wait_for 8 discover --seconds 5 --domain openclaw.internal
claim "with its host and addresses" found '.gateways == [{
  "id": "_openclaw-gw._tcp|openclaw.internal.|shed-gateway", "displayName": "Shed", "instance": "shed-gateway",
  "domain": "openclaw.internal.", "url": "wss://shed.openclaw.internal:18790", "host": "shed.openclaw.internal",
  "port": 18790, "addresses": ["192.0.2.30", "fd00::30"], "tls": true}]'
claim "another domain has none" exits_with 69 talon discover --seconds 5 --domain empty.internal.
claim "and that is said" says "$bench/said.txt" "know no gateway"
