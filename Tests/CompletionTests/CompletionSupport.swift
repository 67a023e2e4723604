import Codec
import Runtime
import Testing

@testable import Completion

/// Calls `body` with the bytes of a text.
func withText<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
  let bytes = Array(text.utf8)
  return try bytes.withUnsafeBufferPointer(body)
}

/// A text from bytes.
func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

/// What `write` leaves.
func sentence(_ write: (inout ByteWriter) -> Void) -> String {
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
  defer { room.deallocate() }
  var writer = ByteWriter(into: room)
  write(&writer)
  return String(decoding: room[..<writer.count], as: UTF8.self)
}

extension ModelFault {
  var text: String { sentence { write(to: &$0) } }
}

extension CallRefusal {
  var text: String { sentence { write(to: &$0) } }
}

/// Random numbers from a seed (splitmix64).
struct ModelNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Random bytes that are all the same: 0 for the shortest pauses, 255 for the longest.
final class SameBytes: RandomSource {
  let byte: UInt8

  init(_ byte: UInt8) { self.byte = byte }

  func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { bytes[index] = byte }
  }
}

/// All that a reader made of an answer.
struct Answer: Equatable, CustomStringConvertible {
  struct Call: Equatable {
    var id: String
    var name: String
    var arguments: String
    var refusal: CallRefusal?
  }

  /// The outcome, or the kind of the fault.
  var outcome = ""
  var message = ""
  var text = ""
  var calls: [Call] = []
  var usage: TokenCount?
  /// The delegate got whole characters, and all of the text.
  var isDeliveredWell = true

  var description: String { "\(outcome) \(message) \"\(text)\" \(calls) \(String(describing: usage))" }
}

/// Keeps what a reader says.
final class Heard: CompletionDelegate {
  var text: [UInt8] = []
  var isWhole = true

  func completionSaid(_ piece: UnsafeBufferPointer<UInt8>) {
    isWhole = isWhole && !piece.isEmpty && String(validating: piece, as: UTF8.self) != nil
    text += Array(piece)
  }
}

/// Reads an answer in these pieces.
func answer(
  _ pieces: [[UInt8]], reader: CompletionReader = CompletionReader(), key: String = "", startsInThought: Bool = false
) -> Answer {
  withText(key) { key in
    let heard = Heard()
    reader.delegate = heard
    reader.begin(hiding: key, startsInThought: startsInThought)
    for piece in pieces { reader.take(piece.span) }
    var answer = Answer()
    do throws(ModelFault) {
      let outcome = try reader.finish()
      answer.outcome = "\(outcome)"
    } catch {
      answer.outcome = "\(error.kind)"
      answer.message = error.text
    }
    answer.text = string(reader.text)
    for index in 0..<reader.calls.count {
      let call = reader.calls[index]
      answer.calls.append(
        Answer.Call(
          id: string(call.id), name: string(call.name), arguments: string(call.arguments), refusal: call.refusal))
    }
    answer.usage = reader.usage
    answer.isDeliveredWell = heard.isWhole && heard.text == Array(reader.text)
    reader.delegate = nil
    return answer
  }
}

/// Gives a reader a text; false when it needs no more.
func feed(_ reader: CompletionReader, _ text: String) -> Bool {
  let bytes = Array(text.utf8)
  return reader.take(bytes.span)
}

/// The body of a request, which is as long as it was measured, and JSON.
func body(_ prompt: Prompt, _ request: CompletionRequest, _ tools: ModelTools = ModelTools()) -> String {
  let length = request.length(prompt, tools)
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
  defer { room.deallocate() }
  #expect(request.write(prompt, tools, into: UnsafeMutableBufferPointer(rebasing: room[..<(length - 1)])) == nil)
  #expect(request.write(prompt, tools, into: room) == length)
  let text = String(decoding: room, as: UTF8.self)
  #expect(isJSON(text), "\(text)")
  return text
}

/// True for JSON.
func isJSON(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  return (try? JSONValidator.check(bytes.span, depthLimit: 64)) != nil
}

/// Reads a whole answer.
func answer(_ text: String, key: String = "", startsInThought: Bool = false) -> Answer {
  answer([Array(text.utf8)], key: key, startsInThought: startsInThought)
}

/// A stream of events with these data, and its announced end.
func stream(_ events: [String], end: String = "data: [DONE]\n\n") -> String {
  events.map { "data: \($0)\n\n" }.joined() + end
}

/// A chunk with this delta.
func chunk(_ delta: String, reason: String? = nil) -> String {
  let finish = reason.map { "\"\($0)\"" } ?? "null"
  return #"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"#
}

/// A chunk with this text.
func said(_ text: String) -> String { chunk(#"{"content":"\#(text)"}"#) }
