import Enrolment
import Runtime
import Voice

/// The bytes of a bank, kept for as long as the tests run: recordings of so many steps, each with the words that are
/// said in it.
func bankBytes(
  _ recordings: [(steps: Int, words: String)], floats: (Int) -> Float = { _ in 0 }, step: (Int) -> Int8 = { _ in 0 }
) -> UnsafeMutableRawBufferPointer {
  var bytes = Array("TALONBNK".utf8)
  let hashes = recordings.map { SpeechBank.hashes(of: Array($0.words.utf8)) }
  let steps = recordings.map(\.steps).reduce(0, +)
  for number in [SpeechBank.version, UInt32(steps), UInt32(recordings.count), UInt32(hashes.joined().count)] {
    bytes += little(number)
  }
  for index in 0..<SpeechBank.floats { bytes += little(floats(index).bitPattern) }
  for (recording, words) in zip(recordings, hashes) {
    bytes += little(UInt32(recording.steps)) + little(UInt32(words.count))
  }
  for hash in hashes.joined() { bytes += [UInt8(hash & 0xFF), UInt8(hash >> 8)] }
  if hashes.joined().count % 2 == 1 { bytes += [0, 0] }
  for index in 0..<(steps * SpeechBank.components) { bytes.append(UInt8(bitPattern: step(index))) }
  return sealed(bytes + [0, 0, 0, 0])
}

/// The bytes with a checksum that fits in the last four.
func sealed(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
  var checksum = Checksum()
  bytes.dropLast(4).withUnsafeBytes { checksum.update($0) }
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
  memory.copyBytes(from: bytes.dropLast(4) + little(checksum.value))
  return memory
}

private func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

/// Why these bytes are no bank; nil: they are one.
func bankError(_ bytes: UnsafeMutableRawBufferPointer) -> SpeechBankError? {
  do throws(SpeechBankError) {
    _ = try SpeechBank(UnsafeRawBufferPointer(bytes))
    return nil
  } catch {
    return error
  }
}

/// Something like a word: a voice of this pitch whose two formants go from place to place.
func word(_ formants: [(Double, Double)], pitch: Double = 120, seed: UInt64 = 1) -> [Float] {
  var random = SeededRandom(seed: seed)
  let rate = Double(Budget.voiceRate)
  let count = formants.count * 3_000
  var samples = [Float](repeating: 0, count: count)
  var phases = (0.0, 0.0, 0.0)
  for index in 0..<count {
    let place = min(Double(index) / 3_000, Double(formants.count) - 1.001)
    let (first, part) = (Int(place), place - Double(Int(place)))
    let (a, b) = (formants[first], formants[min(first + 1, formants.count - 1)])
    phases.0 += pitch / rate
    phases.1 += (a.0 + part * (b.0 - a.0)) / rate
    phases.2 += (a.1 + part * (b.1 - a.1)) / rate
    let pulse = Trigonometry.exponential(-6 * (phases.0 - Double(Int(phases.0))))
    let voice =
      Trigonometry.sine(2 * Trigonometry.pi * phases.1) + 0.6 * Trigonometry.sine(2 * Trigonometry.pi * phases.2)
    samples[index] = Float(0.2 * pulse * voice) + 0.002 * random.normal()
  }
  return samples
}

/// What `body` makes of a phrase; nil when the text is none.
func phrase<Result>(_ text: String, keepsAccents: Bool = false, _ body: (borrowing PhraseText) -> Result) -> Result? {
  let bytes = Array(text.utf8)
  return bytes.withUnsafeBufferPointer { buffer in
    guard let phrase = PhraseText(buffer, keepsAccents: keepsAccents) else { return nil }
    return body(phrase)
  }
}

/// A language of these letters beyond a to z.
func language(_ tag: String, _ voices: [String] = ["xx"], letters: String) -> Language {
  Language(tag: tag, name: tag, voices: voices, letters: letters.unicodeScalars.map { $0.value...$0.value })
}
