import Runtime
import Testing

struct SyscallMemoryTests {
  private func write(_ file: Descriptor, _ bytes: [UInt8], at offset: Int64) throws {
    try bytes.withUnsafeBytes { try Syscall.writeAll(file, $0, at: offset) }
  }

  @Test("a file in memory holds what was written at each place, zeros between, and can be mapped")
  func places() throws {
    let file = try Syscall.memoryFile()
    defer { file.close() }
    try write(file, [7, 8, 9], at: 5_000)
    try write(file, [1, 2], at: 0)
    try write(file, [], at: 9_000)
    #expect(try Syscall.status(file).size == 5_003)
    let bytes = try Syscall.map(file, count: 5_003)
    defer { Syscall.unmap(bytes) }
    #expect(Array(bytes[..<4]) == [1, 2, 0, 0] && Array(bytes[4_999...]) == [0, 7, 8, 9])
    try write(file, [4], at: 5_001)
    #expect(bytes[5_001] == 4)
  }

  @Test("a place beyond 2 and 4 GiB is the same on boards of 32 bits")
  func farPlaces() throws {
    let file = try Syscall.memoryFile()
    defer { file.close() }
    for place in [Int64(Int32.max), Int64(UInt32.max) + 7] {
      try write(file, [3, 1], at: place)
      #expect(try Syscall.status(file).size == place + 2)
      var read: [UInt8] = [0, 0, 0]
      let count = try read.withUnsafeMutableBytes { try Syscall.readAll(file, into: $0, at: place) }
      #expect(count == 2 && read == [3, 1, 0])
    }
  }

  @Test("a call that fails is reported with its reason")
  func failures() throws {
    let refused = FaultInjector.record(fault: { _, name in name == "memfd" ? .tooManyOpenFiles : nil }) {
      #expect(throws: Errno.tooManyOpenFiles) { try Syscall.memoryFile() }
    }
    #expect(refused.calls.map(\.name) == ["memfd"] && refused.leaked.isEmpty)
    let file = try Syscall.memoryFile()
    defer { file.close() }
    _ = FaultInjector.record(fault: { _, name in name == "pwrite" ? .noSpace : nil }) {
      #expect(throws: Errno.noSpace) { try write(file, [1], at: 0) }
    }
    #expect(try Syscall.status(file).size == 0)
  }
}
