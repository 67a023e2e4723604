import Codec
import Runtime
import Testing

@testable import A2UI

/// The message for an action that a script sends.
@Suite struct ActionLineTests {
  private func line(_ action: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Budget.a2uiActionCharacters)
    let bytes = Array(action.utf8), session = Array("main".utf8), host = Array("Peter’s board".utf8), id = Array("b,1".utf8)
    return buffer.withUnsafeMutableBufferPointer { room in
      var writer = ByteWriter(into: room)
      let tags = ActionTags(session: session.span, host: host.span, instance: id.span)
      guard ActionLine.write(JSONView(bytes.span), tags, into: &writer) != nil else { return nil }
      return String(decoding: room[..<writer.count], as: UTF8.self)
    }
  }

  @Test("it has the form of a press")
  func form() {
    #expect(
      line(#"{"name":"Get Weather","sourceComponentId":"go","context":{"city":"Vienna"}}"#)
        == #"CANVAS_A2UI action=Get_Weather session=main surface=main component=go host=Peter_s_board instance=b_1 ctx={"city":"Vienna"} default=update_canvas"#)
    #expect(
      line(#"{"action":"old","surfaceId":"s","context":{}}"#)
        == "CANVAS_A2UI action=old session=main surface=s component=- host=Peter_s_board instance=b_1 default=update_canvas")
  }

  @Test("without a name there is none")
  func nameless() { #expect(line(#"{"surfaceId":"s"}"#) == nil) }

  @Test("a context that is too long is left out")
  func long() {
    let text = line(#"{"name":"a","context":{"x":"\#(String(repeating: "y", count: Budget.a2uiActionCharacters))"}}"#)
    #expect(text?.hasSuffix(#" ctx={"_truncated":true} default=update_canvas"#) == true)
  }
}
