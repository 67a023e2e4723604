#!/usr/bin/env bash
# What the documents say can be followed: every section of the protocol reference (docs/protocol) that a comment cites is there, and every
# relative link and every anchor in the *.md files leads somewhere. docs/protocol/README.md says by which names comments cite; docs.py reads
# them as it says, lists and ranges too ("sections 9.5 and 10", "9.9 to 9.12"). Needs nothing that is built.
#
#   board/tests/docs.sh
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

work=$out/docs
# Fewer would mean that they are not recognised any more.
citations_min=400

docs() { "$root/board/tests/docs.py" "$@"; }

# holds CHECK: nothing is wrong; how many were checked is in $work/CHECK.
holds() { docs "$1" "$root" > "$work/$1" || { cat "$work/$1" >&2; return 1; }; }

has_enough() { (( $(< "$work/sections") >= citations_min )); }

# finds CHECK LINE...: in the planted folder it finds fault with these lines of the planted file, once each, and with nothing else.
finds() {
  local check=$1; shift
  docs "$check" "$work/planted" > "$work/found" && return 1
  diff <(cut -d: -f2 "$work/found") <(printf '%s\n' "$@") >&2
}

# plants: a reference of a few sections; comments of which some cite what is not there, by each name; links of which some are dead.
plants() {
  rm -rf "$work/planted"
  mkdir -p "$work/planted/docs/protocol" "$work/planted/Sources/talon-gateway"
  local page
  for page in gateway node-commands canvas newer-gateways; do
    printf '%s\n' "# $page" '## 1. First' '### 1.1 First of the first' '### 1.2 Second' '```' '## 3. Code' '```' '**E1. A frame**' \
      > "$work/planted/docs/protocol/$page.md"
  done
  cat > "$work/planted/Sources/talon-gateway/Probe.swift" << 'end'
/// There (gateway reference 1.1 and 1.2, canvas reference 1, node-commands 1.1: 12 ms). RFC 8259, section 7.
let sections = 9.9
/// Not there (gateway reference 1.3).
let a = 1
/// Protocol reference, sections 1.1, 1.2 and 2.
let b = 1
/// Not there (canvas reference 1.4), and there (1.1).
let c = 1
/// Wrapped where it is least expected (canvas
/// reference 2.1).
let d = 1
/// One is not there (node-commands 1.1), the other (4.4) neither.
let e = 1
/// Node command reference, section 5.
let f = 1
/// A range (reference 1.1 to 1.3).
let g = 1
/// Newer-gateways 9.1, section 1.1 and example E1.
let h = 1
/// Without a name (section 7).
let i = 1
/// In code that is no heading (gateway reference 3); example E2 in the next line,
/// example E2.
let j = "reference 8"
end
  cat > "$work/planted/README.md" << 'end'
# One: `two` & three_four
[there](docs/protocol/gateway.md#11-first-of-the-first) [itself](#one-two--three_four) [again](#again-1) [folder](docs/)
[dead](docs/protocol/nothing.md)
[dead anchor](docs/protocol/gateway.md#13-nothing)
[dead anchor of its own](#again-2) `[code](nothing)`
<img src="images/nothing.png">
[line](Sources/talon-gateway/Probe.swift#L3) [far](https://example.org/nothing)
[dead line](Sources/talon-gateway/Probe.swift#L300)
```
[code](nothing)
```
## Again
## Again
[definition]: nothing.md
end
}

mkdir -p "$work"
plants
claim "a citation of a section that is not there is found, by every name, in lists, ranges and wrapped lines" \
  finds sections 3 5 7 9 12 14 16 18 20 22 22 23 24
claim "dead links and dead anchors are found" finds links 3 4 5 6 8 14
claim "every section that is cited is in docs/protocol" holds sections
claim "$(< "$work/sections") citations were recognised" has_enough
claim "every link and every anchor of the documents resolves" holds links
