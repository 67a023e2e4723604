import Foundation

/// What the simulated agent does besides repeating what it hears, when a message begins with `/work`: it thinks, calls
/// a tool that gives a picture, and then replies (protocol reference, section 9.9: `agent` events and transcripts).
struct AgentWork {
  private enum Act { case think, begin, end }

  let thought = "The person wants to see it, so I look at it first."
  let arguments: JSON = ["facing": "front"]
  let callID = UUID().uuidString.lowercased()
  private var acts: [Act]

  init(_ text: String) { acts = text.hasPrefix("/work") ? [.think, .begin, .end] : [] }

  /// The data of the next event and its stream; nil: nothing is left.
  mutating func next() -> (stream: String, data: JSON)? {
    guard !acts.isEmpty else { return nil }
    switch acts.removeFirst() {
    case .think: return ("thinking", ["text": .string(thought), "delta": .string(thought)])
    case .begin:
      return (
        "tool",
        ["phase": "start", "name": "camera.snap", "toolCallId": .string(callID), "args": arguments]
      )
    case .end:
      return (
        "tool",
        ["phase": "result", "name": "camera.snap", "toolCallId": .string(callID), "isError": false]
      )
    }
  }

  /// The messages of the transcript before the reply. The tool took two seconds.
  func messages(_ now: Int64) -> [JSON] {
    [
      [
        "role": "assistant", "timestamp": .integer(now - 2_000),
        "content": [
          ["type": "thinking", "thinking": .string(thought)],
          ["type": "toolCall", "id": .string(callID), "name": "camera.snap", "arguments": arguments],
        ],
      ],
      [
        "role": "toolResult", "toolCallId": .string(callID), "toolName": "camera.snap", "isError": false,
        "timestamp": .integer(now),
        "content": [["type": "image", "data": .string(Self.picture), "mimeType": "image/png"]],
      ],
    ]
  }

  /// A PNG of 8 by 8 pixels, orange.
  static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP41cCAFTEMLQkAK3NegbCPXs8AAAAASUVORK5CYII="
    + ""
}
