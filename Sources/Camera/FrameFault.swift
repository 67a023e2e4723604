/// Why a camera's JPEG frame is not used.
public enum FrameFault: UInt8, Error, CaseIterable, Sendable {
  /// It does not begin with a start-of-image marker, or has no bytes.
  case noStart
  /// Its headers say what makes no picture: no frame header before the scan, a side of 0, a component that is none.
  case badHeader
  /// Other bytes stand where a marker must, or a segment says less than its own length.
  case noMarker
  /// It ends within its headers.
  case cutHeader
  /// It ends within its coded data, without an end-of-image marker.
  case cutData
  /// A stretch of its coded data is zeros that no encoder writes: a buffer that was not filled.
  case zeros
  /// A marker stands in its coded data that cannot.
  case strayMarker
  /// Another picture begins in its coded data.
  case merged
  /// Restart markers are out of their order (B.2.1: RST0 to RST7, around again), or stand where none were announced.
  case restartOrder
  /// It has fewer restart markers, or coded bytes, than its blocks need.
  case missingData
  /// It is of another size than was agreed with the camera.
  case wrongSize
  /// It may be whole, but is no 8-bit Huffman-coded JPEG with one or three components.
  case unsupported

  /// The fault in a few words, for logs and counters.
  public var text: StaticString {
    switch self {
    case .noStart: "no JPEG"
    case .badHeader: "impossible header"
    case .noMarker: "no marker where one must be"
    case .cutHeader: "ends within its header"
    case .cutData: "ends without end marker"
    case .zeros: "filled up with zeros"
    case .strayMarker: "stray marker in coded data"
    case .merged: "two frames in one"
    case .restartOrder: "restart markers out of order"
    case .missingData: "coded data missing"
    case .wrongSize: "size not as agreed"
    case .unsupported: "kind of JPEG not supported"
    }
  }
}

/// How often each fault was seen. Counts stay at their most instead of beginning again.
public struct FrameFaults: Sendable {
  private var counts: InlineArray<12, UInt32> = .init(repeating: 0)

  /// None seen.
  public init() {}

  /// How often `fault` was seen.
  public subscript(fault: FrameFault) -> Int { Int(clamping: counts[Int(fault.rawValue)]) }

  /// All together.
  public var total: Int {
    var sum = 0
    for index in 0..<counts.count { sum += Int(clamping: counts[index]) }
    return sum
  }

  /// Counts `fault` once.
  public mutating func count(_ fault: FrameFault) {
    let (next, overflow) = counts[Int(fault.rawValue)].addingReportingOverflow(1)
    if !overflow { counts[Int(fault.rawValue)] = next }
  }

  /// Where things stand in a camera's JPEG; nil for other frames. Counts what is wrong with it, and throws
  /// `.brokenFrame` when the next frame may be better, `.unsupportedFormat` when it would not be.
  mutating func check(_ frame: RawFrame) throws(CameraError) -> JPEGLayout? {
    guard frame.format == .mjpeg else { return nil }
    do throws(FrameFault) {
      let layout = try JPEGLayout(checking: frame.bytes)
      try layout.checkSize(frame.width, frame.height)
      return layout
    } catch {
      count(error)
      throw error == .unsupported ? .unsupportedFormat : .brokenFrame
    }
  }
}
