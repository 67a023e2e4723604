import Runtime

/// What the segments before a JPEG's picture say that its decoder does not tell.
public struct JPEGHead {
  public private(set) var turn = PictureTurn(1)
  /// Its coefficients come in several scans, so the decoder holds all of them.
  public private(set) var isProgressive = false

  /// Reads them, as far as they are there.
  public init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
      let marker = bytes[place + 1]
      let length = max(Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]), 2)
      if marker == 0xC2 { isProgressive = true }
      if marker == 0xE1, length >= 16, place + 2 + length <= bytes.count {
        let segment = UnsafeBufferPointer(rebasing: bytes[place + 4..<place + 2 + length])
        if let number = Self.orientation(segment) { turn = PictureTurn(number) }
      }
      place += 2 + length
    }
  }

  /// The entry of an Exif segment: a TIFF file after six bytes.
  private static func orientation(_ segment: UnsafeBufferPointer<UInt8>) -> Int? {
    let name: StaticString = "Exif"
    for index in 0..<4 where segment[index] != name.bytes[index] { return nil }
    let isLittle = segment[6] == UInt8(ascii: "I")
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= segment.count - 6 else { return nil }
      var value = 0
      for index in 0..<count {
        value = value << 8 | Int(segment[6 + place + (isLittle ? count - 1 - index : index)])
      }
      return value
    }
    // A TIFF offset has 32 bits, and so has an Int on some boards.
    guard let high = number(isLittle ? 6 : 4, 2), high == 0, let start = number(isLittle ? 4 : 6, 2) else { return nil }
    guard let entries = number(start, 2) else { return nil }
    for entry in 0..<entries {
      let place = start + 2 + 12 * entry
      guard let tag = number(place, 2) else { return nil }
      if tag == 0x0112 { return number(place + 8, 2) }
    }
    return nil
  }
}

/// How a camera was held, as its JPEG says (Exif 2.3, 4.6.4 A: orientation): which side of the rows stands where.
public struct PictureTurn: Equatable, Sendable {
  /// 1...8; 1 is upright.
  public let number: Int

  /// Upright, when it is no such number.
  public init(_ number: Int) { self.number = (1...8).contains(number) ? number : 1 }

  /// Width and height change places.
  public var isTransposed: Bool { number >= 5 }

  /// The picture as it was seen. The same picture when it is upright.
  public func upright(_ picture: DecodedPicture) throws(PictureFault) -> DecodedPicture {
    if number == 1 { return picture }
    let (size, original) = (picture.size, picture.original)
    let result =
      isTransposed
      ? try DecodedPicture(Size(size.height, size.width), original: Size(original.height, original.width))
      : try DecodedPicture(size, original: original)
    let (width, height) = (Int(size.width), Int(size.height))
    let across = Int(result.size.width)
    for y in 0..<height {
      let row = picture.pixels.baseAddress! + y * width
      for x in 0..<width {
        let (column, line): (Int, Int)
        switch number {
        case 2: (column, line) = (width - 1 - x, y)
        case 3: (column, line) = (width - 1 - x, height - 1 - y)
        case 4: (column, line) = (x, height - 1 - y)
        case 5: (column, line) = (y, x)
        case 6: (column, line) = (height - 1 - y, x)
        case 7: (column, line) = (height - 1 - y, width - 1 - x)
        default: (column, line) = (y, width - 1 - x)
        }
        result.pixels[line * across + column] = row[x]
      }
    }
    return result
  }
}
