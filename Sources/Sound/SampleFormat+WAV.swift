import Codec

extension SampleFormat {
  /// The sample format of a WAV file. Linear samples are left-aligned in their bytes.
  public init(_ header: WAVHeader) {
    switch header.coding {
    case .linear:
      self.init(
        header.sampleBytes == 1 ? .unsigned : .signed, bits: 8 * header.sampleBytes, bytes: header.sampleBytes
      )
    case .float: self.init(.float, bits: 8 * header.sampleBytes, bytes: header.sampleBytes)
    case .aLaw: self.init(.aLaw, bits: 8, bytes: 1)
    case .muLaw: self.init(.muLaw, bits: 8, bytes: 1)
    }
  }
}
