# shellcheck shell=bash
# Servers of others that a board sends to, beside lib/bench.sh: an authority of this bench's own, and Debian's rsyslog.

# make_authority: ca.pem. certify NAME SUBJECT EXTENSION: NAME.pem and NAME-key.pem by it.
make_authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=bench authority" -keyout "$bench/ca-key.pem" -out "$bench/ca.pem" 2> /dev/null
}
certify() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$2" -keyout "$bench/$1-key.pem" -out "$bench/$1.csr" 2> /dev/null
  openssl x509 -req -in "$bench/$1.csr" -CA "$bench/ca.pem" -CAkey "$bench/ca-key.pem" -CAcreateserial -days 2 \
    -extfile <(echo "$3") -out "$bench/$1.pem" 2> /dev/null
}

# make_syslog: rsyslog with TLS by OpenSSL, at syslog_port; a line for each message in $bench/syslog. After make_authority.
make_syslog() {
  syslog_port=$(free_port)
  certify logs logs "subjectAltName=IP:127.0.0.1,IP:10.0.2.2"
  mkdir -p "$bench/rsyslog"
  cat > "$bench/rsyslog.conf" <<CONF
global(workDirectory="$bench/rsyslog" DefaultNetstreamDriver="ossl" DefaultNetstreamDriverCAFile="$bench/ca.pem"
  DefaultNetstreamDriverCertFile="$bench/logs.pem" DefaultNetstreamDriverKeyFile="$bench/logs-key.pem")
module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
input(type="imtcp" port="$syslog_port" address="127.0.0.1")
template(name="all" type="string" string="%hostname% %app-name% %msgid% %syslogseverity-text%%msg%\n")
action(type="omfile" file="$bench/syslog" template="all")
CONF
}
start_syslog() {
  /usr/sbin/rsyslogd -n -f "$bench/rsyslog.conf" -i "$bench/rsyslog/pid" >> "$bench/rsyslog.log" 2>&1 &
  syslog=$!
}
stop_syslog() {
  kill "$syslog"
  wait "$syslog" 2> /dev/null || true
}
syslog_says() { grep -q -- "$1" "$bench/syslog" 2> /dev/null; }
