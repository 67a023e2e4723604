import Device
import Runtime
import Simulated
import Sound
import Testing

@testable import Agent

/// A card that hears what it is told to, and fails as it is told to.
private final class ScriptedCapture: SoundCapture {
  var failure: SoundError?
  var startFailure: SoundError?
  /// What the reads give, in order.
  var reads: [Result<SoundRead, SoundError>] = []
  var value: Int16 = 1000
  var isMuted = false
  private(set) var (opens, closes, looks) = (0, 0, 0)
  private(set) var isOpen = false
  private(set) var owner: (any SoundDeviceOwner)?

  func look(_ order: SoundOrder) throws(SoundError) {
    looks += 1
    if let failure { throw failure }
  }

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    opens += 1
    if let failure { throw failure }
    isOpen = true
    let name = SoundName(cutting: "card" as StaticString)
    var facts = SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: 16_000, channels: 1, period: 640, buffer: 8000)
    facts.isMuted = isMuted
    return facts
  }

  func start(_ owner: any SoundDeviceOwner) throws(SoundError) {
    if let startFailure { throw startFailure }
    self.owner = owner
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    guard !reads.isEmpty else { return .nothing }
    let read = try reads.removeFirst().get()
    if case .frames(let count) = read {
      for index in 0..<count {
        value = -value
        bytes.storeBytes(of: value, toByteOffset: 2 * index, as: Int16.self)
      }
    }
    return read
  }

  func stop() { owner = nil }

  func close() {
    isOpen = false
    closes += 1
  }

  /// So many blocks are there.
  func hear(_ blocks: Int) {
    for _ in 0..<blocks {
      reads.append(.success(.frames(Budget.soundBlock)))
      owner?.soundReady()
    }
  }
}

private final class PlainResampler: Resampler {
  func set(from: UInt32, to: UInt32) -> Bool { from == to }
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    for index in 0..<input.count { output[index] = input[index] }
    return (input.count, input.count)
  }
  func reset() {}
}

private final class Lamp: Indicator {
  var works = true
  private(set) var isLit = false
  /// Whether the card was open when it was switched.
  var open: () -> Bool = { false }
  private(set) var wasOpenAtSwitch: [Bool] = []

  func light(_ isOn: Bool) -> Bool {
    isLit = isOn && works
    wasOpenAtSwitch.append(open())
    return works
  }
}

private final class Ear: MicrophoneListener {
  var (blocks, turns, losses) = (0, [Bool](), [SoundError]())
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
  func microphoneTurned(_ isYours: Bool) { turns.append(isYours) }
  func microphoneLost(_ error: SoundError) { losses.append(error) }
}

/// Runs jobs when told to.
private final class Runner: JobRunner {
  private var jobs: [Job] = []

  func submit(_ job: Job) -> Bool {
    guard !job.isPending else { return false }
    job.isPending = true
    jobs.append(job)
    return true
  }

  func run() {
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      job.run()
      job.isPending = false
      job.finish()
    }
  }
}

private final class Bench {
  let (capture, lamp, runner, clock) = (ScriptedCapture(), Lamp(), Runner(), VirtualClock())
  let microphone: Microphone

  init(_ change: (inout MicrophoneSettings) -> Void = { _ in }) {
    var settings = MicrophoneSettings()
    settings.light = .required
    change(&settings)
    microphone = Microphone(
      capture: capture,
      intake: SoundIntake(resampler: PlainResampler(), denoiser: nil, gain: .fixed(0), channel: .mix),
      settings: settings, indicator: lamp, runner: runner, clock: clock, log: Log(level: .error, clock: clock)
    )
    lamp.open = { [capture] in capture.isOpen }
    microphone.start()
    runner.run()
  }

  func pass(_ milliseconds: Int64) {
    clock.advance(milliseconds)
    microphone.advance(to: clock.monotonic)
    runner.run()
  }

  func want(_ use: MicrophoneUse, _ ear: Ear?) {
    microphone.want(use, ear)
    runner.run()
  }

  func release(_ use: MicrophoneUse) {
    microphone.release(use)
    runner.run()
  }
}

@Suite struct MicrophoneTests {
  @Test func `It is closed until somebody wants to hear, and looked for at start`() {
    let bench = Bench()
    #expect(bench.capture.opens == 0)
    #expect(bench.capture.looks == 1)
    #expect(bench.microphone.hardware.state == .ok)
    let ear = Ear()
    bench.want(.wake, ear)
    #expect(bench.capture.isOpen)
    bench.capture.hear(3)
    #expect(ear.blocks == 3)
    bench.release(.wake)
    #expect(!bench.capture.isOpen)
    bench.capture.hear(1)
    #expect(ear.blocks == 3)
  }

  @Test func `The light is lit before the card is opened, and until it is closed`() {
    let bench = Bench()
    bench.want(.wake, Ear())
    #expect(bench.lamp.isLit)
    bench.release(.wake)
    #expect(!bench.lamp.isLit)
    #expect(bench.lamp.wasOpenAtSwitch.allSatisfy { !$0 })
  }

  @Test func `Without the light that it must have, nothing is opened`() {
    let bench = Bench()
    bench.lamp.works = false
    let ear = Ear()
    bench.want(.wake, ear)
    #expect(bench.capture.opens == 0)
    #expect(ear.losses.count == 1)
    #expect(bench.microphone.hardware.state == .error)
  }

  @Test func `A card that cannot be opened leaves no light on`() {
    let bench = Bench()
    bench.capture.failure = .busy
    bench.want(.wake, Ear())
    #expect(!bench.lamp.isLit)
  }

  @Test func `Switched off in the configuration it is never opened, nor looked for`() {
    let bench = Bench { $0.isEnabled = false }
    let ear = Ear()
    bench.want(.pushToTalk, ear)
    bench.pass(100_000)
    #expect((bench.capture.opens, bench.capture.looks) == (0, 0))
    #expect(ear.losses.first?.isLike(.disabled) == true)
    #expect(!bench.microphone.hardware.isPermitted)
  }

  @Test func `Panic closes it at once, and letting go opens it again`() {
    let bench = Bench()
    let ear = Ear()
    bench.want(.wake, ear)
    bench.microphone.hold()
    bench.runner.run()
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    #expect(ear.losses.first?.isLike(.held) == true)
    bench.pass(100_000)
    #expect(!bench.capture.isOpen)
    bench.microphone.letGo()
    bench.runner.run()
    #expect(bench.capture.isOpen)
  }

  @Test func `Panic while it is being opened closes it as soon as it is open`() {
    let bench = Bench()
    bench.microphone.want(.wake, Ear())
    #expect(bench.microphone.isOpen)
    bench.microphone.hold()
    bench.runner.run()
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    #expect(bench.capture.opens == 1)
  }

  @Test func `Who goes first hears, and the other hears again behind`() {
    let bench = Bench()
    let (wake, talk) = (Ear(), Ear())
    bench.want(.wake, wake)
    bench.capture.hear(1)
    bench.want(.pushToTalk, talk)
    bench.capture.hear(2)
    bench.release(.pushToTalk)
    bench.capture.hear(4)
    #expect((wake.blocks, talk.blocks) == (5, 2))
    #expect(wake.turns == [true, false, true])
    #expect(talk.turns == [true, false])
    #expect(bench.capture.opens == 1)
  }

  @Test func `While the board speaks it is closed`() {
    let bench = Bench()
    bench.want(.wake, Ear())
    bench.want(.playback, nil)
    #expect(!bench.capture.isOpen)
    bench.release(.playback)
    #expect(bench.capture.isOpen)
  }

  @Test func `A busy card is tried ever less often`() {
    let bench = Bench()
    bench.capture.failure = .busy
    let ear = Ear()
    bench.want(.wake, ear)
    var tries: [Int64] = []
    let began = bench.clock.monotonic
    for _ in 0..<40_000 {
      let before = bench.capture.opens
      bench.pass(10)
      if bench.capture.opens > before { tries.append(bench.clock.monotonic - began) }
    }
    #expect(tries.prefix(4) == [500, 1500, 3500, 7500])
    #expect(tries[tries.count - 1] - tries[tries.count - 2] == Budget.soundRetryMilliseconds.upperBound)
    bench.capture.failure = nil
    bench.pass(Budget.soundRetryMilliseconds.upperBound)
    bench.capture.hear(1)
    #expect(ear.blocks == 1)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `A card that was unplugged is opened as soon as it is back`() {
    let bench = Bench()
    let ear = Ear()
    bench.want(.wake, ear)
    bench.capture.hear(1)
    bench.capture.failure = .noCard(SoundName())
    bench.capture.reads = [.failure(.disconnected)]
    bench.capture.owner?.soundReady()
    bench.runner.run()
    #expect(!bench.capture.isOpen)
    #expect(bench.microphone.hardware.state == .absent)
    bench.pass(30_000)
    bench.capture.failure = nil
    bench.microphone.cardsChanged()
    bench.pass(0)
    bench.capture.hear(1)
    #expect(ear.blocks == 2)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `A gap is counted, and hearing goes on`() {
    let bench = Bench()
    let ear = Ear()
    bench.want(.wake, ear)
    bench.capture.reads = [.success(.gap), .success(.frames(Budget.soundBlock))]
    bench.capture.owner?.soundReady()
    #expect(ear.blocks == 1)
    #expect(bench.microphone.gaps == 1)
    #expect(bench.capture.opens == 1)
  }

  @Test func `A card that gives no frames is opened anew`() {
    let bench = Bench()
    let ear = Ear()
    bench.want(.wake, ear)
    bench.pass(Budget.soundSilenceMilliseconds - 1)
    #expect(bench.capture.opens == 1)
    bench.pass(1)
    #expect(ear.losses.first?.isLike(.stalled) == true)
    bench.pass(Budget.soundRetryMilliseconds.lowerBound)
    #expect(bench.capture.opens == 2)
  }

  @Test func `A card that does not start is closed, and tried again`() {
    let bench = Bench()
    bench.capture.startFailure = .io(.inputOutput)
    bench.want(.wake, Ear())
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    bench.capture.startFailure = nil
    bench.pass(Budget.soundRetryMilliseconds.lowerBound)
    #expect(bench.capture.isOpen)
  }

  @Test func `A dead microphone is told, and so is one that lives again`() {
    let bench = Bench()
    bench.capture.value = 0
    bench.want(.wake, Ear())
    bench.capture.hear(Budget.soundVerdictBlocks)
    #expect(bench.microphone.hardware.state == .error)
    bench.capture.value = 1000
    bench.capture.hear(Budget.soundVerdictBlocks)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `A switch of the mixer that is off is told`() {
    let bench = Bench()
    bench.capture.isMuted = true
    bench.want(.wake, Ear())
    bench.capture.hear(1)
    #expect(bench.microphone.hardware.state == .error)
  }

  @Test func `Who looks at the levels opens it for a while`() {
    let bench = Bench()
    bench.microphone.watchLevels()
    bench.runner.run()
    #expect(bench.capture.isOpen)
    bench.capture.hear(1)
    bench.pass(2_000)
    bench.microphone.watchLevels()
    bench.capture.hear(1)
    bench.pass(2_000)
    #expect(bench.capture.isOpen)
    bench.capture.hear(1)
    bench.pass(1_000)
    #expect(!bench.capture.isOpen)
    #expect(bench.microphone.nextDeadline == nil)
  }

  @Test func `Stopped it is closed for good`() {
    let bench = Bench()
    bench.want(.wake, Ear())
    bench.microphone.stop()
    #expect(!bench.microphone.isStopped)
    bench.runner.run()
    #expect(bench.microphone.isStopped && !bench.lamp.isLit)
    bench.pass(100_000)
    #expect(!bench.capture.isOpen)
  }
}
