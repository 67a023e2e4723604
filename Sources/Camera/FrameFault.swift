/// Why a camera's JPEG frame is not used.
public enum FrameFault: UInt8, Error, CaseIterable, Sendable {
  /// It does not begin with a start-of-image marker, or has no bytes.
  case noStart
  /// Its headers are invalid: no frame header before the scan, a side of 0, an unknown component.
  case badHeader
  /// Other bytes in place of a marker, or a segment shorter than its own length field.
  case noMarker
  /// It ends within its headers.
  case cutHeader
  /// It ends within its coded data, without an end-of-image marker.
  case cutData
  /// A stretch of its coded data is zeros that no encoder writes: a buffer that was not filled.
  case zeros
  /// An invalid marker in its coded data.
  case strayMarker
  /// Another picture begins in its coded data.
  case merged
  /// Restart markers are out of order (B.2.1: RST0 to RST7, cyclic), or were not announced.
  case restartOrder
  /// It has fewer restart markers, or coded bytes, than its blocks need.
  case missingData
  /// Its size is not the one that was set.
  case wrongSize
  /// Not an 8-bit Huffman-coded JPEG with one or three components.
  case unsupported

  /// True for the same fault, and for two that frames without an end marker have: which one, depends on what stands
  /// after them in the buffer.
  func isSameWay(as other: FrameFault) -> Bool { self == other || lacksEnd && other.lacksEnd }

  private var lacksEnd: Bool { self == .cutData || self == .zeros || self == .merged }

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

/// How often each fault was seen. Counts saturate.
public struct FrameFaults: Sendable {
  private var counts: InlineArray<12, UInt32> = .init(repeating: 0)

  /// None seen.
  public init() {}

  /// How often `fault` was seen.
  public subscript(fault: FrameFault) -> Int { Int(clamping: counts[Int(fault.rawValue)]) }

  /// Total.
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
}
