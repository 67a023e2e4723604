import Board
import Runtime
import Sound

/// Recordings from the card, while no agent runs.
final class PhraseTake: TakeSource, SoundDeviceDelegate, SoundListener {
  private let capture: any SoundCapture
  private let intake: SoundIntake
  private let run: SoundRun
  private let order: SoundOrder
  private let bytes = FixedBuffer(capacity: Budget.soundReadBytes)
  private var facts: SoundFacts?
  private var skipped = 0
  private var failure: String?
  private(set) var samples: [Float] = []

  init(_ capture: any SoundCapture, _ intake: SoundIntake, _ run: SoundRun, _ order: SoundOrder) {
    self.capture = capture
    self.intake = intake
    self.run = run
    self.order = order
    samples.reserveCapacity(Budget.enrolTakeSamples)
  }

  func record(_ begin: () -> Void) throws(Failure) {
    (skipped, failure) = (0, nil)
    samples.removeAll(keepingCapacity: true)
    let facts = try SoundRun.told { () throws(SoundError) in try capture.open(order) }
    defer { capture.close() }
    if facts.isMuted {
      throw Failure(.unavailable, "the microphone's switch in the mixer is off: nothing can be heard")
    }
    self.facts = facts
    try SoundRun.told { () throws(SoundError) in try intake.begin(facts) }
    try SoundRun.told { () throws(SoundError) in try capture.start(self) }
    begin()
    // A card with a slow clock gets a little more time.
    let milliseconds = Int64(Budget.enrolTakeSamples / (Budget.soundRate / 1000)) + 2 * Budget.soundSilenceMilliseconds
    try run.run(milliseconds: milliseconds, advance: { _ in }, deadline: { nil })
    capture.stop()
    if let failure { throw Failure(.unavailable, failure) }
    if samples.isEmpty { throw Failure(.unavailable, "the microphone gave no sound") }
  }

  func soundReady() {
    guard let facts else { return }
    do throws(SoundError) {
      for _ in 0..<Budget.soundReadsPerTurn {
        switch try capture.read(into: UnsafeMutableRawBufferPointer(bytes.bytes)) {
        case .nothing: return
        case .gap: intake.interrupt()
        case .frames(let count):
          intake.take(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes.bytes)[..<(count * facts.frameBytes)]), self)
        }
        if samples.count >= Budget.enrolTakeSamples { return run.stop() }
      }
    } catch {
      // A file has no more samples.
      if samples.isEmpty { failure = SoundRun.text(error) }
      run.stop()
    }
  }

  func heard(_ block: UnsafeBufferPointer<Int16>) {
    // A microphone clicks when it is switched on.
    if skipped < Budget.enrolSkippedSamples { return skipped += block.count }
    for sample in block where samples.count < Budget.enrolTakeSamples { samples.append(Float(sample) / 32_768) }
  }
}
