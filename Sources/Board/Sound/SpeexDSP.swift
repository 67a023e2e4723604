import CSpeexDSP
import Runtime
import Sound

/// Resampling by speexdsp: a windowed sinc.
public final class SpeexResampler: Resampler {
  /// 0 to 10; this is enough for speech.
  private static let quality: Int32 = 4

  private var state: OpaquePointer?
  private var rates: (from: UInt32, to: UInt32) = (0, 0)

  /// A resampler without rates.
  @export(interface)
  public init() {}

  deinit { close() }

  public func set(from: UInt32, to: UInt32) -> Bool {
    if state != nil, rates == (from, to) {
      reset()
      return true
    }
    close()
    rates = (from, to)
    if from == to { return true }
    state = tl_resampler_create(from, to, Self.quality)
    return state != nil
  }

  public func run(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, given: Int) {
    guard let state else { return copy(input, output) }
    var taken = UInt32(clamping: input.count)
    var given = UInt32(clamping: output.count)
    guard tl_resampler_run(state, input.baseAddress, &taken, output.baseAddress, &given) == 0 else {
      return (0, 0)
    }
    return (Int(taken), Int(given))
  }

  private func copy(_ input: UnsafeBufferPointer<Float>, _ output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    let count = min(input.count, output.count)
    for index in 0..<count { output[index] = input[index] }
    return (count, count)
  }

  public func reset() {
    if let state { tl_resampler_reset(state) }
  }

  private func close() {
    if let state { tl_resampler_destroy(state) }
    state = nil
  }
}

/// Noise reduction by speexdsp: estimates stationary noise and lowers it by up to 15 dB.
public final class SpeexDenoiser: Denoiser {
  /// Decibels by which noise is lowered at most; the library's own default.
  private static let attenuation: Int32 = 15

  private let state: OpaquePointer

  /// A denoiser without an estimate. Throws when there is no memory.
  @export(interface)
  public init() throws(SoundError) {
    guard let state = tl_denoiser_create(Int32(Budget.soundBlock), Int32(Budget.soundRate), Self.attenuation)
    else { throw .noMemory }
    self.state = state
  }

  deinit { tl_denoiser_destroy(state) }

  public func clean(_ block: UnsafeMutableBufferPointer<Int16>) {
    precondition(block.count == Budget.soundBlock)
    tl_denoiser_run(state, block.baseAddress)
  }
}
