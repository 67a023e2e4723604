import Codec
import Foundation
import Runtime
import Testing

@testable import Location

@Suite("What the receiver says, for people at the board") struct LocationReportTests {
  private let clock = ManualClock()

  private func service(_ settings: LocationSettings = LocationSettings()) -> LocationService {
    LocationService(settings: settings, clock: clock, log: Log(output: nil))
  }

  private func report(_ service: LocationService, now: Int64) throws -> [String: Any] {
    let buffer = FixedBuffer(capacity: 16 * 1024)
    var writer = JSONWriter(into: buffer.bytes)
    service.writeReport(to: &writer, now: now)
    let isComplete = writer.isComplete
    #expect(isComplete)
    let text = Data(buffer.bytes[..<writer.count])
    return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
  }

  @Test("without a source, switched off, and with a source that is lost")
  func states() throws {
    let service = service()
    #expect(try report(service, now: 0)["state"] as? String == "absent")
    service.positionSourceLost(.noSuchFile)
    let lost = try report(service, now: 0)
    #expect(lost["state"] as? String == "lost" && lost["reason"] as? String == "it is not there")
    #expect((lost["step"] as? String)?.contains("/dev/serial/by-id") == true)
    var settings = LocationSettings()
    settings.isEnabled = false
    #expect(try report(self.service(settings), now: 0)["state"] as? String == "disabled")
  }

  @Test("a fix with its age, the sky, and the counters of the line")
  func fix() throws {
    let service = service()
    service.positionSourceOpened()
    let gsv = Receiver.gsv([(5, 38), (12, 0)]).joined()
    let text = gsv + Receiver.gsa(3, [5]) + Receiver.gga("123519") + Receiver.rmc("123519") + "$GPGGA,*00\r\n"
    service.positionSourceReceived(text.utf8.span, at: 1_000)
    let report = try report(service, now: 1_400)
    #expect(report["state"] as? String == "open" && report["mode"] as? String == "3D")
    #expect((report["fix"] as? [String: Any])?["lat"] as? Double == 48.1173)
    #expect(report["fixAge"] as? Int == 400 && report["now"] as? Int == 1_400)
    #expect(report["accuracySource"] as? String == "geometry" && report["hdop"] as? Double == 0.9)
    #expect(report["time"] as? String == "2026-07-15T12:35:19.400Z")
    #expect(report["used"] as? Int == 1)
    let satellites = try #require(report["satellites"] as? [[String: Any]])
    let first = try #require(satellites.first { $0["number"] as? Int == 5 })
    #expect(first["system"] as? String == "GPS" && first["strength"] as? Int == 38 && first["isUsed"] as? Bool == true)
    #expect(first["elevation"] as? Int == 45 && first["azimuth"] as? Int == 120)
    let second = try #require(satellites.first { $0["number"] as? Int == 12 })
    #expect(second["strength"] == nil && second["isUsed"] as? Bool == false)
    let line = try #require(report["line"] as? [String: Any])
    #expect(line["bytes"] as? Int == text.utf8.count)
    let nmea = try #require(line["nmea"] as? [String: Int])
    #expect(nmea == ["good": 4, "badChecksum": 1, "damaged": 0, "malformed": 0, "unread": 0])
    #expect(line["ubx"] == nil)
  }
}
