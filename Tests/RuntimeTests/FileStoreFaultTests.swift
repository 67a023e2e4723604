import Glibc
import Runtime
import Testing

/// The store while the kernel refuses, and while the power goes away: at every call, one after the other.
@Suite struct FileStoreFaultTests {
  /// What is on flash when a test begins.
  enum Past: CaseIterable {
    case nothing, oneGeneration, twoGenerations, tornCurrent, missingCurrent, interrupted

    /// Sets it up: "old" is the newest whole text in all of them but the first.
    func prepare() throws -> StoreUnderTest {
      let record = try StoreUnderTest()
      if self == .nothing { return record }
      if self == .twoGenerations { try record.save("older") }
      try record.save("old")
      switch self {
      case .nothing, .oneGeneration, .twoGenerations: break
      case .tornCurrent:
        try record.save("rotten")
        put([1, 2, 3], at: record.file())
      case .missingCurrent: rename(record.file(), record.file(".old"))
      case .interrupted:
        rename(record.file(), record.file(".new"))
        put([1, 2, 3], at: record.file())
        put([4], at: record.file(".old"))
      }
      return record
    }

    var text: String? { self == .nothing ? nil : "old" }
  }

  /// The number of calls of a save that succeeds.
  private func callsOfSave(after past: Past) throws -> Int {
    let record = try past.prepare()
    return FaultInjector.record {
      #expect(storeReason { () throws(StoreError) in try record.save("new") } == nil)
    }
    .calls.count
  }

  @Test("new contents are on flash before the old ones step aside, and the folder last")
  func order() throws {
    let record = try Past.twoGenerations.prepare()
    let injector = try FaultInjector.record { () throws(StoreError) in try record.save("new") }
    let steps = injector.calls.map(\.name)
    #expect(
      steps.suffix(9) == [
        "open", "write", "fsync", "close", "rename", "rename", "open", "fsync", "close",
      ])
    #expect(injector.calls.allSatisfy { $0.result >= 0 })
  }

  @Test("a folder that is made is itself on flash before a record is")
  func folder() throws {
    let folder = TemporaryFolder()
    let injector = try FaultInjector.record { () throws(StoreError) in
      _ = try FileStore(folder: folder.file("state"))
    }
    #expect(injector.calls.map(\.name) == ["mkdir", "open", "fsync", "close"])
    #expect(injector.leaked == [])
  }

  @Test(
    "a refused call loses nothing, leaves nothing open, and is told with its reason",
    arguments: Past.allCases, [Errno.inputOutput, .noSpace, .tooManyOpenFiles, Errno(30)])
  func refusal(past: Past, errno: Errno) throws {
    for index in 0..<(try callsOfSave(after: past)) {
      let record = try past.prepare()
      var failure: StoreError?
      let injector = FaultInjector.fail(index, errno) {
        failure = storeReason { () throws(StoreError) in try record.save("new") }
      }
      let refused = injector.calls[index].name
      #expect(failure == (refused == "close" ? nil : .system(errno)), "call \(index), \(refused)")
      #expect(injector.leaked == [], "call \(index), \(refused)")
      try expectWhole(record, past, isDone: failure == nil, "call \(index), \(refused)")
    }
  }

  @Test(
    "when the power goes at any step, the whole old or the whole new contents are found",
    arguments: Past.allCases)
  func powerCut(past: Past) throws {
    for step in 0..<(try callsOfSave(after: past)) {
      let record = try past.prepare()
      let injector = FaultInjector.fail(step, .inputOutput, isCut: true) {
        _ = storeReason { () throws(StoreError) in try record.save("new") }
      }
      try expectWhole(record, past, isDone: false, "cut at step \(step)")
      // What was not yet synced may be there in part: any part.
      guard !injector.calls.contains(where: { $0.name == "fsync" && $0.result == 0 }),
        let unsynced = contents(of: record.file(".new")), past != .interrupted
      else { continue }
      for length in 0...unsynced.count {
        put(Array(unsynced[..<length]), at: record.file(".new"))
        try expectWhole(record, past, isDone: false, "cut at step \(step), \(length) bytes written")
      }
    }
  }

  @Test("when the power goes a second time, in the repair, nothing is lost either", arguments: Past.allCases)
  func secondCut(past: Past) throws {
    for first in 0..<(try callsOfSave(after: past)) {
      for second in 0..<20 {
        let record = try past.prepare()
        for step in [first, second] {
          _ = FaultInjector.fail(step, .inputOutput, isCut: true) {
            _ = storeReason { () throws(StoreError) in try record.save("new") }
          }
        }
        try expectWhole(record, past, isDone: false, "cut at steps \(first) and \(second)")
      }
    }
  }

  @Test(
    "a refused call of a load is told with its reason, leaves nothing open, and harms nothing",
    arguments: Past.allCases)
  func loading(past: Past) throws {
    let record = try past.prepare()
    let calls = FaultInjector.record { _ = try? record.load() }.calls
    for index in calls.indices {
      var failure: StoreError?
      let injector = FaultInjector.fail(index, .inputOutput) {
        failure = storeReason { () throws(StoreError) in _ = try record.load() }
      }
      #expect(failure == (calls[index].name == "close" ? nil : .system(.inputOutput)))
      #expect(injector.leaked == [])
      try expectWhole(record, past, isDone: false, "load after a refusal")
    }
  }

  /// A fresh store finds the new text, or the old one if the save was not done.
  private func expectWhole(_ record: StoreUnderTest, _ past: Past, isDone: Bool, _ place: Comment) throws {
    let fresh = try StoreUnderTest(in: record.folder)
    let text = try fresh.load()?.text
    #expect(text == "new" || (!isDone && text == past.text), place)
  }
}
