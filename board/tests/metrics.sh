#!/usr/bin/env bash
# Metrics of the x86_64 firmware, in real servers: Debian's Prometheus over TLS with a password and with a certificate, and
# VictoriaMetrics. An outage and a restart of the board in it lose nothing; the alert rules are tested by promtool, and one of them comes
# to an Alertmanager. Then a receiver that refuses, is busy, redirects, cuts, is silent or never ends (board/peers/lying_receiver.py).
#
#   metrics.sh [--away SECONDS]      how long the outage is, 10 s unless said otherwise
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/servers.sh"

away=10
[[ ${1-} != --away ]] || away=$2
"$root/board/prepare" metrics

# configure LINE...: the board's configuration, with these lines in [metrics].
configure() {
  write_config "$bench/board" 127.0.0.1 "$bench/board" $'driver = simulated\nfolder = '"$bench/photos" \
    $'driver = simulated\nreplay = '"$root/board/tests/field.nmea"
  { printf '\n[metrics]\ninterval = 5\nlabels = site=roof, zone=north\n'; printf '%s\n' "$@"; } >> "$bench/board/talon.conf"
}
reload() { configure "$@"; kill -HUP "$agent"; }

start_prometheus() {
  prometheus --config.file="$bench/prometheus.yml" --storage.tsdb.path="$bench/prometheus" --web.enable-remote-write-receiver \
    --web.listen-address="127.0.0.1:${ports[0]}" --web.config.file="$bench/web.yml" --log.level=warn 2>> "$bench/prometheus.log" &
  prometheus=$!
}
stop_prometheus() {
  kill "$prometheus"
  wait "$prometheus" 2> /dev/null || true
}
# query EXPRESSION FILTER: the filter of jq holds for the result, a list of series.
query() {
  curl -sf --cacert "$bench/ca.pem" --cert "$bench/board.pem" --key "$bench/board-key.pem" -u "board:S3cret-of-the-board" "https://127.0.0.1:${ports[0]}/api/v1/query" --data-urlencode "query=$1" \
    > "$bench/answer.json" && jq -e ".data.result | $2" "$bench/answer.json" > /dev/null
}
vm_query() {
  curl -sf "http://127.0.0.1:${ports[1]}/api/v1/query" --data-urlencode "query=$1" > "$bench/answer.json" &&
    jq -e ".data.result | $2" "$bench/answer.json" > /dev/null
}
# How many samples of one series there are, and how far apart they are at most: 5 s, and a second for a busy machine.
series="talon_uptime_seconds{site=\"roof\"}[$(( away + 600 ))s]"
has_samples() { query "$series" "length == 1 and (.[0].values | length) >= $1"; }
has_no_gap() { query "$series" '.[0].values | [.[][0]] as $times | [range(1; $times | length) | $times[.] - $times[. - 1]] | max < 7 and min > 3'; }

# said WORDS: how often the log does. says_more WORDS COUNT: more often than that.
said() { grep -c -- "$1" "$bench/talon.log" || true; }
says_more() { (( $(said "$1") > $2 )); }

lies() { echo "$*" > "$bench/lies/mode"; }
heard() { [[ -f $bench/lies/heard ]] && jq -se "$1" "$bench/lies/heard" > /dev/null; }
heard_times() { [[ -f $bench/lies/heard ]] && wc -l < "$bench/lies/heard" || echo 0; }
waits_at_most() { talon status --json | jq -e ".metrics.waiting <= $1" > /dev/null; }
not() { ! "$@"; }
hears_more() { (( $(heard_times) > $1 )); }
# pauses SECONDS: no request comes within that time.
pauses() { local before; before=$(heard_times); sleep "$1"; (( $(heard_times) == before )); }

begin "$out/test/metrics"
mapfile -t ports < <(python3 -c 'import socket
held = [socket.socket() for _ in range(4)]
for one in held: one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
mkdir -p "$bench/photos" "$bench/lies" "$bench/prometheus"
make_bars 640 480 "$bench/photos/bars.jpg"

say "the files for owners"
claim "the alert rules are rules" promtool check rules "$root/fleet/talon-alerts.yml" > /dev/null
claim "each fires when it should, and not otherwise" promtool test rules "$root/fleet/talon-alerts-test.yml" > /dev/null
tests_each() { comm -3 <(sed -n 's/.*alert: //p' "$root/fleet/talon-alerts.yml" | sort -u) \
  <(sed -n 's/.*alertname: //p' "$root/fleet/talon-alerts-test.yml" | sort -u) | wc -l | grep -qx 0; }
claim "each has a test" tests_each
claim "the dashboard asks nothing that Prometheus cannot read" bash -c '
  jq -r ".panels[].targets[]?.expr" "$1" | sed "s/\$job/.*/g; s/\$instance/.*/g" > "$2/expressions"
  { echo "groups: [{name: dashboard, rules: ["; awk "{ gsub(/\\\\/, \"&&\"); gsub(/\"/, \"\\\\\\\"\"); printf \"{record: \\\"x:%d\\\", expr: \\\"%s\\\"},\\n\", NR, \$0 }" "$2/expressions"; echo "]}]"; } > "$2/dashboard.yml"
  promtool check rules "$2/dashboard.yml"' -- "$root/fleet/talon-dashboard.json" "$bench" > /dev/null

say "Prometheus, over TLS with a password"
make_authority
certify server metrics "subjectAltName=IP:127.0.0.1"
certify board "a board" "extendedKeyUsage=clientAuth"
hash=$(/usr/bin/python3 -W ignore -c 'import crypt; print(crypt.crypt("S3cret-of-the-board", crypt.mksalt(crypt.METHOD_BLOWFISH, rounds=16)))')
# wants LINE: the server asks for the password, and for what this line of its tls_server_config says.
wants() {
  printf 'tls_server_config:\n  cert_file: %s\n  key_file: %s\n%s\nbasic_auth_users: {board: "%s"}\n' \
    "$bench/server.pem" "$bench/server-key.pem" "$1" "$hash" > "$bench/web.yml"
}
# An alert need not last here, as it must in a field.
sed 's/for: [0-9]*m/for: 4s/' "$root/fleet/talon-alerts.yml" > "$bench/alerts.yml"
printf 'route: {receiver: owner, group_wait: 1s}\nreceivers: [{name: owner}]\n' > "$bench/alertmanager.yml"
cat > "$bench/prometheus.yml" <<SERVER
global: {evaluation_interval: 2s}
rule_files: [$bench/alerts.yml]
alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:${ports[3]}"]}]}]}
storage: {tsdb: {out_of_order_time_window: 2d}}
SERVER
wants ""
start_prometheus
prometheus-alertmanager --config.file="$bench/alertmanager.yml" --storage.path="$bench/alertmanager" --cluster.listen-address= \
  --web.listen-address="127.0.0.1:${ports[3]}" 2> "$bench/alertmanager.log" &
start_gateway
mkdir -p "$bench/board"
install -m 600 /dev/stdin "$bench/board/password" <<< "S3cret-of-the-board"
secure=("url = https://127.0.0.1:${ports[0]}/api/v1/write" "ca_file = $bench/ca.pem" "username = board" "password_file = $bench/board/password")
configure "${secure[@]}"
start_agent
pairs log_says
claim "samples arrive" wait_for 30 has_samples 3
claim "with the labels of the board" query 'talon_info' \
  ".[0].metric | .board == \"$board_name\" and (.instance | test(\"^[0-9a-f]{12}$\")) and .job == \"talon\" and .zone == \"north\" and (.version | length) > 0"
claim "about 60 series" query 'count({site="roof"})' '.[0].value[1] | tonumber | . >= 50 and . <= 75'
claim "the board is online" wait_for 20 query 'talon_gateway_state{state="online"}' '.[0].value[1] == "1"'
claim "it knows how long turns of its loop take" query 'histogram_quantile(0.99, talon_loop_turn_seconds_bucket)' 'length == 1'
claim "and what the kernel counts of it" query 'talon_cpu_seconds_total' '.[0].value[1] | tonumber > 0'
claim "no position" query '{__name__=~"talon_position.*"}' 'length == 0'

claim "one every five seconds" has_no_gap

say "an outage, and a restart of the board in it"
stop_prometheus
claim "the board says that samples wait" wait_for 40 log_says "connection refused: samples wait"
sleep "$away"
claim "and so does its status" status_says "wait"
stop_agent
claim "samples are on flash" compgen -G "$bench/board/state/metrics-*" > /dev/null
start_agent
sleep 6
before_start=$SECONDS
start_prometheus
claim "when the server is back, it gets what waited" wait_for 40 waits_at_most 0
claim "within a minute" test $(( SECONDS - before_start )) -le 60
claim "all of it, in order and with its own times" wait_for 10 query "$series" ".[0].values | length >= $(( away / 5 + 6 ))"
claim "without a gap but for the restart" query "$series" \
  '.[0].values | [.[][0]] as $times | [range(1; $times | length) | $times[.] - $times[. - 1]] | (map(select(. > 7)) | length) <= 1 and (max < 16)'
claim "none was refused" query 'talon_metrics_refused_total + talon_metrics_dropped_total' '.[0].value[1] == "0"'
claim "the end of it is logged" wait_for 20 log_says "the server takes samples again"
claim "positions only when they are wanted" reload "${secure[@]}" "positions = yes"
claim "and then they come" wait_for 30 query 'talon_position_latitude_degrees' 'length == 1 and (.[0].value[1] | tonumber | . > 46.9 and . < 47)'

say "a server that wants a certificate"
wants "  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: $bench/ca.pem"
before=$(said "samples wait")
# A connection that is open stays as it is.
reload "${secure[@]}"
claim "without one samples wait, which is said again" wait_for 20 says_more "samples wait" "$before"
install -m 600 "$bench/board-key.pem" "$bench/board/key.pem"
reload "${secure[@]}" "certificate = $bench/board.pem" "key = $bench/board/key.pem"
claim "with it they arrive" wait_for 30 waits_at_most 0
claim "and none was dropped" query 'talon_metrics_refused_total + talon_metrics_dropped_total' '.[0].value[1] == "0"'

say "an alert"
alerts() { curl -sf "http://127.0.0.1:${ports[3]}/api/v2/alerts" | jq -e "$1" > /dev/null; }
# A sample that was taken while it read its configuration again may have raised one, which passes.
claim "a board that is well has none" wait_for 20 alerts 'all(.[]; .labels.alertname != "TalonOffline")'
stop_gateway
claim "one without its gateway comes to the owner" wait_for 40 alerts \
  "any(.[]; .labels.alertname == \"TalonOffline\" and .labels.board == \"$board_name\" and (.annotations.action | length) > 0)"
start_gateway "$gateway_port"
claim "and goes when it is back" wait_for 60 alerts 'all(.[]; .labels.alertname != "TalonOffline")'

say "VictoriaMetrics"
victoria-metrics -storageDataPath="$bench/victoria" -httpListenAddr="127.0.0.1:${ports[1]}" -retentionPeriod=1d -search.latencyOffset=1s -loggerLevel=WARN 2> "$bench/victoria.log" &
reload "url = http://127.0.0.1:${ports[1]}/api/v1/write"
claim "takes the same" wait_for 40 vm_query 'talon_uptime_seconds' '.[0].metric.site == "roof"'
claim "with values of 0 as such" vm_query 'talon_gateway_state{state="paused"}' '.[0].value[1] == "0"'

say "a receiver that is no good"
/usr/bin/python3 "$root/board/peers/lying_receiver.py" "${ports[2]}" "$bench/lies" 2> "$bench/lies/log" &
lies take
printf 'glc_token' > "$bench/board/metrics-token"
reload "url = http://127.0.0.1:${ports[2]}/api/prom/push" "token_file = $bench/board/metrics-token"
claim "gets what remote write wants" wait_for 20 heard 'any(.[]; .path == "/api/prom/push" and .Authorization == "Bearer glc_token" and
  (.["User-Agent"] | startswith("Talon/")) and .["Content-Type"] == "application/x-protobuf" and .["Content-Encoding"] == "snappy" and
  .["X-Prometheus-Remote-Write-Version"] == "0.1.0" and .plain > 3 * .bytes)'
claim "a minute of 60 series has less than 2 KB" heard 'last | .bytes + .headers < 2048'
lies status 400
claim "a refusal is told" wait_for 12 log_says "answered with status 400: these samples are dropped"
claim "nothing waits" wait_for 12 waits_at_most 0
claim "in the status" status_says "answered with status 400"
lies busy 7
claim "a busy server is waited for" wait_for 12 log_says "answered with status 429: samples wait"
claim "as long as it says" pauses 5
lies take
claim "and gets everything then" wait_for 12 waits_at_most 0
before=$(heard_times)
lies busy-date 7
claim "it may say so by a date" wait_for 12 hears_more "$before"
claim "which counts as well" pauses 4
lies redirect
claim "a redirect is not followed" wait_for 15 log_says "answered with status 307: samples wait"
claim "with the token" heard 'all(.[]; .path != "/elsewhere")'
# A board that reads its configuration again has forgotten for how long it wanted to leave the server alone.
lies_afresh() { lies "$@"; kill -HUP "$agent"; }
lies_afresh cut
claim "a connection that is cut: samples wait" wait_for 20 log_says "closed the connection before the end of the response"
lies_afresh endless
claim "an answer without an end is not read" wait_for 20 log_says "answered with status 500: samples wait"
lies_afresh silent
claim "no answer at all: given up after ten seconds" wait_for 25 log_says "took too long: samples wait"
claim "the refusal was told once" test "$(grep -c 'answered with status 400: these' "$bench/talon.log")" -eq 1
claim "the gateway is served meanwhile" answers device.info '{}' '.systemName == "Linux"'
lies_afresh take
claim "after all of it nothing is lost" wait_for 30 waits_at_most 0
claim "no secret is in the log" not log_says "glc_token"
claim "nor the password" not log_says "S3cret-of-the-board"
claim "the gateway's schemas refused nothing" violations 0
