# shellcheck shell=bash
# How a scenario in tests/ states what must hold: a claim in plain words, then the command that proves it.

# claim WORDS COMMAND...: prints the claim when it holds, and how long it took when that was long; ends the scenario when it does
# not hold.
claim() {
  local words=$1 started=$SECONDS; shift
  "$@" || die "not so: $words"
  say "  $words$( (( SECONDS - started < 5 )) || echo " ($(( SECONDS - started )) s)")"
}

# answers COMMAND PARAMS FILTER: the node's payload satisfies the jq filter.
answers() {
  local payload
  payload=$(invoke "$1" "$2") || { say "$payload"; return 1; }
  jq -e "$3" <<< "$payload" > /dev/null || { say "$payload"; return 1; }
}

# refuses COMMAND PARAMS CODE: the node answers with the documented error.
refuses() {
  local error
  if error=$(invoke "$1" "$2"); then say "$error"; return 1; fi
  [[ $error == *"$3"* ]] || { say "$error"; return 1; }
}

# says FILE TEXT: the file holds the text.
says() { grep -qF -- "$2" "$1"; }

# has_finding FILE CHECK TEXT GRADE...: of the doctor's findings in FILE, one of this check and of one of these grades contains TEXT.
has_finding() {
  local file=$1 check=$2 text=$3; shift 3
  jq -e --arg check "$check" --arg text "$text" \
    'any(.findings[]; .check == $check and (.grade | IN($ARGS.positional[])) and (.text | contains($text)))' "$file" --args "$@" > /dev/null
}

# snaps WIDTH FILE: a photo of that width arrives, and shows the colour bars.
snaps() {
  invoke camera.snap "{\"maxWidth\":$1,\"delayMs\":0}" --out "$2" > "$2.json" || { cat "$2.json" >&2; return 1; }
  shows_bars "$2" "$1"
}

# What every board answers, whatever it runs on. The places are those of field.nmea; a fix is younger than 15 s.
device_claims() {
  claim "device.info names the board" answers device.info '{}' ".deviceName == \"$board_name\" and .systemName != \"\""
  claim "device.status knows storage and uptime" answers device.status '{}' \
    '.storage.totalBytes > 0 and .uptimeSeconds > 0 and .network.status == "satisfied"'
  claim "device.status adds sections" answers device.status '{"sections":["os","cpu","memory","disk"]}' \
    '.os.name == "Linux" and .cpu.count > 0 and .memory.totalRamBytes > 0 and .disk.totalBytes > 0 and .collectedAt != ""'
  claim "device.health knows memory, clock and what Talon does" answers device.health '{}' \
    '.memory.totalRamBytes > 0 and (.clock | has("isSynchronized")) and .services.gateway.state == "ok"'
  claim "device.permissions knows what the configuration allows" answers device.permissions '{}' \
    '.permissions.notifications == {"status":"granted","promptable":false}'
  claim "system.notify is taken" answers system.notify '{"title":"Hello","body":"from the bench"}' 'true'
  claim "an unknown command is refused" refuses debug.nothing '{}' 'not'
}

location_claims() {
  claim "location.get tells where and when" answers location.get '{"timeoutMs":10000}' \
    '(.lat - 46.948 | fabs) < 0.001 and (.lon - 7.4475 | fabs) < 0.001 and .altitudeMeters > 500 and .accuracyMeters > 0'
}

# pairs LOG_SAYS: Talon asks for approval in words that can be typed, and is approved. LOG_SAYS TEXT is a
# command that tells whether Talon's log holds the text.
pairs() {
  local request
  wait_for 60 is_pending || die "no pairing request arrived"
  request=$(pending_request)
  claim "the log shows the command that approves" wait_for 5 "$1" "devices approve $request"
  gateway devices approve "$request" > "$bench/approved.json"
  claim "approved, the node connects" wait_for 90 is_connected
}
