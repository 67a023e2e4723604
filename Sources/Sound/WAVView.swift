import Codec

/// The samples of a WAV file in borrowed memory.
public struct WAVView {
  private let data: UnsafeRawBufferPointer
  private let format: SampleFormat
  private let frameBytes: Int
  public let channels: Int
  /// Samples a second of each channel.
  public let rate: Int

  /// Samples of each channel.
  public var count: Int { data.count / frameBytes }

  /// A view of a file; one that is truncated, or whose length was never filled in, ends with the bytes.
  public init(_ bytes: UnsafeRawBufferPointer) throws(WAVError) {
    let text = bytes.bindMemory(to: UInt8.self)
    guard let header = try WAVHeader.read(Span(_unsafeElements: text)) else { throw .cutOff }
    guard 1...8 ~= header.channels, 4_000...192_000 ~= header.rate else { throw .outOfRange }
    let length = min(header.dataBytes ?? .max, bytes.count - header.dataOffset)
    data = UnsafeRawBufferPointer(rebasing: bytes[header.dataOffset..<(header.dataOffset + length)])
    format = SampleFormat(header)
    (frameBytes, channels, rate) = (header.frameBytes, header.channels, Int(header.rate))
  }

  /// The mean of all channels at a sample, -1 to 1; NaN becomes 0.
  public subscript(_ index: Int) -> Float {
    var sum: Float = 0
    for channel in 0..<channels {
      let value = format.read(data.baseAddress! + index * frameBytes + channel * format.bytes)
      sum += value < -1 ? -1 : value > 1 ? 1 : value
    }
    return sum / Float(channels)
  }
}
