# shellcheck shell=bash
# What differs from card to card, and what a person gives: configuration, network, token, names, setup codes, identities.

cards_max=9999

# The firmware that runs on this machine: it checks configurations and makes identities.
host_talon() {
  [[ -x $out/x86_64/talon ]] || die "there is no firmware for this machine; run board/firmware x86_64"
  "$out/x86_64/talon" "$@"
}

# check_config FILE: with the files of /etc/talon that the card gets, and not with those of this machine. Prints what is wrong.
check_config() (
  place=$(umask 077 && mktemp -d) code=0
  trap 'rm -rf "${place:?}"' EXIT
  [[ ! $files ]] || install -m 600 "$files"/* "$place"
  [[ ! $token ]] || install -m 600 "$token" "$place/token"
  sed "s|/etc/talon/|$place/|g" "$1" > "$place/talon.conf"
  (host_talon config check --config "$place/talon.conf") > "$place/said" 2>&1 || code=$?
  sed "s|$place/talon.conf|$1|g; s|$place/|/etc/talon/|g" "$place/said"
  exit "$code"
)

readable() { [[ -f $2 && -r $2 ]] || die "$1 $2 cannot be read"; }

# A mistake is better found here than on a roof.
check_inputs() {
  local problems
  [[ ! $token ]] || readable --token "$token"
  [[ ! $files ]] || check_files
  if [[ $config ]]; then
    readable --config "$config"
    check_config "$config" >&2 || die "$config is not right (files of /etc/talon come by --token and --files)"
  fi
  if [[ $network ]]; then
    readable --network "$network"
    if ! problems=$("$root/images/root/usr/lib/talon-image/network-setup" "$network" "$(mktemp -d)"); then
      die "$network is not right:"$'\n'"$problems"
    fi
  fi
  [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9-]{0,59}$ ]] || die "--name: letters, digits and - only, at most 60"
  if [[ $boards ]]; then
    [[ ! $count ]] || die "--boards or --count, not both"
    readable --boards "$boards"
    read_boards
    count=${#board_names[@]}
  fi
  if [[ ! $count ]]; then
    [[ ! $codes$codes_command$identities$pins ]] || die "--codes, --codes-from, --identities and --pins need --count or --boards"
    return
  fi
  if [[ ! $count =~ ^[0-9]+$ ]] || (( 10#$count < 1 || 10#$count > cards_max )); then die "--count: 1 to $cards_max"; fi
  count=$(( 10#$count ))
  [[ ! $codes || ! $codes_command ]] || die "--codes or --codes-from, not both"
  [[ ! $codes ]] || { readable --codes "$codes"; read_codes; }
}

# read_boards: sets board_names, board_places and board_tags from a CSV file, whose first line is "name,place,tags". A place that has a
# comma stands in double quotes.
read_boards() {
  local line number=1
  board_names=() board_places=() board_tags=()
  while IFS= read -r line || [[ $line ]]; do
    line=${line%$'\r'}
    if (( number == 1 )); then
      [[ $line == name,place,tags ]] || die "$boards:1: the first line is name,place,tags"
    elif [[ $line ]]; then
      [[ $line =~ ^([A-Za-z0-9][A-Za-z0-9-]{0,62})(,(\"([^\"]*)\"|([^\",]*))(,([A-Za-z0-9._\ -]*))?)?$ ]] \
        || die "$boards:$number: a name of letters, digits and -, a place, and tags with spaces between"
      board_names+=("${BASH_REMATCH[1]}")
      board_places+=("${BASH_REMATCH[4]}${BASH_REMATCH[5]}")
      board_tags+=("${BASH_REMATCH[7]// /,}")
    fi
    number=$(( number + 1 ))
  done < "$boards"
  (( ${#board_names[@]} )) || die "$boards has no board"
  [[ $(printf '%s\n' "${board_names[@],,}" | sort | uniq -d) == "" ]] || die "$boards has a name twice"
}

# read_codes: sets code_lines, one setup code for each card; each is used once.
read_codes() {
  mapfile -t code_lines < <(grep -vE '^[[:space:]]*(#|$)' "$codes")
  (( ${#code_lines[@]} >= count )) || die "$codes has ${#code_lines[@]} setup codes for $count cards"
  [[ $(printf '%s\n' "${code_lines[@]}" | sort | uniq -d) == "" ]] || die "$codes has a setup code twice"
}

# What card-setup takes over from the drive, beside what has an option of its own.
drive_files=(update-token update-ca.pem update.pem update-key.pem password)
drive_file_max=65536

# check_files: each file of --files is one that a card looks for, under this very name.
check_files() {
  local file
  [[ -d $files ]] || die "--files: there is no folder $files"
  [[ -n $(ls "$files") ]] || die "--files: $files is empty"
  for file in "$files"/*; do
    [[ " ${drive_files[*]} " == *" ${file##*/} "* ]] || die "$file: a card looks for ${drive_files[*]}, and for nothing else"
    readable --files "$file"
    (( $(stat -c %s "$file") <= drive_file_max )) || die "$file is larger than $drive_file_max bytes"
  done
}

# put_inputs FOLDER: the files of the boot partition that a person gives or may edit.
put_inputs() {
  install -m 644 "${config:-$root/systemd/talon.conf.example}" "$1/talon.conf"
  # The example's address is an example.
  [[ $config ]] || sed -i 's/^url = /#url = /' "$1/talon.conf"
  [[ ! $network ]] || install -m 644 "$network" "$1/network.conf"
  [[ ! $token ]] || install -m 644 "$token" "$1/token"
  [[ ! $files ]] || install -m 644 "$files"/* "$1"
}

# named_network NAME FILE: network.conf with this host name.
named_network() {
  awk -v name="$1" '
    { print }
    /^[[:space:]]*\[board\][[:space:]]*\r?$/ && !done { print "hostname = " name; done = 1 }
    END { if (!done) print "\n[board]\nhostname = " name }
  ' <(sed '/^[[:space:]]*hostname[[:space:]]*=/d' "${network:-$root/images/boot-partition/network.conf}") > "$2"
}

# named_config NAME FILE: a name that talon.conf gives would be the same on all cards.
named_config() { sed "s/^\([[:space:]]*name[[:space:]]*=[[:space:]]*\).*/\1$1/" "$work/boot/talon.conf" > "$2"; }

# placed_config NUMBER FILE: FILE with the place and the tags of a board in [node], in place of what is the same on all cards.
placed_config() {
  [[ $boards ]] || return 0
  place=${board_places[$1 - 1]} tags=${board_tags[$1 - 1]} awk '
    function put() {
      if (ENVIRON["place"] != "") print "place = " ENVIRON["place"]
      if (ENVIRON["tags"] != "") print "tags = " ENVIRON["tags"]
      done = 1
    }
    /^[[:space:]]*\[/ { inside = /^[[:space:]]*\[node\][[:space:]]*\r?$/ }
    inside && /^[[:space:]]*(place|tags)[[:space:]]*=/ { next }
    { print }
    inside && !done && /^[[:space:]]*\[/ { put() }
    END { if (!done) { print "\n[node]"; put() } }
  ' "$2" > "$2.placed"
  mv "$2.placed" "$2"
  check_config "$2" > "$work/check" || die "$boards, ${board_names[$1 - 1]}: $(< "$work/check")"
}

# make_pin: six digits, each as likely as the others.
make_pin() { head -c 600 /dev/urandom | tr -dc 0-9 | head -c 6; }

# pinned_config PIN FILE: FILE with the PIN's hash in [console], in place of one that is the same on all cards.
pinned_config() {
  local hash
  hash=$(host_talon config hash-pin <<< "$1" 2> /dev/null) || die "talon config hash-pin failed"
  awk -v hash="$hash" '
    /^[[:space:]]*\[/ { inside = /^[[:space:]]*\[console\][[:space:]]*\r?$/ }
    inside && /^[[:space:]]*pin(_file)?[[:space:]]*=/ { next }
    { print }
    inside && !done && /^[[:space:]]*\[/ { print "pin = " hash; done = 1 }
    END { if (!done) print "\n[console]\npin = " hash }
  ' "$2" > "$2.pinned"
  mv "$2.pinned" "$2"
}

# make_identity FOLDER NAME: leaves FOLDER/state/identity; prints node id and public key.
make_identity() {
  mkdir -p "$1/state" "$1/run"
  chmod 700 "$1/state"
  if [[ $identities && -f $identities/$2 ]]; then install -m 600 "$identities/$2" "$1/state/identity"; fi
  printf '[node]\nstate_directory = %s\nruntime_directory = %s\n' "$1/state" "$1/run" > "$1/talon.conf"
  host_talon identity --config "$1/talon.conf" | awk '{ print $NF }' | paste -sd,
}

next_code() {
  if [[ $codes ]]; then
    echo "${code_lines[$1 - 1]}"
  elif [[ $codes_command ]]; then
    bash -c "$codes_command" || die "the command for setup codes failed"
  fi
}

# make_cards: cards/NAME-01.img and so on, and cards/cards.csv. The identities' seeds are on the cards alone.
make_cards() {
  local number card code ids pin placed cards=${folder:?}/cards
  rm -rf "$cards"
  (umask 077 && mkdir -p "$cards")
  echo "name,device_id,public_key,image${boards:+,place,tags}${pins:+,pin}" > "$cards/cards.csv"
  for (( number = 1; number <= count; number++ )); do
    if [[ $boards ]]; then card=${board_names[number - 1]}; else card=$name-$(printf %02d "$number"); fi
    code=$(next_code "$number")
    ids=$(make_identity "$work/$card" "$card")
    [[ $ids =~ ^[0-9a-f]{64},[0-9a-f]{64}$ ]] || die "talon identity printed '$ids'"
    cp --sparse=always --reflink=auto "$image" "$cards/$card.img"
    named_network "$card" "$work/$card/network.conf"
    named_config "$card" "$work/$card/talon.conf"
    placed_config "$number" "$work/$card/talon.conf"
    pin=''
    if [[ $pins ]]; then
      pin=$(make_pin)
      [[ $pin =~ ^[0-9]{6}$ ]] || die "no PIN could be made"
      pinned_config "$pin" "$work/$card/talon.conf"
    fi
    put_boot "$cards/$card.img" "$work/$card/network.conf" network.conf
    put_boot "$cards/$card.img" "$work/$card/talon.conf" talon.conf
    put_boot "$cards/$card.img" "$work/$card/state/identity" identity
    if [[ $code ]]; then
      { cat "$root/images/boot-partition/setup-code.txt"; echo "$code"; } > "$work/$card/setup-code.txt"
      put_boot "$cards/$card.img" "$work/$card/setup-code.txt" setup-code.txt
    fi
    placed=''
    [[ ! $boards ]] || placed=",\"${board_places[number - 1]}\",${board_tags[number - 1]//,/ }"
    echo "$card,$ids,$card.img$placed${pins:+,$pin}" >> "$cards/cards.csv"
  done
  say "$count cards and cards.csv in ${cards#"$root/"}"
}
