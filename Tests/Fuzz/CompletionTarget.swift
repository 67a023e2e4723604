import Codec
import Runtime

@testable import Completion

nonisolated(unsafe) private let readers = [CompletionReader(), CompletionReader()]
nonisolated(unsafe) private let lists = [ModelList(), ModelList()]
nonisolated(unsafe) private let embeddings = [EmbeddingReader(), EmbeddingReader()]
nonisolated(unsafe) private let prompt = Prompt(bytes: 4096)
nonisolated(unsafe) private let heard = HeardText()

/// What a model's server sends: an answer, a list of models, vectors or an error. It means the same in one piece and in
/// many. What is shown are whole characters, what is called has an object of arguments, a vector has the length 1, and
/// an error never repeats the key.
func checkCompletion(_ bytes: [UInt8]) {
  let pieces = pieces(bytes).map { Array(bytes[$0]) }
  let (whole, inPieces) = (readAnswer([bytes], readers[0]), readAnswer(pieces, readers[1]))
  expect(whole == inPieces, "whole: \(whole); in pieces: \(inPieces)")
  checkPrompt(readers[0])
  let (events, eventsInPieces) = (readEvents([bytes]), readEvents(pieces))
  expect(events == eventsInPieces, "whole: \(events); in pieces: \(eventsInPieces)")
  expect(findModel([bytes], lists[0]) == findModel(pieces, lists[1]), "a list differs in pieces")
  expect(readVectors([bytes], embeddings[0]) == readVectors(pieces, embeddings[1]), "vectors differ in pieces")
  checkFault(bytes)
}

private final class HeardText: CompletionDelegate {
  var text: [UInt8] = []

  func completionSaid(_ piece: UnsafeBufferPointer<UInt8>) {
    expect(!piece.isEmpty && String(validating: piece, as: UTF8.self) != nil, "half a character is shown")
    text += Array(piece)
  }
}

private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

// MARK: Answers

private func readAnswer(_ pieces: [[UInt8]], _ reader: CompletionReader) -> [String] {
  heard.text = []
  reader.delegate = heard
  reader.begin()
  for piece in pieces { reader.take(piece.span) }
  var said: [String] = []
  do throws(ModelFault) {
    let outcome = try reader.finish()
    said.append("\(outcome)")
    for index in 0..<reader.calls.count { said += check(reader.calls[index]) }
  } catch {
    said.append("\(error.kind) \(error.status) \(error.message.count)")
  }
  reader.delegate = nil
  expect(heard.text == Array(reader.text), "what was shown is not the text")
  said.append(text(reader.text))
  said.append("\(String(describing: reader.usage))")
  return said
}

private func check(_ call: ModelCall) -> [String] {
  let arguments = Array(call.arguments)
  var isObject = false
  do throws(JSONError) {
    try JSONValidator.check(arguments.span, depthLimit: Budget.modelDepth)
    isObject = JSONView(arguments.span).kind == .object
  } catch {}
  expect(isObject, "arguments that are no object: \(text(call.arguments))")
  expect(!call.id.isEmpty && (call.refusal != nil || !call.name.isEmpty), "a call without a name or an id")
  // Ids of our own differ from answer to answer.
  return [text(call.name), text(call.rawArguments), "\(String(describing: call.refusal))"]
}

/// An answer becomes part of a prompt, whose request is JSON.
private func checkPrompt(_ reader: CompletionReader) {
  prompt.removeAll()
  let none: [UInt8] = []
  guard prompt.addUser(none.span), prompt.addAnswer(Span(_unsafeElements: reader.text), calls: reader.calls) else {
    return
  }
  for index in 0..<reader.calls.count {
    let isTaken = prompt.addResult(id: reader.calls[index].id, none.span)
    expect(isTaken || prompt.textBytes > 4000, "a result for a call is refused")
  }
  let request = CompletionRequest(model: "m")
  var body = [UInt8](repeating: 0, count: request.length(prompt, ModelTools()))
  let count = body.withUnsafeMutableBufferPointer { request.write(prompt, ModelTools(), into: $0) }
  expect(count == body.count, "a request is longer than it was measured")
  expect((try? JSONValidator.check(body.span, depthLimit: Budget.modelDepth)) != nil, "a request is no JSON")
}

// MARK: Events

private func readEvents(_ pieces: [[UInt8]]) -> [[UInt8]] {
  let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
  defer { memory.deallocate() }
  var reader = EventStreamReader(into: memory)
  var found: [[UInt8]] = []
  for piece in pieces {
    var index = 0
    while true {
      do throws(EventStreamError) {
        guard try reader.next(piece.span, at: &index) else { break }
        found.append(reader.data.withUnsafeBufferPointer { Array($0) })
      } catch {
        found.append([UInt8(truncatingIfNeeded: error.event)])
      }
    }
    expect(index == piece.count, "bytes are left")
  }
  if reader.finish() { found.append(reader.data.withUnsafeBufferPointer { Array($0) }) }
  return found
}

// MARK: Lists and vectors

private func findModel(_ pieces: [[UInt8]], _ list: ModelList) -> String {
  let name: [UInt8] = [0x61]
  list.begin(name.span)
  for piece in pieces where !list.take(piece.span) { break }
  do throws(ModelFault) { return "\(try list.finish())" } catch { return "\(error.kind)" }
}

private func readVectors(_ pieces: [[UInt8]], _ reader: EmbeddingReader) -> [Float] {
  let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 64)
  memory.initialize(repeating: 0)
  defer { memory.deallocate() }
  reader.begin(count: 2, into: memory)
  for piece in pieces where !reader.take(piece.span) { break }
  do throws(ModelFault) {
    let dimensions = try reader.finish()
    for start in [0, dimensions] {
      let length = memory[start..<(start + dimensions)].reduce(Float(0)) { $0 + $1 * $1 }
      expect(abs(length - 1) < 1e-4, "a vector of length \(length)")
    }
    return Array(memory[..<(2 * dimensions)])
  } catch {
    return [-Float(error.kind.rawValue)]
  }
}

// MARK: Errors

/// The last eight bytes are the key.
private func checkFault(_ bytes: [UInt8]) {
  guard bytes.count > 8 else { return }
  let key = Array(bytes[(bytes.count - 8)...])
  let fault = ModelFault(status: UInt16(bytes[0]) * 2 + 90, body: bytes.span, hiding: key.span)
  var room = [UInt8](repeating: 0, count: 512)
  let count = room.withUnsafeMutableBufferPointer { room in
    var writer = ByteWriter(into: room)
    fault.write(to: &writer)
    return writer.count
  }
  expect(count <= room.count, "a sentence of \(count) bytes")
  let message = fault.message.span.withUnsafeBufferPointer { Array($0) }
  let shows = message.indices.contains { message[$0...].starts(with: key) }
  // The mark for a hidden key may make a part of such a key.
  expect(!shows || key.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }, "the key is in the message")
}
