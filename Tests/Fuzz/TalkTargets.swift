import Codec
import Runtime
import Talk

/// Whatever a reply begins with: cut anywhere the same is a directive and the same is text, no byte of which is made
/// up; what a directive asks for is in its ranges, and JSON.
func checkDirective(_ bytes: [UInt8]) {
  let whole = head([0..<bytes.count], bytes)
  let cut = head(pieces(bytes), bytes)
  expect(whole.text == cut.text && whole.request == cut.request, "cut otherwise, other text")
  expect(whole.text.count <= bytes.count, "more text than came")
  if whole.request == nil { expect(whole.text == bytes || whole.text.count < bytes.count, "other text") }
  checkSpoken(whole.text)
}

private func head(_ ranges: [Range<Int>], _ bytes: [UInt8]) -> (text: [UInt8], request: [UInt8]?) {
  let head = ReplyHead()
  var text: [UInt8] = []
  for range in ranges {
    head.add(bytes.span.extracting(range)) { span in for index in 0..<span.count { text.append(span[index]) } }
  }
  head.finish { span in for index in 0..<span.count { text.append(span[index]) } }
  guard let directive = head.directive else { return (text, nil) }
  expect(directive.speed.map { $0 > 0.5 && $0 < 2 } ?? true, "speed \(directive.speed ?? 0)")
  for share in [directive.stability, directive.similarity, directive.style] {
    expect(share.map { $0 >= 0 && $0 <= 1 } ?? true, "a share of \(share ?? 0)")
  }
  expect(directive.latencyTier.map { (0...4).contains($0) } ?? true, "a tier out of range")
  let buffer = FixedBuffer(capacity: 4_096)
  var writer = JSONWriter(into: buffer.bytes)
  writer.beginObject()
  directive.writeMembers(to: &writer)
  writer.endObject()
  expect(writer.isComplete, "a request of \(writer.count) bytes")
  let request = Array(buffer.bytes[..<writer.count])
  do throws(JSONError) { try JSONValidator.check(request.span, depthLimit: 4) } catch {
    expect(false, "no JSON: \(error)")
  }
  return (text, request)
}

/// Sentences are bounded, and the same however the reply is cut.
private func checkSpoken(_ bytes: [UInt8]) {
  var whole: [[UInt8]] = []
  var cut: [[UInt8]] = []
  let spoken = SpokenText()
  spoken.add(bytes.span) { whole.append(array($0)) }
  spoken.finish { whole.append(array($0)) }
  for range in pieces(bytes) { spoken.add(bytes.span.extracting(range)) { cut.append(array($0)) } }
  spoken.finish { cut.append(array($0)) }
  expect(whole == cut, "cut otherwise, other sentences")
  for sentence in whole {
    expect(!sentence.isEmpty && sentence.count <= Budget.sentenceBytes, "a sentence of \(sentence.count)")
  }
  guard let first = whole.first, let range = WakeText.command(in: bytes.span, after: first.span) else { return }
  expect(range.upperBound <= bytes.count, "a command outside the text")
}

private func array(_ span: Span<UInt8>) -> [UInt8] { span.withUnsafeBufferPointer { Array($0) } }

/// Whatever `talk.speak` answers, its sound included: it is played within its bounds, or refused in words. The first
/// byte says which part is made up: the whole answer, or the sound behind a good one, whose base64 is made here.
func checkSpeech(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  if first & 1 == 0 { return checkAnswer(rest) }
  let forms = [
    "\"outputFormat\":\"pcm_24000\"", "\"mimeType\":\"audio/wav\"", "\"outputFormat\":\"ulaw_8000\"",
    "\"mimeType\":\"audio/pcm\"",
  ]
  var text = [UInt8](repeating: 0, count: Base64.standard.encodedLength(of: rest.count))
  text.withUnsafeMutableBufferPointer { _ = Base64.standard.encode(rest.span, into: $0) }
  checkAnswer(Array("{\"audioBase64\":\"".utf8) + text + Array("\",\(forms[Int(first >> 1 & 3)])}".utf8))
}

nonisolated(unsafe) private let clip: SpeechClip = {
  do throws(Errno) { return try SpeechClip() } catch { fatalError("no memory") }
}()

private func checkAnswer(_ answer: [UInt8]) {
  do throws(JSONError) { try JSONValidator.check(answer.span, depthLimit: 64) } catch { return }
  do throws(SoundFormError) {
    try clip.read(JSONView(answer.span), asked: 24_000)
    expect(clip.count > 0 && 2 * clip.count <= Budget.speechBytes, "\(clip.count) samples")
    expect(Budget.speechRates.contains(clip.rate), "\(clip.rate) samples a second")
    expect(clip.count <= answer.count, "more samples than bytes")
  } catch {
    let buffer = FixedBuffer(capacity: 256)
    var writer = ByteWriter(into: buffer.bytes)
    error.writeMessage(to: &writer)
    expect(writer.isComplete && writer.count > 20, "a refusal of \(writer.count) bytes")
    expect(clip.count == 0, "sound in spite of it")
  }
}
