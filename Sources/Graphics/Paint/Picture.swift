import Runtime

/// File formats of pictures.
public enum PictureFormat: Sendable {
  case png, jpeg, webp, gif

  /// By the first bytes; nil for anything else.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.first == 0x89, Self.starts(bytes, with: "PNG", at: 1) {
      self = .png
    } else if bytes.count >= 3, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF {
      self = .jpeg
    } else if Self.starts(bytes, with: "RIFF", at: 0), Self.starts(bytes, with: "WEBP", at: 8) {
      self = .webp
    } else if Self.starts(bytes, with: "GIF8", at: 0) {
      self = .gif
    } else {
      return nil
    }
  }

  private static func starts(_ bytes: UnsafeBufferPointer<UInt8>, with text: StaticString, at place: Int) -> Bool {
    guard bytes.count >= place + text.bytes.count else { return false }
    for index in 0..<text.bytes.count where bytes[place + index] != text.bytes[index] { return false }
    return true
  }
}

/// Why a picture cannot be shown.
public struct PictureFault: Error {
  public enum Kind: Sendable {
    /// No PNG, JPEG, WebP or GIF.
    case unknownFormat
    /// Damaged, cut off, or of a kind that the format hardly ever has.
    case broken
    /// Too many pixels.
    case tooLarge
    case outOfMemory
    /// The process that decodes it ended without a valid result.
    case notDecoded
  }

  public let kind: Kind
  /// Such as "PNG: IDAT: invalid distance too far back".
  public let text: InlineText<128>

  /// A fault of a picture of some format.
  public init(_ kind: Kind, _ text: StaticString) {
    self.kind = kind
    self.text = InlineText(cutting: text)
  }

  /// A fault in words from elsewhere, cut to what fits.
  public init(_ kind: Kind, _ text: InlineText<128>) {
    self.kind = kind
    self.text = text
  }

  /// A fault in a library's words.
  public init(_ kind: Kind, _ text: StaticString, detail: UnsafePointer<CChar>) {
    self.kind = kind
    var line = InlineText<128>()
    _ = line.fill { room in
      var count = 0
      for byte in text.bytes where count < room.count {
        room[count] = byte
        count += 1
      }
      var index = 0
      while detail[index] != 0, count < room.count {
        room[count] = UInt8(bitPattern: detail[index])
        index += 1
        count += 1
      }
      return count
    }
    self.text = line
  }
}

/// A picture in memory, premultiplied 0xAARRGGBB, rows without gaps.
public final class DecodedPicture {
  public let size: Size
  /// Before it was reduced.
  public let original: Size
  /// What was left out of a drawing; nil: nothing.
  public var omission: SVGOmission?
  public let pixels: UnsafeMutableBufferPointer<UInt32>
  /// What the pixels stand in: one of these.
  private let reserved: ReservedBuffer?
  private let shared: SharedMemory?

  /// Transparent pixels. Throws when there is no address space left.
  @export(interface)
  public init(_ size: Size, original: Size) throws(PictureFault) {
    self.size = size
    self.original = original
    shared = nil
    let memory: ReservedBuffer
    do {
      memory = try ReservedBuffer(capacity: max(Int(size.width) * Int(size.height), 1) * 4)
    } catch {
      throw PictureFault(.outOfMemory, "no memory for the picture")
    }
    reserved = memory
    pixels = UnsafeMutableRawBufferPointer(memory.bytes).assumingMemoryBound(to: UInt32.self)
  }

  /// The pixels that another process left in `memory` from byte `start` on; nil: it does not hold as many.
  @export(interface)
  public init?(_ size: Size, original: Size, in memory: SharedMemory, at start: Int) {
    guard size.width > 0, size.height > 0, start >= 0, start <= memory.bytes.count else { return nil }
    let count = Int64(size.width) * Int64(size.height) * 4
    guard count <= Int64(memory.bytes.count - start) else { return nil }
    self.size = size
    self.original = original
    reserved = nil
    shared = memory
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[start..<start + Int(count)])
    pixels = bytes.bindMemory(to: UInt32.self)
  }
}

/// How large a picture is decoded.
public struct PictureLimit: Sendable {
  /// The size that it will be shown at: it is reduced by whole factors as long as it stays this large.
  public var wanted: Size
  /// Requested when the picture is not needed any more; nil: never.
  public var cancellation: Cancellation?

  /// A limit; see the properties.
  public init(wanted: Size, cancellation: Cancellation? = nil) {
    self.wanted = wanted
    self.cancellation = cancellation
  }

  /// The whole factor to reduce by. Throws for what is larger than any limit.
  public func factor(of size: Size) throws(PictureFault) -> Int32 {
    guard size.width > 0, size.height > 0 else { throw PictureFault(.broken, "the picture has no pixels") }
    let side = Budget.pictureSidePixels
    guard size.width <= side, size.height <= side, Int(size.width) * Int(size.height) <= Budget.decodedPixels else {
      throw PictureFault(.tooLarge, "the picture has more than 16 million pixels")
    }
    var factor = max(min(size.width / max(wanted.width, 1), size.height / max(wanted.height, 1)), 1)
    while Self.reduced(size, by: factor).area > Budget.shownPixels { factor += 1 }
    return factor
  }

  /// A size divided by a factor, rounded up.
  public static func reduced(_ size: Size, by factor: Int32) -> Rect {
    Rect(0, 0, (size.width + factor - 1) / factor, (size.height + factor - 1) / factor)
  }
}

/// Takes the rows of a picture one by one and averages squares of them: `factor` by `factor` pixels become one,
/// premultiplied.
public struct PictureReducer: ~Copyable {
  private let target: DecodedPicture
  private let factor: Int
  private let width: Int
  private let sums: UnsafeMutableBufferPointer<UInt32>
  private var y = 0
  private var held = 0

  /// Fills `target`, which is `size` reduced by the factor. Factors are at most `Budget.pictureSidePixels`.
  public init(_ size: Size, by factor: Int32, into target: DecodedPicture) {
    self.target = target
    self.factor = Int(factor)
    width = Int(size.width)
    sums = .allocate(capacity: 4 * Int(target.size.width))
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// The next row: 0xAARRGGBB, not premultiplied.
  public mutating func add(_ row: UnsafePointer<UInt32>) {
    guard y < Int(target.size.height) else { return }
    if factor == 1 {
      let line = target.pixels.baseAddress! + y * width
      for x in 0..<width { line[x] = Blend.premultiplied(row[x]) }
      y += 1
      return
    }
    var x = 0
    for column in 0..<Int(target.size.width) {
      let sum = sums.run(4 * column, 4)
      // Rows and columns of a square are averaged apart, so that sums stay small.
      var (blue, green, red, alpha): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      let end = min(x + factor, width)
      let count = UInt32(end - x)
      while x < end {
        let pixel = Blend.premultiplied(row[x])
        blue &+= pixel & 255
        green &+= pixel >> 8 & 255
        red &+= pixel >> 16 & 255
        alpha &+= pixel >> 24
        x += 1
      }
      sum[0] &+= (blue << 8) / count
      sum[1] &+= (green << 8) / count
      sum[2] &+= (red << 8) / count
      sum[3] &+= (alpha << 8) / count
    }
    held += 1
    if held == factor { finishRow() }
  }

  /// No more rows come.
  public mutating func finish() {
    if held > 0 { finishRow() }
  }

  private mutating func finishRow() {
    let line = target.pixels.baseAddress! + y * Int(target.size.width)
    let count = UInt32(held)
    for column in 0..<Int(target.size.width) {
      let sum = sums.run(4 * column, 4)
      var pixel: UInt32 = 0
      for part in 0..<4 {
        pixel |= min(((sum[part] / count) &+ 128) >> 8, 255) << UInt32(8 * part)
        sum[part] = 0
      }
      line[column] = pixel
    }
    held = 0
    y += 1
  }
}
