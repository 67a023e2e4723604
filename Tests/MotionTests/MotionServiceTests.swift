import Codec
import Runtime
import Simulated
import Testing

@testable import Motion

/// A sensor whose samples a test makes.
private final class ScriptedSource: MotionSource {
  var failure: MotionError?
  var opened = 0
  var isOpen = false
  var waiting: [MotionSample] = []
  var hasGap = false
  var memory: Int64 = 1_000

  func open(rate: Float) throws(MotionError) -> MotionFacts {
    if let failure { throw failure }
    opened += 1
    isOpen = true
    return MotionFacts(name: InlineText(cutting: "Scripted"), rate: rate, hasGyroscope: true, memory: memory)
  }

  func drain(into batch: MotionBatch) throws(MotionError) {
    if let failure {
      isOpen = false
      throw failure
    }
    for sample in waiting { batch.append(sample) }
    batch.hasGap = batch.hasGap || hasGap
    waiting = []
  }

  func close() { isOpen = false }
}

private final class MotionLog: MotionDelegate {
  var answers: [String] = []
  var impacts: [Impact] = []
  var shakes: [Shake] = []
  var service: MotionService?

  func motionAnswered(_ token: Int, _ command: MotionCommand, _ window: MotionWindow) {
    let buffer = FixedBuffer(capacity: 8192)
    var writer = JSONWriter(into: buffer.bytes)
    service?.write(command, window, to: &writer)
    answers.append("\(token): " + String(decoding: buffer.bytes[..<writer.count], as: UTF8.self))
  }

  func felt(_ impact: Impact) { impacts.append(impact) }

  func shaken(_ shake: Shake) { shakes.append(shake) }
}

@Suite struct MotionServiceTests {
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let store = MemoryStore()
  private let source = ScriptedSource()
  private let answers = MotionLog()
  private let log = Log(output: nil)
  private let service: MotionService

  init() {
    var settings = MotionSettings()
    settings.configuration.shake = ShakeThresholds()
    service = MotionService(
      source: source, settings: settings, store: store, sensing: runner, runner: runner, clock: clock, log: log)
    service.delegate = answers
    answers.service = service
  }

  /// Lets so many milliseconds pass, with every drain that is due.
  private func pass(_ milliseconds: Int64, _ feed: () -> Void = {}) {
    let end = clock.monotonic + milliseconds
    runner.runAll()
    while let due = service.nextDeadline, due <= end {
      clock.advance(max(due - clock.monotonic, 0))
      feed()
      service.advance(to: clock.monotonic)
      runner.runAll()
    }
    clock.advance(end - clock.monotonic)
  }

  private func ask(_ token: Int, _ command: MotionCommand = .pedometer, _ parameters: String = "{}") -> String {
    do throws(MotionError) {
      try service.request(token, command, JSONView(parameters.utf8.span))
      return "taken"
    } catch {
      let buffer = FixedBuffer(capacity: 256)
      var writer = ByteWriter(into: buffer.bytes)
      error.writeMessage(to: &writer)
      return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
    }
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test("the sensor is drained twice a second, and more often where its memory is short")
  func pace() {
    service.start()
    runner.runAll()
    #expect(source.opened == 1)
    #expect(service.nextDeadline == clock.monotonic + Budget.motionDrainMilliseconds)
    service.stop()
    source.memory = 300
    let short = MotionService(
      source: source, settings: MotionSettings(), store: store, sensing: runner, runner: runner, clock: clock, log: log)
    short.start()
    runner.runAll()
    #expect(short.nextDeadline == clock.monotonic + 150)
  }

  @Test("a hard shake is told once, after the drain that brought its samples")
  func shake() {
    service.start()
    runner.runAll()
    source.waiting = RecordedShakes.samples(RecordedShakes.all[0].values)
    #expect(answers.shakes.isEmpty)
    pass(500)
    #expect(answers.shakes.count == 1)
    pass(5_000)
    #expect(answers.shakes.count == 1 && service.state.shakes == 1)
  }

  @Test("a request while a drain runs is answered after it, others at once")
  func requests() {
    service.start()
    #expect(ask(1) == "taken")
    #expect(answers.answers.isEmpty)
    runner.runAll()
    #expect(answers.answers.count == 1)
    #expect(answers.answers[0].hasPrefix(#"1: {"startISO":"#))
    #expect(ask(2, .activity) == "taken")
    #expect(answers.answers.last == #"2: {"activities":[]}"#)
    #expect(ask(3, .pedometer, #"{"startISO":"yesterday"}"#).hasPrefix("INVALID_REQUEST: startISO must be"))
  }

  @Test("a request that was cancelled is not answered, and of too many the last is refused")
  func bounds() {
    service.start()
    for token in 0..<Budget.runningInvokes { #expect(ask(token) == "taken") }
    #expect(ask(99) == "UNAVAILABLE: too many motion requests at once")
    service.cancel(3)
    runner.runAll()
    #expect(answers.answers.count == Budget.runningInvokes - 1)
    #expect(!answers.answers.contains { $0.hasPrefix("3:") })
  }

  @Test("a sensor that is not there is reported, tried ever less often, said once, and found when it comes")
  func absent() {
    source.failure = .absent
    service.start()
    runner.runAll()
    #expect(ask(1) == "MOTION_UNAVAILABLE: no motion sensor answers")
    pass(600_000)
    #expect(lines.filter { $0.contains("no motion sensor answers") }.count == 1)
    #expect(service.failures < 20)
    source.failure = nil
    pass(60_000)
    #expect(source.isOpen)
    #expect(lines.contains { $0.contains("Scripted samples at 50 Hz") })
  }

  @Test("a sensor that vanishes is opened again, and what was felt before is still known")
  func vanishes() {
    service.start()
    pass(1_000)
    source.failure = .vanished
    pass(1_000)
    guard case .lost(.vanished) = service.source else {
      Issue.record("not lost")
      return
    }
    #expect(ask(1) == "taken")
    source.failure = nil
    pass(5_000)
    #expect(source.opened == 2)
  }

  @Test("samples that are missing are counted")
  func gaps() {
    source.hasGap = true
    service.start()
    pass(1_600)
    #expect(service.gaps == 4)
  }

  @Test("steps are counted, kept, and known to the next run")
  func history() throws {
    var motion = SyntheticMotion(rate: 50, seed: 7)
    motion.rest(seconds: 3)
    motion.walk(steps: 60, .pocket)
    motion.rest(seconds: 8)
    var rest = motion.samples[...]
    service.start()
    pass(Int64(motion.samples.count) * 20 + 1_000) {
      source.waiting = Array(rest.prefix(25))
      rest = rest.dropFirst(25)
    }
    #expect(abs(Int(service.state.steps) - 60) <= 2)
    service.stop()
    runner.runAll()
    #expect(service.isStopped)
    let later = MotionService(
      source: source, settings: MotionSettings(), store: store, sensing: runner, runner: runner, clock: clock, log: log)
    let answers = MotionLog()
    later.delegate = answers
    answers.service = later
    later.start()
    runner.runAll()
    let day = ISO8601(unixMilliseconds: clock.wall - 3_600_000)
    let start = String(decoding: day.text.withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
    try later.request(1, .pedometer, JSONView(#"{"startISO":"\#(start)"}"#.utf8.span))
    #expect(answers.answers.first?.contains("\"steps\":\(service.state.steps),") == true)
  }

  @Test("a flash that fails is tried again later, and said once")
  func brokenFlash() {
    store.failure = .system(.noSpace)
    service.start()
    source.waiting = Array(repeating: MotionSample(acceleration: Vector3(0, 0, 1)), count: 25)
    pass(4 * Budget.motionHistorySaveMilliseconds) {
      source.waiting = [MotionSample(acceleration: Vector3(0, 0, 1))]
    }
    #expect(lines.filter { $0.contains("could not be written") }.count == 1)
    store.failure = nil
    pass(Budget.motionHistorySaveMilliseconds + 1_000)
    #expect(store.saves > 0)
  }

  @Test("the accelerometer is calibrated on its six sides, and the calibration is kept")
  func calibration() throws {
    service.start()
    #expect(!service.beginCalibration())
    runner.runAll()
    #expect(service.beginCalibration())
    let ups = [
      Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0, -1),
    ]
    for (index, up) in ups.enumerated() {
      #expect(service.calibrationCount == index)
      service.restartPosition()
      // 0.05 g too much along x.
      let felt = MotionSample(acceleration: Vector3(up.x + 0.05, up.y, up.z))
      pass(2_000) { source.waiting = Array(repeating: felt, count: 25) }
      _ = try service.takePosition()
    }
    #expect(service.calibrationCount == nil)
    pass(1_000) { source.waiting = [MotionSample(acceleration: Vector3(0.05, 0, 1))] }
    #expect(abs(service.state.sample.acceleration.x) < 0.001)
    service.stop()
    runner.runAll()
    let keeper = MotionKeeper(store: store, runner: runner, clock: clock, log: log)
    keeper.load()
    #expect(abs(keeper.calibration.offset.x - 0.05) < 0.001)
  }

  @Test("without a sensor there is nothing to ask")
  func none() {
    let none = MotionService(
      source: nil, settings: MotionSettings(), store: store, sensing: runner, runner: runner, clock: clock, log: log)
    none.start()
    #expect(none.isStopped)
    #expect(none.nextDeadline == nil)
    #expect(throws: MotionError.self) { try none.request(1, .activity, JSONView("{}".utf8.span)) }
  }
}
