import A2UI
import Codec

/// Where a slider stands between its ends.
struct SliderRange {
  let least: Double
  let most: Double
  let value: Double

  /// Ends that are not given are 0 and 100 (canvas reference 1.8); a value outside of them counts as the nearer one.
  init(_ tree: InstanceTree, _ index: Int) {
    let least = tree.number(index, "minValue") ?? 0
    let most = tree.number(index, "maxValue") ?? 100
    self.least = least
    self.most = max(most, least)
    value = min(max(tree.number(index, "value") ?? least, least), self.most)
  }

  /// 0 at the one end, 1 at the other.
  var share: Double { most > least ? (value - least) / (most - least) : 0 }

  /// The value in its shortest form, to three places.
  func writeValue(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.double((value * 1000).rounded() / 1000)
    return writer.isComplete ? writer.count : 0
  }
}
