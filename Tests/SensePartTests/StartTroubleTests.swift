import Codec
import Device
import Testing

@testable import SensePart

@Suite("Trouble at the start of the agent") struct StartTroubleTests {
  private func status(_ trouble: StartTrouble) -> String {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int in
      var writer = JSONWriter(into: buffer)
      writer.beginObject()
      StartTroublePart(trouble).writeStatus(to: &writer)
      writer.endObject()
      return writer.count
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("is in the status object, in device.health, and on the light")
  func told() {
    var trouble = StartTrouble()
    #expect(trouble.isEmpty)
    trouble.configuration = "t.conf:3: unknown key"
    #expect(!trouble.isEmpty)
    #expect(status(trouble) == #"{"trouble":{"configuration":"t.conf:3: unknown key"}}"#)
    trouble.storage = "/s cannot be written: full"
    #expect(status(trouble).contains(#","storage":"/s cannot be written: full"}"#))
    let part = StartTroublePart(trouble)
    #expect(part.hasFault)
    var report = HardwareReport()
    part.report(to: &report)
    #expect(report.services.configuration?.state == .error && report.services.storage?.state == .error)
    #expect(HardwareReport().services.configuration == nil && HardwareReport().services.storage == nil)
  }
}
