# shellcheck shell=bash
# The key that updates are signed with, and its certificate, which images trust. Whoever has boards in the field has a key of
# their own, and keeps it off the machine that builds.

development_key=$out/keys/update.key
development_certificate=$out/keys/update.pem

# make_update_key KEY CERTIFICATE: valid for twenty years: boards compare with the time of signing, and are not visited.
make_update_key() {
  (umask 077 && mkdir -p "${1%/*}")
  openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days 7300 -subj "/CN=Talon updates" -keyout "$1" -out "$2" 2> /dev/null \
    || die "the key $1 could not be made"
}

# make_development_key: once, however many builds begin together: the first makes it, the others wait.
make_development_key() {
  (umask 077 && mkdir -p "${development_key%/*}")
  (
    flock 8
    [[ -f $development_key && -f $development_certificate ]] && return 0
    make_update_key "$development_key" "$development_certificate"
    say "a development key for updates is made: ${development_key#"$root/"}"
  ) 8> "${development_key%/*}/lock"
}
