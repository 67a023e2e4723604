#!/usr/bin/env bash
# The server that fleet/setup makes: gooseBit, Debian's Prometheus and Alertmanager, and nginx with TLS before them, started by the lines of
# their units. What a board sends arrives with its token and not without, the alert rules are there, an alert reaches Alertmanager, and a
# second run keeps the secrets. systemd's own part (users, sandboxes) and Grafana, which Debian does not have, are not started: of Grafana only
# the files are looked at.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/update_server.sh"

wants_help "$@" && { usage; exit; }

"$root/board/prepare" metrics edges lint update-server
prepare_update_server
bench=$out/test/fleet-server
rm -rf "$bench"
mkdir -p "$bench"/{opt/talon-fleet,run/talon-fleet} "$bench"/var/lib/talon-fleet/{goosebit,prometheus,alertmanager}
# gooseBit is there already, with the same hashes.
ln -s "$update_server_root" "$bench/opt/talon-fleet/goosebit"

# Four ports of which none is used, and nginx's.
inner=$(python3 -c 'import socket
for first in range(21000, 30000, 10):
    held = [socket.socket() for _ in range(5)]
    try:
        for at, one in enumerate(held): one.bind(("127.0.0.1", first + at))
    except OSError: continue
    finally: [one.close() for one in held]
    print(first)
    break')
port=$(( inner + 4 ))
site=https://127.0.0.1:$port

sets_up() {
  "$root/fleet/setup" 127.0.0.1 --port "$port" --inner "$inner" --prefix "$bench" > "$bench/said" 2> "$bench/setup.log" \
    || { cat "$bench/setup.log" >&2; return 1; }
}
secrets() { (cd "$bench/etc/talon-fleet" && sha256sum server.pem server.key goosebit.env grafana.env card/* owner-password); }
refuses_another() {
  ! "$root/fleet/setup" localhost --port "$port" --inner "$inner" --prefix "$bench" 2> "$bench/refusal" \
    && says "$bench/refusal" "was set up with host=127.0.0.1"
}
# Boards are told of the authority only while the certificate in use is of it.
hands_out() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=127.0.0.1 -keyout "$bench/other.key" -out "$bench/other.pem" \
    2> /dev/null
  cp -r "$bench/etc/talon-fleet" "$bench/kept"
  "$root/fleet/setup" 127.0.0.1 --port "$port" --inner "$inner" --prefix "$bench" --certificate "$bench/other.pem" --key "$bench/other.key" \
    > "$bench/said" || return 1
  ! grep ca_file "$bench/said" && [[ ! -e $bench/etc/talon-fleet/card/update-ca.pem ]] || return 1
  rm -r "$bench/etc/talon-fleet"
  mv "$bench/kept" "$bench/etc/talon-fleet"
}
keeps() { secrets > "$bench/before" && sets_up && secrets | diff "$bench/before" - >&2; }

# starts NAME: what systemd would, as this user.
children=()
starts() {
  local unit=$bench/etc/systemd/system/talon-fleet-$1.service line before
  line=$(sed -n 's/^ExecStart=//p' "$unit" | sed "s|\${CREDENTIALS_DIRECTORY}|$bench/etc/talon-fleet|") before=$(sed -n 's/^ExecStartPre=//p' "$unit")
  (
    export CREDENTIALS_DIRECTORY=$bench/etc/talon-fleet
    # shellcheck disable=SC1091  # what the setup made
    if grep -q '^EnvironmentFile=' "$unit"; then set -a; source "$bench/etc/talon-fleet/goosebit.env"; set +a; fi
    cd "$(sed -n 's/^WorkingDirectory=//p' "$unit" | grep . || echo "$bench")"
    # shellcheck disable=SC2086  # words
    [[ ! $before ]] || $before
    # shellcheck disable=SC2086
    exec $line
  ) > "$bench/$1.log" 2>&1 &
  children+=($!)
}
stop_all() { kill "${children[@]}" 2> /dev/null || true; wait; }
trap stop_all EXIT

# asks FILE OPTION... PATH: the status that the server answers with over TLS.
asks() { curl -s -o "$1" -w '%{http_code}' --cacert "$bench/etc/talon-fleet/card/update-ca.pem" "${@:2:$#-2}" "$site${*: -1}"; }
is() { [[ $(asks "$bench/answer" "${@:2}" || true) == "$1" ]] || { head -c 300 "$bench/answer" >&2; return 1; }; }
is_up() { is "$@" 2> /dev/null; }
push() {
  is "$1" -H "Authorization: Bearer $2" -H 'Content-Encoding: snappy' -H 'Content-Type: application/x-protobuf' \
    --data-binary "@$bench/body" /api/v1/write
}
prometheus() { curl -sf "http://127.0.0.1:$(( inner + 1 ))/api/v1/$1" | jq -e "$2" > /dev/null; }
alertmanager() { curl -sf "http://127.0.0.1:$(( inner + 2 ))/api/v2/$1" | jq -e "$2" > /dev/null; }
logs_in() {
  is 200 -d "username=owner@127.0.0.1" --data-urlencode "password=$(< "$bench/etc/talon-fleet/owner-password")" /login \
    && jq -e .access_token "$bench/answer" > /dev/null
}
has_source() {
  jq -e '.templating.list[] | select(.query == "prometheus")' "$bench/etc/talon-fleet/dashboards/talon-dashboard.json" > /dev/null \
    && says "$bench/etc/grafana/provisioning/datasources/talon-fleet.yml" "type: prometheus"
}
private() { [[ $(stat -c %a "$bench/etc/talon-fleet/$1") == 600 ]]; }

claim "fleet/setup makes it" sets_up
claim "a second run keeps password, token and certificate" keeps
claim "one with a certificate of the owner's gives boards no authority" hands_out
claim "one for another name is refused" refuses_another
for file in server.key authority.key goosebit.env grafana.env nginx.conf alertmanager.yml owner-password card/update-token; do
  claim "$file is root's alone" private "$file"
done
claim "the alert rules and the configuration are right" promtool check config "$bench/etc/talon-fleet/prometheus.yml" > /dev/null
claim "systemd takes the units" systemd-analyze verify "$bench"/etc/systemd/system/talon-fleet-*.service
claim "Grafana's dashboard asks the data source that is provided" has_source

for name in goosebit prometheus alertmanager web; do starts "$name"; done
token=$(< "$bench/etc/talon-fleet/card/update-token")
poll=/DEFAULT/controller/v1/barn-01
claim "gooseBit answers a board with its token" wait_for 40 is_up 200 -H "Authorization: GatewayToken $token" "$poll"
claim "and none without" is 401 "$poll"
claim "nor with another" is 401 -H "Authorization: GatewayToken ${token}0" "$poll"
for spelling in //DEFAULT/ /%44EFAULT/ /x/../DEFAULT/; do
  claim "nor as $spelling" is 401 --path-as-is "${spelling}controller/v1/barn-01"
done
for spelling in /setup //setup /%73etup /x/../setup; do
  claim "nobody makes a login of gooseBit by $spelling" is 404 --path-as-is -d "username=x@example.org&password=x" "$spelling"
done
claim "its owner logs in" logs_in
claim "nobody else does" is 401 -d "username=owner@127.0.0.1&password=x" /login

"$root/board/peers/push_metrics.py" talon_commands_blocked 1 board=barn-01 instance=a1 job=talon > "$bench/body"
claim "Prometheus takes the samples of a board" wait_for 20 push 204 "$token"
claim "and of nobody without the token" push 401 x
claim "the sample is there" wait_for 10 prometheus 'query?query=talon_commands_blocked' '.data.result[0].metric.board == "barn-01"'
claim "all rules are loaded" prometheus rules "[.data.groups[].rules[]] | length == $(grep -c 'alert:' "$root/fleet/talon-alerts.yml")"
claim "Prometheus knows its Alertmanager" wait_for 20 prometheus alertmanagers '.data.activeAlertmanagers | length == 1'
claim "an alert that is due is pending" wait_for 40 prometheus alerts '.data.alerts[] | select(.labels.alertname == "TalonCommandsBlocked")'
claim "Alertmanager has its receiver" alertmanager status '.config.original | contains("owner")'
