import Runtime
import Terminal

/// The PIN: who has not typed it sees the board's state, and nothing that a command says.
extension ConsoleSession {
  var needsPIN: Bool { isLocked }

  func closeLock() {
    isLocked = !setup.pin.isEmpty
    lock = isLocked ? PinLock(pin: setup.pin, folder: setup.pinFolder, now: clock.monotonic) : nil
  }

  /// Nobody has typed for so long that somebody else may stand there. A command that runs is ended: it would go on saying what
  /// only who has the PIN may read, and take lines that it does not know of.
  func lockAgain() {
    guard !isLocked, lock != nil else { return }
    if mode == .running { stopProgram() }
    isLocked = true
    mode = .status
    display.pane.clear()
    editor.clear()
  }

  /// Milliseconds until a PIN is taken again.
  var lockPause: Int64 { max((lock?.opensAt ?? 0) - clock.monotonic, 0) }

  func tryPIN() {
    guard let lock, lockPause == 0 else { return ring() }
    if !editor.isDamaged, lock.opens(editor.line, now: clock.monotonic) {
      isLocked = false
      note = ""
    } else {
      ring()
      if display.isPlain { display.print("wrong PIN") }
    }
    editor.clear()
    draw()
  }
}
