import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("Screen of the configuration")
struct ScreenChoiceTests {
  private func output(_ text: String) -> ScreenChoice.Output? { ScreenChoice.Output(text.utf8.span) }
  private func mode(_ text: String) -> ScreenMode? { ScreenMode(text.utf8.span) }

  @Test("words, sizes and paths are told apart")
  func outputs() {
    #expect(output("auto") == .automatic)
    #expect(output("none") == ScreenChoice.Output.none)
    #expect(output("800x480") == .virtual(Size(800, 480)))
    #expect(output("/dev/dri/card1") == .device(InlineText(cutting: "/dev/dri/card1")))
    for wrong in ["", "automatic", "800", "800x480@60", "/dev/", "/etc/passwd", "/dev/fb 0", "/dev/fb0\u{7}"] {
      #expect(output(wrong) == nil, "\(wrong)")
    }
    #expect(output("/dev/" + String(repeating: "a", count: 59)) != nil)
    #expect(output("/dev/" + String(repeating: "a", count: 60)) == nil)
  }

  @Test("modes have a size and perhaps a rate")
  func modes() {
    #expect(mode("1280x720") == ScreenMode(size: Size(1280, 720)))
    #expect(mode("1920x1080@50") == ScreenMode(size: Size(1920, 1080), rate: 50))
    for wrong in [
      "", "x", "1280", "1280x", "x720", "1280*720", "1280x720@", "1280x720@0", "1280x720@241", "1280x720x3",
      "1280x720@60@60", " 1280x720", "-1280x720", "99999999999x1", "1280@720",
    ] {
      #expect(mode(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a display has its limits")
  func limits() {
    let (least, most) = (Budget.displaySideMinimum, Budget.displaySide)
    #expect(mode("\(most)x\(least)") != nil)
    #expect(mode("\(most + 1)x\(least)") == nil)
    #expect(mode("\(least)x\(least - 1)") == nil)
    #expect(mode("4096x2304") != nil)
    #expect(mode("4096x2305") == nil)
  }
}
