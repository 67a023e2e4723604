import Board
import Canvas
import Runtime

@testable import Camera

/// Any picture before the reader of QR codes: what it reads is within its bound, and is the same again, by another
/// reader, and beside padding. A code that Talon draws of the first bytes is read as them.
///
/// quirc is compiled with the address sanitizer and with counted edges (board/fuzz), but without the one for undefined
/// behavior: in distorted pictures its numbers wrap around.
func checkCodePicture(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let picture = CodePicture(bytes)
  let (reader, other) = (QuircReader(), QuircReader())
  let texts = picture.texts(by: reader)
  for text in texts { expect(text.count <= Budget.scannedTextBytes, "\(text.count) bytes of a code") }
  checkDrawn(Array(bytes.prefix(60)), by: reader)
  expect(picture.texts(by: reader) == texts, "another text after another picture")
  expect(picture.texts(by: other, padding: 5) == texts, "another text by another reader")
  expect(picture.texts(by: other, most: 1) == Array(texts.prefix(1)), "it goes on after a text was taken")
}

/// A code of the bytes, module by module.
private func checkDrawn(_ bytes: [UInt8], by reader: QuircReader) {
  let modules = QRModules()
  QRCodes().encode(bytes.span, into: modules)
  expect(modules.side > 0, "no code of \(bytes.count) bytes")
  let drawn = CodePicture(modules).texts(by: reader)
  expect(drawn == [bytes], "a code of \(bytes) is read as \(drawn)")
}

/// A gray picture of cells.
private struct CodePicture {
  /// Of the pictures that inputs are.
  private static let longestSide = 200
  private static let (dark, light): (UInt8, UInt8) = (20, 230)

  private let width, height: Int
  private let pixels: [UInt8]

  /// The first byte is the number of columns less one, the second has the size of a cell in pixels less one (bits 0 to
  /// 2), whether a bit is a cell or a byte is (bit 3) and the margin in cells (bits 4 to 7), the third the levels of
  /// cells that are bits. Cells follow, row by row.
  init(_ bytes: [UInt8]) {
    let columns = Int(bytes[0]) % Self.longestSide + 1
    let (isBits, dark, light) = (bytes[1] & 8 != 0, bytes[2] & 0xF0, bytes[2] << 4 | 15)
    let count = (bytes.count - 3) * (isBits ? 8 : 1)
    self.init(
      columns, (count + columns - 1) / columns, scale: Int(bytes[1] & 7) + 1, margin: Int(bytes[1] >> 4), light
    ) { column, row in
      let cell = row * columns + column
      if cell >= count { return light }
      return isBits ? (bytes[3 + cell / 8] >> (cell & 7) & 1 == 1 ? dark : light) : bytes[3 + cell]
    }
  }

  /// A code.
  init(_ modules: QRModules) {
    self.init(Int(modules.side), Int(modules.side), scale: 3, margin: 4, Self.light) { column, row in
      modules.isDark(Int32(column), Int32(row)) ? Self.dark : Self.light
    }
  }

  private init(
    _ columns: Int, _ rows: Int, scale: Int, margin: Int, _ light: UInt8, _ level: (_ column: Int, _ row: Int) -> UInt8
  ) {
    width = min((columns + 2 * margin) * scale, Self.longestSide)
    height = min((rows + 2 * margin) * scale, Self.longestSide)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      // The rows of a cell are alike.
      if y % scale > 0 {
        pixels.append(contentsOf: Array(pixels.suffix(width)))
        continue
      }
      let row = y / scale - margin
      var value = light
      for x in 0..<width {
        let column = x / scale - margin
        if x % scale == 0 {
          value = row < 0 || row >= rows || column < 0 || column >= columns ? light : level(column, row)
        }
        pixels.append(value)
      }
    }
    self.pixels = pixels
  }

  /// What is read of it: the first texts, `most` at most.
  /// - Parameter padding: bytes between two rows.
  func texts(by reader: QuircReader, padding: Int = 0, most: Int = .max) -> [[UInt8]] {
    let rowBytes = width + padding
    // No byte behind the last pixel, so that one that is read there is noticed.
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: rowBytes * (height - 1) + width)
    defer { copy.deallocate() }
    copy.initialize(repeating: 0)
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        (copy.baseAddress! + y * rowBytes).update(from: pixels.baseAddress! + y * width, count: width)
      }
    }
    var texts: [[UInt8]] = []
    do throws(Errno) {
      let plane = Plane(base: copy.baseAddress!, width: width, height: height, rowBytes: rowBytes)
      let isTaken = try reader.read(plane) { text in
        texts.append(text.withUnsafeBufferPointer { Array($0) })
        return texts.count == most
      }
      expect(isTaken == (texts.count == most), "\(texts.count) texts of \(most)")
    } catch {
      expect(false, "\(width) x \(height): \(error.text)")
    }
    return texts
  }
}
