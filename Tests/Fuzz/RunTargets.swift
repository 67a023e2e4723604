import Codec
import Programs
import Runtime

private let list = ProgramList(["/usr/bin/df", "/bin/sh"])

/// Parameters of system.run: a command that is taken is one of the list, whole, and its own plan is taken again.
func checkRun(_ bytes: [UInt8]) {
  guard (try? JSONValidator.check(bytes.span, depthLimit: Budget.jsonDepth)) != nil else { return }
  let parameters = JSONView(bytes.span)
  let origin = RunOrigin(parameters)
  expect(origin.sessionKey.count <= 256 && origin.runID.count <= 128, "an origin too long")
  if let question = try? ProgramQuestion(parameters, list: list) {
    expect(question.found < 4, "a program that is not listed")
  }
  let words = CommandWords()
  guard let request = try? RunRequest(parameters, words: words, list: list) else { return }
  expect(request.program < 2 && (1...Budget.runWords).contains(words.count), "\(request)")
  expect(request.milliseconds.map { Budget.peerMilliseconds.contains($0) } ?? true, "\(request)")
  expect(words.bytes.count <= Budget.runCommandBytes && words.bytes.last == 0, "\(words.bytes.count) bytes")
  expect(list.index(of: words.word(0)) == request.program, "another program")
  expect(RunMessage.words(words.bytes)?.count == words.count, "the service gets other words")
  checkPlan(words, origin)
}

/// A plan that was made is taken with its command.
private func checkPlan(_ words: CommandWords, _ origin: RunOrigin) {
  let room = FixedBuffer(capacity: 1 << 18)
  var writer = JSONWriter(into: room.bytes)
  RunPlan.write(words, origin, to: &writer)
  expect(writer.isComplete, "a plan without end")
  let answer = Array(room.bytes[..<writer.count])
  guard let plan = JSONView(answer.span).member("plan"), let command = plan.member("argv"),
    let text = plan.member("commandText")
  else { return expect(false, "a plan without its members") }
  let again =
    Array("{\"command\":".utf8) + command.rawText.withUnsafeBufferPointer { Array($0) } + Array(",\"rawCommand\":".utf8)
    + text.rawText.withUnsafeBufferPointer { Array($0) } + Array(",\"systemRunPlan\":".utf8)
    + plan.rawText.withUnsafeBufferPointer { Array($0) } + Array("}".utf8)
  let other = CommandWords()
  let isTaken = (try? RunRequest(JSONView(again.span), words: other, list: list)) != nil
  expect(isTaken, "its own plan is refused: \(String(decoding: again, as: UTF8.self))")
  expect(other.bytes.elementsEqual(words.bytes), "other words")
}

/// Frames of the service, and requests to it: bounded, and the same in pieces as in one.
func checkRunFrames(_ bytes: [UInt8]) {
  bytes.withUnsafeBufferPointer { input in
    if let head = RunMessage.readHead(UnsafeBufferPointer(rebasing: input.prefix(RunMessage.headBytes))) {
      expect((1...Budget.runCommandBytes).contains(head.words), "\(head)")
    }
    if let words = RunMessage.words(input) {
      expect((1...Budget.runWords).contains(words.count) && !words.contains(""), "\(words)")
    }
  }
  let whole = frames(bytes, in: [0..<bytes.count]), cut = frames(bytes, in: pieces(bytes))
  expect(whole == cut, "\(whole.count) frames, and \(cut.count) in pieces")
}

private func frames(_ bytes: [UInt8], in pieces: [Range<Int>]) -> [String] {
  var reader = RunFrameReader()
  var told: [String] = []
  for piece in pieces {
    var start = piece.lowerBound
    while start < piece.upperBound, !reader.isBroken {
      let room = reader.room()
      expect(!room.isEmpty, "no room for a frame")
      let count = min(room.count, piece.upperBound - start)
      for index in 0..<count { room[index] = bytes[start + index] }
      reader.wrote(count)
      start += count
      while let frame = reader.next() {
        switch frame {
        case .bytes(let kind, let body):
          expect(body.count <= Budget.runFrameBytes, "\(body.count) bytes")
          told.append("\(kind) \(Array(body))")
        case .number(let kind, let number): told.append("\(kind) \(number)")
        }
      }
    }
  }
  return told
}
