import Programs
import Runtime

/// A service for programs that does what the test says.
final class MemoryPrograms: ProgramLink {
  /// The command lines that were begun, and their milliseconds.
  private(set) var begun: [(words: [String], milliseconds: Int64)] = []
  private(set) var cancelled = 0
  private var delegate: (any ProgramDelegate)?
  var isThere = true
  /// Paths that this board has.
  var installed: Set<String> = []
  /// Keeps no account of the words, which takes memory.
  var isForgetful = false

  var isRunning: Bool { delegate != nil }

  func begin(
    _ words: UnsafeBufferPointer<UInt8>, milliseconds: Int64, _ delegate: any ProgramDelegate
  ) -> Bool {
    precondition(self.delegate == nil, "one run at a time")
    guard isThere else { return false }
    if !isForgetful { begun.append((RunMessage.words(words) ?? [], milliseconds)) }
    self.delegate = delegate
    return true
  }

  func cancel() {
    cancelled += 1
    delegate = nil
  }

  var hasService: Bool { isThere }

  func isInstalled(_ path: String) -> Bool { installed.contains(path) }

  func write(_ text: [UInt8], isError: Bool = false) {
    text.withUnsafeBufferPointer { delegate?.programWrote($0, isError: isError) }
  }

  func write(_ text: String, isError: Bool = false) { write(Array(text.utf8), isError: isError) }

  func cut() { delegate?.programCut() }

  func refuse(_ sentence: String) {
    sentence.withBytes { delegate?.programRefused($0) }
    end(.refused)
  }

  func end(_ verdict: ProgramVerdict) {
    let delegate = delegate
    self.delegate = nil
    delegate?.programEnded(verdict)
  }
}
