/// Marker codes of JPEG (ITU-T T.81 table B.1).
enum JPEGMarker {
  static let startOfImage: UInt8 = 0xD8, endOfImage: UInt8 = 0xD9, startOfScan: UInt8 = 0xDA
  static let lineCount: UInt8 = 0xDC, restartInterval: UInt8 = 0xDD, comment: UInt8 = 0xFE
  static let huffmanTables: UInt8 = 0xC4, extensions: UInt8 = 0xC8, arithmetic: UInt8 = 0xCC
  static let quantizationTables: UInt8 = 0xDB
  static let restart: ClosedRange<UInt8> = 0xD0...0xD7
  static let application: ClosedRange<UInt8> = 0xE0...0xEF
  static let frame: ClosedRange<UInt8> = 0xC0...0xCF
  /// Start of frame: baseline, extended and progressive, Huffman coded. The others (0xC3, 0xC5...0xCF) are lossless,
  /// hierarchical or arithmetic, and not in use.
  static let readableFrame: ClosedRange<UInt8> = 0xC0...0xC2
  static let progressive: UInt8 = 0xC2
}

/// The parts of a picture's headers that matter for its coded data.
struct JPEGFrameHeader {
  /// One component: its name in scan headers, and samples of it in a unit, across and down.
  struct Component {
    var name: UInt8 = 0
    var across = 1, down = 1
  }

  private(set) var width = 0, height = 0
  private(set) var isProgressive = false
  private(set) var componentCount = 0
  private(set) var components: InlineArray<3, Component> = .init(repeating: Component())
  /// The most samples of a component in a unit.
  private(set) var mostAcross = 1, mostDown = 1
  /// Units between restart markers; 0: there are none.
  var restartInterval = 0
  /// For each AC table the symbol of its all-zero code. Initially that of the standard tables (K.5, K.6).
  private(set) var zeroCodes: InlineArray<4, UInt8> = [0x01, 0x00, 0x01, 0x01]

  /// Reads a start of frame.
  mutating func read(
    _ marker: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ segment: Range<Int>
  ) throws(FrameFault) {
    guard JPEGMarker.readableFrame.contains(marker) else { throw .unsupported }
    guard width == 0, segment.count >= 8 else { throw .badHeader }
    let field = segment.lowerBound + 2
    componentCount = Int(bytes[field + 5])
    guard bytes[field] == 8, componentCount == 1 || componentCount == 3 else { throw .unsupported }
    height = Int(bytes[field + 1]) << 8 | Int(bytes[field + 2])
    width = Int(bytes[field + 3]) << 8 | Int(bytes[field + 4])
    guard width > 0, height > 0, segment.count >= 8 + 3 * componentCount else { throw .badHeader }
    isProgressive = marker == JPEGMarker.progressive
    for index in 0..<componentCount {
      let entry = field + 6 + 3 * index
      let (across, down) = (Int(bytes[entry + 1] >> 4), Int(bytes[entry + 1] & 15))
      guard (1...4).contains(across), (1...4).contains(down) else { throw .badHeader }
      components[index] = Component(name: bytes[entry], across: across, down: down)
      mostAcross = max(mostAcross, across)
      mostDown = max(mostDown, down)
    }
  }

  /// Reads Huffman tables (B.2.4.2): for each its class and number, codes of each length, and values.
  mutating func readHuffmanTables(
    _ bytes: UnsafeBufferPointer<UInt8>, _ segment: Range<Int>
  ) throws(FrameFault) {
    var index = segment.lowerBound + 2
    while index < segment.upperBound {
      let table = bytes[index]
      // Cameras pad this segment too.
      guard index + 17 <= segment.upperBound, table & 15 < 4, table >> 4 < 2 else { return }
      var values = 0
      for length in 1...16 { values += Int(bytes[index + length]) }
      guard values <= 256, index + 17 + values <= segment.upperBound else { throw .badHeader }
      if table >> 4 == 1, values > 0 { zeroCodes[Int(table & 15)] = bytes[index + 17] }
      index += 17 + values
    }
  }

  /// Units of a scan of all components, or blocks of a scan of one (A.2).
  func units(of component: Int?) -> Int {
    guard let component, componentCount > 1 else {
      return Self.parts(width, 8 * mostAcross) * Self.parts(height, 8 * mostDown)
    }
    let one = components[component]
    return Self.parts(Self.parts(width * one.across, mostAcross), 8)
      * Self.parts(Self.parts(height * one.down, mostDown), 8)
  }

  private static func parts(_ whole: Int, _ part: Int) -> Int { (whole + part - 1) / part }
}
