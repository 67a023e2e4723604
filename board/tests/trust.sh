#!/usr/bin/env bash
# The x86_64 firmware and the mistakes of people: a gateway that shows another certificate, a configuration that is
# wrong, a board that is revoked. Each is refused or survived, said in plain words, and repaired by one command.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

gateway_heard() { grep -q '"method":"connect"' "$bench/gateway.log"; }
heard_nothing() { ! gateway_heard; }
fingerprint() { jq -r .fingerprint "$bench/started.json"; }

# another_gateway: the same address, another certificate; tokens and devices stay.
another_gateway() {
  stop_gateway
  rm "$bench"/gateway/gateway-*.pem
  start_gateway "$gateway_port"
}

begin "$out/test/trust"
claim "a command line that makes no sense exits with 64" exits_with 64 "$out/x86_64/talon" fly
claim "a configuration that is not there exits with 78" exits_with 78 "$out/x86_64/talon" run --config "$bench/none.conf"
start_gateway
start_emulated x86_64
agent=$!
pairs log_says
claim "status says online, and exits with 0" exits_with 0 talon status
claim "trust shows the gateway's certificate" grep -qF "$(fingerprint)" <(talon trust)
claim "a second agent with the same state is refused" exits_with 75 talon run

another_gateway
claim "another certificate is not trusted" wait_for 60 status_says untrusted
claim "status exits with 75" exits_with 75 talon status
claim "the log shows what was seen" log_says "$(fingerprint)"
claim "and status names it in the command to type" status_says "talon trust --replace $(fingerprint)"
claim "the other gateway heard nothing" heard_nothing
talon trust --replace "$(fingerprint)" > "$bench/replaced.txt"
claim "one command repairs it" wait_for 30 is_connected
claim "the device token still counts" log_says "online: connected"

cp "$bench/board/talon.conf" "$bench/right.conf"
echo "colour = blue" >> "$bench/board/talon.conf"
kill -HUP "$agent"
claim "a wrong configuration is named by file, line and key" wait_for 5 log_says "talon.conf:$(wc -l < "$bench/board/talon.conf"): [location] colour: unknown key"
claim "and the agent goes on" answers device.info '{}' '.systemName == "Linux"'
cp "$bench/right.conf" "$bench/board/talon.conf"
sed -i 's/^name = .*/name = Renamed board/' "$bench/board/talon.conf"
kill -HUP "$agent"
renamed() { gateway nodes status | jq -e 'any(.nodes[]; .connected and .displayName == "Renamed board")' > /dev/null; }
claim "a right one is taken without a new process" wait_for 10 renamed
claim "which is still the first" kill -0 "$agent"

gateway devices revoke "$(gateway devices list | jq -r '.paired[0].deviceId')" > "$bench/revoked.json"
claim "a revoked board asks again" wait_for 30 is_pending
claim "and says so" wait_for 5 status_says awaiting-approval
gateway devices approve "$(pending_request)" > "$bench/again.json"
claim "approved again, it serves" wait_for 30 is_connected

kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
claim "and status exits with 69" exits_with 69 talon status
