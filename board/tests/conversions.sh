#!/usr/bin/env bash
# Numbers in floating point become integers through a few functions alone, most of them in Sources/Codec/Numbers/Clamping.swift: Swift's own
# conversions stop the program where the result does not fit, and numbers from the wire, from scripts and from devices may be anything. The compiler is asked,
# which knows the types: the first form that it gives a module (SILGen) names every call, with its place. Needs the modules of `swift build`.
#
#   board/tests/conversions.sh            checks every module of the program
#   board/tests/conversions.sh MODULE...  checks some
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/modules.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

work=$out/conversions
# Files of functions that are defined for every number, each with a test of its extremes. Runtime does not import Codec.
allowed='Codec/Numbers/Clamping.swift|Runtime/PeerTime.swift'
# Host tools, and what stands in for libraries and devices in tests: none of it is in the program.
others=(CAllocationCounter CFakeCamera CFakeEncoder CFakeGPIO CTracer Pictures Simulation talon-gateway talon-lab)
# Initialisers of the integer types from Float and Double (`Int.init(Double)` is $sSiySiSdcfC), and those of any integer type from any
# floating-point type.
integer='S[iu]|s[0-9]+U?Int[0-9]*V'
conversion="@\\\$s(($integer)y(AB|S[iu])S[df]cfC|[A-Za-z0-9]*yxqd__cSBRd__lufC) "

# calls MODULE FILE...: every such call, FILE:LINE:COLUMN, the file from Sources on.
calls() {
  local name=$1; shift
  swiftc "${swift_flags[@]}" -package-name "$package" -Onone -module-name "$name" -I "$root/.build/debug/Modules" "${c_flags[@]}" \
    -Xllvm -sil-print-debuginfo -emit-silgen "$@" -o "$work/$name.sil" 2> "$work/$name.log" || { cat "$work/$name.log" >&2; return 1; }
  grep -E "function_ref $conversion" "$work/$name.sil" | sed -nE 's|.* loc "([^"]*/Sources/)?([^"]*)":([0-9]+):([0-9]+).*|\2:\3:\4|p' | sort -u -V
  rm "$work/$name.sil"
}

# finds_them: of four conversions in a file that is made up, each is found, and nothing else.
finds_them() {
  cat > "$work/probe.swift" << 'end'
func one(_ value: Double) -> Int { Int(value) }
func two(_ value: Float) -> UInt8 { UInt8(value.rounded()) }
func three(_ values: [Double]) -> [Int32] { values.map(Int32.init) }
func four<T: BinaryFloatingPoint>(_ value: T) -> Int { Int(value) }
func five(_ value: Int) -> (Int32, Double, Int?) { (Int32(value), Double(value), Int(exactly: 1.5)) }
end
  diff <(calls Probe "$work/probe.swift" | sed -E 's/.*probe.swift:([0-9]+):.*/\1/') <(seq 4)
}

# knows_all: no folder of Sources is in none of the lists.
knows_all() { diff <(ls "$root/Sources") <(printf '%s\n' "${c_modules[@]}" "${swift_modules[@]}" "${others[@]}" | sort) >&2; }

# has_none MODULE: has no conversion but those that may be.
has_none() {
  local files found
  mapfile -t files < <(find "$root/Sources/$1" -name '*.swift')
  calls "$1" "${files[@]}" > "$work/$1.txt" || return 1
  found=$(grep -vE "^($allowed):" "$work/$1.txt" || true)
  [[ -z $found ]] || { say "use init(clamping:) or init(exactly:) in Sources:"; say "$found"; return 1; }
}

mkdir -p "$work"
[[ -d $root/.build/debug/Modules ]] || die "nothing is built: swift build"
map_c_modules "$work"
# SwiftPM names a package after its folder.
package=$(grep -E '"-module-name","Codec"' "$root/.build/debug.yaml" | sed -nE 's/.*"-package-name","([^"]*)".*/\1/p' | head -1)
claim "conversions are found, whatever they look like" finds_them
claim "every module of the program is looked at" knows_all
(( $# )) || set -- "${swift_modules[@]}"
for module in "$@"; do
  claim "$module: no number in floating point can stop it by becoming an integer" has_none "$module"
done
