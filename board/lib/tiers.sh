# shellcheck shell=bash
# The table of docs/developers/TESTING.md that says which step belongs to which tier, what it costs, and which sources it is about. It is
# the one place where this stands. Sourced after common.sh, never run.

tier_page=$root/docs/developers/TESTING.md
declare -A tier_of=() seconds_of=() covers_of=()

# tier_rows: STEP, TIER, SECONDS and COVERS of each row, with tabs between them.
tier_rows() {
  awk -F ' *[|] *' '/^[|] `[a-z0-9_-]+` [|] (test|full|nightly) [|]/ {
    gsub(/`/, "", $2); gsub(/[`,]/, "", $5); print $2 "\t" $3 "\t" $4 "\t" $5 }' "$tier_page"
}

read_tiers() {
  local name tier seconds covers
  while IFS=$'\t' read -r name tier seconds covers; do
    tier_of[$name]=$tier seconds_of[$name]=$seconds covers_of[$name]=$covers
  done < <(tier_rows)
  (( ${#tier_of[@]} )) || die "there is no table of steps in ${tier_page#"$root/"}"
}

# in_tier NAME TIER: the step is played in the tier; each tier has all of those below it.
in_tier() {
  case ${tier_of[$1]-}/$2 in
    test/* | full/full | full/nightly | nightly/nightly) return 0 ;;
    *) return 1 ;;
  esac
}

# planned NAME...: the seconds of processors that the table says for all of them.
planned() {
  local name sum=0
  for name in "$@"; do sum=$(( sum + ${seconds_of[$name]-30} )); done
  echo "$sum"
}

# scenarios_about FILE...: those whose row names a folder or a file of Sources in which one of the files is.
scenarios_about() {
  local name cover file
  for name in "${!covers_of[@]}"; do
    [[ -f $root/board/tests/$name.sh ]] || continue
    for cover in ${covers_of[$name]}; do
      for file in "$@"; do
        [[ $file != "Sources/$cover" && $file != "Sources/$cover/"* ]] || { echo "$name"; break 2; }
      done
    done
  done | sort
}

# rewrite_seconds RESULTS: the table gets what a run measured, of the steps that passed.
rewrite_seconds() {
  awk -F ' ' -v OFS=' ' 'NR == FNR { if ($1 == "pass") seconds[$2] = $4; next }
    match($0, /^[|] `[a-z0-9_-]+` [|] (test|full|nightly) [|] [0-9]+ [|]/) {
      split($0, cell, "|"); name = cell[2]; gsub(/[ `]/, "", name)
      if (name in seconds) { tail = substr($0, RLENGTH + 1); $0 = "|" cell[2] "|" cell[3] "| " seconds[name] " |" tail } }
    { print }' "$1" "$tier_page" > "$tier_page.new"
  mv "$tier_page.new" "$tier_page"
}
