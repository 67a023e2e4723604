#!/usr/bin/env bash
# What the documents say can be followed. docs.py has the checks, each of which first has to find faults that are planted for it, and
# those alone:
#
#   sections, links     what a comment cites of docs/protocol, and what a document links to, is there. docs/protocol/README.md says
#                       by which names comments cite, lists and ranges too ("sections 9.5 and 10", "9.9 to 9.12")
#   keys, commands      the handbook has every key of the configuration and every command of --help, and no other
#   scripts, figures    scripts that people are told to run exist; README.md has the figures of FIGURES.md
#   bars                each bar of FIGURES.md has a command that holds a figure to it, and talon-lab has the same bars
#   layers, imports     ARCHITECTURE.md and the sources agree with Package.swift, in every variant
#   names               paths and names in ARCHITECTURE.md and CONTRIBUTING.md exist
#   tiers               the table of steps in TESTING.md has every scenario and every step of board/test, and no other
#   privileges          docs/privileges.md has every unit; units, settings, limits and system calls that it names are so
#
# Needs swift, which reads Package.swift; builds nothing.
#
#   board/tests/docs.sh
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

work=$out/docs

docs() { "$root/board/tests/docs.py" "$@"; }

# holds CHECK COUNT: nothing is wrong, and at least COUNT things were recognised; fewer would mean that the check has gone blind.
holds() {
  docs "$1" "$root" > "$work/$1" || { cat "$work/$1" >&2; return 1; }
  (( $(< "$work/$1") >= $2 )) || { say "only $(< "$work/$1") were recognised"; return 1; }
}

# finds CHECK FILE:LINE...: in the folder planted for it the check finds fault with these lines, once each, and with nothing else.
finds() {
  local check=$1; shift
  docs "$check" "$work/$check-planted" > "$work/found" && return 1
  diff <(cut -d: -f1,2 "$work/found" | sed 's|.*/||' | sort) <(printf '%s\n' "$@" | sort) >&2
}

# planting CHECK FILE: what is read becomes this file of the folder planted for the check.
planting() {
  mkdir -p "$(dirname "$work/$1-planted/$2")"
  cat > "$work/$1-planted/$2"
}

# A reference of a few sections, and comments of which some cite what is not there, by each name.
plant_sections() {
  local page
  for page in gateway node-commands canvas newer-gateways; do
    printf '%s\n' "# $page" '## 1. First' '### 1.1 First of the first' '### 1.2 Second' '```' '## 3. Code' '```' '**E1. A frame**' \
      | planting sections "docs/protocol/$page.md"
  done
  planting sections Sources/talon-gateway/Probe.swift << 'end'
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
}

# Links of which some are dead.
plant_links() {
  printf '%s\n' '# Page' '### 1.1 First of the first' | planting links docs/page.md
  seq 9 | planting links docs/lines.txt
  planting links README.md << 'end'
# One: `two` & three_four
[there](docs/page.md#11-first-of-the-first) [itself](#one-two--three_four) [again](#again-1) [folder](docs/)
[dead](docs/nothing.md)
[dead anchor](docs/page.md#13-nothing)
[dead anchor of its own](#again-2) `[code](nothing)`
<img src="images/nothing.png">
[line](docs/lines.txt#L3) [far](https://example.org/nothing)
[dead line](docs/lines.txt#L300)
```
[code](nothing)
```
## Again
## Again
[definition]: nothing.md
end
}

# A key that the handbook lacks, and keys of the handbook that are not there: in a sentence, in a file, in a table.
plant_keys() {
  printf '%s\n' '[gateway]' '#url = wss://there' '#pin = key' '[camera]' '#rate = 1' '#[camera door]' '#device = here' \
    | planting keys systemd/talon.conf.example
  planting keys README.md << 'end'
`[gateway] url` is there, `[gateway] uri` is not, `[camera attic] device = x` is, and `pin = key` is
`speed = 3` is in no section
```ini
# A comment: speed = 4
[gateway]
url = wss://there
rate = 5
pin = key   # part of the value
[camera two]
device = there
```
| section | keys |
|---|---|
| `[gateway]` | `pin`, `pan` |
end
}

# A command that the handbook lacks, and commands and options of the handbook that are not there.
plant_commands() {
  printf '%s\n' 'let all = """' '  talon run     serves' '  talon trust   pins' '  talon status  tells' '"""' \
    'Usage(command: "run", text: "talon run [--loud]")' 'Usage(command: "status", text: "talon status", flags: ["--json"])' \
    | planting commands Sources/talon/Usage.swift
  echo 'static let name = "inner"' | planting commands Sources/Board/Inner.swift
  planting commands docs/page.md << 'end'
`talon run --loud --config FILE`, `talon status --json`, `talon inner`, `talon-lab nothing`
`talon runs`
`talon status --loud`
```sh
sudo talon halt            # talon rest
journalctl | talon run
```
```
talon in words
```
end
}

# Scripts that are not there, or that nobody may run.
plant_scripts() {
  echo | planting scripts board/there
  echo | planting scripts images/plain
  chmod +x "$work/scripts-planted/board/there"
  planting scripts docs/page.md << 'end'
board/gone in a sentence
```sh
board/there x && sudo board/gone
DEBUG=1 images/plain
echo board/gone
.ci/run
```
end
}

# Figures that are others, or that nobody measured.
plant_figures() {
  printf '%s\n' '| what | figure | bar | how |' '|---|---|---|---|' '| file | 3 MB | 4 MB | by ls |' '| time | about 5 / 2 minutes | | |' \
    | planting figures docs/developers/FIGURES.md
  planting figures README.md << 'end'
It takes about 5 minutes.
It takes about 6 minutes.

| what | figure | bar |
|---|---|---|
| file | 3 MB | 4 MB |
| file | 2 MB | 4 MB |
| file | 3 MB | |
| speed | 9 | |

| what | words |
|---|---|
| speed | 9 |
end
}

# Bars that nothing can miss, or that talon-lab has otherwise.
plant_bars() {
  planting bars Sources/talon-lab/Bench/Bar.swift << 'end'
    case .speed: ("bench codecs", .atLeast, 200, "MB/s")
    case .memory: ("bench codecs", .atMost, 1.5, "MB")
    case .start: ("firmware", .atMost, 50, "ms")
    case .more: ("firmware --more", .atMost, 7, "KB")
    case .lonely: ("recovery", .atMost, 45, "s")
end
  echo 'show(.speed); show(.memory); show(.start); show(.more)' | planting bars Sources/talon-lab/Lab.swift
  planting bars docs/developers/FIGURES.md << 'end'
| what | figure | bar | how |
|---|---|---|---|
| speed | 300 MB/s | 200 MB/s | `talon-lab bench codecs` |
| start / more | 9 ms / 8 KB | 50 ms / 7 KB, missed | `talon-lab firmware`; `talon-lab firmware --more FILE` |
| start | 9 ms | 60 ms | `talon-lab firmware` |
| by hand | 1 | 2 | `nm`; no script prints it |
| by a script | 1 | 2 | `ONE=1 board/there` |
| by a test | 1 | 2 | `SomeTests` |
| without | 1 | | by hand |

| what | figure | aim | how |
|---|---|---|---|
| apart | 1 | 2 | by hand |
end
}

# plants_package CHECK: a package of two variants. In "lean" there is no Extra.
plants_package() {
  planting "$1" Package.swift << 'end'
// swift-tools-version: 6.0
import PackageDescription
let lean = Context.environment["TALON_VARIANT"] == "lean"
let package = Package(name: "talon", targets: [
  .executableTarget(
    name: "talon", dependencies: ["High", "Low"] + (lean ? [] : ["Extra"]), exclude: lean ? ["Full"] : [],
    swiftSettings: lean ? [.define("TALON_LEAN")] : []),
  .target(name: "High", dependencies: ["Low"]), .target(name: "Low"), .target(name: "Beside", dependencies: ["Low"]),
] + (lean ? [] : [.target(name: "Extra", dependencies: ["Low"])]))
end
}

# A drawing in which a module stands beside what it depends on, one is no module, and one is missing; tables alike.
plant_layers() {
  plants_package layers
  planting layers docs/developers/ARCHITECTURE.md << 'end'
## Layers
```
  +-------+
  | talon |  Extra in the margin
  +-------+
  | High  |
  | Low   |
  +-------+
  | Lost  |
  +-------+
```
| module | what it is for |
|---|---|
| `talon`, `High` | `Other` |
| `Low`, `Gone` | |
| `Extra` | |
## Other
| `High` | twice is no harm |
end
}

# Imports of what a module must not know, in one variant or in all.
plant_imports() {
  plants_package imports
  printf '%s\n' 'import Extra' 'import Low' | planting imports Sources/talon/Full/Extra.swift
  planting imports Sources/talon/Main.swift << 'end'
import High
#if !TALON_LEAN
  import Extra
#else
  @testable import Beside
#endif
import Extra
#if os(Linux)
  import struct Low.Number
#endif
end
  printf '%s\n' 'import Foundation' 'internal import High' | planting imports Sources/Low/Low.swift
}

# Paths and names that are not there.
plant_names() {
  echo 'struct Router { func begin(_ token: Int) {} }' | planting names Sources/Node/Router.swift
  echo | planting names docs/developers/CONTRIBUTING.md
  planting names docs/developers/ARCHITECTURE.md << 'end'
`Router`, `Router.begin`, `Sources/Node`, `Sources/No*/*.swift`, `Node/Router.swift`, `lower`, `camera.snap`
`Router.End`
`Sources/Gone`, `Sources/*.swift`
`Gone/Router.swift`
`Ruter`
end
}

# A table that lacks a scenario and a step, and has rows that are wrong, each in its own way.
plant_tiers() {
  echo | planting tiers board/tests/there.sh
  echo | planting tiers board/tests/lost.sh
  echo | planting tiers Sources/Codec/Codec.swift
  printf '%s\n' '  step build all' '  beside lint it' | planting tiers board/test
  printf '%s\n' 'x86_64    x86_64-unknown-linux-gnu   x86_64-linux-gnu' | planting tiers board/lib/targets.sh
  planting tiers docs/developers/TESTING.md << 'end'
| step | tier | seconds | about | what it proves |
|---|---|---|---|---|
| `build` | test | 10 | | It compiles. |
| `firmware-x86_64` | full | 10 | | It links. |
| `there` | test | 10 | `Codec` | It is there. |
| `there` | test | 10 | `Codec` | It is there twice. |
| `there` | later | some | `Codec`, `Gone` | |
| `gone` | nightly | 10 | | It is not there. |
end
}

# Processes of which tables say what is so, and what is not.
plant_privileges() {
  printf '%s\n' '[Service]' 'MemoryMax=48M' 'ProtectHome=yes' | planting privileges systemd/there.service
  printf '%s\n' '[Service]' | planting privileges images/root/usr/lib/systemd/system/forgotten.service
  printf '%s\n' '  public static let bytes = 2 * 1024 * 1024' '  public static let wait: Int64 = 15_000' \
    | planting privileges Sources/Runtime/Budget/Budget.swift
  printf '%s\n' 'static const unsigned calls[] = {' '    __NR_read, __NR_write,' '#ifdef __NR_old' '    __NR_old,' '#endif' '};' \
    | planting privileges Sources/CLinux/confine.c
  planting privileges docs/privileges.md << end
# Who may do what
## There
| what | which |
|---|---|
| unit | \`there.service\`, and \`gone.service\` |
| limits | \`MemoryMax=48M\`, 2 MiB (\`Budget.bytes\`), 15 s (\`Budget.wait\`) |
| others | \`MemoryMax=64M\` |
| more | 3 MiB (\`Budget.bytes\`), 15 s (\`Budget.gone\`) |
| calls | (\`calls\`) \`read\` \`old\` \`fork\` |
| long | $(printf 'x%.0s' {1..201}) |
## Elsewhere
| what | which |
|---|---|
| limits | \`ProtectHome=yes\` |
end
}

rm -rf "$work"
mkdir -p "$work"
for check in sections links keys commands scripts figures bars layers imports names tiers privileges; do "plant_$check"; done

claim "a citation of a section that is not there is found, by every name, in lists, ranges and wrapped lines" \
  finds sections Probe.swift:{3,5,7,9,12,14,16,18,20,22,22,23,24}
claim "dead links and dead anchors are found" finds links README.md:{3,4,5,6,8,14}
claim "keys that the handbook lacks or makes up are found" finds keys README.md:{1,2,7,8,14} talon.conf.example:0
claim "commands and options that the handbook lacks or makes up are found" finds commands page.md:{2,3,5} Usage.swift:0
claim "scripts that do not exist are found" finds scripts page.md:{3,4,6}
claim "figures that are not those of FIGURES.md are found" finds figures README.md:{2,7,8,9}
claim "bars that no command holds, and that talon-lab has otherwise, are found" finds bars FIGURES.md:{5,6} Bar.swift:{2,5}
claim "a drawing and tables that are not Package.swift are found" finds layers ARCHITECTURE.md:{0,0,0,9,15}
claim "imports past Package.swift are found, in each variant" finds imports Main.swift:{5,7} Low.swift:2
claim "paths and names that do not exist are found" finds names ARCHITECTURE.md:{2,3,3,4,5}

claim "rows of steps that are missing or wrong are found" finds tiers TESTING.md:{0,0,6,7,7,7,7,7,8}

claim "privileges that no unit, no limit and no filter gives, and units without a table, are found" \
  finds privileges privileges.md:{0,0,0,5,7,8,8,10,14}

claim "every section that is cited is in docs/protocol" holds sections 400
claim "every link and every anchor of the documents resolves" holds links 120
claim "the handbook has every key of talon.conf.example, and no other" holds keys 200
claim "the handbook has every command of --help, and no other command or option" holds commands 100
claim "every script that the documents run exists" holds scripts 10
claim "the figures of README.md are those of FIGURES.md" holds figures 10
claim "each bar of FIGURES.md has a command that holds a figure to it, and talon-lab has the same bars" holds bars 40
claim "ARCHITECTURE.md draws and names the modules of Package.swift" holds layers 100
claim "every module imports only what Package.swift gives it, in every variant" holds imports 4500
claim "every path and every name in ARCHITECTURE.md and CONTRIBUTING.md exists" holds names 200
claim "the table of steps has every scenario and every step of board/test, and no other" holds tiers 60
claim "the tables of privileges agree with the units, the budget and the filter of confined processes" holds privileges 100
