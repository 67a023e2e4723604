#!/usr/bin/env bash
# Cameras of a real kernel (vivid) under the x86_64 firmware, without a gateway: one single-planar, one multi-planar,
# and an HDMI input. Every pixel format shows the test picture, at three sizes or at two; what goes wrong in the driver is told,
# and the next photo works.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

# Two webcams, and something plugged into HDMI.
cameras="n_devs=3 node_types=0x1,0x1,0x1 num_inputs=1,1,1 input_types=0,0,3 multiplanar=1,2,1"
sizes="320x180 640x480 1920x1080"
# What differs between them, memory for each plane, shows at small ones too.
parted_sizes="320x180 640x480"

# Runs in the guest: a photo in each format and size that is used, in /photos/DEVICE; without text over the picture.
photograph='
  device=$1; shift
  talon camera controls /dev/$device --set osd_text_mode=2
  mkdir -p /photos/$device
  for size in $*; do
    for code in $(talon camera modes /dev/$device | grep -v "not used" | tr -d "*" \
      | awk -v size=$size "\$2 == size { print \$1 }"); do
      talon camera snap /dev/$device --format $code --size $size --width 4096 --delay 0 \
        --out /photos/$device/$code-$size.jpg > /dev/null || echo "$code $size"
    done
  done
'

# photographs DEVICE SIZE...: takes them all, and copies them to a folder of the device's name.
photographs() {
  local failed
  mkdir -p "$bench/photos"
  failed=$(guest "set -- $*; $photograph") || return 1
  [[ -z $failed ]] || { say "no photo in $failed"; return 1; }
  guest "tar c -C /photos $1 | base64" | base64 -d | tar x -C "$bench/photos"
}

# all_show DEVICE LEAST: at least LEAST photos, and each shows the bars.
all_show() {
  local file size count=0
  for file in "$bench/photos/$1"/*.jpg; do
    size=${file##*-}
    case ${file##*/} in
      GREY-* | Y10-* | Y16-*) shows_gray_bars "$file" "${size%x*}" || return 1 ;;
      *) shows_bars "$file" "${size%x*}" || return 1 ;;
    esac
    (( ++count ))
  done
  say "  ($count photos of $1)"
  (( count >= $2 ))
}

# has_formats DEVICE SIZES CODE...: it was photographed in these formats at these sizes.
has_formats() {
  local device=$1 sizes=$2 code size; shift 2
  for code; do
    for size in $sizes; do
      [[ -f $bench/photos/$device/$code-$size.jpg ]] || { say "$device: no $code at $size"; return 1; }
    done
  done
}

# prints COMMAND TEXT: the output of the guest's command holds the text, whatever its exit code.
prints() {
  local output
  output=$(guest "$1 2>&1") || true
  [[ $output == *"$2"* ]] || { tail -n 5 <<< "$output" >&2; return 1; }
}

snap="talon camera snap --size 640x360 --delay 0 --out /tmp/photo.jpg"
set_control="talon camera controls --set"

works() { guest "$snap > /dev/null"; }

# survives CONTROL: after the driver was told to fail once, there is a photo, and the next one works.
survives() {
  guest "$set_control $1=1" && prints "$snap" "640x360, " && works
}

# fails_in_stream CONTROL TEXT: the same in the middle of a stream that gives no frames.
fails_in_stream() {
  prints "$set_control percentage_of_dropped_buffers=100; $snap & sleep 2; $set_control $1=1; wait \$!" "$2"
}

# serves_one: a second program is told that the camera is busy, and the first goes on.
serves_one() {
  prints "$set_control percentage_of_dropped_buffers=100
    $snap & sleep 2; $snap
    $set_control percentage_of_dropped_buffers=0; wait \$!" "$1"
}

# Those with rows of their own are converted at every size, the others at those that have whole blocks.
vendor="YVYU XR24 BX24 AR24 BA24 BGR4 RGB4 BYR2 GB16 GR16 RG16 Y16"
bayer="RGGB GRBG GBRG BA81 RG10 BA10 GB10 BG10 RG12 BA12 GB12 BG12"
plain="YUYV UYVY NV12 NV21 YU12 YV12 RGB3 BGR3 GREY Y10"
parted="NM12 NM21 YM12 YM21"

begin "$out/test/camera"
"$root/board/vm" start "$bench/vm" "$cameras"

claim "three cameras are listed, and where they are plugged in" prints "talon camera list" "platform:vivid-002"
claim "a photo is planned in the smallest size that is enough" \
  prints "talon camera modes --width 600" "for a photo 600 wide: YU12 640x480"
claim "a clip is planned in a rate that is enough" \
  prints "talon camera modes --clip --width 640 --rate 30" "for a clip 640 wide: YU12 640x360, 30 frames"
claim "a camera is found by where it is plugged in" prints "talon camera modes platform:vivid-001" "/dev/video1"
claim "a camera that is not there is told" \
  prints "talon camera modes /dev/video9" "camera device not found: /dev/video9"

# shellcheck disable=SC2086  # one word per size
claim "the single-planar camera is photographed in all formats" photographs video0 $sizes
claim "each shows the bars" all_show video0 106
# shellcheck disable=SC2086  # one word per format
claim "Bayer, plain and converted formats are among them" has_formats video0 "$sizes" $bayer $plain $vendor
# shellcheck disable=SC2086
claim "the multi-planar camera is photographed in all formats" photographs video1 $parted_sizes
claim "each shows the bars" all_show video1 77
# shellcheck disable=SC2086
claim "those with memory for each plane are among them" has_formats video1 "$parted_sizes" $bayer $plain $parted $vendor

claim "a value beyond a control's range is told" \
  prints "$set_control brightness=300" "brightness is 255, not the 300 of the configuration"
claim "a control that is not there is told" prints "$set_control sharpness=1" "has no control sharpness"

claim "a damaged buffer is passed over" \
  prints "$set_control inject_v4l2_buf_flag_error=1; $snap" "1 damaged frames passed over"
claim "an error at the request for buffers costs no photo" survives inject_vidioc_reqbufs_error
claim "an error at the preparation of a buffer costs no photo" survives inject_vidioc_qbuf_error
claim "an error at the start of the stream costs no photo" survives inject_vidioc_streamon_error
claim "a camera serves one program at a time" serves_one "CAMERA_UNAVAILABLE: camera is in use by another program"
claim "an error in the middle of the stream is told" \
  fails_in_stream inject_fatal_streaming_error "UNAVAILABLE: "
guest "$set_control percentage_of_dropped_buffers=0"
claim "and passes" works

hdmi="talon camera snap /dev/video2 --delay 0 --out /tmp/photo.jpg"
claim "what is plugged into HDMI is photographed" guest "$hdmi > /dev/null"
guest "talon camera controls /dev/video2 --set dv_timings_signal_mode=1"
claim "without a signal that is told" prints "$hdmi" "CAMERA_UNAVAILABLE: camera has no signal"
guest "talon camera controls /dev/video2 --set dv_timings_signal_mode=0"
claim "and with one again there is a photo" guest "$hdmi > /dev/null"

claim "a camera that goes away in the middle is told" \
  fails_in_stream disconnect "CAMERA_UNAVAILABLE: camera was disconnected"
guest "$set_control percentage_of_dropped_buffers=0"
claim "and works when it is back" works
unplug_camera
claim "without a camera that is told" prints "$snap" "CAMERA_UNAVAILABLE: no camera devices found"
plug_camera
claim "plugged in again it works" works
