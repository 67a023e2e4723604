#!/usr/bin/env bash
# How a board finds its way to a gateway for the first time: the x86_64 firmware, join URLs, files, a card, networks with a proxy
# (tinyproxy), edges that want headers or a certificate (nginx), SSH, and another node on the same board. A join URL is asked for
# once, whatever happens; what it gave survives a crash.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/debian.sh"
source "$root/board/lib/field-emulated.sh"
source "$root/board/lib/servers.sh"

ports=()
agent=
name="name = $board_name"

# configure [LINE...]: the board's configuration, with these lines in [gateway].
configure() {
  mkdir -p "$bench/board" "$bench/photos"
  [[ -f $bench/photos/bars.jpg ]] || make_bars 640 480 "$bench/photos/bars.jpg"
  {
    printf '[gateway]\npairing_poll = 2\n'
    (( $# == 0 )) || printf '%s\n' "$@"
    printf '[node]\n%s\nstate_directory = %s\nruntime_directory = %s\n' "$name" "$bench/board/state" "$bench/board/run"
    printf '[camera]\ndriver = simulated\nfolder = %s\n' "$bench/photos"
    printf '[canvas]\nauthorities = %s\n[tools]\npublish = safe\n' "$bench/ca.pem"
  } > "$bench/board/talon.conf"
}

fresh_board() { rm -rf "$bench/board/state"; : > "$bench/talon.log"; }

join_url() { "$gateway_program" qr --join --state "$bench/gateway" "$@"; }
# connect CODE WORDS TARGET: the command exits with the code, and says the words.
connects() {
  local code=0
  "$out/x86_64/talon" connect "${@:3}" --config "$bench/board/talon.conf" > "$bench/connect.txt" 2>&1 || code=$?
  if (( code == $1 )) && says "$bench/connect.txt" "$2"; then return; fi
  say "exit $code: $(cat "$bench/connect.txt")"
  return 1
}
asked_times() { (( $(grep -c "join request" "$bench/gateway.log" || true) == $1 )); }
lacks() { ! grep -qrF -- "$2" "$1"; }
no_secret_left() { ! grep -qE '"bootstrap"|bootstrapToken' "$bench"/board/state/*; }
needs_nobody() { gateway nodes pending | jq -e '.pending == []' > /dev/null; }


# serve [OPTION...]: a gateway whose certificate the board's authority vouches for.
serve() {
  mkdir -p "$bench/gateway"
  cp "$bench/server.pem" "$bench/gateway/gateway-cert.pem"
  cp "$bench/server-key.pem" "$bench/gateway/gateway-key.pem"
  start_gateway "${gateway_port-0}" "$@"
}

# One web server in front of the gateway, at five ports: as it is; with Cloudflare's headers; with a client certificate; one that
# redirects and has large pages; nothing.
edge() {
  cat > "$bench/nginx.conf" <<NGINX
daemon off;
pid $bench/nginx.pid;
error_log $bench/nginx.log;
events {}
http {
  access_log $bench/access.log;
  client_body_temp_path $bench/temp; proxy_temp_path $bench/temp; fastcgi_temp_path $bench/temp;
  uwsgi_temp_path $bench/temp; scgi_temp_path $bench/temp;
  ssl_certificate $bench/server.pem;
  ssl_certificate_key $bench/server-key.pem;
  proxy_http_version 1.1;
  proxy_set_header Upgrade \$http_upgrade;
  proxy_set_header Connection \$http_connection;
  proxy_set_header Host \$http_host;
  server {
    listen 127.0.0.1:${ports[0]} ssl;
    location / { proxy_pass http://127.0.0.1:$gateway_port; }
  }
  server {
    listen 127.0.0.1:${ports[1]} ssl;
    location / {
      if (\$http_cf_access_client_id != "board.access") { return 403; }
      if (\$http_cf_access_client_secret != "S3cret-of-the-edge") { return 403; }
      proxy_pass http://127.0.0.1:$gateway_port;
    }
  }
  server {
    listen 127.0.0.1:${ports[2]} ssl;
    ssl_client_certificate $bench/ca.pem;
    ssl_verify_client on;
    location / { proxy_pass http://127.0.0.1:$gateway_port; }
  }
  server {
    listen 127.0.0.1:${ports[3]} ssl;
    default_type application/json;
    location /moved/ { return 302 https://127.0.0.1:${ports[0]}\$request_uri; }
    location /large/ { rewrite .* /large.json break; root $bench; }
    location /page/ { default_type text/html; return 200 "hello"; }
    location / { return 503; }
  }
}
NGINX
  /usr/sbin/nginx -c "$bench/nginx.conf" -p "$bench" &
  edge_pid=$!
  wait_for 10 test -s "$bench/nginx.pid"
}

# proxy [LINE...]: tinyproxy with more lines in its configuration, and a name that nobody else knows.
proxy() {
  [[ -z ${proxy_pid-} ]] || { kill "$proxy_pid"; wait "$proxy_pid" 2> /dev/null || true; }
  {
    printf 'Port %s\nListen 127.0.0.1\nTimeout 60\nAllow 127.0.0.1\nLogFile "%s"\nLogLevel Connect\n' "${ports[4]}" "$bench/proxy.log"
    printf '%s\n' "$@"
  } > "$bench/proxy.conf"
  printf '127.0.0.1 localhost gateway.test\n' > "$bench/hosts"
  : > "$bench/proxy.log"
  # shellcheck disable=SC2016  # expanded there
  "${own_mounts[@]}" sh -c 'mount --bind "$1" /etc/hosts && exec tinyproxy -d -c "$2"' sh "$bench/hosts" "$bench/proxy.conf" &
  proxy_pid=$!
  wait_for 10 eval "(: < /dev/tcp/127.0.0.1/${ports[4]}) 2> /dev/null"
}

unknown=AAAAAAAAAAAAAAAAAAAAA
own_mounts=(unshare -rm)
(( EUID != 0 )) || own_mounts=(unshare -m)

begin "$out/test/connect"
rm -rf "$bench/gateway"
mapfile -t ports < <(python3 -c 'import socket
held = [socket.socket() for _ in range(7)]
for one in held: one.bind(("127.0.0.1", 0)); print(one.getsockname()[1])')
make_authority
certify server gateway.test "subjectAltName=DNS:gateway.test,DNS:localhost,IP:127.0.0.1"
certify board "a board" "extendedKeyUsage=clientAuth"
head -c 30000 /dev/zero | tr '\0' ' ' > "$bench/large.json"

say "a join URL, over TLS with an authority that the board trusts"
configure
fresh_board
serve --limit-loopback --surface manual
url=$(join_url)
claim "one URL connects it" connects 0 "wss://127.0.0.1:$gateway_port" "$url"
start_agent
claim "online, without a person" wait_for 20 online_times 1
claim "everything was declared, so nothing waits for a second approval" needs_nobody
claim "and the agent has the board's tools" wait_for 20 eval "gateway tools list | jq -e '.tools | length > 0' > /dev/null"
claim "its commands are answered" answers device.info '{}' '.systemName == "Linux"'
claim "the payload is gone from flash" no_secret_left
claim "the URL counts once, and was asked for once" connects 0 "taken over already" "$url"
claim "as the gateway saw" asked_times 1
stop_agent

say "what a gateway says instead"
fresh_board
claim "a URL with a letter missing is refused" connects 64 "must end with /j/" "${url%?}"
claim "one in clear is refused" connects 64 "is not encrypted" "http://gateway.test/j/${unknown}1"
claim "404: what that means, and what to do" connects 69 "openclaw devices join-code" "https://127.0.0.1:$gateway_port/j/${unknown}2"
claim "it is not asked for again" connects 69 "was asked for already" "https://127.0.0.1:$gateway_port/j/${unknown}2"
claim "as the gateway saw" asked_times 2
for digit in {a..j}; do connects 69 "" "https://127.0.0.1:$gateway_port/j/${unknown}$digit" || true; done
claim "429: for how long" connects 69 "for 300 s (HTTP 429)" "https://127.0.0.1:$gateway_port/j/${unknown}3"
cp "$bench/ca.pem" "$bench/known.pem"
cp "$bench/board.pem" "$bench/ca.pem"
claim "a certificate that nobody vouches for: nothing is asked" connects 75 "the URL still counts" "https://127.0.0.1:$gateway_port/j/${unknown}4"
mv "$bench/known.pem" "$bench/ca.pem"
stop_gateway
claim "nobody there: nothing is asked" connects 75 "the URL still counts" "https://127.0.0.1:$gateway_port/j/${unknown}5"

say "a crash"
serve
fresh_board
url=$(join_url)
claim "the answer is kept" connects 0 "wss://127.0.0.1:$gateway_port" "$url"
stop_gateway
start_agent
claim "the agent does not reach the gateway" wait_for 20 log_says "trying again in"
stop_agent -KILL
serve
start_agent
claim "after the crash it connects with what was kept" wait_for 30 online_times 1
stop_agent
fresh_board
configure "url = wss://127.0.0.1:1"
url=$(join_url)
claim "for another gateway than the configured one it is not taken over" connects 78 "correct url" "$url"
claim "the same again, without another request" connects 78 "correct url" "$url"
claim "as the gateway saw" asked_times 1
configure
start_agent
claim "what was kept is taken over at the next start" wait_for 20 log_says "taken over now"
claim "and connects" wait_for 20 online_times 1
stop_agent

say "files, and a card without a network"
fresh_board
printf '# from the gateway\n%s\n' "$(join_url)" > "$bench/code.txt"
claim "a file is taken" connects 0 "gateway" "$bench/code.txt"
claim "and removed" test ! -e "$bench/code.txt"
"$gateway_program" qr --setup-code-only --oc-pair --state "$bench/gateway" > "$bench/code.txt"
claim "one with an oc-pair:// link, too" connects 0 "certificate" "$bench/code.txt"
claim "and removed" test ! -e "$bench/code.txt"
echo "my notes" > "$bench/notes.txt"
claim "a file with something else is refused" connects 64 "setup code" "$bench/notes.txt"
claim "and left alone" test -e "$bench/notes.txt"
head -c 70000 /dev/zero > "$bench/large"
claim "a large one as well" connects 64 "KiB" "$bench/large"
fresh_board
url=$(join_url)
stop_gateway
claim "on a card it waits for the network" connects 0 "until there is a network" --later "$url"
claim "a code needs none" connects 0 "certificate" --later \
  "$(jq -cn --arg pin "$(printf 'ab%.0s' {1..32})" '{url: "wss://gw", bootstrapToken: "abcdefgh", tlsFingerprint: $pin}' | basenc --base64url -w 0 | tr -d =)"
claim "without one it waits on" connects 75 "still counts" --waiting
serve
url=$(join_url)
claim "another takes its place" connects 0 "until there is a network" --later "$url"
claim "with one it is asked for" connects 0 "wss://" --waiting
claim "and nothing waits any more" exits_with 0 talon connect --waiting
claim "nor is the URL on flash" lacks "$bench/board/state" "${url##*/}"
start_agent
claim "it connects" wait_for 20 online_times 1
stop_agent
stop_gateway

say "a web server in front"
rm -r "$bench/gateway"
start_gateway "$gateway_port" --plain
edge
fresh_board
configure
url=$(join_url --url "wss://127.0.0.1:${ports[0]}/a/j/b")
claim "a context path with /j/ in it" connects 0 "wss://127.0.0.1:${ports[0]}/a/j/b" "$url"
start_agent
claim "connects there" wait_for 20 online_times 1
stop_agent
claim "by that path" wait_for 5 says "$bench/access.log" '"GET /a/j/b HTTP/1.1" 101'
fresh_board
claim "a redirect is not followed" connects 69 "redirects (HTTP 302)" "https://127.0.0.1:${ports[3]}/moved/j/${unknown}1"
claim "which nobody was led to" lacks "$bench/access.log" "/moved/j/${unknown}1 HTTP/1.1\" 404"
claim "a body that is too large is not read" connects 69 "more than the 24 KiB" "https://127.0.0.1:${ports[3]}/large/j/${unknown}2"
claim "a page is no payload" connects 69 "other than application/json" "https://127.0.0.1:${ports[3]}/page/j/${unknown}3"
claim "nor is an error" connects 69 "HTTP 503" "https://127.0.0.1:${ports[3]}/j/${unknown}4"

say "Cloudflare Access"
url=$(join_url --url "wss://127.0.0.1:${ports[1]}")
claim "without its headers the edge refuses" connects 69 "HTTP 403" "$url"
configure "url = wss://127.0.0.1:${ports[1]}" "cloudflare_id = board.access"
claim "one of both makes no sense" connects 78 "cloudflare_secret: is missing" "$url"
echo "S3cret-of-the-edge" > "$bench/edge-secret"
configure "url = wss://127.0.0.1:${ports[1]}" "cloudflare_id = board.access" "cloudflare_secret_file = $bench/edge-secret"
claim "with both, it lets the request through" connects 0 "wss://" "$(join_url --url "wss://127.0.0.1:${ports[1]}")"
start_agent
claim "and the connection" wait_for 20 online_times 1
claim "the secret is not in the log" lacks "$bench/talon.log" S3cret
stop_agent

say "an edge that wants a client certificate"
fresh_board
url=$(join_url --url "wss://127.0.0.1:${ports[2]}")
configure
claim "without one it refuses" connects 69 "HTTP 400" "$url"
configure "client_certificate = $bench/board.pem" "client_key = $bench/server-key.pem"
claim "with another's key nothing is asked" connects 75 "do not belong together" "https://127.0.0.1:${ports[2]}/j/${unknown}1"
configure "client_certificate = $bench/board.pem" "client_key = $bench/none.pem"
claim "nor without a key" connects 75 "key cannot be read" "https://127.0.0.1:${ports[2]}/j/${unknown}1"
configure "client_certificate = $bench/board.pem" "client_key = $bench/board-key.pem"
claim "with it, it lets the request through" connects 0 "wss://" "$(join_url --url "wss://127.0.0.1:${ports[2]}")"
start_agent
claim "and the connection" wait_for 20 online_times 1
stop_agent
openssl s_server -accept "127.0.0.1:${ports[5]}" -cert "$bench/server.pem" -key "$bench/server-key.pem" -CAfile "$bench/ca.pem" \
  -Verify 1 -verify_return_error -quiet < /dev/null > "$bench/s_server.log" 2>&1 &
configure "url = wss://127.0.0.1:${ports[5]}"
fresh_board
start_agent
claim "one that refuses in TLS is told in plain words" wait_for 20 log_says "the server wants a client certificate"
stop_agent
kill "$edge_pid"
stop_gateway

say "a network whose only way out is a proxy"
rm -r "$bench/gateway"
serve
fresh_board
configure
proxy "ConnectPort $gateway_port"
where=$(join_url --url "wss://gateway.test:$gateway_port")
claim "the board does not know the gateway's name" connects 75 "has no address" "$where"
configure "proxy = http://127.0.0.1:${ports[4]}"
claim "the proxy does" connects 0 "wss://gateway.test:$gateway_port" "$where"
start_agent
claim "and connects" wait_for 20 online_times 1
claim "as it saw" says "$bench/proxy.log" "CONNECT gateway.test:$gateway_port"
claim "to the gateway's own certificate" grep -qF "$(jq -r .fingerprint "$bench/started.json")" <(talon trust)
claim "photos pass it" eval "invoke camera.snap '{\"delayMs\":0}' > /dev/null"
stop_agent
talon doctor > "$bench/doctor.txt" 2>&1 || true
claim "the doctor takes the same way" says "$bench/doctor.txt" "answers with the certificate"
proxy "ConnectPort $gateway_port" 'BasicAuth board S3cret-of-the-proxy'
start_agent
claim "one that wants a user is told" wait_for 20 log_says "wants a user and a password"
stop_agent
configure "proxy = http://board:wrong@127.0.0.1:${ports[4]}"
start_agent
claim "one that refuses the password, too" wait_for 20 log_says "does not take this user and password"
stop_agent
echo "http://board:S3cret-of-the-proxy@127.0.0.1:${ports[4]}" > "$bench/proxy-address"
configure "proxy_file = $bench/proxy-address"
fresh_board
claim "with the right ones a join URL passes" connects 0 "wss://gateway.test" "$(join_url --url "wss://gateway.test:$gateway_port")"
start_agent
claim "and a connection" wait_for 20 online_times 1
claim "the password is not in the log" lacks "$bench/talon.log" S3cret
stop_agent
proxy "ConnectPort 443"
configure "proxy = http://127.0.0.1:${ports[4]}"
start_agent
claim "one that does not let it out is told" wait_for 20 log_says "HTTP 403: it does not let this board"
stop_agent
kill "$proxy_pid"
wait "$proxy_pid" 2> /dev/null || true
proxy_pid=
: > "$bench/talon.log"
start_agent
claim "one that is not there, too" wait_for 20 log_says "it takes no connection"
stop_agent

say "SSH"
configure
# ssh_identity: what happens in a machine of its own: /usr/local/bin and /var/lib are empty there.
cat > "$bench/ssh_identity" <<'SCRIPT'
set -e
talon=$1 configuration=$2
mount -t tmpfs none /usr/local/bin
mount -t tmpfs none /var/lib
HOME=$(mktemp -d)
export HOME
printf 'echo "Welcome to this board"\necho "{ not JSON"\n' > "$HOME/.profile"
ask() { sh -lc 'openclaw node identity --json'; }
! ask 2> /dev/null || exit 1
printf '#!/bin/sh\necho real\n' > /usr/local/bin/openclaw
! "$talon" ssh-identity install --config "$configuration" > /dev/null 2> "$HOME/refused" || exit 2
grep -q "is there already" "$HOME/refused" || exit 3
! "$talon" ssh-identity remove --config "$configuration" > /dev/null || test -f /usr/local/bin/openclaw || exit 4
rm /usr/local/bin/openclaw
"$talon" ssh-identity install --config "$configuration" > /dev/null
"$talon" ssh-identity install --config "$configuration" > /dev/null
test "$(stat -c %a /var/lib/talon-public/identity.json)" = 644 || exit 5
ask
! sh -lc 'openclaw node run' > /dev/null 2>&1 || exit 6
"$talon" ssh-identity remove --config "$configuration" > /dev/null
test ! -e /usr/local/bin/openclaw && test ! -e /var/lib/talon-public || exit 7
SCRIPT
talon identity > "$bench/identity.txt"
claim "a link answers who the board is, never in the place of a real openclaw, and goes again" \
  eval '"${own_mounts[@]}" sh "$bench/ssh_identity" "$out/x86_64/talon" "$bench/board/talon.conf" > "$bench/answer.txt"'
# As the gateway reads it: the one line that is an object with both strings.
claim "among noise there is one line, with this board's id and key" python3 - "$bench/answer.txt" "$bench/identity.txt" <<'PYTHON'
import base64, json, sys
lines = []
for line in open(sys.argv[1]):
    if line.startswith("{"):
        try: lines.append(json.loads(line))
        except ValueError: pass
words = dict(line.rsplit(maxsplit=1) for line in open(sys.argv[2]))
key = base64.urlsafe_b64decode(lines[0]["publicKey"] + "=").hex()
sys.exit(len(lines) != 1 or lines[0]["deviceId"] != words["node"] or key != words["public key"])
PYTHON

say "another node on the same board"
stop_gateway
rm -r "$bench/gateway"
serve
fresh_board
name="# no name"
configure
home=$bench/home
mkdir -p "$home/.openclaw" "$home/.config/systemd/user"
token=$(cat "$bench/gateway/token")
cat > "$home/.openclaw/node.json" <<JSON
{"version": 1, "nodeId": "b0c4", "token": "of-the-other-node", "displayName": "Green house",
 "gateway": {"host": "127.0.0.1", "port": $gateway_port, "tls": true, "tlsFingerprint": "$(jq -r .fingerprint "$bench/started.json")"}}
JSON
printf '[Service]\nEnvironment=OPENCLAW_GATEWAY_TOKEN=%s\nExecStart=/usr/bin/node /opt/openclaw/index.js node run --host elsewhere\n' "$token" \
  > "$home/.config/systemd/user/openclaw-node.service"
before=$(find "$home" -type f -exec sha256sum {} + | sort)
claim "its name, gateway and token are taken over" eval 'talon import "$home/.openclaw" > "$bench/import.txt"'
claim "as it tells" eval 'says "$bench/import.txt" "wss://127.0.0.1:$gateway_port" && says "$bench/import.txt" "Green house"'
claim "without the token" lacks "$bench/import.txt" "$token"
claim "nothing changed there" test "$before" = "$(find "$home" -type f -exec sha256sum {} + | sort)"
start_agent
claim "it waits for a person, as the new board that it is" wait_for 20 is_pending
gateway devices approve "$(pending_request)" > /dev/null
claim "approved, it connects under the old name" wait_for 30 eval \
  "gateway nodes status | jq -e 'any(.nodes[]; .connected and .displayName == \"Green house\")' > /dev/null"
stop_agent
claim "a folder without one is told" exits_with 69 talon import "$bench/photos"
