import Device
import Location
import Runtime
import Simulated
import Testing

@testable import SensePart

/// What `talon status` says of a receiver follows the receiver.
@Suite struct ReceiverStateTests {
  private let clock = VirtualClock()
  private static let body = "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"

  private func detail(_ service: LocationService) -> String { service.hardware.detail.map { "\($0)" } ?? "" }

  @Test("that sentences have no checksums is said while they have none, and not of the next receiver")
  func checksums() {
    let service = LocationService(clock: clock, log: Log(output: nil))
    service.positionSourceOpened()
    func receive(_ text: String, _ count: Int) {
      for _ in 0..<count { service.positionSourceReceived(text.utf8.span, at: clock.monotonic) }
    }
    let sum = String(Self.body.utf8.reduce(0 as UInt8) { $0 ^ $1 }, radix: 16, uppercase: true)
    let checked = "$\(Self.body)*\(sum.count < 2 ? "0" + sum : sum)\r\n"
    receive("$\(Self.body)\r\n", 3)
    #expect(detail(service).contains("have no checksums"))
    receive(checked, 1)
    #expect(!detail(service).contains("checksums"))
    receive("$\(Self.body)\r\n", 40)
    #expect(detail(service).contains("have no checksums"))
    service.positionSourceLost(.noSuchDevice)
    service.positionSourceOpened()
    #expect(!detail(service).contains("checksums"))
  }
}
