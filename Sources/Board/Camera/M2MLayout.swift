import CLinux
import Camera

/// The layout of a 4:2:0 picture in an encoder's raw buffers.
struct M2MLayout {
  /// V4L2's four-character code.
  let fourcc: UInt32
  /// Memory planes of a picture.
  let pieces: Int
  /// True when Cb and Cr are interleaved.
  private let isPaired: Bool
  /// The geometry that the driver granted.
  var granted = tl_m2m_picture()

  /// Layouts that can be written here, the cheapest first.
  static let all: InlineArray<4, M2MLayout> = [
    M2MLayout("YU12", pieces: 1, isPaired: false), M2MLayout("YM12", pieces: 3, isPaired: false),
    M2MLayout("NV12", pieces: 1, isPaired: true), M2MLayout("NM12", pieces: 2, isPaired: true),
  ]

  private init(_ code: StaticString, pieces: Int, isPaired: Bool) {
    fourcc = Self.fourcc(code)
    self.pieces = pieces
    self.isPaired = isPaired
  }

  /// The number of a four-character code.
  static func fourcc(_ code: StaticString) -> UInt32 {
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(code.utf8Start[index]) << UInt32(8 * index) }
    return number
  }

  /// Stores the geometry that the driver granted; false when it is not this layout.
  mutating func take(_ picture: tl_m2m_picture) -> Bool {
    granted = picture
    return Int(picture.planes) == pieces && picture.row_bytes.0 >= picture.width
  }

  /// A component's place: its memory plane, its offset there, and bytes from row to row.
  private struct Place {
    let piece, offset, rowBytes: Int
  }

  /// In one memory plane chroma directly follows Y; in planes of its own, its rows are half as long.
  private func chroma(_ index: Int) -> Place {
    let rows = Int(granted.height), rowBytes = Int(granted.row_bytes.0)
    if pieces == 1 {
      let own = isPaired ? rowBytes : rowBytes / 2
      return Place(piece: 0, offset: rowBytes * rows + (isPaired ? 0 : index * own * (rows / 2)), rowBytes: own)
    }
    let isThird = index == 1 && !isPaired
    return Place(
      piece: isThird ? 2 : 1, offset: 0, rowBytes: Int(isThird ? granted.row_bytes.2 : granted.row_bytes.1))
  }

  /// Copies a picture into a buffer; false when it does not fit.
  func write(_ image: PlanarImage, to queue: borrowing M2MQueue, _ buffer: Int) -> Bool {
    let luma = Place(piece: 0, offset: 0, rowBytes: Int(granted.row_bytes.0))
    guard let base = base(luma, image.luma.width, image.luma.height, queue, buffer) else { return false }
    Self.copy(image.luma, to: base, luma.rowBytes)
    let (width, height) = (image.blue.width, image.blue.height)
    let (blue, red) = (chroma(0), chroma(1))
    guard let first = self.base(blue, isPaired ? 2 * width : width, height, queue, buffer) else { return false }
    if isPaired {
      Self.pair(image.blue, image.red, to: first, blue.rowBytes)
      return true
    }
    guard let second = self.base(red, width, height, queue, buffer) else { return false }
    Self.copy(image.blue, to: first, blue.rowBytes)
    Self.copy(image.red, to: second, red.rowBytes)
    return true
  }

  /// The place of a component that has `width` bytes in each of `height` rows.
  private func base(
    _ place: Place, _ width: Int, _ height: Int, _ queue: borrowing M2MQueue, _ buffer: Int
  ) -> UnsafeMutablePointer<UInt8>? {
    let memory = queue.memory(buffer, place.piece)
    guard let start = memory.baseAddress, place.rowBytes >= width,
      place.offset + place.rowBytes * (height - 1) + width <= memory.count
    else { return nil }
    return (start + place.offset).assumingMemoryBound(to: UInt8.self)
  }

  private static func copy(_ plane: Plane, to base: UnsafeMutablePointer<UInt8>, _ rowBytes: Int) {
    for y in 0..<plane.height {
      (base + y * rowBytes).update(from: plane.base + y * plane.rowBytes, count: plane.width)
    }
  }

  private static func pair(_ blue: Plane, _ red: Plane, to base: UnsafeMutablePointer<UInt8>, _ rowBytes: Int) {
    for y in 0..<blue.height {
      let (one, other, to) = (blue.base + y * blue.rowBytes, red.base + y * red.rowBytes, base + y * rowBytes)
      for x in 0..<blue.width {
        to[2 &* x] = one[x]
        to[2 &* x &+ 1] = other[x]
      }
    }
  }
}
