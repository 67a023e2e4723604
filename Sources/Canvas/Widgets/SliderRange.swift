import A2UI
import Codec
import Locales
import Runtime

/// Where a slider stands between its ends.
struct SliderRange {
  let least: Double
  let most: Double
  let value: Double
  /// Into how many parts it is divided, at whose ends it stops; 0: it stops anywhere.
  let divisions: Double

  init(least: Double, most: Double, value: Double, divisions: Double = 0) {
    (self.least, self.most, self.value, self.divisions) = (least, most, value, divisions)
  }

  /// Ends that are not given are 0 and 100 (canvas reference 1.8); a value outside of them counts as the nearer one.
  init(_ layout: SurfaceLayout, _ index: Int) {
    let tree = layout.tree
    let least = tree.number(index, "minValue") ?? 0
    let most = tree.number(index, "maxValue") ?? 100
    self.least = least
    self.most = max(most, least)
    value = min(max(layout.number(index) ?? least, least), self.most)
    let steps = (tree.number(index, "steps") ?? 0).rounded()
    divisions = steps >= 1 && steps < 1e6 ? steps : 0
  }

  /// 0 at the one end, 1 at the other. Of halves, because the ends may lie farther apart than the largest number.
  var share: Double { most > least ? ((value / 2 - least / 2) / (most / 2 - least / 2)).bounded(0, 1) : 0 }

  /// The value at a share of the way from one end to the other; whole, where the ends are and lie far enough apart.
  func value(at share: Double) -> Double {
    guard divisions > 0 else { return rounded((1 - share) * least + share * most) }
    let stop = (share * divisions).rounded() / divisions
    return Self.rounded((1 - stop) * least + stop * most, places)
  }

  /// The value a division or a twentieth of the way further, or back.
  func value(steps: Double) -> Double {
    if divisions > 0 { return value(at: (share + steps / divisions).bounded(0, 1)) }
    let step = isWhole ? max(step.rounded(), 1) : step
    return rounded(value + steps * step).bounded(least, most)
  }

  private var isWhole: Bool { least == least.rounded() && most == most.rounded() && most - least >= 10 }

  private var step: Double {
    let parts = divisions > 0 ? divisions : 20
    return most / parts - least / parts
  }

  /// Decimal places of values: three, or so many that a step is ten units of the last one at least.
  private var places: Int {
    var (places, units) = (3, step * 1000)
    while units < 10, units > 0, places < 12 {
      places += 1
      units *= 10
    }
    return places
  }

  private func rounded(_ value: Double) -> Double { isWhole ? value.rounded() : Self.rounded(value, places) }

  /// A number that is large enough has no places, and as many times as much may be too large.
  private static func rounded(_ value: Double, _ places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return value.magnitude < 1e18 / scale ? (value * scale).rounded() / scale : value
  }

  /// The value as a locale writes it, to as many places as tell it from the next step; a number that is too long for
  /// that as JSON does.
  func writeValue(into buffer: UnsafeMutableBufferPointer<UInt8>, _ locale: Locale) -> Int {
    let places = places
    let shown = Self.rounded(value, places)
    var decimals = 3
    while decimals < places, Self.rounded(shown, decimals) != shown { decimals += 1 }
    var writer = ByteWriter(into: buffer)
    locale.write(value, decimals: decimals > 3 ? decimals : nil, isGrouped: false, into: &writer)
    if writer.isComplete { return writer.count }
    var json = JSONWriter(into: buffer)
    json.double(shown)
    return json.isComplete ? json.count : 0
  }
}
