/// How often clients left the protocol's shapes, and how the last times looked.
struct ViolationLog {
  private static let textsMax = 64
  /// Bounds memory: devices beyond this are counted only in the total.
  private static let devicesMax = 1024

  private(set) var total: Int64 = 0
  private(set) var texts: [String] = []
  private var perDevice: [String: Int64] = [:]

  mutating func note(_ text: String, from deviceID: String) {
    total += 1
    if texts.count == Self.textsMax { texts.removeFirst() }
    texts.append(text)
    guard perDevice[deviceID] != nil || perDevice.count < Self.devicesMax else { return }
    perDevice[deviceID, default: 0] += 1
  }

  func count(_ deviceID: String) -> Int64 { perDevice[deviceID] ?? 0 }
}
