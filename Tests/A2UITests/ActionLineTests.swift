import Codec
import Runtime
import Testing

@testable import A2UI

/// The message for an action that a script sends.
@Suite final class ActionLineTests {
  /// The key that was left out of the last line.
  private var leftOut = ""

  private func line(_ action: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Budget.a2uiActionCharacters)
    let bytes = Array(action.utf8), session = Array("main".utf8), host = Array("Peter’s board".utf8),
      id = Array("b,1".utf8)
    return buffer.withUnsafeMutableBufferPointer { room in
      var writer = ByteWriter(into: room)
      let tags = ActionTags(session: session.span, host: host.span, instance: id.span)
      guard let written = ActionLine.write(JSONView(bytes.span), tags, into: &writer) else { return nil }
      leftOut = string(written.leftOut.span)
      return String(decoding: room[..<writer.count], as: UTF8.self)
    }
  }

  @Test("it has the form of a press")
  func form() {
    #expect(
      line(#"{"name":"Get Weather","sourceComponentId":"go","context":{"city":"Vienna"}}"#)
        == #"CANVAS_A2UI action=Get_Weather session=main surface=main component=go host=Peter_s_board instance=b_1 ctx={"city":"Vienna"} default=update_canvas"#
    )
    #expect(
      line(#"{"action":"old","surfaceId":"s","context":{}}"#)
        == "CANVAS_A2UI action=old session=main surface=s component=- host=Peter_s_board instance=b_1 default=update_canvas"
    )
  }

  @Test("without a name there is none")
  func nameless() { #expect(line(#"{"surfaceId":"s"}"#) == nil) }

  @Test("a context that is too long loses its longest values, keeps the short ones, and says so")
  func long() {
    let (long, longer) = (String(repeating: "y", count: 12_000), String(repeating: "z", count: 15_000))
    let context = #"{"first":1,"long":"\#(long)","long\u0065r": "\#(longer)","nested":{"a":[true]},"last":"x"}"#
    let text = line(#"{"name":"a","context":\#(context)}"#)
    #expect(
      text?.hasSuffix(
        #" ctx={"first":1,"long":"\#(long)","nested":{"a":[true]},"last":"x","_truncated":true} default=update_canvas"#)
        == true)
    #expect(leftOut == "longer")
    let huge = line(#"{"name":"a","context":{"x":"\#(String(repeating: "y", count: Budget.a2uiActionCharacters))"}}"#)
    #expect(huge?.hasSuffix(#" ctx={"_truncated":true} default=update_canvas"#) == true)
  }

  @Test("the longest context that fits is sent whole, and one byte more is not")
  func edge() {
    func sent(_ length: Int) -> String {
      line(#"{"name":"a","context":{"k":"\#(String(repeating: "x", count: length))"}}"#) ?? ""
    }
    let rest = sent(0).utf8.count
    #expect(sent(Budget.a2uiActionCharacters - rest).utf8.count == Budget.a2uiActionCharacters)
    #expect(leftOut == "")
    #expect(sent(Budget.a2uiActionCharacters - rest + 1).contains(#"ctx={"_truncated":true} default"#))
    #expect(leftOut == "k")
  }

  @Test("entries beyond the limit are left out, and it is said")
  func entries() {
    func sent(_ count: Int) -> String {
      line(#"{"name":"a","context":{\#((0..<count).map { #""k\#($0)":1"# }.joined(separator: ","))}}"#) ?? ""
    }
    #expect(!sent(Budget.a2uiContextEntries).contains("_truncated"))
    #expect(sent(Budget.a2uiContextEntries + 1).contains(#""k\#(Budget.a2uiContextEntries - 1)":1,"_truncated":true}"#))
  }
}
