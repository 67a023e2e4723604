import Runtime

/// The first frame of a GIF (GIF89a specification), row by row or, when it is interlaced, at once.
struct GIFDecoder: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  /// Colors of the frame, and which of them is none.
  private let palette: UnsafeMutableBufferPointer<UInt32>
  private var screen = Size(0, 0)
  private var frame = Rect.empty
  private var isInterlaced = false
  private var transparent = -1

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    palette = .allocate(capacity: 256)
    palette.initialize(repeating: 0xFF00_0000)
  }

  deinit { palette.deallocate() }

  /// Decodes. Where the frame does not reach, the picture is transparent.
  mutating func decode(_ limit: PictureLimit) throws(PictureFault) -> DecodedPicture {
    try readScreen()
    let factor = try limit.factor(of: screen)
    try findFrame()
    let target = try DecodedPicture(PictureLimit.reduced(screen, by: factor).size, original: screen)
    // Indexes of the whole frame: a quarter of what its pixels take, and rows may come in any order.
    let area: ReservedBuffer
    do {
      area = try ReservedBuffer(capacity: max(frame.area, 1))
    } catch {
      throw PictureFault(.outOfMemory, "no memory for the picture")
    }
    let count = try expand(into: area.bytes)
    guard count == frame.area else { throw PictureFault(.broken, "GIF: the data ends too early") }
    let row = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(screen.width))
    defer { row.deallocate() }
    var reducer = PictureReducer(screen, by: factor, into: target)
    for y in 0..<screen.height {
      row.initialize(repeating: 0, count: Int(screen.width))
      if y >= frame.y, y < frame.maxY {
        let line = area.bytes.baseAddress! + Int(stored(y - frame.y)) * Int(frame.width)
        for x in 0..<Int(min(frame.width, screen.width - frame.x)) where Int(line[x]) != transparent {
          row[Int(frame.x) + x] = palette[Int(line[x])]
        }
      }
      reducer.add(row)
    }
    reducer.finish()
    return target
  }

  /// The order in which an interlaced frame has its rows: every eighth, those between, and so on (appendix E).
  private func stored(_ y: Int32) -> Int32 {
    guard isInterlaced else { return y }
    let eighths = (frame.height + 7) / 8
    let fourths = (frame.height + 3) / 8
    let halves = (frame.height + 1) / 4
    switch y % 8 {
    case 0: return y / 8
    case 4: return eighths + y / 8
    case 2, 6: return eighths + fourths + y / 4
    default: return eighths + fourths + halves + y / 2
    }
  }

  // MARK: Blocks

  private mutating func readScreen() throws(PictureFault) {
    place = 6
    screen = Size(try short(), try short())
    let flags = try byte()
    place += 2
    if flags & 0x80 != 0 { try readPalette(flags) }
  }

  private mutating func findFrame() throws(PictureFault) {
    while true {
      switch try byte() {
      case 0x21:
        if try byte() == 0xF9 {
          _ = try byte()
          let flags = try byte()
          place += 2
          let index = try byte()
          transparent = flags & 1 != 0 ? Int(index) : -1
        }
        while true {
          let length = try byte()
          if length == 0 { break }
          place += Int(length)
        }
      case 0x2C:
        frame = Rect(try short(), try short(), try short(), try short())
        let flags = try byte()
        isInterlaced = flags & 0x40 != 0
        if flags & 0x80 != 0 { try readPalette(flags) }
        // Some writers claim a screen that is smaller than its frame; the frame is cut off.
        guard frame.x < screen.width, frame.y < screen.height, !frame.isEmpty else {
          throw PictureFault(.broken, "GIF: the frame is outside of the picture")
        }
        guard frame.area <= Budget.decodedPixels else {
          throw PictureFault(.tooLarge, "the picture has more than 16 million pixels")
        }
        return
      case 0x3B: throw PictureFault(.broken, "GIF: there is no frame")
      default: throw PictureFault(.broken, "GIF: a block of no known kind")
      }
    }
  }

  private mutating func readPalette(_ flags: UInt8) throws(PictureFault) {
    for index in 0..<2 << Int(flags & 7) {
      let (red, green, blue) = (UInt32(try byte()), UInt32(try byte()), UInt32(try byte()))
      palette[index] = 0xFF00_0000 | red << 16 | green << 8 | blue
    }
  }

  /// LZW with codes of growing length (appendix F). Answers how many indexes there were; more than fit are left.
  private mutating func expand(into target: UnsafeMutableBufferPointer<UInt8>) throws(PictureFault) -> Int {
    let root = Int(try byte())
    guard root >= 1, root <= 8 else { throw PictureFault(.broken, "GIF: codes of an impossible length") }
    let table = LZWTable(root)
    var block = 0
    var (bits, held) = (UInt32(0), 0)
    var (count, previous) = (0, -1)
    while count < frame.area {
      while held < table.width {
        if block == 0 {
          block = Int(try byte())
          if block == 0 { return count }
        }
        bits |= UInt32(try byte()) << UInt32(held)
        held += 8
        block -= 1
      }
      let code = Int(bits & (1 << UInt32(table.width) - 1))
      bits >>= UInt32(table.width)
      held -= table.width
      if code == table.clear {
        table.reset()
        previous = -1
      } else if code == table.clear + 1 {
        return count
      } else {
        guard table.add(code, after: previous) else { throw PictureFault(.broken, "GIF: a code that was not defined") }
        count += table.write(code, into: target, at: count)
        previous = code
      }
    }
    return count
  }

  private mutating func byte() throws(PictureFault) -> UInt8 {
    guard place < bytes.count else { throw PictureFault(.broken, "GIF: the data ends too early") }
    place += 1
    return bytes[place - 1]
  }

  private mutating func short() throws(PictureFault) -> Int32 { Int32(try byte()) | Int32(try byte()) << 8 }
}

/// The strings that codes stand for: each is a shorter one and one index more.
private final class LZWTable {
  let clear: Int
  /// Bits of the next code.
  private(set) var width: Int
  private let root: Int
  private var count: Int
  private let prefix: UnsafeMutableBufferPointer<Int16>
  private let last: UnsafeMutableBufferPointer<UInt8>
  private let length: UnsafeMutableBufferPointer<UInt16>

  init(_ root: Int) {
    self.root = root
    clear = 1 << root
    width = root + 1
    count = clear + 2
    prefix = .allocate(capacity: 4096)
    last = .allocate(capacity: 4096)
    length = .allocate(capacity: 4096)
    for index in 0..<clear {
      prefix[index] = -1
      last[index] = UInt8(truncatingIfNeeded: index)
      length[index] = 1
    }
  }

  deinit {
    prefix.deallocate()
    last.deallocate()
    length.deallocate()
  }

  func reset() {
    width = root + 1
    count = clear + 2
  }

  /// Defines the next code: the previous string, and the first index of this one. False when this one cannot be.
  func add(_ code: Int, after previous: Int) -> Bool {
    guard code < clear || code > clear + 1 else { return false }
    guard previous >= 0 else { return code < clear }
    guard code < count || code == count && count < 4096 else { return false }
    guard count < 4096 else { return true }
    prefix[count] = Int16(previous)
    length[count] = length[previous] + 1
    last[count] = first(code == count ? previous : code)
    count += 1
    if count == 1 << width, width < 12 { width += 1 }
    return true
  }

  private func first(_ code: Int) -> UInt8 {
    var code = code
    while prefix[code] >= 0 { code = Int(prefix[code]) }
    return last[code]
  }

  /// Writes a code's string, as far as there is room; answers its length.
  func write(_ code: Int, into target: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
    let count = Int(length[code])
    var (code, place) = (code, start + count - 1)
    while code >= 0, place >= start {
      if place < target.count { target[place] = last[code] }
      place -= 1
      code = Int(prefix[code])
    }
    return min(count, target.count - start)
  }
}

extension DecodedPicture {
  /// The first frame of a GIF.
  public static func gif(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture {
    var decoder = GIFDecoder(bytes)
    return try decoder.decode(limit)
  }
}
