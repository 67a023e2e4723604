# shellcheck shell=bash
# What ffmpeg and ffprobe, which share no code with Talon, say of a clip.

# probe FILE FILTER: what ffprobe tells of the file satisfies the jq filter.
probe() {
  local told
  told=$(ffprobe -v warning -show_streams -show_format -of json "$1") || return 1
  jq -e "$2" <<< "$told" > /dev/null || { say "$told"; return 1; }
}

# plays FILE: every picture decodes without a warning. Each keeps its own time: a camera of a busy machine gives them when it can, and a
# player of equal steps would complain of two in one.
plays() {
  local words
  words=$(ffmpeg -hide_banner -v warning -xerror -i "$1" -fps_mode passthrough -enc_time_base:v -1 -f null - 2>&1) || { say "$words"; return 1; }
  [[ -z $words ]] || { say "$words"; return 1; }
}

# decodes FILE PICTURES: so many of them.
decodes() {
  plays "$1" || return 1
  [[ $(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of json "$1" \
    | jq -r '.streams[0].nb_read_frames') == "$2" ]]
}

# lasts FILE MILLISECONDS SLACK: its length is that, to so many milliseconds.
lasts() { probe "$1" "((.format.duration | tonumber) * 1000 - $2 | fabs) <= $3"; }

# is_taller FILE: its pictures are taller than wide.
is_taller() { probe "$1" '.streams[0] | .width < .height'; }
