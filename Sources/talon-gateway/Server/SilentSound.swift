import Foundation

/// A sound that says nothing, for `talk.speak`.
enum SilentSound {
  private static let rate: UInt32 = 8000

  /// RIFF WAVE: 8 kHz, one channel, 8 bits.
  static func wav(milliseconds: Int) -> Data {
    let count = UInt32(milliseconds) * rate / 1000
    var data = Data("RIFF".utf8)
    data.append(little: 36 + count)
    data.append(Data("WAVEfmt ".utf8))
    data.append(little: UInt32(16))
    data.append(little: UInt16(1))
    data.append(little: UInt16(1))
    data.append(little: rate)
    data.append(little: rate)
    data.append(little: UInt16(1))
    data.append(little: UInt16(8))
    data.append(Data("data".utf8))
    data.append(little: count)
    data.append(Data(repeating: 0x80, count: Int(count)))
    return data
  }
}

extension Data {
  fileprivate mutating func append(little value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
