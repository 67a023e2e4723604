import Runtime
import Terminal

/// The PIN: without it the console shows only the board's status, and no output of commands.
extension ConsoleSession {
  var needsPIN: Bool { isLocked }

  func closeLock() {
    isLocked = !setup.pin.isEmpty
    lock = isLocked ? PinLock(pin: setup.pin, folder: setup.pinFolder, now: clock.monotonic) : nil
  }

  /// Nobody has typed for so long that another person may be there. A running command is ended: it could print what
  /// only those with the PIN may read, and would take lines of input.
  func lockAgain() {
    guard !isLocked, lock != nil else { return }
    if mode == .running { stopProgram() }
    isLocked = true
    mode = .status
    display.pane.clear()
    editor.clear()
  }

  /// Milliseconds until a PIN is accepted again.
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
