#!/usr/bin/env bash
# Numbers in floating point become integers through a few functions alone, most of them in Sources/Codec/Numbers/Clamping.swift: Swift's own
# conversions stop the program where the result does not fit, and numbers from the wire, from scripts and from devices may be anything. The compiler is asked,
# which knows the types: the first form that it gives a module (SILGen) names every call, with its place. Needs the modules of `swift build`.
#
# The same for integers, in modules that take apart what others send: where one becomes a narrower one, on boards of 64 bits or of 32, by an
# initialiser that stops the program when it does not fit (`Int32(length)`, `Int(count)` of a UInt32), its line stands in
# board/tests/narrowing.txt, whose lines were read: the value is bounded before. Anywhere else it is init(clamping:), init(exactly:) or
# init(truncatingIfNeeded:).
#
# And for products of integers there: each line with one stands in board/tests/products.txt and was read.
#
# On a board of 32 bits Int ends at 2^31, which no machine that builds this one notices: 2 GiB, 25 days of milliseconds, 26 days of bytes at
# 9600 baud, two minutes of sound in samples times their rate. So in every other module three kinds of lines were read as well. Where a number
# of 64 bits, or an unsigned one of 32, becomes an Int (narrowing.txt). Where an Int is multiplied and the line speaks of a thousand or more, a
# rate or seconds (products.txt). And where what is kept grows by an amount, in any module: what grows until the process ends has 64
# bits, or a bound (growing.txt). Literals that do not fit need no list: the compiler of the firmware refuses them. Compiling the modules for
# such a board here would find nothing more, for the compiler does not know what the numbers are when it runs.
#
# Canvas adds and multiplies lengths that others choose in hundreds of places, and many small ones make a large one: there the operators
# themselves clamp (Sources/Canvas/Saturating.swift), and none of the standard library's is called, nor an initialiser that narrows. In the
# other modules a sum is of numbers that have bounds: whole numbers of JSON end at 2^53, those of binary forms at their width, counts at the
# room that they count.
#
#   board/tests/conversions.sh                    checks every module of the program
#   board/tests/conversions.sh MODULE...          checks some
#   board/tests/conversions.sh --narrow MODULE... prints the lines of narrowing.txt that the modules would have
#   board/tests/conversions.sh --multiply MODULE... prints those of products.txt
#   board/tests/conversions.sh --grow MODULE...   prints those of growing.txt
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/modules.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

work=$out/conversions
# Files of functions that are defined for every number, each with a test of its extremes. Runtime does not import Codec.
allowed='Codec/Numbers/Clamping.swift|Runtime/PeerTime.swift'
# Host tools, and what stands in for libraries and devices in tests: none of it is in the program.
others=(CAllocationCounter CConfinedTrial CFakeCamera CFakeEncoder CFakeGPIO CStepCounter CTracer Pictures Simulation talon-gateway talon-lab)
# Initialisers of the integer types from Float and Double (`Int.init(Double)` is $sSiySiSdcfC), and those of any integer type from any
# floating-point type.
integer='S[iu]|s[0-9]+U?Int[0-9]*V'
# The standard library's `+ - * / %` of signed integers, alone and with `=`.
bare='@[$]s(Si|s[0-9]+Int[0-9]*V)(1[psmdr]oiy|2[psmdr]eoiy)'
conversion="@\\\$s(($integer)y(AB|S[iu])S[df]cfC|[A-Za-z0-9]*yxqd__cSBRd__lufC) "

# Modules of which narrowing.txt has the lines.
takers=(Codec Gateway Fetch Location Device Locales A2UI Talk Sound Camera ScreenPart Updates UpdatePart Metrics MetricsPart)
# Modules of which products.txt has the lines: the camera's are of pixels and coefficients, whose sizes its buffers have.
multipliers=(Codec Gateway Fetch Location Device Locales A2UI Talk Sound ScreenPart Updates UpdatePart Metrics MetricsPart)
# Modules whose own operators clamp.
saturating=(Canvas)

# silgen MODULE FILE...: leaves the first form of a module in $work/MODULE.sil.
silgen() {
  local name=$1; shift
  swiftc "${swift_flags[@]}" -package-name "$package" -Onone -module-name "$name" -I "$root/.build/debug/Modules" "${c_flags[@]}" \
    -Xllvm -sil-print-debuginfo -emit-silgen "$@" -o "$work/$name.sil" 2> "$work/$name.log" || { cat "$work/$name.log" >&2; return 1; }
}

# calls MODULE: every conversion from floating point, FILE:LINE:COLUMN, the file from Sources on.
calls() {
  grep -E "function_ref $conversion" "$work/$1.sil" | sed -nE 's|.* loc "([^"]*/Sources/)?([^"]*)":([0-9]+):([0-9]+).*|\2:\3:\4|p' | sort -u -V
}

# narrowings MODULE: every line in which an integer becomes a narrower one and may stop the program: its file from Sources on, what becomes
# what, and the line itself. Both initialisers of integers from integers are generic; the types stand where they are called.
narrowings() {
  local file line types
  awk '
    function bits(type, pointer) { return type ~ /^U?Int$/ ? pointer : substr(type, type ~ /^U/ ? 5 : 4) + 0 }
    function fits(to, from, pointer) {
      if ((to ~ /^U/) == (from ~ /^U/)) return bits(to, pointer) >= bits(from, pointer)
      return to !~ /^U/ && bits(to, pointer) > bits(from, pointer)
    }
    / = function_ref @\$s(SZs|SUs)s17FixedWidthIntegerRzrlEyxqd__cSzRd__lufC / { found[$1] = 1; next }
    match($0, / = apply %[0-9]+<U?Int[0-9]*, U?Int[0-9]*>/) {
      split(substr($0, RSTART + 9, RLENGTH - 10), part, /<|, /)
      if (!(part[1] in found) || (fits(part[2], part[3], 64) && fits(part[2], part[3], 32))) next
      if (match($0, /loc "[^"]*":[0-9]+/)) { place = substr($0, RSTART + 5, RLENGTH - 5); sub(/":/, "\t", place); print place "\t" part[2] " of " part[3] }
    }
    /^}/ { split("", found) }' "$work/$1.sil" | sort -u | while IFS=$'\t' read -r file line types; do
      printf '%s: %s: %s\n' "${file#"$root/Sources/"}" "$types" "$(sed -n "${line}s/^ *//p" "$file")"
    done | sort -u
}

# wide MODULE: of those lines the ones in which an integer fits an Int of 64 bits alone, or a UInt.
wide() { narrowings "$1" | grep -E '^[^ ]*: U?Int of (U?Int64|UInt32): ' || true; }

# written_out: lines of FILE, TAB and NUMBER become lines of the file from Sources on and what stands there.
written_out() {
  local file line
  sort -u | while IFS=$'\t' read -r file line; do
    printf '%s: %s\n' "${file#"$root/Sources/"}" "$(sed -n "${line}s/^ *//p" "$file")"
  done | sort -u
}

# products MODULE [TYPES]: every line in which two integers are multiplied (`*` and `*=`), which stops the program when the product does not fit.
products() {
  { grep -E "function_ref @\\\$s(${2-$integer})(1moiy|2meoiyy)" "$work/$1.sil" || true; } |
    sed -nE 's|.* loc "([^"]*)":([0-9]+):.*|\1\t\2|p' | written_out
}

# units MODULE: of those lines the ones in which an Int or UInt becomes large because a factor is a unit. The budgets are sizes of memory, and
# constants.
units() { products "$1" 'S[iu]' | grep -E '[0-9]_?[0-9]{3}|[Rr]ate\b|[Ss]econds' | grep -v '^Runtime/Budget/' || true; }

# growth MODULE: every line in which a property of fewer than 64 bits grows by an amount that is no literal.
growth() {
  awk '
    function first(text) { return match(text, /%[0-9]+/) ? substr(text, RSTART, RLENGTH) : "" }
    /^sil / { split("", kept); split("", adds); split("", makes); split("", literal); next }
    / = (ref|struct)_element_addr / { kept[$1] = 1; next }
    / = (begin_access|mark_unresolved_non_copyable_value) / { if (first(substr($0, index($0, "=") + 1)) in kept) kept[$1] = 1; next }
    / = function_ref @[$]s(S[iu]|s[0-9]+U?Int(8|16|32)V)2peoi/ { adds[$1] = 1; next }
    / = function_ref .*_builtinIntegerLiteral/ { makes[$1] = 1; next }
    / = apply %/ {
      call = substr($0, index($0, " = apply ") + 9)
      name = first(call)
      if (name in makes) literal[$1] = 1
      if (!(name in adds)) next
      rest = substr(call, length(name) + 1)
      target = first(rest)
      amount = first(substr(rest, RSTART + RLENGTH))
      if (!(target in kept) || amount in literal || !match($0, /loc "[^"]*":[0-9]+/)) next
      place = substr($0, RSTART + 5, RLENGTH - 5)
      sub(/":/, "\t", place)
      print place
    }' "$work/$1.sil" | written_out
}

# sums MODULE: every line with arithmetic that stops the program when its result does not fit. The sign and the absolute value are generic: of
# them the calls for integers count.
sums() {
  awk -v bare="$bare" '
    / = function_ref / && $0 ~ bare { print; next }
    / = witness_method [$]Int[0-9]*, #[A-Za-z]*\."[-+*\/%]=?"/ { print; next }
    / = function_ref @[$]ss3absyxxSL/ { found[$1] = 1; next }
    / = apply %[0-9]+<Int[0-9]*>/ { name = $4; sub(/<.*/, "", name); if (name in found) print }
    /^}/ { split("", found) }' "$work/$1.sil" | sed -nE 's|.* loc "([^"]*)":([0-9]+):.*|\1\t\2|p' | written_out
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
  silgen Probe "$work/probe.swift" || return 1
  diff <(calls Probe | sed -E 's/.*probe.swift:([0-9]+):.*/\1/') <(seq 4)
}

# finds_narrow: of integers that become others, those are found that are narrower on some board.
finds_narrow() {
  cat > "$work/probe.swift" << 'end'
func one(_ value: Int) -> Int32 { Int32(value) }
func two(_ value: UInt32) -> Int { Int(value) }
func three(_ values: [Int64]) -> [Int] { values.map { Int($0) } }
func four(_ value: Int8) -> UInt64 { UInt64(value) }
func five(_ value: Int32) -> (Int, Int64, Int16, UInt8?) { (Int(value), Int64(value), Int16(clamping: value), UInt8(exactly: value)) }
end
  silgen Probe "$work/probe.swift" || return 1
  diff <(narrowings Probe | sed -E 's/.*: func ([a-z]*).*/\1/' | sort) <(printf '%s\n' four one three two)
}

# finds_products: products of integers are found, whatever they look like.
finds_products() {
  cat > "$work/probe.swift" << 'end'
func one(_ value: Int) -> Int { 1000 * value }
func two(_ value: UInt16) -> UInt16 { value * value }
func three(_ value: inout Int64) { value *= 10 }
func four(_ values: [Int32]) -> Int32 { values.reduce(1, *) }
func five(_ value: Int, _ part: Double) -> (Int, Double, Int) { (value &* 3, part * 2, value + 1) }
end
  silgen Probe "$work/probe.swift" || return 1
  diff <(products Probe | sed -E 's/.*: func ([a-z]*).*/\1/' | sort) <(printf '%s\n' four one three two)
}

# finds_wide: what a board of 64 bits does not notice is found: numbers that fit its Int alone, products that do, and what grows for months.
finds_wide() {
  cat > "$work/probe.swift" << 'end'
func one(_ value: Int64, _ other: UInt32) -> (Int, Int) { (Int(value), Int(other)) }
func two(_ samples: Int, _ rate: Int) -> Int { samples * rate }
func three(_ seconds: Int, _ width: Int) -> (Int, Int64) { (seconds * 1_000, Int64(width) * 1_000) }
func four(_ value: UInt16, _ width: Int) -> (Int, Int) { (Int(value), width * width) }
struct Port { var bytes = 0, times = 0, all: Int64 = 0 }
final class Line {
  var (port, bytes) = (Port(), 0)
  func five(_ count: Int) { bytes += count }
  func six(_ count: Int) { port.bytes += 2 * count }
  func seven(_ count: Int) { port.times += 1 }
  func eight(_ count: Int) { port.all += Int64(count) }
}
end
  silgen Probe "$work/probe.swift" || return 1
  diff <({ wide Probe; units Probe; growth Probe; } | sed -E 's/.*func ([a-z]*).*/\1/' | sort -u) <(printf '%s\n' five one six three two)
}

# finds_sums: arithmetic that may stop the program is found, of numbers with a sign; and none where the module has operators of its own.
finds_sums() {
  cat > "$work/probe.swift" << 'end'
func one(_ value: Int32) -> Int32 { value + 1 }
func two(_ value: inout Int) { value -= 2 }
func three(_ values: [Int64]) -> Int64 { values.reduce(0, +) }
func four(_ value: Int16, _ other: Int16) -> Int16 { value / other }
func five(_ value: Int32) -> Int32 { -value }
func six(_ value: Int) -> Int { abs(value) }
func seven(_ value: Int, _ part: Double) -> (Int, Double, Double) { (value &* 3, part * 2, abs(-part)) }
end
  silgen Probe "$work/probe.swift" || return 1
  diff <(sums Probe | sed -E 's/.*: func ([a-z]*).*/\1/' | sort) <(printf '%s\n' five four one six three two) || return 1
  silgen Probe "$work/probe.swift" "$root/Sources/Canvas/Saturating.swift" || return 1
  diff <(sums Probe) /dev/null
}

# knows_all: no folder of Sources is in none of the lists.
knows_all() { diff <(ls "$root/Sources") <(printf '%s\n' "${c_modules[@]}" "${swift_modules[@]}" "${others[@]}" | sort) >&2; }

# has_none MODULE: has no conversion but those that may be.
has_none() {
  local files found
  mapfile -t files < <(module_files "$root/Sources/$1")
  silgen "$1" "${files[@]}" || return 1
  calls "$1" > "$work/$1.txt"
  found=$(grep -vE "^($allowed):" "$work/$1.txt" || true)
  [[ -z $found ]] || { say "use init(clamping:) or init(exactly:) in Sources:"; say "$found"; return 1; }
}

# has_no FUNCTION MODULE: the function finds nothing in the module.
has_no() {
  local found
  found=$("$1" "$2" || true)
  [[ -z $found ]] || { say "of $2, not by its own operators and initialisers (Sources/Canvas/Saturating.swift):"; say "$found"; return 1; }
}

# has_read FUNCTION LIST MODULE: every line that the function finds was read, and those that were are still there. After has_none, which
# leaves the module's form.
has_read() {
  local differs
  differs=$(diff <(grep "^$3/" "$root/board/tests/$2" | LC_ALL=C sort -u) <("$1" "$3" | LC_ALL=C sort -u) | grep '^[<>]' || true)
  [[ -z $differs ]] || { say "in $2 but not there any more (<), or not read yet (>):"; say "$differs"; return 1; }
}

mkdir -p "$work"
[[ -d $root/.build/debug/Modules ]] || die "nothing is built: swift build"
map_c_modules "$work"
# SwiftPM names a package after its folder.
package=$(grep -E '"-module-name","Codec"' "$root/.build/debug.yaml" | sed -nE 's/.*"-package-name","([^"]*)".*/\1/p' | head -1)
# among MODULE LIST...: true when the module stands in the list.
among() { [[ " ${*:2} " == *" $1 "* ]]; }

# What finds the lines of a module for each of the files.
narrow_in() { if among "$1" "${takers[@]}"; then echo narrowings; else echo wide; fi; }
multiply_in() { if among "$1" "${multipliers[@]}"; then echo products; else echo units; fi; }

if [[ ${1-} == --narrow || ${1-} == --multiply || ${1-} == --grow ]]; then
  for module in "${@:2}"; do
    mapfile -t files < <(module_files "$root/Sources/$module")
    silgen "$module" "${files[@]}"
    case $1 in
      --narrow) "$(narrow_in "$module")" "$module" ;;
      --multiply) "$(multiply_in "$module")" "$module" ;;
      --grow) growth "$module" ;;
    esac
  done
  exit
fi
claim "conversions are found, whatever they look like" finds_them
claim "integers that become narrower are found, on boards of 64 bits and of 32" finds_narrow
claim "products of integers are found" finds_products
claim "what only a board of 32 bits notices is found" finds_wide
claim "sums of integers are found, and a module's own operators take the place of the library's" finds_sums
claim "every module of the program is looked at" knows_all
(( $# )) || set -- "${swift_modules[@]}"
for module in "$@"; do
  claim "$module: no number in floating point can stop it by becoming an integer" has_none "$module"
  if among "$module" "${saturating[@]}"; then
    claim "$module: no sum, product or quotient of integers can stop it" has_no sums "$module"
    claim "$module: no integer can stop it by becoming a narrower one" has_no narrowings "$module"
    continue
  fi
  claim "$module: where an integer becomes a narrower one, it was read" has_read "$(narrow_in "$module")" narrowing.txt "$module"
  claim "$module: where integers are multiplied, it was read" has_read "$(multiply_in "$module")" products.txt "$module"
  claim "$module: where what is kept grows by an amount, it was read" has_read growth growing.txt "$module"
done
rm -f "$work"/*.sil
