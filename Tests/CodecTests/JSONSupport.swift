@testable import Codec

/// What the validator thinks of a text given at once.
func verdict(_ text: [UInt8], depthLimit: Int = 64) -> JSONError? {
  do {
    try JSONValidator.check(text.span, depthLimit: depthLimit)
    return nil
  } catch {
    return error
  }
}

/// What the validator thinks of a text given in pieces.
func verdict(pieces: [[UInt8]], depthLimit: Int = 64) -> JSONError? {
  var validator = JSONValidator(depthLimit: depthLimit)
  do throws(JSONError) {
    for piece in pieces { try validator.feed(piece.span) }
    try validator.finish()
    return nil
  } catch {
    return error
  }
}

func verdict(_ text: String, depthLimit: Int = 64) -> JSONError? {
  verdict(text.bytes, depthLimit: depthLimit)
}

/// What a writer wrote.
func json(capacity: Int = 4096, _ write: (inout JSONWriter) -> Void) -> String {
  written(capacity: capacity) { buffer in
    var writer = JSONWriter(into: buffer)
    write(&writer)
    precondition(writer.isComplete)
    return writer.count
  }
}

/// The string that a view says, or nil.
func string(_ view: borrowing JSONView) -> String? {
  guard let length = view.stringLength else { return nil }
  var count: Int?
  let bytes = writtenBytes(capacity: length) { buffer in
    count = view.copyString(into: buffer)
    return count ?? 0
  }
  return count.map { _ in String(decoding: bytes, as: UTF8.self) }
}
