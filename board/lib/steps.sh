# shellcheck shell=bash
# The steps of board/test: each is a command whose output is kept, whose seconds are counted, and that passes or fails. Sourced after
# common.sh, progress.sh, accounts.sh and tiers.sh, never run.
#
#   .out/test/results     OUTCOME STEP SECONDS WORKED of each step that ended; WORKED are seconds of processors
#   .out/test/plan        STEP SECONDS of each step of the run, as the table of TESTING.md has them
#   .out/test/STEP.log    what it printed

steps=$out/test
results=$steps/results
# A step that takes longer hangs.
step_seconds_max=2000
lanes=3

# excerpt LOG: what swift test says of each test that failed, which can be thousands of lines before the end, and how it ended. The tests
# come first, because who shows the output of a long run to people may cut it short.
excerpt() {
  grep -m 15 '✘' "$1" || true
  tail -n 25 "$1"
}

# begin_steps STEP...: these are planned.
begin_steps() {
  local name
  mkdir -p "$steps"
  rm -rf "$steps/begun" "$steps/tenth"
  mkdir "$steps/begun"
  : > "$results"
  for name in "$@"; do echo "$name ${seconds_of[$name]-30}"; done > "$steps/plan"
  open_accounts
  trap end_steps EXIT
  shows_line || return 0
  # shellcheck disable=SC2016
  while kill -0 "$$" 2> /dev/null; do tell_progress; sleep 1; done &
  ticker=$!
}
ticker=

end_steps() {
  [[ ! $ticker ]] || kill "$ticker" 2> /dev/null || true
  close_accounts
}

# permille: how much of the plan is done, of 1000; a step that still runs counts with its time, but for its last tenth.
permille() {
  local file since
  {
    cat "$steps/plan"
    awk '{ print "done", $2 }' "$results"
    for file in "$steps/begun"/*; do
      # It may end meanwhile.
      since=$(cat "$file" 2> /dev/null) || continue
      echo "runs ${file##*/} $(( SECONDS - ${since:-SECONDS} ))"
    done
  } | awk '
    $1 == "done" { sum += plan[$2]; ended[$2] = 1; next }
    $1 == "runs" { most = plan[$2] * 0.9; if (!ended[$2]) sum += $3 < most ? $3 : most; next }
    { plan[$1] = $2; all += $2 }
    END { printf "%d", all ? sum * 1000 / all : 0 }'
}

# running: the steps that run, the one that runs longest first.
running() { (cd "$steps/begun" && ls -tr) | paste -sd ' ' | sed 's/ /, /g'; }

# tell_progress: the line of a terminal; elsewhere a line for each tenth, once. Steps that end at the same time wait for each other.
tell_progress() {
  local done_permille left
  exec 7> "$steps/lock"
  flock 7
  done_permille=$(permille)
  left=$(seconds_left "$SECONDS" "$plan_seconds" "$done_permille")
  if shows_line; then
    draw "$(( done_permille / 10 )) %  $(clock "$SECONDS"), about $(clock "$left") left: $(running)"
  elif (( done_permille / 100 > $(cat "$steps/tenth" 2> /dev/null || echo 0) )); then
    echo $(( done_permille / 100 )) > "$steps/tenth"
    printf '%3d %%  %s, about %s left, %d of %d steps\n' "$(( done_permille / 100 ))0" "$(clock "$SECONDS")" "$(clock "$left")" \
      "$(wc -l < "$results")" "$(wc -l < "$steps/plan")"
  fi
  flock -u 7
}

# step NAME COMMAND...
TIMEFORMAT='%U %S'
step() {
  local name=$1 started=$SECONDS log=$steps/$1.log outcome=pass worked; shift
  echo "$SECONDS" > "$steps/begun/$name"
  { time (join_account "$name"; exec timeout -k 30 "$step_seconds_max" "$@") > "$log" 2>&1 7>&-; } 2> "$log.time" || outcome=FAIL
  if is_counted; then worked=$(spent "$name"); else worked=$(awk 'END { printf "%.0f", $1 + $2 }' "$log.time"); fi
  close_account "$name"
  rm -f "$log.time" "$steps/begun/$name"
  echo "$outcome $name $(( SECONDS - started )) $worked" >> "$results"
  [[ $outcome == pass ]] || { clear_line; printf 'FAIL  %s, %s s\n%s\n' "$name" $(( SECONDS - started )) "$(excerpt "$log" | sed 's/^/      /')"; }
  tell_progress
}

# beside STEP...: as soon as a lane is free. The ticker has none.
free_lane() { while (( $(jobs -rp | grep -vcx "${ticker:-none}") >= lanes )); do wait -n; done; }
beside() {
  free_lane
  step "$@" &
}
# await_steps: all that run beside.
await_steps() {
  local pid
  for pid in $(jobs -rp); do [[ $pid == "$ticker" ]] || wait "$pid" || true; done
}

# scenarios NAME...: one after the other.
scenarios() {
  local scenario
  for scenario in "$@"; do step "$scenario" "$root/board/tests/$scenario.sh"; done
}

# has_failed STEP...: one of them has.
has_failed() { printf '%s\n' "$@" | grep -qxF -f <(awk '$1 == "FAIL" { print $2 }' "$results"); }

count() { grep -c "^$1 " "$results" || true; }

# play_again MOST NAME...: those of them that failed, two at a time. A machine in qemu that got a third of a processor can miss what it must
# do in time; with more than MOST failures there is another reason. What the first attempt left is kept in NAME.first.log.
play_again() {
  local most=$1 name failed; shift
  mapfile -t failed < <(awk '$1 == "FAIL" { print $2 }' "$results" | grep -xF -f <(printf '%s\n' "$@") || true)
  (( ${#failed[@]} <= most )) || return 0
  lanes=2
  for name in "${failed[@]}"; do
    clear_line
    echo "again, a processor for each: $name"
    cp "$steps/$name.log" "$steps/$name.first.log"
    sed -i "/^FAIL $name /d" "$results"
    beside "$name" "$root/board/tests/$name.sh"
  done
  await_steps
}

# summary: every step by what processors worked, the sum, and the count, which is the last line.
summary() {
  local worked
  clear_line
  worked=$(awk '{ sum += $4 } END { print sum + 0 }' "$results")
  echo "step, seconds, seconds of processors:"
  sort -k 4,4nr "$results" | awk '{ printf "  %s  %-18s %5d %5d\n", $1, $2, $3, $4 }'
  is_counted || echo "machines in qemu are not counted: no control group may be made here"
  echo "took $SECONDS s; processors worked $worked s, the table says $(awk '{ sum += $2 } END { print sum + 0 }' "$steps/plan") s"
  echo "$(count pass) passed, $(count FAIL) failed"
}
