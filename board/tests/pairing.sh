#!/usr/bin/env bash
# The x86_64 firmware and the people who pair it: setup codes, tokens that are rotated, revoked and removed, certificates
# that are renewed, gateways that move. At every step status says in one sentence what a person must do.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"

connections() { grep -c 'online: connected' "$bench/talon.log" || true; }
device() { gateway devices list | jq -r '.paired[0].deviceId'; }
log_lacks() { ! grep -qF -- "$1" "$bench/talon.log"; }
configure() { sed -i "/^$1 =/d; s|^\[gateway\]|[gateway]\n$1 = $2|" "$bench/board/talon.conf"; }
unconfigure() { sed -i "/^$1 =/d" "$bench/board/talon.conf"; }

# again: restarts the gateway's connection count from now; back WORDS: the node is online once more since then.
again() { online_before=$(connections); }
back() { claim "$1" wait_for "${2-20}" online_times $(( online_before + 1 )); }

begin "$out/test/pairing"
start_gateway
start_emulated x86_64
agent=$!
claim "the agent waits for approval" wait_for 20 status_says awaiting-approval
kill -TERM "$agent"
wait "$agent"
stop_gateway
rm -r "$bench/board/state" "$bench/gateway"

say "by a setup code, with nothing configured"
unconfigure url
unconfigure token_file
"${emulator[@]}" "$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
claim "without address and code the agent waits, and says for what" wait_for 20 status_says "talon connect"
kill -TERM "$agent"
wait "$agent"
start_gateway 0 --generation M
code=$(gateway_program_qr() { "$gateway_program" qr --setup-code-only --state "$bench/gateway" "$@"; }; gateway_program_qr)
claim "a code with a letter missing is refused" exits_with 64 talon connect "${code:1}"
claim "a code is taken from standard input, by the old name of the command" talon pair <<< "$code"
"${emulator[@]}" "$out/x86_64/talon" run --config "$bench/board/talon.conf" 2> "$bench/talon.log" &
agent=$!
again; online_before=0
back "the gateway lets it in without a person"
claim "its commands are answered" answers device.info '{}' '.systemName == "Linux"'
claim "the secret of the code is nowhere in the log" log_lacks "$(base64 -d <<< "$(tr _- /+ <<< "$code")==" 2> /dev/null | jq -r .bootstrapToken)"
claim "and no longer on flash" bash -c "! grep -q '\"bootstrap\"' '$bench'/board/state/gateway-*"

say "tokens that end"
again
gateway devices rotate "$(device)" > /dev/null
claim "a rotated token without another credential: it says how to pair again" wait_for 20 status_says "talon connect CODE"
claim "a new code repairs it" talon connect "$("$gateway_program" qr --setup-code-only --oc-pair --state "$bench/gateway")"
back "it is back"
again
gateway devices remove "$(device)" > /dev/null
claim "a removed device asks to be paired again" wait_for 20 status_says "talon connect CODE"
claim "another code" talon connect "$("$gateway_program" qr --setup-code-only --state "$bench/gateway")"
back "pairs it anew"
stop_gateway

say "a gateway of today, where a person approves setup codes"
rm -r "$bench/gateway"
start_gateway "$gateway_port"
claim "a new gateway at the old address shows another certificate" wait_for 60 status_says untrusted
claim "its code names the certificate, and is trusted" talon connect "$("$gateway_program" qr --setup-code-only --state "$bench/gateway")"
claim "it waits for a person" wait_for 20 is_pending
claim "and status shows the command" wait_for 10 status_says "openclaw devices approve $(pending_request)"
again
gateway devices approve "$(pending_request)" > /dev/null
back "approved, it is online"

say "certificates that are renewed"
claim "trust shows certificate and key" grep -q "its key" <(talon trust)
gateway gateway renew --same-key > /dev/null
gateway gateway drop --node "$board_name" > /dev/null
claim "renewed with the same key: an alarm, because certificates are pinned" wait_for 20 status_says CHANGED
again
configure pin key
kill -HUP "$agent"
back "with pin = key it is taken"
again
gateway gateway renew --same-key > /dev/null
gateway gateway drop --node "$board_name" > /dev/null
back "and the next renewal without a person"
gateway gateway renew --new-key > /dev/null
gateway gateway drop --node "$board_name" > /dev/null
claim "another key is an alarm all the same" wait_for 20 status_says CHANGED
again
talon trust --replace > /dev/null
back "until a person says otherwise"

say "a gateway that moves"
again
configure url "wss://127.0.0.1:1, wss://127.0.0.1:$gateway_port"
kill -HUP "$agent"
back "of two addresses the second answers"
kill -TERM "$agent"
claim "TERM ends it with 0" wait "$agent"
