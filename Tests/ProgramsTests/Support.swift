import Codec
import Foundation
import Runtime

@testable import Programs

let list = ProgramList(["/usr/bin/df", "/bin/sh", "/usr/bin/uptime"])

/// What becomes of parameters.
func request(_ json: String, _ words: CommandWords = CommandWords()) -> Result<RunRequest, RunRefusal> {
  Array(json.utf8).withUnsafeBufferPointer { bytes in
    let text = Span(_unsafeElements: bytes)
    // The test's own JSON must be right.
    try! JSONValidator.check(text, depthLimit: Budget.jsonDepth)
    do throws(RunRefusal) {
      return .success(try RunRequest(JSONView(text), words: words, list: list))
    } catch {
      return .failure(error)
    }
  }
}

/// The error as a caller reads it; empty for what is not refused.
func refusal(_ json: String) -> String {
  guard case .failure(let refusal) = request(json) else { return "" }
  return text(refusal)
}

func text(_ refusal: RunRefusal) -> String {
  var room = [UInt8](repeating: 0, count: 512)
  let count = room.withUnsafeMutableBufferPointer { bytes in
    var writer = ByteWriter(into: bytes)
    refusal.writeMessage(to: &writer)
    return writer.count
  }
  return String(decoding: room[..<count], as: UTF8.self)
}

/// What `write` writes, as Foundation reads it.
func object(_ write: (inout JSONWriter) -> Void) throws -> NSDictionary {
  let buffer = FixedBuffer(capacity: 65_536)
  var writer = JSONWriter(into: buffer.bytes)
  write(&writer)
  return try JSONSerialization.jsonObject(with: Data(buffer.bytes[..<writer.count])) as! NSDictionary
}

/// A JSON string.
func quoted(_ text: String) -> String { String(decoding: try! JSONEncoder().encode(text), as: UTF8.self) }
