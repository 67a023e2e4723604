import Codec
import Runtime
import Testing

@testable import Location

@Suite struct ReceiverTests {
  private let clock = ManualClock()
  private let log = Log(output: nil)

  /// A service whose source is the fake's line.
  private final class Source: PositionSource {
    let receiver: FakeReceiver
    private(set) var state = PositionSourceState.absent
    var language: PositionLanguage { .receiver }
    var line: (any ReceiverLine)? { receiver }
    init(_ receiver: FakeReceiver) { self.receiver = receiver }
    func start(_ sink: any PositionSourceDelegate) {
      state = .open
      sink.positionSourceOpened()
    }
    func retry() {}
    func stop() { state = .absent }
  }

  private func service(_ fake: FakeReceiver, _ change: (inout ReceiverSettings) -> Void = { _ in }) -> LocationService {
    var settings = LocationSettings()
    change(&settings.receiver)
    let service = LocationService(settings: settings, clock: clock, log: log)
    service.start(Source(fake))
    return service
  }

  /// Lets the receiver speak for so many seconds, or until `isDone`.
  private func run(
    _ service: LocationService, _ fake: FakeReceiver, seconds: Int, until isDone: () -> Bool = { false }
  ) {
    for second in 0..<seconds {
      let bytes = fake.second(second)
      if !bytes.isEmpty { service.positionSourceReceived(bytes.span, at: clock.monotonic) }
      for _ in 0..<10 {
        clock.monotonic += 100
        // Answers come at once.
        let answers = fake.answersNow()
        if !answers.isEmpty { service.positionSourceReceived(answers.span, at: clock.monotonic) }
        service.advance(to: clock.monotonic)
      }
      if isDone() { return }
    }
  }

  private func text(_ text: InlineText<30>) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test(
    "the speed of a line is found",
    arguments: [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600] as [UInt32])
  func finds(speed: UInt32) {
    let fake = FakeReceiver(speed: speed)
    let service = service(fake)
    run(service, fake, seconds: 60) { service.latest != nil }
    #expect(service.latest != nil)
    #expect(service.receiver.speed == speed)
    #expect(service.receiver.phase == .running)
  }

  @Test("bytes and messages of any number stop nothing, and a speed is still found after them")
  func endless() {
    let fake = FakeReceiver(speed: 9600)
    let service = service(fake)
    run(service, fake, seconds: 60) { service.latest != nil }
    for _ in 0..<3 { service.receiver.heard(bytes: .max, at: clock.monotonic) }
    #expect(service.receiver.phase == .running)
    // A silent line is searched again.
    clock.monotonic += 60_000
    service.advance(to: clock.monotonic)
    #expect(service.receiver.phase == .searching)
    run(service, fake, seconds: 60) { service.receiver.phase == .running }
    #expect(service.receiver.phase == .running)
  }

  @Test("the longest plan of each generation fits, and so does each of its commands")
  func commandsFit() {
    var settings = ReceiverSettings()
    settings.rate = 10
    settings.saves = true
    for system in [Constellation.gps, .sbas, .galileo, .beidou, .qzss, .glonass] { settings.systems.insert(system) }
    let buffer = FixedBuffer(capacity: Budget.receiverCommandBytes)
    for version in ["18.00", "34.10"] {
      var plan = ReceiverPlan(settings, FakeReceiver.version(version))
      var steps = 0
      while plan.step != nil {
        var writer = ByteWriter(into: buffer.bytes)
        plan.write(to: &writer)
        #expect(writer.count > 8 && writer.count <= Budget.receiverCommandBytes)
        plan.taken()
        steps += 1
      }
      #expect(steps >= 4)
    }
  }

  @Test("generation 7, which has no NAV-SAT, keeps the sentences about satellites", arguments: ["14.00", "15.00"])
  func satellites(version: String) {
    var settings = ReceiverSettings()
    settings.rate = 5
    var plan = ReceiverPlan(settings, FakeReceiver.version(version))
    var steps: [ReceiverPlan.Step] = []
    while let step = plan.step {
      steps.append(step)
      plan.taken()
    }
    let every: UInt8 = version == "14.00" ? 5 : 0
    #expect(steps.contains(.send(.sat, every: 5)) == (every == 0))
    #expect(steps.contains(.send(.gsa, every: every)) && steps.contains(.send(.gsv, every: every)))
    #expect(steps.contains(.send(.pvt, every: 1)) && steps.contains(.send(.gga, every: 0)))
    #expect(steps.last == .measure(200))
  }

  @Test("what looked like a long frame at a wrong speed does not hide what comes at the right one")
  func falseStart() {
    let fake = FakeReceiver(speed: 115_200)
    // The start of an RTCM frame of 1029 bytes.
    fake.noise = [0x80, 0xD3, 0x03, 0xFF, 0x80]
    let service = service(fake)
    run(service, fake, seconds: 8) { service.latest != nil }
    #expect(service.receiver.speed == 115_200)
  }

  @Test("a receiver that reports by itself is told nothing")
  func leftAlone() {
    let fake = FakeReceiver(speed: 9600, protocolVersion: "18.00")
    let service = service(fake)
    run(service, fake, seconds: 20)
    #expect(fake.commands.isEmpty)
    #expect(service.latest != nil)
  }

  @Test("a mute receiver is found by asking, and told to report", arguments: [9600, 115_200] as [UInt32])
  func mute(speed: UInt32) {
    let fake = FakeReceiver(speed: speed, habit: .nothing, protocolVersion: "18.00")
    let service = service(fake)
    run(service, fake, seconds: 120) { service.latest != nil }
    #expect(service.latest != nil)
    #expect(text(service.receiver.model) == "NEO-M9N")
  }

  @Test("one that sleeps is woken first")
  func asleep() {
    let fake = FakeReceiver(speed: 38_400, habit: .nothing, protocolVersion: "27.12")
    fake.isAsleep = true
    let service = service(fake)
    run(service, fake, seconds: 120) { service.latest != nil }
    #expect(service.latest != nil)
  }

  @Test("one that reports only what is of no use is told to report its position", arguments: ["15.00", "34.10"])
  func noPosition(version: String) {
    let fake = FakeReceiver(speed: 9600, habit: .ubxStatus, protocolVersion: version)
    let service = service(fake)
    run(service, fake, seconds: 30) { service.latest != nil }
    #expect(service.latest != nil)
  }

  @Test("one that tells its position as UBX is left as it is")
  func ubxOnly() {
    let fake = FakeReceiver(speed: 9600, habit: .ubxPosition, protocolVersion: "18.00")
    let service = service(fake)
    run(service, fake, seconds: 20)
    #expect(service.latest != nil)
    #expect(fake.commands.isEmpty)
  }

  @Test("rate, systems and power saving are set by the commands of the receiver's generation")
  func settings() throws {
    let old = FakeReceiver(speed: 9600, protocolVersion: "18.00")
    let oldService = service(old) {
      $0.rate = 5
      $0.systems.insert(.gps)
      $0.systems.insert(.galileo)
      $0.saves = true
    }
    run(oldService, old, seconds: 20)
    #expect(old.commands.first { $0.id == (0x06, 0x08) }?.payload == [200, 0, 1, 0, 1, 0])
    let systems = try #require(old.commands.first { $0.id == (0x06, 0x3E) })
    #expect(systems.payload[3] == UInt8((systems.payload.count - 4) / 8))
    #expect(old.commands.contains { $0.id == (0x06, 0x09) })
    #expect(oldService.receiver.refusals == 0)

    let new = FakeReceiver(speed: 9600, protocolVersion: "34.10")
    let newService = service(new) { $0.rate = 5 }
    run(newService, new, seconds: 20)
    #expect(!new.commands.isEmpty)
    #expect(new.commands.allSatisfy { $0.id == (0x0A, 0x04) || $0.id == (0x06, 0x8A) })
    // CFG-RATE-MEAS, 0x30210001: 200 ms.
    #expect(new.commands.contains { $0.payload.suffix(6) == [0x01, 0x00, 0x21, 0x30, 200, 0] })
  }

  @Test("what is not heard is said again, and what is refused is left out")
  func refusals() {
    let fake = FakeReceiver(speed: 9600, protocolVersion: "18.00")
    fake.deafness = 2
    fake.refuses = [(0x06, 0x3E)]
    let service = service(fake) {
      $0.rate = 2
      $0.systems.insert(.gps)
    }
    run(service, fake, seconds: 30)
    #expect(service.receiver.refusals == 1)
    #expect(service.receiver.phase == .running)
    #expect(fake.commands.contains { $0.id == (0x06, 0x08) })
    #expect(service.latest != nil)
  }

  @Test("a receiver of another maker is asked, does not answer, and serves as it is")
  func otherMaker() {
    let fake = FakeReceiver(speed: 9600)
    let service = service(fake) { $0.rate = 5 }
    run(service, fake, seconds: 20)
    #expect(service.receiver.phase == .running)
    #expect(service.latest != nil)
    #expect(service.receiver.model.isEmpty)
  }

  @Test("with never, nothing is sent to a receiver that is heard")
  func never() {
    let fake = FakeReceiver(speed: 9600, habit: .ubxStatus, protocolVersion: "18.00")
    let service = service(fake) { $0.configuring = .never }
    run(service, fake, seconds: 30)
    #expect(fake.commands.isEmpty)
    #expect(service.receiver.phase == .running)
  }

  @Test("a configured speed is never left")
  func fixedSpeed() {
    let fake = FakeReceiver(speed: 115_200)
    let service = service(fake) { $0.speed = 9600 }
    run(service, fake, seconds: 60)
    #expect(Set(fake.speeds) == [9600])
    #expect(service.latest == nil)
    #expect(lines.contains { $0.contains("no receiver is heard at 9600 baud") })
  }

  @Test("the search goes on for as long as nothing is heard, and says so once")
  func timeout() {
    let fake = FakeReceiver(speed: 9600, habit: .nothing)
    let service = service(fake)
    run(service, fake, seconds: 300)
    #expect(service.receiver.phase == .searching)
    #expect(Set(fake.speeds).count == 9)
    #expect(lines.filter { $0.contains("no receiver is heard") }.count == 1)
    fake.habit = .sentences
    run(service, fake, seconds: 120) { service.latest != nil }
    #expect(service.latest != nil)
    #expect(lines.contains { $0.contains("a receiver is heard at 9600 baud") })
  }

  @Test("a receiver that becomes silent or changes its speed is searched for again")
  func changesSpeed() {
    let fake = FakeReceiver(speed: 9600)
    let service = service(fake)
    run(service, fake, seconds: 10) { service.latest != nil }
    fake.speed = 115_200
    run(service, fake, seconds: 90) { service.receiver.speed == 115_200 }
    #expect(service.receiver.speed == 115_200)
  }
}
