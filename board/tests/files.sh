#!/usr/bin/env bash
# Files of a board for the gateway's agent ([files] folders), with the x86_64 firmware: what is written is fetched again byte by byte, no
# link leads out of a shared folder, not even one that takes the place of a folder again and again meanwhile, and a full disk leaves
# everything as it was. Run with "inside" it is in a namespace of its own, where a small disk can be mounted.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"

if [[ ${1-} != inside ]]; then
  own=(unshare --map-root-user --mount)
  (( EUID != 0 )) || own=(unshare --mount)
  exec "${own[@]}" "$0" inside
fi

talon=${TALON-$out/x86_64/talon}
# path NAME [MEMBERS]: parameters with a path below the bench's folder; MEMBERS are those of a jq object.
path() { jq -nc --arg path "$bench/$1" "{path: \$path} + {${2-}}"; }
# tells COMMAND PARAMS CODE WORDS: the answer has ok: false, this code, and a message with these words.
tells() { answers "$1" "$2" ".ok == false and .code == \"$3\" and (.message | contains(\"$4\"))"; }
# writes NAME FILE [MEMBERS]: the content of FILE is written.
writes() {
  answers file.write "$(base64 -w0 "$2" | jq -Rc --arg path "$bench/$1" "{path: \$path, contentBase64: .} + {${3-}}")" \
    ".ok and .size == $(stat -c %s "$2") and .sha256 == \"$(sha256sum "$2" | cut -d' ' -f1)\""
}
# fetches NAME FILE: the file NAME of the board has the content of FILE.
fetches() {
  invoke file.fetch "$(path "$1")" > "$bench/fetched.json" && jq -re .base64 "$bench/fetched.json" | base64 -d | cmp - "$2" &&
    [[ $(jq -r .sha256 "$bench/fetched.json") == "$(sha256sum "$2" | cut -d' ' -f1)" ]]
}
# bytes COUNT: as many, which differ from place to place.
bytes() { head -c "$1" < <(openssl enc -aes-128-ctr -nosalt -K 00 -iv 00 -in /dev/zero 2> /dev/null); }
log_says() { says "$bench/talon.log" "$1"; }
declares() { gateway nodes status | jq -e --arg name "$1" 'any(.nodes[]; .commands | index($name))' > /dev/null; }
only_those_are_there() { [[ $(cd "$bench/$1" && find . -mindepth 1 | sort | tr '\n' ' ') == "$2" ]]; }
# swaps: the folder share/turn is a folder, and a link out of it, by turns.
swaps() {
  while true; do
    mv "$bench/share/turn" "$bench/share/away" && ln -s ../secret "$bench/share/turn"
    rm "$bench/share/turn" && mv "$bench/share/away" "$bench/share/turn"
  done
}
# no_race_leads_out COUNT: as many fetches while the folder is swapped; each gets the file, or a refusal.
no_race_leads_out() {
  local number answer
  for (( number = 0; number < $1; number++ )); do
    answer=$(invoke file.fetch "$(path share/turn/file)")
    jq -e '(.ok and (.base64 | @base64d) == "inside") or (.ok == false and (.code | IN("SYMLINK_REDIRECT", "NOT_FOUND", "READ_ERROR")))' \
      <<< "$answer" > /dev/null || { say "$answer"; return 1; }
  done
}

begin "$out/test/files"
mkdir -p "$bench"/{share/turn,inbox,small,secret}
printf inside > "$bench/share/turn/file"
printf outside | tee "$bench/secret/file" > "$bench/secret/name"
bytes 1000 > "$bench/one.bin"
bytes 4000000 > "$bench/large.bin"
bytes 9000000 > "$bench/huge.bin"
# As much as fits one word of a command line, in base64.
bytes 90000 > "$bench/word.bin"
cp "$bench/large.bin" "$bench/huge.bin" "$bench/share"
ln -s "$bench/secret/file" "$bench/share/link"
ln -s ../secret "$bench/share/folder"
ln -s . "$bench/share/round"
mkfifo "$bench/share/pipe"
for (( number = 0; number < 450; number++ )); do : > "$bench/share/turn/$(printf 'n%03d' "$number")"; done
mount -t tmpfs -o size=64k small "$bench/small"

start_gateway 0
write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
printf '\n[files]\nfolders = %s ro, %s rw, %s rw\n' "$bench/share" "$bench/inbox" "$bench/small" >> "$bench/board/talon.conf"
"$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
pairs log_says
claim "the commands for files are declared" eval 'declares file.fetch && declares dir.list && declares file.stat && declares file.write'

say "reading"
claim "a file of 4 MB comes byte by byte" fetches share/large.bin "$bench/large.bin"
claim "a larger one is refused with both numbers" tells file.fetch "$(path share/huge.bin)" FILE_TOO_LARGE "9000000, and"
claim "its size is told" answers file.stat "$(path share/huge.bin)" '.ok and .size == 9000000 and (.isDir | not)'
claim "a folder is listed by pages" eval 'answers dir.list "$(path share/turn)" \
  ".ok and (.entries | length) == 200 and .entries[0].name == \"file\" and .nextPageToken == \"200\"" &&
  answers dir.list "$(path share/turn "pageToken: \"400\"")" "(.entries | length) == 51 and (has(\"nextPageToken\") | not)"'
claim "a link is not followed" tells file.fetch "$(path share/link)" SYMLINK_REDIRECT "symbolic link"
claim "nor one on the way" tells file.fetch "$(path share/folder/file)" SYMLINK_REDIRECT "symbolic link"
claim "nor one that stays inside" tells file.fetch "$(path share/round/large.bin)" SYMLINK_REDIRECT "symbolic link"
claim "nor if the gateway asks for that" tells file.fetch "$(path share/link 'followSymlinks: true')" SYMLINK_REDIRECT "symbolic link"
claim "nor for a list" tells dir.list "$(path share/folder)" SYMLINK_REDIRECT "symbolic link"
claim "a path with .. is refused" tells file.fetch "$(path share/../secret/file)" PATH_TRAVERSAL ".."
claim "a path beside the shared folders is refused, and they are named" tells file.fetch "$(path secret/file)" PERMISSION_DENIED \
  "$bench/share (read)"
claim "the board's keys as well" tells dir.list "$(path board/state)" PERMISSION_DENIED "no folder that the owner shares"
claim "a pipe keeps nobody waiting" tells file.fetch "$(path share/pipe)" READ_ERROR "pipes"
swaps 2> /dev/null &
swaps_pid=$!
claim "a folder that is a link by turns never leads out" no_race_leads_out 60
kill "$swaps_pid"

say "writing"
claim "a file is written" writes inbox/file "$bench/word.bin"
claim "and is the same on the disk" cmp "$bench/inbox/file" "$bench/word.bin"
claim "another one does not take its place" tells file.write "$(path inbox/file 'contentBase64: "QQ=="')" EXISTS_NO_OVERWRITE "overwrite"
claim "unless that is asked for" writes inbox/file "$bench/one.bin" 'overwrite: true'
claim "and is fetched" fetches inbox/file "$bench/one.bin"
claim "one of another digest is not written" tells file.write \
  "$(path inbox/b "contentBase64: \"QQ==\", expectedSha256: \"$(printf 0%.0s {1..64})\"")" INTEGRITY_FAILURE "SHA-256"
claim "a missing folder is named" tells file.write "$(path inbox/a/b 'contentBase64: "QQ=="')" PARENT_NOT_FOUND "createParents"
claim "and made, if that is asked for" answers file.create "$(path inbox/a/b 'contentBase64: "QQ==", createParents: true')" \
  '.ok and .size == 1'
claim "a folder for reading stays as it is" tells file.write "$(path share/new 'contentBase64: "QQ=="')" PERMISSION_DENIED \
  "reading alone"
claim "a full disk takes nothing" tells file.write "$(path small/large 'contentBase64: ("A" * 120000)')" WRITE_ERROR "disk is full"
claim "and everything else" writes small/one "$bench/one.bin"
claim "nothing half written is left" eval 'only_those_are_there inbox "./a ./a/b ./file " && only_those_are_there small "./one "'
claim "the log has what was written, and no content" eval \
  'says "$bench/talon.log" "agent wrote \"$bench/inbox/a/b\"" && ! says "$bench/talon.log" "QQ=="'
claim "after all that the agent answers" answers device.info '{}' '.deviceName != ""'
