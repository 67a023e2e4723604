#!/usr/bin/env bash
# Clips as an independent player sees them: ffmpeg decodes each without a word, and agrees on length and size.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

lab=$root/.build/debug/talon-lab
folder=$out/test/clip

# probe FILE FILTER: what ffprobe tells of the file satisfies the jq filter.
probe() {
  local told
  told=$(ffprobe -v warning -show_streams -show_format -of json "$1") || return 1
  jq -e "$2" <<< "$told" > /dev/null || { say "$told"; return 1; }
}

# decodes FILE PICTURES: every picture, without a warning.
decodes() {
  local words
  words=$(ffmpeg -hide_banner -v warning -xerror -i "$1" -f null - 2>&1) || { say "$words"; return 1; }
  [[ -z $words ]] || { say "$words"; return 1; }
  [[ $(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1") == "$2" ]]
}

# starts_fast FILE: what a player must know stands before the pictures.
starts_fast() { [[ $(tr -d '\0' < "$1" | grep -aobE -m 1 'moov|mdat' | head -1) == *moov ]]; }

# seeks FILE SECONDS: a player finds a picture there.
seeks() {
  local words
  words=$(ffmpeg -hide_banner -v warning -ss "$2" -i "$1" -frames:v 1 -f null - 2>&1) && [[ -z $words ]]
}

# holds NAME MILLISECONDS RATE LIMIT OPTION...: a clip within its limit that plays, as long as it came out.
holds() {
  local file=$folder/$1.mp4 milliseconds=$2 rate=$3 limit=$4 told
  "$lab" clip --out "$file" --duration "$milliseconds" --rate "$rate" --limit "$limit" "${@:5}" > "$folder/$1.json" \
    || return 1
  told=$(< "$folder/$1.json")
  (( $(stat -c %s "$file") <= limit )) || return 1
  jq -e ".bytes <= $limit and .damaged == 0" <<< "$told" > /dev/null || { say "$told"; return 1; }
  decodes "$file" "$(jq .pictures <<< "$told")" || return 1
  starts_fast "$file" || return 1
  seeks "$file" "$(jq '.duration / 2e6' <<< "$told")" || return 1
  probe "$file" '(.streams | length) == 1 and (.streams[0] | .codec_name == "h264" and (.pix_fmt | test("^yuvj?420p$")))' \
    || return 1
  probe "$file" ".streams[0].width == $(jq .width <<< "$told") and .streams[0].height == $(jq .height <<< "$told")"
}

# records NAME MILLISECONDS RATE LIMIT OPTION...: the same, and the clip is as long as was asked, to one picture.
records() {
  local seconds frame
  holds "$@" || return 1
  seconds=$(jq -n "$2 / 1000")
  frame=$(jq -n "1000 / $3")
  probe "$folder/$1.mp4" "(.format.duration | tonumber - $seconds | fabs) <= $frame
    and (.streams[0].duration | tonumber - $seconds | fabs) <= $frame"
}

# camera NAME PROFILE OPTION...: a stream as a camera's own encoder gives it.
camera() {
  ffmpeg -hide_banner -v error -y -f lavfi -i testsrc2=duration=4:size=640x360:rate=25 -c:v libx264 -profile:v "$2" \
    -pix_fmt yuv420p -bf 0 -g 25 "${@:3}" -bsf:v h264_metadata=aud=insert -f h264 "$folder/$1.h264"
}

# refuses_camera NAME WORDS: no clip comes of it, and the reason is told.
refuses_camera() {
  ! "$lab" clip --out "$folder/$1.mp4" --stream "$folder/$1.h264" --rate 25000 2> "$folder/$1.err" \
    && [[ ! -f $folder/$1.mp4 ]] && says "$folder/$1.err" "$2"
}

rm -rf "$folder"
mkdir -p "$folder"
"$root/board/prepare" player
whole=19611648

claim "three seconds play" records plain 3000 30000 $whole
claim "a quarter of a second plays" records short 250 30000 $whole
claim "720p plays" records large 2500 30000 $whole --width 1280 --height 720
claim "odd sizes play" records odd 1000 25000 $whole --width 162 --height 90
claim "uneven times play" records uneven 5000 29970 $whole --jitter 9000
claim "sixty pictures a second play" records fast 2000 60000 $whole --width 320 --height 240
claim "a minute plays" records minute 60000 15000 $whole --width 160 --height 120
claim "a minute within 150 kB plays" records narrow 60000 15000 150000 --width 160 --height 120
claim "noise is cut short by its limit, and plays" holds noise 10000 30000 1000000 --noise
for profile in baseline main high; do
  claim "a camera's $profile stream becomes a stream" camera "$profile" "$profile"
  claim "a camera's $profile stream plays" records "$profile" 3000 25000 $whole --stream "$folder/$profile.h264"
done
claim "several slices become a stream" camera slices high -slices 4
claim "several slices play" records slices 3000 25000 $whole --stream "$folder/slices.h264"
claim "pictures that lean on later ones become a stream" camera reordered high -bf 2
claim "and are refused" refuses_camera reordered reordered
