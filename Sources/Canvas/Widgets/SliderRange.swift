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
    return Self.toThreePlaces((1 - stop) * least + stop * most)
  }

  /// The value a twentieth of the way further, or back.
  func value(steps: Double) -> Double {
    if divisions > 0 { return value(at: (share + steps / divisions).bounded(0, 1)) }
    let twentieth = most / 20 - least / 20
    let step = isWhole ? max(twentieth.rounded(), 1) : twentieth
    return rounded(value + steps * step).bounded(least, most)
  }

  private var isWhole: Bool { least == least.rounded() && most == most.rounded() && most - least >= 10 }

  private func rounded(_ value: Double) -> Double { isWhole ? value.rounded() : Self.toThreePlaces(value) }

  /// A number that is large enough has none, and a thousand times as much may be too large.
  private static func toThreePlaces(_ value: Double) -> Double {
    value.magnitude < 1e15 ? (value * 1000).rounded() / 1000 : value
  }

  /// The value as a locale writes it, to three places; a number that is too long for that as JSON does.
  func writeValue(into buffer: UnsafeMutableBufferPointer<UInt8>, _ locale: Locale) -> Int {
    var writer = ByteWriter(into: buffer)
    locale.write(value, isGrouped: false, into: &writer)
    if writer.isComplete { return writer.count }
    var json = JSONWriter(into: buffer)
    json.double(Self.toThreePlaces(value))
    return json.isComplete ? json.count : 0
  }
}
