import Enrolment
import Runtime
import Testing
import Voice

/// One record in memory.
private final class MemoryStore: RecordStore {
  var record: [UInt8]?
  var refuses = false

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    if refuses { throw .torn }
    guard let record else { return nil }
    for index in record.indices { bytes[index] = record[index] }
    return (record.count, .current)
  }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    if refuses { throw .system(.noSpace) }
    record = Array(bytes)
  }
}

@Suite struct EnrolledPhrasesTests {
  private let store = MemoryStore()

  private func learnt() throws -> EnrolledPhrases {
    let phrases = EnrolledPhrases(store)
    try phrases.read()
    return phrases
  }

  private func put(_ text: String, threshold: Float = 0, _ phrases: EnrolledPhrases) throws {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let weights = FloatTable(count: WakeDetector.weights)
    _ = phrase(text) { PhraseFile.write($0, threshold: threshold, bias: 0, weights: weights.floats, into: bytes) }
    try phrases.put(try PhraseFile(UnsafeRawBufferPointer(bytes)))
  }

  private func texts(_ phrases: EnrolledPhrases) -> [String] {
    var texts: [String] = []
    phrases.bank.forEach { file in
      texts.append("\(String(decoding: file.text, as: UTF8.self)) \(file.threshold)")
      return true
    }
    return texts
  }

  @Test("what was learnt is there after a restart; learnt again it replaces the old one") func kept() throws {
    let phrases = try learnt()
    #expect(phrases.count == 0)
    try put("Hey Talon", threshold: 1, phrases)
    try put("Good board", threshold: 2, phrases)
    try put("hey, talon!", threshold: 3, phrases)
    #expect(texts(phrases) == ["good board 2.0", "hey talon 3.0"])
    #expect(texts(try learnt()) == ["good board 2.0", "hey talon 3.0"])
  }

  @Test("a phrase is forgotten by its name") func forgotten() throws {
    let phrases = try learnt()
    try put("one two", phrases)
    try put("three four", phrases)
    let known = try phrase("One two") { phrase in Result { try phrases.remove(phrase) } }?.get()
    let unknown = try phrase("five") { phrase in Result { try phrases.remove(phrase) } }?.get()
    #expect(known == true && unknown == false)
    #expect(texts(try learnt()) == ["three four 0.0"])
  }

  @Test("no more phrases are kept than can be listened for") func bounded() throws {
    let phrases = try learnt()
    for index in 0..<Budget.enrolledPhrases { try put("phrase \(index)", phrases) }
    var isFull = false
    do { try put("one more", phrases) } catch EnrolledError.full { isFull = true }
    #expect(isFull)
    try put("phrase 7", threshold: 1, phrases)
    #expect(phrases.count == Budget.enrolledPhrases)
  }

  @Test("what flash refuses is told, and what was known stays") func refused() throws {
    let phrases = try learnt()
    try put("one two", phrases)
    store.refuses = true
    #expect(throws: EnrolledError.self) { try self.put("three four", phrases) }
    #expect(texts(phrases) == ["one two 0.0"])
    #expect(throws: EnrolledError.self) { try phrases.read() }
    #expect(texts(phrases) == ["one two 0.0"])
  }
}
