import Canvas
import Fetch
import Graphics
import Runtime

nonisolated(unsafe) private let line = FixedBuffer(capacity: Budget.fetchLineBytes)
nonisolated(unsafe) private let bodies = [FixedBuffer(capacity: 4096), FixedBuffer(capacity: 4096)]

/// What was read of an answer.
private struct Reading: Equatable {
  var status: UInt16 = 0
  var type = InlineText<64>()
  var location = InlineText<2048>()
  var body: [UInt8] = []
  var date: Int64?
  var retry: UInt32?
  var isDone = false
  var error: HTTPError?

  init(_ pieces: [ArraySlice<UInt8>], into body: FixedBuffer) {
    var reader = HTTPResponseReader(line: line.bytes, body: body.bytes)
    do throws(HTTPError) {
      for piece in pieces {
        let copy = Array(piece)
        try reader.take(copy.span)
      }
      isDone = reader.isDone
      try reader.end()
    } catch {
      self.error = error
    }
    (status, type, location) = (reader.status, reader.type, reader.location)
    (date, retry) = (reader.date, reader.retryAfterSeconds)
    expect(reader.count <= body.bytes.count, "\(reader.count) bytes of content")
    expect(error != nil || reader.isDone, "neither whole nor wrong")
    self.body = Array(body.bytes[..<reader.count])
  }
}

/// An answer of a web server means the same in one piece and in many; it is whole, or wrong.
func checkFetch(_ bytes: [UInt8]) {
  let whole = Reading([bytes[...]], into: bodies[0])
  let inParts = Reading(pieces(bytes).map { bytes[$0] }, into: bodies[1])
  expect(whole == inParts, "in one piece and in many it differs: \(whole) \(inParts)")
  guard whole.error == nil else { return }
  expect(whole.body.count <= bytes.count, "more content than answer")
  _ = whole.body.withUnsafeBufferPointer { ContentKind($0, type: whole.type.span) }
}

/// An address is refused, or means the same when it is read again; a `data:` address makes no more bytes than it has.
func checkAddress(_ bytes: [UInt8]) {
  do throws(DataURL.Fault) {
    let count = try DataURL.decode(bytes.span, into: bodies[0].bytes)
    expect(count <= min(bytes.count, bodies[0].bytes.count), "\(count) bytes of \(bytes.count)")
    let type = DataURL.type(of: bytes.span)
    let content = UnsafeBufferPointer(rebasing: bodies[0].bytes[..<count])
    _ = ContentKind(content, type: type.span)
  } catch {}
  var list = AllowList()
  let isTaken = list.add(String(decoding: bytes, as: UTF8.self))
  expect(isTaken != list.isEmpty, "taken and not there")
  guard let base = try? WebURL("https://h:1/a/b?c".utf8.span) else { return expect(false, "no base") }
  for url in [try? WebURL(bytes.span), try? base.resolving(bytes.span)] {
    guard let url else { continue }
    expect(url.target.utf8.first == UInt8(ascii: "/") && url.target.utf8.count <= Budget.fetchURLBytes, url.target)
    expect(url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target that breaks a request: \(url.target)")
    expect(!url.host.isEmpty && url.port > 0, "no server")
    let host = url.host.utf8.contains(UInt8(ascii: ":")) ? "[\(url.host)]" : url.host
    let text = "\(url.isSecure ? "https" : "http")://\(host):\(url.port)\(url.target)"
    guard text.utf8.count <= Budget.fetchURLBytes else { continue }
    let again = try? WebURL(text.utf8.span)
    expect(again?.target == url.target && again?.isSameOrigin(as: url) == true, "read again, \(text) differs")
  }
}

/// A stream of pictures means the same in one piece and in many, and no picture is larger than its memory.
func checkMotionPictures(_ bytes: [UInt8]) {
  let whole = readPictures([bytes[...]])
  let inParts = readPictures(pieces(bytes).map { bytes[$0] })
  expect(whole == inParts, "whole: \(whole.count) pictures; in parts: \(inParts.count)")
}

private func readPictures(_ pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
  let (picture, line) = (FixedBuffer(capacity: 96), FixedBuffer(capacity: Budget.videoLineBytes))
  var reader = MotionPictureReader(into: picture.bytes, line: line.bytes)
  var found: [[UInt8]] = []
  for piece in pieces {
    let copy = Array(piece)
    var index = 0
    while let count = reader.next(copy.span, &index) {
      expect(count > 0 && count <= picture.bytes.count, "a picture of \(count) bytes")
      found.append(Array(picture.bytes[..<count]))
    }
    expect(index == copy.count, "bytes are left")
  }
  return found
}
