import Codec

extension SampleFormat {
  /// How the samples of a WAV file stand there. Linear ones count from the top of their bytes.
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
