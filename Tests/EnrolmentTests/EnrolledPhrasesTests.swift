import CLinux
import Enrolment
import Foundation
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

  private func learned() throws -> EnrolledPhrases {
    let phrases = EnrolledPhrases(store)
    try phrases.read()
    return phrases
  }

  private func put(
    _ text: String, threshold: Float = 0, as origin: EnrolledPhrases.Origin = .recordings, keeping: [String] = [],
    _ phrases: EnrolledPhrases
  ) throws {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let weights = FloatTable(count: WakeDetector.weights)
    _ = phrase(text) { PhraseFile.write($0, threshold: threshold, bias: 0, weights: weights.floats, into: bytes) }
    try phrases.put(try PhraseFile(UnsafeRawBufferPointer(bytes)), as: origin) {
      keeping.contains(String(decoding: $0, as: UTF8.self))
    }
  }

  private func texts(_ phrases: EnrolledPhrases) -> [String] {
    var texts: [String] = []
    phrases.bank.forEach { file in
      texts.append("\(String(decoding: file.text, as: UTF8.self)) \(file.threshold)")
      return true
    }
    return texts
  }

  @Test("what was learned is there after a restart; learned again it replaces the old one") func kept() throws {
    let phrases = try learned()
    #expect(phrases.count == 0)
    try put("Hey Talon", threshold: 1, phrases)
    try put("Good board", threshold: 2, phrases)
    try put("hey, talon!", threshold: 3, phrases)
    #expect(texts(phrases) == ["good board 2.0", "hey talon 3.0"])
    #expect(texts(try learned()) == ["good board 2.0", "hey talon 3.0"])
  }

  @Test("a phrase is forgotten by its name") func forgotten() throws {
    let phrases = try learned()
    try put("one two", phrases)
    try put("three four", phrases)
    let known = try phrase("One two") { phrase in Result { try phrases.remove(phrase) } }?.get()
    let unknown = try phrase("five") { phrase in Result { try phrases.remove(phrase) } }?.get()
    #expect(known == true && unknown == false)
    #expect(texts(try learned()) == ["three four 0.0"])
  }

  @Test("no more phrases are kept than can be listened for") func bounded() throws {
    let phrases = try learned()
    for index in 0..<Budget.enrolledPhrases { try put("phrase \(index)", phrases) }
    var isFull = false
    do { try put("one more", phrases) } catch EnrolledError.full { isFull = true }
    #expect(isFull)
    try put("phrase 7", threshold: 1, phrases)
    #expect(phrases.count == Budget.enrolledPhrases)
  }

  @Test("what flash refuses is reported, and what was known stays") func refused() throws {
    let phrases = try learned()
    try put("one two", phrases)
    store.refuses = true
    #expect(throws: EnrolledError.self) { try self.put("three four", phrases) }
    #expect(texts(phrases) == ["one two 0.0"])
    #expect(throws: EnrolledError.self) { try phrases.read() }
    #expect(texts(phrases) == ["one two 0.0"])
  }

  private func origin(_ text: String, _ phrases: EnrolledPhrases) -> EnrolledPhrases.Origin? {
    phrase(text) { phrases.origin(of: $0) } ?? nil
  }

  @Test("how a phrase was learned is known after a restart") func origins() throws {
    let phrases = try learned()
    try put("one two", as: .spelling, phrases)
    try put("three four", phrases)
    try put("five six", as: .spelling, phrases)
    for phrases in [phrases, try learned()] {
      #expect(origin("one two", phrases) == .spelling && origin("three four", phrases) == .recordings)
      #expect(origin("five six", phrases) == .spelling && origin("seven", phrases) == nil)
    }
    _ = try phrase("one two") { phrase in Result { try phrases.remove(phrase) } }?.get()
    #expect(try origin("three four", learned()) == .recordings && origin("five six", learned()) == .spelling)
  }

  @Test("a spelling never replaces recordings, and recordings replace a spelling") func precedence() throws {
    let phrases = try learned()
    try put("one two", threshold: 1, phrases)
    var isRefused = false
    do { try put("one two", threshold: 2, as: .spelling, phrases) } catch EnrolledError.recorded { isRefused = true }
    #expect(try isRefused && texts(learned()) == ["one two 1.0"])
    try put("three four", threshold: 1, as: .spelling, phrases)
    try put("three four", threshold: 2, as: .spelling, phrases)
    try put("three four", threshold: 3, phrases)
    #expect(
      try texts(learned()) == ["one two 1.0", "three four 3.0"] && origin("three four", learned()) == .recordings)
  }

  @Test("without room, the oldest unused spelling is removed") func eviction() throws {
    let phrases = try learned()
    for index in 0..<Budget.enrolledPhrases {
      try put("phrase \(index)", as: 2...4 ~= index ? .spelling : .recordings, phrases)
    }
    try put("new one", as: .spelling, keeping: ["phrase 2"], phrases)
    #expect(
      origin("phrase 2", phrases) == .spelling && origin("phrase 3", phrases) == nil
        && origin("phrase 4", phrases) == .spelling)
    try put("my voice", phrases)
    #expect(origin("phrase 2", phrases) == nil && phrases.count == Budget.enrolledPhrases)
    var isFull = false
    do { try put("another", as: .spelling, keeping: ["phrase 4", "new one"], phrases) } catch EnrolledError.full {
      isFull = true
    }
    #expect(isFull && phrases.count == Budget.enrolledPhrases)
  }

  @Test("what another program has kept meanwhile stays") func shared() throws {
    let (mine, other) = (try learned(), try learned())
    try put("one two", other)
    try put("three four", as: .spelling, mine)
    #expect(texts(try learned()) == ["one two 0.0", "three four 0.0"])
    #expect(throws: EnrolledError.self) { try self.put("one two", as: .spelling, mine) }
  }

  @Test("a record of an older release is all recordings; a mark that is cut off marks nothing") func older() throws {
    let phrases = try learned()
    try put("one two", as: .spelling, phrases)
    let record = try #require(store.record)
    store.record = Array(record.dropLast(12))
    #expect(try origin("one two", learned()) == .recordings)
    store.record = Array(record.dropLast(1))
    #expect(try origin("one two", learned()) == .recordings && texts(learned()) == ["one two 0.0"])
  }

  @Test("phrases of a version that is not known are reported like torn ones, and give way to the next that is learnt")
  func outdated() throws {
    let phrases = try learned()
    try put("hey talon", phrases)
    store.record?[8] = 1
    #expect(throws: EnrolledError.self) { _ = try self.learned() }
    try put("good board", phrases)
    #expect(texts(try learned()) == ["good board 0.0"])
  }

  @Test("two programs never change it at once") func locked() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-enrolled-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try FileStore(folder: folder.path, recordBytes: Budget.wakeBankBytes)
    let other = try FileLock(folder.path + "/lock")
    let phrases = EnrolledPhrases(files, lock: try FileLock(folder.path + "/lock"))
    try other.take(milliseconds: 0)
    var isBusy = false
    do { try put("one two", phrases) } catch EnrolledError.busy { isBusy = true }
    #expect(isBusy && phrases.count == 0)
    other.release()
    try put("one two", phrases)
    try put("three four", phrases)
    #expect(phrases.count == 2)
  }

  @Test("power that goes at any step leaves the old phrases or the new, each with its mark") func powerCuts() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-enrolled-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var (step, wasWhole) = (0, false)
    while !wasWhole, step < 200 {
      try? FileManager.default.removeItem(at: folder)
      let files = try FileStore(folder: folder.path, recordBytes: Budget.wakeBankBytes)
      let phrases = EnrolledPhrases(files)
      try put("my voice", phrases)
      try put("old typed", as: .spelling, phrases)
      let cut = PowerCut(after: step)
      do {
        try put("new typed", as: .spelling, phrases)
        wasWhole = true
      } catch is EnrolledError {}
      cut.end()
      let after = EnrolledPhrases(files)
      try after.read()
      #expect(origin("my voice", after) == .recordings && origin("old typed", after) == .spelling)
      #expect(after.count == 2 || origin("new typed", after) == .spelling)
      step += 1
    }
    #expect(wasWhole && step > 5)
  }
}

/// From some call of this thread on none succeeds.
private final class PowerCut {
  private var left: Int

  init(after calls: Int) {
    left = calls
    tl_interpose_thread(
      { context, _, _ in
        let cut = Unmanaged<PowerCut>.fromOpaque(context!).takeUnretainedValue()
        cut.left -= 1
        return cut.left < 0 ? 5 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func end() { tl_interpose_thread(nil, nil) }
}
