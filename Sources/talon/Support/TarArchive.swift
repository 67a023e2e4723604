import Codec
import Runtime

/// A tar archive in memory, of plain files: POSIX.1-1988 "ustar" (pax, ustar Interchange Format).
struct TarArchive {
  private static let block = 512
  private(set) var bytes: [UInt8] = []
  /// Seconds since 1970, of every file.
  let time: Int64

  init(time: Int64) { self.time = max(time, 0) }

  /// Adds a file, of which the last `Budget.supportFileBytes` are kept; false when that is more than the archive may
  /// have. `name` has at most 100 bytes.
  @discardableResult
  mutating func add(_ name: String, _ content: [UInt8]) -> Bool {
    let content = Array(content.suffix(Budget.supportFileBytes))
    guard bytes.count + content.count <= Budget.supportBytes else { return false }
    var header = [UInt8](repeating: 0, count: Self.block)
    Self.put(Array(name.utf8.prefix(100)), at: 0, &header)
    Self.put(octal(0o600, digits: 7), at: 100, &header)
    Self.put(octal(0, digits: 7), at: 108, &header)
    Self.put(octal(0, digits: 7), at: 116, &header)
    Self.put(octal(Int64(content.count), digits: 11), at: 124, &header)
    Self.put(octal(time, digits: 11), at: 136, &header)
    // The checksum is of a header whose checksum is eight spaces.
    Self.put([UInt8](repeating: 0x20, count: 8), at: 148, &header)
    header[156] = UInt8(ascii: "0")
    Self.put(Array("ustar\u{0}00".utf8), at: 257, &header)
    var sum: Int64 = 0
    for byte in header { sum += Int64(byte) }
    Self.put(octal(sum, digits: 6) + [0], at: 148, &header)
    bytes += header + content + padding(content.count)
    return true
  }

  /// Ends the archive with two blocks of zeros.
  mutating func end() { bytes += [UInt8](repeating: 0, count: 2 * Self.block) }

  private func padding(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (Self.block - count % Self.block) % Self.block)
  }

  private static func put(_ text: [UInt8], at place: Int, _ header: inout [UInt8]) {
    for index in text.indices { header[place + index] = text[index] }
  }

  /// A number of so many octal digits; the largest that they can hold stands for a larger one.
  private func octal(_ value: Int64, digits: Int) -> [UInt8] {
    var text = [UInt8](repeating: UInt8(ascii: "0"), count: digits)
    var rest = min(value, (1 << Int64(3 * digits)) - 1)
    for place in stride(from: digits - 1, through: 0, by: -1) {
      text[place] += UInt8(truncatingIfNeeded: rest & 7)
      rest >>= 3
    }
    return text
  }
}
