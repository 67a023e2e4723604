#!/usr/bin/env bash
# Clips as an independent player sees them: ffmpeg decodes each without a word, and agrees on length and size.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/player.sh"

lab=$root/.build/debug/talon-lab
folder=$out/test/clip

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
  jq -e ".bytes <= $limit and .left_out == 0" <<< "$told" > /dev/null || { say "$told"; return 1; }
  decodes "$file" "$(jq .pictures <<< "$told")" || return 1
  starts_fast "$file" || return 1
  seeks "$file" "$(jq '.duration / 2e6' <<< "$told")" || return 1
  probe "$file" '(.streams | length) == 1
    and (.streams[0] | .codec_name == "h264" and (.pix_fmt | test("^yuvj?420p$")))' || return 1
  # Of a picture that the player turns, ffprobe tells the size before.
  probe "$file" ".streams[0] | [.width, .height] as \$size
    | (if any(.side_data_list[]?; .rotation | fabs == 90) then (\$size | reverse) else \$size end)
    == $(jq -c '[.width, .height]' <<< "$told")"
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

# shows FILE CORNER: as a player turns it, the mark that the camera sees at its top left is at "left" or "right" and
# "top" or "bottom", and the corner opposite is darker.
shows() {
  local x=0 y=0 told
  [[ $2 == *right* ]] && x=1
  [[ $2 == *bottom* ]] && y=1
  told=$(for corner in "$x $y" "$(( 1 - x )) $(( 1 - y ))"; do
    ffmpeg -hide_banner -v error -i "$1" -frames:v 1 -f rawvideo -pix_fmt gray \
      -vf "crop=iw/16:ih/16:(iw-ow)*${corner% *}:(ih-oh)*${corner#* },scale=1:1" - | od -An -tu1
  done)
  # shellcheck disable=SC2086  # two numbers
  set -- $told
  (( $1 > 230 && $2 < 200 )) || { say "$told"; return 1; }
}

# turns NAME DEGREES CORNER OPTION...: a clip of a camera that hangs askew stands upright.
turns() {
  records "$1" 500 25000 $whole --turn "$2" "${@:4}" && shows "$folder/$1.mp4" "$3"
}

# keeps_to FILE MIB: so much memory more than before was enough.
keeps_to() { jq -e ".rss_growth <= $2 * 1024 * 1024" "$1" > /dev/null || { cat "$1"; return 1; }; }

# camera NAME PROFILE OPTION...: a stream as a camera's own encoder gives it.
camera() {
  ffmpeg -hide_banner -v error -y -f lavfi \
    -i testsrc2=duration=4:size=640x360:rate=25,drawbox=w=iw/8:h=ih/8:color=white:t=fill -c:v libx264 -profile:v "$2" \
    -pix_fmt yuv420p -bf 0 -g 25 "${@:3}" -bsf:v h264_metadata=aud=insert -f h264 "$folder/$1.h264"
}

# refuses_camera NAME WORDS: no clip comes of it, and the reason is told.
refuses_camera() {
  ! "$lab" clip --out "$folder/$1.mp4" --source h264 --stream "$folder/$1.h264" --rate 25000 2> "$folder/$1.err" \
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
claim "sizes that are odd indeed play" records odder 1000 25000 $whole --source mjpeg --width 161 --height 91
claim "1080p plays as 720p" records larger 250 25000 $whole --source yuyv --width 1920 --height 1080
for source in yuyv nv12 mjpeg gray; do
  claim "a camera that gives $source and hangs on its side" turns "$source" 90 "top right" --source "$source"
done
claim "a camera that hangs upside down" turns down 180 "bottom right"
claim "a camera that hangs on its other side" turns other 270 "bottom left" --source mjpeg --width 241 --height 161
claim "ten seconds of 720p take 16 MB" records ten 10000 30000 $whole --source yuyv --width 1280 --height 720
claim "and no more" keeps_to "$folder/ten.json" 16
claim "uneven times play" records uneven 5000 29970 $whole --jitter 9000
claim "sixty pictures a second play" records fast 2000 60000 $whole --width 320 --height 240
claim "a minute plays" records minute 60000 15000 $whole --width 160 --height 120
claim "a minute within 150 kB plays" records narrow 60000 15000 150000 --width 160 --height 120
claim "noise is cut short by its limit, and plays" holds noise 10000 30000 1000000 --noise
for profile in baseline main high; do
  claim "a camera's $profile stream becomes a stream" camera "$profile" "$profile"
  claim "a camera's $profile stream plays" records "$profile" 3000 25000 $whole \
    --source h264 --stream "$folder/$profile.h264"
done
for degrees in "90 top right" "180 bottom right" "270 bottom left"; do
  claim "a camera's own stream, turned by ${degrees%% *} degrees" turns "turned-${degrees%% *}" "${degrees%% *}" \
    "${degrees#* }" --source h264 --stream "$folder/high.h264"
done
claim "several slices become a stream" camera slices high -slices 4
claim "several slices play" records slices 3000 25000 $whole --source h264 --stream "$folder/slices.h264"
claim "pictures that lean on later ones become a stream" camera reordered high -bf 2
claim "and are refused" refuses_camera reordered unsupportedFormat
