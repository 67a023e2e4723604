import Codec

// MARK: JSON

/// Validator and scanner agree, whole and in pieces, to the byte; what is valid can be walked and written again.
func checkJSON(_ bytes: [UInt8]) {
  var whole: JSONError?
  do throws(JSONError) { try JSONValidator.check(bytes.span, depthLimit: 64) } catch { whole = error }
  var validator = JSONValidator(depthLimit: 64)
  var scanned: JSONError?
  var validated: JSONError?
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * 512) { buffer in
    var scanner = JSONScanner(depthLimit: 64, paths: ["type", "event", "payload.id"], buffer: buffer)
    do throws(JSONError) {
      for piece in pieces(bytes) { try scanner.feed(bytes.span.extracting(piece)) }
      try scanner.finish()
    } catch { scanned = error }
    do throws(JSONError) {
      for piece in pieces(bytes) { try validator.feed(bytes.span.extracting(piece)) }
      try validator.finish()
    } catch { validated = error }
    let verdict = String(describing: whole)
    expect(whole == validated, "the validator says \(verdict), in pieces \(String(describing: validated))")
    expect(whole == scanned, "the validator says \(verdict), the scanner \(String(describing: scanned))")
    if whole == nil { compare(scanner, JSONView(bytes.span)) }
  }
  guard whole == nil else { return }
  let written = write(bytes)
  var again: JSONError?
  do throws(JSONError) { try JSONValidator.check(written.span, depthLimit: 64) } catch { again = error }
  expect(again == nil, "what was valid is written as no JSON: \(String(describing: again))")
  expect(write(written) == written, "written twice, it changes")
}

private func compare(_ scanner: borrowing JSONScanner, _ view: borrowing JSONView) {
  let type = view.member("type")
  expect((scanner.finding(0) == .absent) == (type == nil), "scanner and view differ on whether there is a type")
  guard let type, let found = scanner.string(0) else { return }
  expect(type.equals(Span(_unsafeElements: found)), "scanner and view differ on type")
}

/// The text again, with strings unescaped and escaped anew, numbers as they stand, and objects as arrays of names and
/// values, because the writer's own keys are literals.
private func write(_ bytes: [UInt8]) -> [UInt8] {
  // A control character of one byte is written with six.
  var output = [UInt8](repeating: 0, count: bytes.count * 6 + 16)
  let count = output.withUnsafeMutableBufferPointer { buffer in
    var writer = JSONWriter(into: buffer)
    copy(JSONView(bytes.span), into: &writer)
    expect(writer.isComplete, "the copy is longer than it can be")
    return writer.count
  }
  return Array(output[..<count])
}

private func copy(_ view: borrowing JSONView, into writer: inout JSONWriter) {
  switch view.kind {
  case .null: writer.null()
  case .bool:
    expect(view.bool != nil, "a bool without a value")
    writer.bool(view.bool ?? false)
  case .number:
    // Nil beyond the range of Double.
    if let value = view.double { expect(value.isFinite, "a number that is \(value)") }
    writer.raw(view.rawText)
  case .string: text(view).span.withUnsafeBufferPointer { writer.string(Span(_unsafeElements: $0)) }
  case .array:
    writer.beginArray()
    var elements = view.elements()
    while let element = elements.next() { copy(element, into: &writer) }
    writer.endArray()
  case .object:
    writer.beginArray()
    var members = view.members()
    while let member = members.next() {
      writer.string(text(member.name).span)
      copy(member.value, into: &writer)
    }
    writer.endArray()
  }
}

private func text(_ view: borrowing JSONView) -> [UInt8] {
  guard let length = view.stringLength else { return [] }
  var bytes = [UInt8](repeating: 0, count: length)
  let count = bytes.withUnsafeMutableBufferPointer { view.copyString(into: $0) }
  expect(count == length, "a string of \(length) bytes copies \(String(describing: count))")
  return bytes
}

// MARK: WebSocket

/// Frames mean the same in pieces; what the encoder makes is what RFC 6455 says, whatever the payload.
func checkWebSocket(_ bytes: [UInt8]) {
  let whole = decode(bytes, [0..<bytes.count])
  let inPieces = decode(bytes, pieces(bytes))
  expect(whole == inPieces, "whole: \(whole); in pieces: \(inPieces)")
  encodeAndParse(bytes)
}

private func decode(_ bytes: [UInt8], _ pieces: [Range<Int>]) -> [String] {
  var decoder = WebSocketDecoder()
  var events: [String] = []
  var message: [UInt8] = []
  do throws(WebSocketError) {
    for piece in pieces {
      let span = bytes.span.extracting(piece)
      var index = 0
      while true {
        let before = index
        let item = try decoder.next(span, at: &index)
        expect(index >= before && index <= span.count, "the index leaves the input")
        if case .needMore = item { break }
        switch item {
        case .needMore: break
        case .data(let chunk):
          expect(chunk.range.upperBound <= span.count, "a piece outside the input")
          if chunk.isStart { message = [] }
          span.extracting(chunk.range).withUnsafeBufferPointer { message += $0 }
          guard chunk.isFinal else { continue }
          let isText = String(validating: message, as: UTF8.self) != nil
          expect(!chunk.isText || isText, "a text message that is not UTF-8")
          events.append("\(chunk.isText) \(message)")
        case .ping(let control): events.append("ping \(control.payload.withUnsafeBufferPointer(Array.init))")
        case .pong(let control): events.append("pong \(control.payload.withUnsafeBufferPointer(Array.init))")
        case .close(let close):
          events.append("close \(close.code ?? 0) \(close.reason.withUnsafeBufferPointer(Array.init))")
          return events
        }
      }
    }
  } catch {
    events.append("error \(error.kind)")
  }
  return events
}

private func encodeAndParse(_ payload: [UInt8]) {
  let mask = WebSocketMask(UInt32(truncatingIfNeeded: payload.count) &* 0x9E37_79B9 | 1)
  var frame = [UInt8](repeating: 0, count: payload.count + WebSocketEncoder.headerLengthMax)
  let header = frame.withUnsafeMutableBufferPointer {
    WebSocketEncoder.header(
      .binary, isFinal: true, payloadLength: UInt64(payload.count), mask: mask, into: $0)
  }
  expect(header == WebSocketEncoder.headerLength(payloadLength: UInt64(payload.count)), "the header's length")
  var masked = payload
  for piece in pieces(payload) {
    masked.withUnsafeMutableBufferPointer {
      mask.apply(to: UnsafeMutableBufferPointer(rebasing: $0[piece]), at: piece.lowerBound)
    }
  }
  frame.replaceSubrange(header..<(header + payload.count), with: masked)
  let isSame = parse(Array(frame[..<(header + payload.count)])).map { $0 == (2, payload) } == true
  expect(isSame, "a message comes back changed")
  guard payload.count <= WebSocketControl.lengthMax else { return }
  var control = [UInt8](repeating: 0, count: WebSocketEncoder.controlLengthMax)
  let count = control.withUnsafeMutableBufferPointer { WebSocketEncoder.ping(payload.span, mask: mask, into: $0) }
  expect(parse(Array(control[..<count])).map { $0 == (9, payload) } == true, "a ping comes back changed")
}

/// RFC 6455 section 5.2, for one whole frame of a client: opcode and payload.
private func parse(_ frame: [UInt8]) -> (UInt8, [UInt8])? {
  guard frame.count >= 6, frame[0] & 0xF0 == 0x80, frame[1] & 0x80 != 0 else { return nil }
  var length = Int(frame[1] & 0x7F)
  var start = 2
  if length >= 126 {
    let bytes = length == 126 ? 2 : 8
    length = frame[2..<(2 + bytes)].reduce(0) { $0 << 8 | Int($1) }
    start += bytes
  }
  guard frame.count == start + 4 + length else { return nil }
  return (frame[0] & 0x0F, (0..<length).map { frame[start + 4 + $0] ^ frame[start + $0 % 4] })
}

// MARK: HTTP

private let acceptDigest = [UInt8](repeating: 0, count: WebSocketHandshake.digestLength)
/// Base64 of the digest.
private let acceptText = Array("AAAAAAAAAAAAAAAAAAAAAAAAAAA=".utf8)

/// An answer to the upgrade means the same in pieces, and counts as one only with the right accept value.
func checkHTTP(_ bytes: [UInt8]) {
  let whole = answer(bytes, [0..<bytes.count])
  let inPieces = answer(bytes, pieces(bytes))
  expect(whole == inPieces, "whole: \(whole); in pieces: \(inPieces)")
  if whole.hasPrefix("upgraded") {
    let isThere = bytes.indices.contains { bytes[$0...].starts(with: acceptText) }
    expect(isThere, "an upgrade without the accept value")
  }
}

private func answer(_ bytes: [UInt8], _ pieces: [Range<Int>]) -> String {
  var response = WebSocketResponse(headerLimit: 1_024, digest: acceptDigest.span)
  var consumed = 0
  do throws(WebSocketHandshakeError) {
    for piece in pieces {
      let count = try response.feed(bytes.span.extracting(piece))
      expect(count >= 0 && count <= piece.count, "more taken than given")
      consumed += count
      switch response.outcome {
      case .pending: expect(count == piece.count, "pending, and not all taken")
      case .refused(let status, let seconds): return "refused \(status) \(String(describing: seconds))"
      case .upgraded: return "upgraded \(consumed)"
      }
    }
  } catch {
    return "error \(error)"
  }
  return "pending"
}
