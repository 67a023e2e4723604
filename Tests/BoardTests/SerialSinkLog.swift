import Location
import Runtime

/// Keeps what a position source delivers.
final class SerialSinkLog: PositionSourceDelegate {
  var events: [String] = []
  var received = ""
  var arrivals: [Int64] = []
  var onBytes: () -> Void = {}
  var onLost: () -> Void = {}

  func positionSourceOpened() { events.append("opened") }
  func positionSourceLost(_ reason: Errno) {
    events.append("lost \(reason.number)")
    onLost()
  }
  func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64) {
    received += bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    arrivals.append(monotonic)
    onBytes()
  }
}

/// Time that a test sets.
final class SerialTestClock: Clock {
  var monotonic: Int64 = 1_000_000
  var wall: Int64 = 1_784_118_920_000
}

/// Leaves its descriptor ready.
final class SerialIdler: DescriptorHandler {
  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {}
}
