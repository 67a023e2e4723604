import Codec
import Runtime

@testable import Sound

/// Passes all on, as a resampler of equal rates does.
private final class FuzzResampler: Resampler {
  func set(from: UInt32, to: UInt32) -> Bool { true }
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    let count = min(input.count, output.count)
    for index in 0..<count { output[index] = input[index] }
    return (count, count)
  }
  func reset() {}
}

private final class FuzzListener: SoundListener {
  func heard(_ block: UnsafeBufferPointer<Int16>) {
    expect(block.count == Budget.soundBlock, "a block of \(block.count)")
  }
}

/// A WAV file of anybody: its header, and its samples through all that they pass on their way to the rooms.
func checkWAV(_ input: [UInt8]) {
  let header: WAVHeader
  do throws(WAVError) {
    guard let found = try WAVHeader.read(input.span) else { return }
    header = found
  } catch {
    return
  }
  expect(header.dataOffset <= input.count, "samples at \(header.dataOffset) of \(input.count)")
  expect(header.channels > 0 && header.rate > 0 && (1...8).contains(header.sampleBytes), "\(header)")
  expect((header.dataBytes ?? 0) % header.frameBytes == 0, "\(header)")
  guard header.frameBytes <= Budget.soundFrameBytes else { return }
  let name = SoundName()
  let facts = SoundFacts(
    card: name, name: name, device: 0, format: SampleFormat(header), rate: header.rate,
    channels: header.channels, period: 1,
    buffer: 1)
  let intake = SoundIntake(resampler: FuzzResampler(), denoiser: nil, gain: .automatic, channel: .mix)
  do throws(SoundError) { try intake.begin(facts) } catch { return }
  input[header.dataOffset...].withUnsafeBytes { intake.take($0, FuzzListener()) }
  expect(intake.meter.level.isFinite && intake.factor.isFinite, "a level that is no number")
}
