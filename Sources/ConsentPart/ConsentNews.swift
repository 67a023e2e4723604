import Codec
import Consent
import Node
import Runtime

/// Tells the gateway's agent that something was granted or is over, as a notice in its session.
struct ConsentNews {
  enum Change {
    case once, session
    /// For so many milliseconds.
    case granted(Int64)
    case ended
  }

  let permissions: PermissionSet
  let change: Change

  func post(to outbox: Outbox, at now: Int64) {
    var rest = permissions
    while let permission = rest.popFirst() {
      var text = InlineText<96>()
      text.fill { buffer in
        var line = LogLine(buffer)
        write(to: &line)
        return line.count
      }
      text.span.withUnsafeBufferPointer { title in
        outbox.post(
          Notice("consent", permission.word.bytes, title: title, text: permission.noun.bytes, at: now))
      }
    }
  }

  private func write(to line: inout LogLine) {
    switch change {
    case .once: line.add("Granted for one use: ")
    case .session: line.add("Granted for this session: ")
    case .granted(let milliseconds):
      line.add("Granted for ")
      line.add(milliseconds / 1000)
      line.add(" s: ")
    case .ended: line.add("No longer granted: ")
    }
    var isFirst = true
    var rest = permissions
    while let permission = rest.popFirst() {
      line.add(isFirst ? "" : ", ")
      line.add(permission.word)
      isFirst = false
    }
  }
}
