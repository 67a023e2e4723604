import Board
import Runtime
import Sound

/// The board's microphone in virtual time. What nobody could learn anything from is left out: while the room is quiet
/// the card gives a few frames every now and then, so that it is known to live, and what it hears in between is never
/// asked for.
final class SimulatedCapture: SoundCapture, Actor {
  /// Milliseconds between looks while somebody is there, and frames that are there then.
  private static let period: Int64 = 100
  private static let frames = 1_600
  /// The same in a quiet room: within the time after which a card has stalled.
  private static let quietPeriod: Int64 = 2_900
  private static let quietFrames = 16
  /// A tone of 1 kHz at a quarter of full scale; what an empty room sounds like.
  private static let loud: [Int16] = (0..<frames).map {
    [0, 3_061, 5_657, 7_391, 8_000, 7_391, 5_657, 3_061][$0 % 8] * ($0 % 16 < 8 ? 1 : -1)
  }
  private static let quiet: [Int16] = (0..<frames).map { Int16($0 * 37 % 11) - 5 }

  unowned(unsafe) let life: Life
  private unowned(unsafe) let runner: SimulatedRunner
  private(set) var isOpen = false
  private var delegate: (any SoundDeviceDelegate)?
  private var generation: Int64 = 0
  private var waiting = 0
  private var isGapped = false

  init(_ life: Life, _ runner: SimulatedRunner) {
    self.life = life
    self.runner = runner
  }

  func look(_ order: SoundOrder) throws(SoundError) {
    runner.duration += 5
    if life.room.card == .absent { throw .noCard(SoundName()) }
  }

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    runner.duration += 20 + life.random(below: 80)
    if isOpen { life.invariants.violated("the microphone was opened twice") }
    if !life.scenario.isMicrophoneOn { life.invariants.violated("a microphone was opened that is switched off") }
    switch life.room.card {
    case .absent: throw .noCard(SoundName())
    case .busy: throw .busy
    case .silent, .present: break
    }
    isOpen = true
    return Self.facts
  }

  static let facts = SoundFacts(
    card: SoundName(cutting: "Simulated"), name: SoundName(cutting: "Simulated"), device: 0, format: .s16, rate: 16_000,
    channels: 1,
    period: frames, buffer: 5 * frames)

  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    self.delegate = delegate
    waiting = 0
    generation += 1
    plan()
  }

  private func plan() {
    life.schedule.add(self, 0, generation, at: life.now + (life.room.isLively ? Self.period : Self.quietPeriod))
  }

  /// Somebody comes: from now on every sound counts.
  func wake() {
    guard delegate != nil else { return }
    generation += 1
    plan()
  }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation, let delegate else { return }
    plan()
    if life.room.card == .silent { return }
    waiting = life.room.isLively ? Self.frames : Self.quietFrames
    isGapped = life.room.isLively && life.chance(1, in: 400)
    // And one that was begun before.
    life.ledger.blocksCome(waiting / Budget.soundBlock + 1)
    delegate.soundReady()
    life.ledger.blocksWent()
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    if life.room.card == .absent { throw .disconnected }
    if isGapped {
      (isGapped, waiting) = (false, 0)
      return .gap
    }
    guard waiting > 0 else { return .nothing }
    let isLoud = life.talker.isSpeaking
    if isLoud { life.talker.wasHeard() }
    let count = waiting
    waiting = 0
    (isLoud ? Self.loud : Self.quiet).withUnsafeBytes {
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<(2 * count)]))
    }
    return .frames(count)
  }

  func stop() {
    generation += 1
    delegate = nil
  }

  func close() {
    runner.duration += 10
    isOpen = false
  }

  /// The program is gone, and the kernel closes for it.
  func programGone() {
    stop()
    isOpen = false
  }
}

/// The light beside the microphone. It is as it was last set, whoever did that, as long as there is power.
final class SimulatedIndicator: Indicator {
  private(set) var isLit = false
  /// It did not obey when it was switched last.
  private(set) var isStuck = false
  unowned(unsafe) let life: Life

  init(_ life: Life) { self.life = life }

  func light(_ isOn: Bool) -> Bool {
    isStuck = life.room.isLightBroken
    if isStuck { return false }
    isLit = isOn && life.options.plant != .staysDark
    return true
  }

  func powerLost() { isLit = false }
}

/// The board's speaker in virtual time.
final class SimulatedPlayback: SoundPlayback, Actor {
  private static let buffer = 8_000
  private static let period: Int64 = 200

  unowned(unsafe) let life: Life
  private unowned(unsafe) let runner: SimulatedRunner
  private var isOpen = false
  private var delegate: (any SoundDeviceDelegate)?
  private var generation: Int64 = 0
  private var isListened = false
  private var isPlaying = false
  private var held = 0
  private var heldAt: Int64 = 0
  let gaps = 0

  init(_ life: Life, _ runner: SimulatedRunner) {
    self.life = life
    self.runner = runner
  }

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    runner.duration += 20 + life.random(below: 80)
    if isOpen { life.invariants.violated("the speaker was opened twice") }
    if life.room.card == .absent { throw .noCard(SoundName()) }
    if life.room.card == .busy { throw .busy }
    (isOpen, held, isPlaying) = (true, 0, false)
    return SimulatedCapture.facts
  }

  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    self.delegate = delegate
    isListened = true
    generation += 1
    life.schedule.add(self, 0, generation, at: life.now)
  }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation, let delegate else { return }
    life.schedule.add(self, 0, generation, at: life.now + Self.period)
    if life.room.card == .silent { return }
    if isListened || life.room.card == .absent { delegate.soundReady() }
  }

  /// Lets the card play until now.
  private func settle() {
    if isPlaying, life.room.card == .present { held = max(0, held - Int(life.now - heldAt) * 16) }
    heldAt = life.now
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    if life.room.card == .absent { throw .disconnected }
    settle()
    let count = min(bytes.count / 2, Self.buffer - held)
    held += count
    return count
  }

  func begin() throws(SoundError) {
    if life.room.card == .absent { throw .disconnected }
    if !isPlaying { heldAt = life.now }
    isPlaying = true
  }

  func waiting() throws(SoundError) -> Int {
    if life.room.card == .absent { throw .disconnected }
    settle()
    return held
  }

  func listen(_ isOn: Bool) { isListened = isOn }

  func stop() {
    generation += 1
    delegate = nil
  }

  func close() {
    runner.duration += 10
    (isOpen, isPlaying, held) = (false, false, 0)
  }
}

/// Repeats samples and leaves samples out: nobody listens closely here.
final class NearestResampler: Resampler {
  private var (from, to, credit) = (1, 1, 0)

  func set(from: UInt32, to: UInt32) -> Bool {
    (self.from, self.to, credit) = (Int(from), Int(to), 0)
    return from > 0 && to > 0
  }

  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    if from == to {
      let count = min(input.count, output.count)
      for index in 0..<count { output[index] = input[index] }
      return (count, count)
    }
    var (taken, given) = (0, 0)
    while taken < input.count, given + to / from < output.count {
      credit += to
      while credit >= from {
        output[given] = input[taken]
        given += 1
        credit -= from
      }
      taken += 1
    }
    return (taken, given)
  }

  func reset() { credit = 0 }
}
