import Codec
import Enrolment
import Runtime
import Sound
import Voice

@testable import Node
@testable import talon

/// A stored list of phrases is refused and changes nothing, or is written again with the same bytes.
func checkPhraseRecord(_ bytes: [UInt8]) {
  var phrases = WakePhrases()
  let again = FixedBuffer(capacity: Budget.wakeRecordBytes)
  let isTaken = bytes.withUnsafeBufferPointer { phrases.decode($0) }
  let count = phrases.encode(into: again.bytes)
  if isTaken {
    expect(Array(again.bytes[..<count]) == bytes, "a list that is another when it is written")
  } else {
    expect(phrases.count == 0 && count == 1, "a list that was refused, and \(phrases.count) phrases of it")
  }
}

/// Whatever a phrase file says, it is refused or what it holds are numbers and a normalised phrase, which are written
/// the same again.
func checkPhraseFile(_ bytes: [UInt8]) {
  var whole = bytes
  // A fuzzer finds no checksum by itself.
  if whole.count > 4 {
    var checksum = Checksum()
    whole[..<(whole.count - 4)].withUnsafeBytes { checksum.update($0) }
    for index in 0..<4 {
      whole[whole.count - 4 + index] = UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32(index)))
    }
  }
  for input in [bytes, whole] {
    input.withUnsafeBytes { buffer in
      if let file = try? PhraseFile(buffer) { checkPhrase(file, buffer) }
      PhraseBank(buffer).forEach { file in
        expect(file.size > 0 && file.size <= buffer.count, "a file of \(file.size) bytes in \(buffer.count)")
        return true
      }
    }
  }
}

private func checkPhrase(_ file: PhraseFile, _ buffer: UnsafeRawBufferPointer) {
  expect(file.threshold.isFinite && file.bias.isFinite, "a threshold or bias that is no number")
  let weights = FloatTable(count: WakeDetector.weights)
  file.copyWeights(into: weights.floats)
  guard let text = PhraseText(file.text) else { return expect(false, "a text that is no phrase") }
  let again = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
  defer { again.deallocate() }
  let size = PhraseFile.write(
    text, threshold: file.threshold, bias: file.bias, weights: weights.floats, into: again)
  expect(size == file.size, "\(file.size) bytes are written as \(size ?? 0)")
  guard let copy = try? PhraseFile(UnsafeRawBufferPointer(again)) else {
    return expect(false, "a file that was written is refused")
  }
  let rounded = FloatTable(count: WakeDetector.weights)
  copy.copyWeights(into: rounded.floats)
  let width = EmbeddingNetwork.width
  for start in stride(from: 0, to: WakeDetector.weights, by: width) {
    let places = start..<(start + width)
    let greatest = places.reduce(Float(0)) { max($0, weights.floats[$1].magnitude) }
    for place in places {
      let (weight, other) = (weights.floats[place], rounded.floats[place])
      // Half a step, of which the greatest is 127, and what a float itself rounds.
      expect(
        (weight - other).magnitude <= greatest / 250 + 1e-36,
        "a weight of \(weight) that is \(other) when it is read again")
    }
  }
}

/// Any text is refused, or a phrase within its limits that is itself when it is normalised again.
func checkPhraseText(_ bytes: [UInt8]) {
  bytes.withUnsafeBufferPointer { buffer in
    guard let phrase = PhraseText(buffer) else { return }
    expect(phrase.count > 0 && phrase.count <= Budget.wakePhraseBytes, "a phrase of \(phrase.count) bytes")
    let plain = (0..<phrase.count).map { phrase[$0] }
    plain.withUnsafeBufferPointer { copy in
      guard let again = PhraseText(copy) else {
        return expect(false, "a phrase that is none when it is read again")
      }
      expect(again.equals(copy), "a phrase that is another when it is read again")
    }
  }
}

/// A recording is refused, or every sample is between -1 and 1.
func checkWave(_ bytes: [UInt8]) {
  bytes.withUnsafeBytes { buffer in
    guard let view = try? WAVView(buffer) else { return }
    expect(view.count <= bytes.count, "\(view.count) samples of \(bytes.count) bytes")
    for index in 0..<view.count { expect(view[index].magnitude <= 1, "a sample of \(view[index])") }
  }
}

/// Whatever a bank of speech says, it is refused, or its recordings lie within it and one behind the other.
func checkSpeechBank(_ bytes: [UInt8]) {
  // No fuzzer finds 69 KB of tables, nor a checksum, by itself: what it gives is the header and what comes behind the
  // tables.
  let header = SpeechBank.headerBytes
  var whole = Array(bytes.prefix(header))
  if bytes.count > header {
    whole += [UInt8](repeating: 0, count: 4 * SpeechBank.floats) + bytes[header...]
    var checksum = Checksum()
    whole.withUnsafeBytes { checksum.update($0) }
    for index in 0..<4 { whole.append(UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32(index)))) }
  }
  for input in [bytes, whole] {
    input.withUnsafeBytes { buffer in
      guard let bank = try? SpeechBank(buffer) else { return }
      var (count, steps) = (0, 0)
      bank.forEach { recording in
        expect(recording.run.start == steps, "a recording that begins at \(recording.run.start), not \(steps)")
        steps += recording.run.count
        count += 1
        expect(!bank.has([1, 2, 3, 4, 5, 6, 7], in: recording) || recording.wordCount >= 7, "words that are not there")
      }
      expect(count == bank.count && steps == bank.stepCount, "\(count) recordings of \(steps) steps")
    }
  }
}

/// Whatever `model.conf` says, it is refused by line and reason, or what it names are voices that are no options and
/// letters that are no ASCII. Nothing else is spoken of any phrase then, and no word of it begins or ends with a blank.
func checkLanguageFile(_ bytes: [UInt8]) {
  let language: Language
  do throws(ConfigurationError) {
    language = try LanguageFile.parse(bytes, file: "model.conf")
  } catch {
    return expect(!error.reason.isEmpty && (error.line ?? 1) > 0, "refused without a reason")
  }
  expect(
    !language.tag.isEmpty && !language.name.isEmpty && 1...Budget.languageVoices ~= language.voices.count,
    "a language without a name or voices")
  expect(
    language.voices.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } },
    "\(language.voices)")
  expect(
    language.letters.count <= Budget.languageLetters && language.letters.allSatisfy { $0.lowerBound >= 0x80 },
    "\(language.letters)")
  let text = Array(bytes.suffix(Budget.wakePhraseBytes))
  let spoken = text.withUnsafeBufferPointer { text -> [UInt8] in
    guard let phrase = PhraseText(text, keepsAccents: true) else { return [] }
    return Spelling(phrase, language).text
  }
  for scalar in String(decoding: spoken, as: UTF8.self).unicodeScalars.map(\.value) where scalar >= 0x80 {
    expect(language.letters.contains { $0.contains(scalar) }, "\(spoken) has a letter that the language has not")
  }
  expect(spoken.first != 0x20 && spoken.last != 0x20, "\(spoken) begins or ends with a blank")
}
