#!/usr/bin/env bash
# Scripts on the canvas through a gateway: the x86_64 firmware with a screen that nobody sees. What a program draws is on the
# screen when it is answered; what never ends, or takes too much, is an error, and the node serves on meanwhile.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/bench.sh"
source "$root/board/lib/claims.sh"
source "$root/board/lib/confined.sh"

talon=$out/x86_64/talon

# evaluates PROGRAM RESULT: the answer is this text.
evaluates() {
  local payload
  payload=$(invoke canvas.eval "$(jq -nc --arg s "$1" '{javaScript: $s}')") || { echo "$payload" >&2; return 1; }
  [[ $(jq -r .result <<< "$payload") == "$2" ]] || { echo "$payload" >&2; return 1; }
}

# fails PROGRAM TEXT: the answer is an error that says so.
fails() {
  local error
  if error=$(invoke canvas.eval "$(jq -nc --arg s "$1" '{javaScript: $s}')"); then echo "$error" >&2; return 1; fi
  [[ $error == *"$2"* ]] || { echo "$error" >&2; return 1; }
}

# shows X Y COLOR: the pixel of the screen, as an independent decoder reads it.
shows() {
  local color
  invoke canvas.snapshot '{"format":"png"}' --out "$bench/screen.png" > /dev/null
  "$root/board/peers/png.py" "$bench/screen.png" "$bench/screen.ppm" > /dev/null
  color=$(tail -c $(( 480 * 320 * 3 )) "$bench/screen.ppm" | od -An -tx1 -j $(( ($2 * 480 + $1) * 3 )) -N 3 | tr -d ' ')
  [[ $color == "$3" ]] || { say "$color"; return 1; }
}

resident() { awk '/VmRSS/ { print $2 }' "/proc/$node_pid/status"; }

begin "$out/test/eval"
start_gateway
write_config "$bench/board" 127.0.0.1 "$bench/board" "driver = none" "driver = none"
printf '\n[canvas]\nscreen = 480x320\n' >> "$bench/board/talon.conf"
"$talon" run --config "$bench/board/talon.conf" > "$bench/talon.log" 2>&1 &
node_pid=$!
wait_for 20 is_pending || die "no pairing request arrived; see $bench/talon.log"
gateway devices approve "$(pending_request)" > "$bench/approved.json"
claim "approved, it connects" wait_for 20 is_connected
claim "it has scripts" answers canvas.caps '{}' .eval
before=$(resident)
claim "without a script there is no process for it" eval '! confined run-script'
claim "a value is an answer" evaluates '[1, 2].map(x => x ** 2)' '[1,4]'
idle=$(resident)
runner=$(confined run-script) || die "there is no process for scripts"
claim_confined "$runner"
claim "home is still shown" evaluates 'document.title' ''
claim "OpenClaw's own snippet draws" evaluates "(() => {
  const {ctx} = window.__openclaw;
  ctx.clearRect(0, 0, innerWidth, innerHeight);
  ctx.lineWidth = 6;
  ctx.strokeStyle = '#ff2d55';
  ctx.beginPath();
  ctx.moveTo(40, 40);
  ctx.lineTo(innerWidth - 40, innerHeight - 40);
  ctx.stroke();
  ctx.fillStyle = 'rgb(20, 120, 220)';
  ctx.font = 'bold 24px sans-serif';
  ctx.fillText('Hello', 40, 300);
  ctx.fillRect(400, 10, 60, 60);
  return 'ok';
})()" ok
claim "and is on the screen when it is answered" shows 240 160 ff2d55
claim "with its rectangle" shows 430 40 1478dc
claim "an error names its line" fails $'let a = 1;\na.b.c' "line 2"
claim "what is not there is said" fails 'fetch("https://example.org/")' "not available"
claim "a promise is awaited" evaluates 'new Promise(done => setTimeout(() => done("later"), 200))' later
claim "what is animated goes on by itself" evaluates 'let x = 0; const step = () => { const {ctx} = __openclaw; ctx.fillStyle = "lime"; ctx.fillRect(x, 100, 4, 4); x += 4; if (x < 100) requestAnimationFrame(step) }; step(); "on"' on
claim "until its last frame" wait_for 10 evaluates 'x' 100 2> "$bench/frames.log"
claim "which is on the screen" shows 98 102 00ff00

invoke canvas.eval '{"javaScript":"for (;;) {}"}' > "$bench/runaway.json" 2>&1 &
runaway=$!
sleep 0.5
claim "while a script runs away, others are answered" answers device.status '{}' '. != null'
claim "documents, too" answers canvas.a2ui.push '{"messages":[{"deleteSurface":{"surfaceId":"none"}}]}' .ok
wait "$runaway" || true
claim "and it is ended after 8 seconds" grep -q "CANVAS_UNAVAILABLE" "$bench/runaway.json"
claim "the next one runs" evaluates '6 * 7' 42
claim "a script without an end inside the engine is ended, too" fails '[].indexOf.call({length: 2 ** 53 - 1}, 1)' CANVAS_UNAVAILABLE
claim "memory ends" fails 'const all = []; for (;;) all.push(new Array(1000).fill(1))' "out of memory"
claim "so does the stack" fails '(function f() { f() })()' "stack"
claim "and time in an expression" fails '/(a+)+b/.test("a".repeat(50))' CANVAS_UNAVAILABLE
claim "a result has a bound" fails '"x".repeat(1e6)' "256 KiB"
claim "a large one is whole" evaluates '"x".repeat(100000)' "$(printf 'x%.0s' {1..100000})"
claim "surfaces are pushed from a script" evaluates 'openclawA2UI.applyMessages([{surfaceUpdate: {surfaceId: "main", components: [{id: "root", component: {Text: {text: {literalString: "hi"}}}}]}}, {beginRendering: {surfaceId: "main", root: "root"}}]).surfaces' '["main"]'
claim "and stand in the dump" answers canvas.a2ui.dump '{}' '.surfaceCount == 1'
claim "actions of scripts are off" fails 'OpenClaw.sendUserAction({name: "press"})' "script_actions"
kill -SEGV "$(confined run-script)"
claim "a crash of the engine is an error" fails '1' "the script's process crashed with signal 11"
claim "the next program runs" evaluates 'let x = 5; x' 5
claim "another page makes all of it new" answers canvas.navigate '{"url":""}' .ok
claim "with it the process is gone" wait_for 5 eval '! confined run-script'
claim "as a script sees" evaluates 'typeof x' undefined
sleep 1
claim "its memory came back" eval '(( $(resident) <= 24576 ))'
say "    before $before KiB, with an idle context $idle KiB, at the end $(resident) KiB"
kill "$node_pid"
wait "$node_pid" || true
claim "nothing went wrong" eval '! grep -qE "<[0-3]>" "$bench/talon.log"'
