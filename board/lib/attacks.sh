# shellcheck shell=bash
# A gateway that means harm against a firmware. Sourced after common.sh and claims.sh, never run.

source "$root/board/lib/targets.sh"

# survives_attacks TARGET: every attack of board/tests/attacks.py, under qemu-user where the target is another processor.
survives_attacks() {
  select_target "$1"
  local folder=$out/test/$target-attacks
  rm -rf "$folder"
  claim "the node survives every attack" \
    python3 "$root/board/tests/attacks.py" "$out/$target/talon" "$folder" "${emulator[@]}"
}
