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

# sounds FILE MILLISECONDS: it has a track of sound, of that length to 40 ms, in which the microphone's tone is.
sounds() {
  probe "$1" ".streams[1] | .codec_name == \"opus\" and .channels == 1 and ((.duration | tonumber) * 1000 - $2 | fabs) <= 40" || return 1
  ffmpeg -hide_banner -v error -xerror -y -i "$1" -vn -ar 16000 -c:a pcm_s16le "$1.wav"
  "$root/board/peers/tone.py" "$1.wav" 1000 0.25 >&2
}

# in_step FILE: a player begins with the pictures and the sound, and ends with them, to 40 ms.
in_step() {
  probe "$1" 'INDEX(.streams[]; .codec_type) | [.video, .audio] | map([(.start_time | tonumber), (.start_time | tonumber) + (.duration | tonumber)])
    | all(transpose[]; .[0] - .[1] | fabs <= 0.04)'
}

# is_taller FILE: its pictures are taller than wide.
is_taller() { probe "$1" '.streams[0] | .width < .height'; }
