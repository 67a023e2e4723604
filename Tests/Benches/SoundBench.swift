import Device
import Runtime
import Simulated
import Sound
@testable import Agent
@testable import VoicePart

/// A card that hears what it is told to, and fails as it is told to.
final class ScriptedCapture: SoundCapture {
  var failure: SoundError?
  var startFailure: SoundError?
  /// What the reads give, in order.
  var reads: [Result<SoundRead, SoundError>] = []
  var value: Int16 = 1000
  var isMuted = false
  private(set) var (opens, closes, looks) = (0, 0, 0)
  private(set) var isOpen = false
  /// The order that it was opened with.
  private(set) var order: SoundOrder?
  private(set) var delegate: (any SoundDeviceDelegate)?

  func look(_ order: SoundOrder) throws(SoundError) {
    looks += 1
    if let failure { throw failure }
  }

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    opens += 1
    self.order = order
    if let failure { throw failure }
    isOpen = true
    let name = SoundName(cutting: "card" as StaticString)
    var facts = SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: 16_000, channels: 1, period: 640, buffer: 8000)
    facts.isMuted = isMuted
    return facts
  }

  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    if let startFailure { throw startFailure }
    self.delegate = delegate
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

  func stop() { delegate = nil }

  func close() {
    isOpen = false
    closes += 1
  }

  /// So many blocks are there.
  func hear(_ blocks: Int) {
    for _ in 0..<blocks {
      reads.append(.success(.frames(Budget.soundBlock)))
      delegate?.soundReady()
    }
  }
}

final class PlainResampler: Resampler {
  func set(from: UInt32, to: UInt32) -> Bool { from == to }
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    for index in 0..<input.count { output[index] = input[index] }
    return (input.count, input.count)
  }
  func reset() {}
}

final class ScriptedLamp: Indicator {
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

final class ScriptedListener: MicrophoneListener {
  var (blocks, turns, losses) = (0, [Bool](), [SoundError]())
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
  func microphoneTurned(_ isYours: Bool) { turns.append(isYours) }
  func microphoneLost(_ error: SoundError) { losses.append(error) }
}

/// Runs jobs when told to.
final class QueuedRunner: JobRunner {
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

final class SoundBench {
  let (capture, lamp, runner, clock) = (ScriptedCapture(), ScriptedLamp(), QueuedRunner(), VirtualClock())
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

  func want(_ use: MicrophoneUse, _ ear: ScriptedListener?) {
    microphone.want(use, ear)
    runner.run()
  }

  func release(_ use: MicrophoneUse) {
    microphone.release(use)
    runner.run()
  }
}

/// A card that plays into memory: it has room for `room` frames, and has played what it holds when told to.
final class ScriptedPlayback: SoundPlayback {
  var failure: SoundError?
  var room = 0
  var held = 0
  private(set) var frames: [Int16] = []
  private(set) var (opens, closes) = (0, 0)
  private(set) var isOpen = false
  private(set) var delegate: (any SoundDeviceDelegate)?
  let gaps = 0

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    opens += 1
    if let failure { throw failure }
    isOpen = true
    let name = SoundName(cutting: "card" as StaticString)
    return SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: 16_000, channels: 1, period: 640, buffer: 8000)
  }

  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) { self.delegate = delegate }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    if let failure { throw failure }
    let count = min(room, bytes.count / 2)
    for index in 0..<count { frames.append(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)) }
    room -= count
    held += count
    return count
  }

  func begin() throws(SoundError) {}
  func waiting() throws(SoundError) -> Int { held }
  func listen(_ isOn: Bool) {}
  func stop() { delegate = nil }

  func close() {
    isOpen = false
    closes += 1
  }
}
