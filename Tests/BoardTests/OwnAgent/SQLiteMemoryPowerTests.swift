import Foundation
import Runtime
import Testing

@testable import Board
@testable import OwnAgent

extension SQLiteMemoryTests {
  @Test("whatever part of the last writes reached the card, the memory has whole transactions, in their order")
  func powerCut() throws {
    let bench = try SQLiteMemoryBench()
    _ = try bench.memory.open()
    for index in 0..<12 {
      try bench.add(
        .conversation(.person, at: Int64(index)), "entry \(index) " + String(repeating: "x", count: index * 300))
    }
    try bench.inTransaction { _ = try bench.memory.remove(3) }
    let (main, log) = (bench.bytes(), bench.bytes("-wal"))
    #expect(log.count > 12 * 4096)
    bench.memory.close()
    let cut = try SQLiteMemoryBench()
    var most = 0
    for end in Swift.stride(from: 0, through: log.count, by: 5_003) + [log.count] {
      for isTorn in [false, true] {
        try cut.write(main)
        // Torn: the length is on the card, and what was to stand there is not.
        try cut.write(isTorn ? log[..<end] + [UInt8](repeating: 0, count: log.count - end) : Array(log[..<end]), "-wal")
        let opening = try cut.reopen()
        #expect(opening == .opened || (opening == .fresh && most == 0), "\(end)")
        let texts = try cut.texts(.all(.conversation)).map { $0.split(separator: " ")[1] }
        let whole = (0..<12).map { Substring("\($0)") }
        #expect(texts == Array(whole.prefix(texts.count)) || texts == whole.filter { $0 != "2" }, "\(end)")
        #expect(texts.count >= most || texts.count == 11)
        if !isTorn { most = max(most, texts.count) }
        if !texts.isEmpty { #expect(try cut.found("entry").count == texts.count) }
        cut.memory.close()
      }
    }
    #expect(most == 12)
  }

  @Test("a worker's stack is enough for all that it does")
  func stack() throws {
    nonisolated(unsafe) let bench = try SQLiteMemoryBench()
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var count = 0
    let thread = Thread {
      count =
        (try? {
          _ = try bench.memory.open()
          for time in 0..<40 {
            try bench.add(
              .conversation(.person, at: Int64(time)), "word\(time) " + String(repeating: "x y ", count: 900))
          }
          let found = try bench.found((0..<24).map { "word\($0)" }.joined(separator: " ")).count
          try bench.memory.compact()
          try bench.memory.wipe()
          return try bench.reopen() == .opened ? found : 0
        }()) ?? -1
      done.signal()
    }
    thread.stackSize = Budget.workerStackBytes
    thread.start()
    done.wait()
    #expect(count == 24)
  }

  @Test("a process that is killed while it writes leaves whole entries, all that it has told of")
  func killed() throws {
    let bench = try SQLiteMemoryBench(limit: 8 << 20)
    var told = 0
    for round in 0..<4 {
      let writer = Process()
      writer.executableURL = URL(fileURLWithPath: "/proc/self/exe")
      writer.arguments = ["--testing-library", "swift-testing", "--filter", "SQLiteMemoryTests/victim"]
      writer.environment = ProcessInfo.processInfo.environment.merging(["TALON_MEMORY_VICTIM": bench.path]) { $1 }
      writer.standardOutput = FileHandle.nullDevice
      writer.standardError = FileHandle.nullDevice
      try writer.run()
      let deadline = Date().addingTimeInterval(30)
      let enough = told + 20 + 17 * round
      while writer.isRunning, Date() < deadline, self.told(bench) < enough { usleep(2000) }
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
      #expect(writer.terminationReason == .uncaughtSignal, "round \(round)")
      told = self.told(bench)
      #expect(told >= enough)
      #expect([.opened, .fresh].contains(try bench.reopen()))
      let texts = try bench.texts(.all(.conversation))
      #expect(texts.count >= told && texts.count <= told + 1)
      #expect(texts == (0..<texts.count).map { "\($0) " + String(repeating: "y", count: $0 % 3000) })
      #expect(try bench.found("\(told - 1)").contains(Int64(told)))
      bench.memory.close()
    }
  }

  private func told(_ bench: SQLiteMemoryBench) -> Int {
    FileManager.default.contents(atPath: bench.path + ".told").map { $0.count } ?? 0
  }

  /// The process that is killed: writes entries, and a byte into another file after each.
  @Test("writes until it is killed", .enabled(if: ProcessInfo.processInfo.environment["TALON_MEMORY_VICTIM"] != nil))
  func victim() throws {
    let path = ProcessInfo.processInfo.environment["TALON_MEMORY_VICTIM"] ?? ""
    let memory = try SQLiteMemory(path: path, limit: 8 << 20)
    _ = try memory.open()
    let told = try Syscall.open(Path(path + ".told"), [.write, .create])
    var count = try memory.count()
    _ = lseek(told.number, 0, SEEK_END)
    // An entry may be in the memory that was not told of any more.
    while (FileManager.default.contents(atPath: path + ".told")?.count ?? 0) < count { try Syscall.writeAll(told, [1]) }
    while count < 4000 {
      let text = Array("\(count) ".utf8) + [UInt8](repeating: 0x79, count: count % 3000)
      try SQLiteMemoryBench.add(memory, .conversation(.person, at: Int64(count)), text)
      try Syscall.writeAll(told, [1])
      count += 1
    }
  }
}

extension Syscall {
  fileprivate static func writeAll(_ file: Descriptor, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try writeAll(file, $0) }
  }
}
