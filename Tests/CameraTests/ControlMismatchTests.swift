import Codec
import Runtime
import Testing

@testable import Camera

struct ControlMismatchTests {
  private func text(_ reason: ControlMismatch.Reason) -> String {
    let complaint = ControlMismatch(name: CameraText(cutting: "exposure_time_absolute"), reason: reason)
    var counter = ByteWriter()
    complaint.write(to: &counter)
    var bytes = [UInt8](repeating: 0, count: counter.count)
    bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      complaint.write(to: &writer)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a complaint names the control, what it is, and what it should be")
  func texts() {
    #expect(text(.missing) == "has no control exposure_time_absolute")
    #expect(
      text(.refused(.accessDenied))
        == "exposure_time_absolute cannot be set: it can only be read; remove it from the configuration")
    #expect(
      text(.differs(is: 250, wanted: 300)) == "exposure_time_absolute is 250, not the 300 of the configuration")
  }

  @Test("no refusal is told in the kernel's words, and all fit into a line of the log")
  func refusals() {
    for number: Int32 in 1...133 {
      let sentence = text(.refused(Errno(number)))
      #expect(!sentence.hasSuffix("\(Errno(number).text)") && sentence.utf8.count <= 256, "\(number): \(sentence)")
    }
    #expect(
      text(.locked) == "exposure_time_absolute cannot be set: the camera's driver has locked it for now; "
        + "stop other programs that use the camera, or remove it from the configuration")
    #expect(text(.refused(.busy)).hasSuffix("another program uses the camera; stop that program"))
    #expect(text(.refused(.outOfRange)).contains("does not accept this value"))
    #expect(text(.refused(.noSuchDevice)).hasSuffix("it is no longer there"))
  }

  @Test("there is room for whatever can be wrong with a configuration, and no more")
  func bound() {
    var mismatches = ControlMismatches()
    for index in 0..<20 {
      mismatches.append(ControlMismatch(name: CameraText(), reason: .differs(is: index, wanted: 0)))
    }
    #expect(mismatches.count == 16)
    #expect(mismatches[15].reason == .differs(is: 15, wanted: 0))
  }

  @Test(
    "a control's nearest value", arguments: [(-5, 2), (2, 2), (4, 5), (3, 2), (6, 5), (9, 8), (10, 8), (99, 8)])
  func nearest(value: Int, expected: Int) {
    #expect(ControlRange(minimum: 2, maximum: 10, step: 3).nearest(value) == expected)
  }

  @Test("a range may go from one end of the type to the other, in steps of any length")
  func farthest() {
    let all = ControlRange(minimum: .min, maximum: .max, step: 1)
    for value in [Int.min, -1, 0, 5, .max] { #expect(all.nearest(value) == value) }
    let wide = ControlRange(minimum: .min, maximum: .max, step: .max)
    #expect(wide.nearest(.min) == .min && wide.nearest(1) == -1 && wide.nearest(.max) == .max - 1)
    #expect(ControlRange(minimum: 0, maximum: 3, step: .max).nearest(3) == 0)
  }
}
