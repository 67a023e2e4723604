import Runtime

/// The last lines that were entered, in memory that is allocated once.
struct LineHistory: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private let lengths: UnsafeMutableBufferPointer<Int>
  private var newest = -1
  private(set) var count = 0

  init() {
    storage = .allocate(capacity: Budget.consoleHistoryLines * Budget.consoleHistoryLineBytes)
    storage.initialize(repeating: 0)
    lengths = .allocate(capacity: Budget.consoleHistoryLines)
    lengths.initialize(repeating: 0)
  }

  deinit {
    storage.deallocate()
    lengths.deallocate()
  }

  /// Adds a line, unless it equals the last one or is too long. The oldest is overwritten.
  mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
    guard !line.isEmpty, line.count <= Budget.consoleHistoryLineBytes, !isLast(line) else { return }
    newest = (newest + 1) % lengths.count
    count = min(count + 1, lengths.count)
    lengths[newest] = line.count
    for index in 0..<line.count { storage[start(newest) + index] = line[index] }
  }

  /// The line that was added `age` lines before the last one.
  func line(_ age: Int) -> UnsafeBufferPointer<UInt8> {
    let slot = (newest - age + lengths.count) % lengths.count
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage)[start(slot)..<start(slot) + lengths[slot]])
  }

  private func start(_ slot: Int) -> Int { slot * Budget.consoleHistoryLineBytes }

  private func isLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count > 0 else { return false }
    let last = line(0)
    guard last.count == text.count else { return false }
    for index in 0..<last.count where last[index] != text[index] { return false }
    return true
  }
}
