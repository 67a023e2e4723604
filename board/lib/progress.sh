# shellcheck shell=bash
# How far a long command is. In a terminal one line that moves, without one a line for each tenth. Sourced after common.sh, never run.

# clock SECONDS: as a person writes it, 75 as 1:15.
clock() { printf '%d:%02d' $(( $1 / 60 )) $(( $1 % 60 )); }

# shows_line: there is a terminal, in which a line can move.
shows_line() { [[ -t 1 && ${TERM-dumb} != dumb ]]; }

# draw TEXT: in place of the line that stands there, no longer than the terminal is wide. clear_line: takes it away.
draw() { printf '\r\033[K%s' "${1:0:${COLUMNS:-100}}"; }
clear_line() { ! shows_line || printf '\r\033[K'; }

# seconds_left ELAPSED PLANNED PERMILLE: how long it will still take, when it was planned to take so long and so much of it is done. The plan
# counts most at the beginning, and what was measured at the end.
seconds_left() {
  local measured=$2
  (( $3 == 0 )) || measured=$(( $1 * 1000 / $3 ))
  local whole=$(( ($2 * (1000 - $3) + measured * $3) / 1000 ))
  echo $(( whole > $1 ? whole - $1 : 0 ))
}

# permille_of LOG ELAPSED PLANNED: how much is done, of 1000: as SwiftPM counts in the log ("[3/40]"), otherwise by the time; never all.
permille_of() {
  local counted by_time
  by_time=$(( $3 > 0 ? $2 * 1000 / $3 : 0 ))
  counted=$(tail -c 4000 "$1" 2> /dev/null | grep -aoE '^\[[0-9]+/[0-9]+\]' | tail -n 1 | tr -d '[]') || true
  if [[ $counted ]]; then
    # Modules that are found later make the whole larger: of the two measures the smaller one.
    counted=$(( ${counted%/*} * 1000 / ${counted#*/} ))
    (( by_time > counted )) || counted=$by_time
    by_time=$counted
  fi
  echo $(( by_time < 990 ? by_time : 990 ))
}

# watched WORDS PLANNED LOG COMMAND...: runs the command, whose output goes to the log, and says how far it is. PLANNED: the seconds that it
# takes on two cores. When it fails, the end of the log is shown.
watched() {
  local words=$1 planned=$2 log=$3 started=$SECONDS tenth=0 permille elapsed left pid code=0
  shift 3
  mkdir -p "$(dirname "$log")"
  "$@" > "$log" 2>&1 &
  pid=$!
  shows_line || printf '%s: about %s\n' "$words" "$(clock "$planned")"
  while kill -0 "$pid" 2> /dev/null; do
    elapsed=$(( SECONDS - started ))
    permille=$(permille_of "$log" "$elapsed" "$planned")
    left=$(seconds_left "$elapsed" "$planned" "$permille")
    if shows_line; then
      draw "$words  $(( permille / 10 )) %  $(clock "$elapsed"), about $(clock "$left") left"
    elif (( permille / 100 > tenth )); then
      tenth=$(( permille / 100 ))
      printf '%s: %d %%, %s, about %s left\n' "$words" $(( tenth * 10 )) "$(clock "$elapsed")" "$(clock "$left")"
    fi
    sleep 0.5
  done
  wait "$pid" || code=$?
  clear_line
  elapsed=$(clock $(( SECONDS - started )))
  if (( code == 0 )); then
    echo "$words: done after $elapsed"
  else
    echo "$words: failed after $elapsed"
    tail -n 25 "$log"
    say "all of it: ${log#"$root/"}"
  fi
  return "$code"
}
