import Codec
import Runtime
import Testing

@testable import Location

/// The set-up of receivers that are no u-blox.
@Suite struct VendorReceiverTests {
  private let clock = ManualClock()
  private let log = Log(output: nil)

  private final class Source: PositionSource {
    let line: (any ReceiverLine)?
    private(set) var state = PositionSourceState.absent
    var language: PositionLanguage { .receiver }
    init(_ line: any ReceiverLine) { self.line = line }
    func start(_ sink: any PositionSourceDelegate) {
      state = .open
      sink.positionSourceOpened()
    }
    func retry() {}
    func stop() { state = .absent }
  }

  private func service(
    _ fake: any ReceiverLine, _ change: (inout ReceiverSettings) -> Void = { _ in }
  ) -> LocationService {
    var settings = LocationSettings()
    change(&settings.receiver)
    let service = LocationService(settings: settings, clock: clock, log: log)
    service.start(Source(fake))
    return service
  }

  /// Lets the receiver speak for so many seconds.
  private func run(_ service: LocationService, _ fake: FakeVendorReceiver, seconds: Int) {
    for second in 0..<seconds {
      let bytes = fake.second(second)
      if !bytes.isEmpty { service.positionSourceReceived(bytes.span, at: clock.monotonic) }
      for _ in 0..<10 {
        clock.monotonic += 100
        let answers = fake.answersNow()
        if !answers.isEmpty { service.positionSourceReceived(answers.span, at: clock.monotonic) }
        service.advance(to: clock.monotonic)
      }
    }
  }

  private func model(_ service: LocationService) -> String {
    service.receiver.model.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  private static let all: [VendorFamily] = [.mediatek, .casic, .airoha, .quectel]

  private func rateAndSystems(_ settings: inout ReceiverSettings) {
    settings.rate = 5
    settings.systems.insert(.gps)
    settings.systems.insert(.glonass)
    settings.saves = true
  }

  private static func expected(_ family: VendorFamily) -> (model: String, settings: [String]) {
    switch family {
    case .mediatek:
      (
        "PA1010D",
        [
          "PMTK314,0,1,0,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0", "PMTK300,200,0,0,0,0", "PMTK220,200", "PMTK353,1,1,0,0,0",
        ]
      )
    case .casic: ("ATGM336H", ["PCAS03,1,0,1,5,1,0,0,0,0,0,,,0,0", "PCAS02,200", "PCAS04,5", "PCAS00"])
    case .airoha:
      (
        "LC29HDANR11A03S_RSA",
        [
          "PAIR062,0,1", "PAIR062,4,1", "PAIR062,2,1", "PAIR062,3,5", "PAIR062,1,0", "PAIR062,5,0", "PAIR050,200",
          "PAIR066,1,1,0,0,0,0", "PAIR513",
        ]
      )
    case .quectel:
      (
        "LG290P03AANR01A03S",
        [
          "PQTMCFGMSGRATE,W,GGA,1", "PQTMCFGMSGRATE,W,RMC,1", "PQTMCFGMSGRATE,W,GSA,1", "PQTMCFGMSGRATE,W,GSV,5",
          "PQTMCFGMSGRATE,W,GLL,0", "PQTMCFGMSGRATE,W,VTG,0", "PQTMCFGFIXRATE,W,200", "PQTMCFGCNST,W,1,1,0,0,0,0",
          "PQTMSAVEPAR",
        ]
      )
    }
  }

  @Test("each family reports what it is, and gets its settings in its language, once", arguments: all)
  func settings(_ family: VendorFamily) {
    let fake = FakeVendorReceiver(family, speed: 115_200)
    let service = service(fake, rateAndSystems)
    run(service, fake, seconds: 40)
    let expected = Self.expected(family)
    #expect(fake.settings == expected.settings)
    #expect(service.receiver.phase == .running && service.receiver.refusals == 0)
    #expect(model(service) == expected.model && service.latest != nil)
  }

  @Test("a receiver that does not report what it is gets nothing but questions, and the log says so")
  func unknown() {
    for fake in [FakeVendorReceiver(nil), .init(.mediatek), .init(.casic), .init(.airoha), .init(.quectel)] {
      fake.isSecretive = true
      let service = service(fake, rateAndSystems)
      run(service, fake, seconds: 30)
      #expect(fake.settings.isEmpty && !fake.commands.isEmpty)
      #expect(service.receiver.phase == .running && service.latest != nil)
    }
    #expect(lines.contains { $0.contains("does not report what it is") && $0.contains("set_up") })
  }

  @Test("one that sends its position by itself is not even asked", arguments: all)
  func leftAlone(_ family: VendorFamily) {
    let fake = FakeVendorReceiver(family)
    let service = service(fake)
    run(service, fake, seconds: 30)
    #expect(fake.commands.isEmpty && service.latest != nil)
  }

  @Test("with never, only a mute one is asked, and nothing is set", arguments: all)
  func never(_ family: VendorFamily) {
    for isMute in [false, true] {
      let fake = FakeVendorReceiver(family)
      fake.isMute = isMute
      let service = service(fake) {
        rateAndSystems(&$0)
        $0.configuring = .never
      }
      run(service, fake, seconds: 60)
      #expect(fake.settings.isEmpty)
    }
  }

  @Test("a mute receiver is found by asking, and its sentences are set", arguments: all)
  func mute(_ family: VendorFamily) {
    let fake = FakeVendorReceiver(family)
    fake.isMute = true
    let service = service(fake)
    run(service, fake, seconds: 60)
    #expect(service.latest != nil && model(service) == Self.expected(family).model)
    // Neither rate, systems nor save were asked for.
    let sentences = ["PMTK314", "PCAS03", "PAIR062", "PQTMCFGMSGRATE"]
    #expect(fake.settings.allSatisfy { setting in sentences.contains { setting.hasPrefix($0) } })
  }

  @Test("with set_up, a receiver is configured whatever it reports", arguments: all)
  func setUp(_ family: VendorFamily) {
    for isSecretive in [false, true] {
      let fake = FakeVendorReceiver(family, speed: 115_200)
      fake.isSecretive = isSecretive
      let service = service(fake) {
        rateAndSystems(&$0)
        $0.setUp = .vendor(family)
      }
      run(service, fake, seconds: 40)
      #expect(fake.settings == Self.expected(family).settings && service.receiver.phase == .running)
    }
  }

  @Test("with set_up = ublox nothing is sent in another language", arguments: all)
  func ublox(_ family: VendorFamily) {
    let fake = FakeVendorReceiver(family)
    let service = service(fake) {
      rateAndSystems(&$0)
      $0.setUp = .ublox
    }
    run(service, fake, seconds: 40)
    #expect(fake.commands.isEmpty && service.latest != nil)
  }

  @Test("a u-blox receiver gets its settings as UBX, and ignores the questions of others")
  func otherQuestions() {
    let fake = FakeReceiver(speed: 9600, protocolVersion: "34.10")
    let service = service(fake) { $0.rate = 5 }
    for second in 0..<20 {
      let bytes = fake.second(second)
      service.positionSourceReceived(bytes.span, at: clock.monotonic)
      for _ in 0..<10 {
        clock.monotonic += 100
        let answers = fake.answersNow()
        if !answers.isEmpty { service.positionSourceReceived(answers.span, at: clock.monotonic) }
        service.advance(to: clock.monotonic)
      }
    }
    #expect(model(service) == "NEO-M9N" && service.receiver.refusals == 0)
    #expect(fake.commands.contains { $0.id == (0x06, 0x8A) })
  }

  @Test("what is refused is left out and counted, unless the receiver may lack it; what is not heard is repeated")
  func refusals() {
    let lacking = FakeVendorReceiver(.mediatek, speed: 115_200)
    lacking.refuses = ["PMTK300"]
    let first = service(lacking, rateAndSystems)
    run(first, lacking, seconds: 40)
    #expect(first.receiver.refusals == 0 && lacking.settings == Self.expected(.mediatek).settings)

    let refusing = FakeVendorReceiver(.quectel, speed: 115_200)
    refusing.refuses = ["PQTMCFGCNST"]
    let second = service(refusing, rateAndSystems)
    run(second, refusing, seconds: 40)
    #expect(second.receiver.refusals == 1 && refusing.settings == Self.expected(.quectel).settings)
    #expect(lines.contains { $0.contains("refuses a setting: constellations") })

    let deaf = FakeVendorReceiver(.airoha, speed: 115_200)
    deaf.deafness = 2
    let third = service(deaf) {
      rateAndSystems(&$0)
      $0.setUp = .vendor(.airoha)
    }
    run(third, deaf, seconds: 40)
    #expect(third.receiver.refusals == 0 && deaf.settings == Self.expected(.airoha).settings)
  }

  @Test("a line that is too slow for the rate is made faster, at the end", arguments: all)
  func speed(_ family: VendorFamily) {
    for keepsSpeed in [false, true] {
      let fake = FakeVendorReceiver(family)
      fake.keepsSpeed = keepsSpeed
      let service = service(fake) { $0.rate = 10 }
      run(service, fake, seconds: 60)
      #expect(FakeVendorReceiver.speedSettings.contains(fake.settings.last ?? ""))
      #expect(service.receiver.speed == (keepsSpeed ? 9600 : 115_200) && service.receiver.phase == .running)
      let arrival = service.latest?.arrival ?? 0
      #expect(clock.monotonic - arrival < 3_000)
    }
  }

  @Test("a baud rate of the configuration is never left, nor one that is fast enough", arguments: all)
  func keptSpeed(_ family: VendorFamily) {
    for (speed, configured, rate) in [(9600, 9600, 10), (115_200, 0, 10), (57_600, 0, 5)] {
      let fake = FakeVendorReceiver(family, speed: UInt32(speed))
      let service = service(fake) {
        $0.speed = UInt32(configured)
        $0.rate = UInt16(rate)
      }
      run(service, fake, seconds: 60)
      #expect(fake.speed == UInt32(speed) && service.receiver.speed == UInt32(speed))
      #expect(!fake.settings.isEmpty && service.receiver.phase == .running)
    }
  }
}
