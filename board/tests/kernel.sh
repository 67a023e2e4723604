#!/usr/bin/env bash
# The x86_64 firmware on a real kernel: it pairs over TLS, photographs with V4L2, reads a GPS receiver on a
# UART, survives a camera that is unplugged, and comes back without a second approval.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/field-vm.sh"
source "$root/board/lib/photo.sh"
source "$root/board/lib/claims.sh"

# clip_interrupted: the camera goes away in the middle of a clip.
clip_interrupted() {
  invoke camera.clip '{"durationMs":12000}' > "$bench/interrupted.json" &
  local clip=$!
  sleep 5
  unplug_camera
  ! wait "$clip" && says "$bench/interrupted.json" "camera was disconnected"
}

begin "$out/test/kernel"
start_gateway
start_vm
start_talon
pairs log_says

claim "camera.list names the V4L2 device" answers camera.list '{}' '.devices | length == 1 and .[0].deviceType == "v4l2"'
claim "a photo 640 wide shows the test picture" snaps 640 "$bench/640.jpg"
claim "a photo 320 wide shows the test picture" snaps 320 "$bench/320.jpg"
location_claims
claim "the fix is of now" answers location.get '{}' 'now - (.timestamp | sub("\\.[0-9]+"; "") | fromdate) | fabs < 15'
device_claims
claim "device.status knows the wireless device and counts addresses" answers device.status '{}' \
  '.network | .defaultInterface == "eth0" and any(.links[]; .name == "wlan0" and .kind == "wifi")
    and any(.links[]; .name == "eth0" and .hasCarrier and .addresses > 0)'
claim "device.health knows the watchdog and the hardware clock" answers device.health '{}' \
  '.watchdog.identity == "Software Watchdog" and .clock.hasHardwareClock'
claim "the notification is in the log" log_says "from the bench"

claim "unplugging in the middle of a clip is answered" clip_interrupted
claim "a photo without a camera is refused" refuses camera.snap '{}' CAMERA_UNAVAILABLE
claim "camera.list is empty" answers camera.list '{}' '.devices == []'
claim "the node stays connected" is_connected
plug_camera
claim "the camera that is plugged in is found without a question" wait_for 5 log_says "1 camera is there"
claim "the camera is back" snaps 640 "$bench/back.jpg"

stop_talon
claim "after a goodbye the gateway knows" wait_for 10 is_gone
start_talon
claim "the second start needs no approval" wait_for 30 is_connected
