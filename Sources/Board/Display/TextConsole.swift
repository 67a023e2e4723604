import CLinux
import Runtime

/// Gets switches of the text console, on the loop's thread.
protocol TextConsoleDelegate: AnyObject {
  /// Another console was requested: stop drawing. It is shown when this returns.
  func consoleLeaves()
  /// This console is shown again.
  func consoleReturns()
}

/// The text console that shares the screen (console_ioctl(4)): while it is taken the kernel shows no text and no
/// cursor, and typed keys reach no shell. It is restored when the program ends, and when it crashes.
///
/// With the right to it, the visible console is taken. A service lacks that right because the visible console belongs
/// to a login; it takes a console of its own (systemd/talon.rules) and switches to it.
final class TextConsole: DescriptorHandler {
  /// The service's console: neither one with a login (1 to 6), nor the usual one of desktops (7).
  static let ownNumber: Int32 = 8
  /// The console with a login, to switch to when the service's console was left by a killed run.
  static let loginNumber: Int32 = 1

  private let file: Descriptor
  private let signals: Descriptor
  private let loop: Loop
  private unowned(unsafe) var delegate: any TextConsoleDelegate

  /// Takes a console.
  /// - Throws: `ENOENT` when the kernel has no consoles.
  init(root: String, loop: Loop, _ delegate: any TextConsoleDelegate) throws(Errno) {
    self.loop = loop
    self.delegate = delegate
    // Before a console is taken: the kernel reports switches by these signals.
    signals = Descriptor(Int32(try Self.value(tl_console_signals())))
    do throws(Errno) {
      file = try Self.take(root)
    } catch {
      signals.close()
      throw error
    }
    do throws(Errno) {
      try loop.watch(signals, for: .readable, self)
    } catch {
      tl_console_give_back(file.number)
      signals.close()
      file.close()
      throw error
    }
  }

  private static func take(_ root: String) throws(Errno) -> Descriptor {
    do throws(Errno) { return try takeShown(root) } catch {
      guard error == .accessDenied || error == .notPermitted else { throw error }
    }
    return try takeOwn(root)
  }

  private static func takeShown(_ root: String) throws(Errno) -> Descriptor {
    let any = try Syscall.open(try Path("\(root)/dev/tty0"), [.readWrite, .nonBlocking, .noControllingTerminal])
    defer { any.close() }
    let number = Int32(clamping: try value(tl_console_shown(any.number)))
    return try take(root, number, before: 0)
  }

  private static func takeOwn(_ root: String) throws(Errno) -> Descriptor {
    let own = try Syscall.open(try path(root, ownNumber), [.readWrite, .nonBlocking, .noControllingTerminal])
    defer { own.close() }
    let shown = Int32(clamping: try value(tl_console_shown(own.number)))
    return try take(root, ownNumber, before: shown == ownNumber ? loginNumber : shown)
  }

  private static func take(_ root: String, _ number: Int32, before: Int32) throws(Errno) -> Descriptor {
    // Makes it the controlling terminal of a session that has none: then the kernel allows taking it without further
    // rights.
    let file = try Syscall.open(try path(root, number), [.readWrite, .nonBlocking])
    do throws(Errno) {
      _ = try value(tl_console_take(file.number, number, before))
      return file
    } catch {
      file.close()
      throw error
    }
  }

  private static func path(_ root: String, _ number: Int32) throws(Errno) -> Path {
    try Path("\(root)/dev/tty\(number)")
  }

  private static func value(_ result: Int64) throws(Errno) -> Int64 {
    if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
    return result
  }

  func close() {
    tl_console_give_back(file.number)
    loop.unwatch(signals)
    signals.close()
    file.close()
  }

  /// Restores the service's console after a run that was killed: otherwise no text is shown, and no key switches away.
  /// - Returns: false when there is nothing to restore.
  static func release(root: String) throws(Errno) -> Bool {
    let file: Descriptor
    do throws(Errno) { file = try Syscall.open(try path(root, ownNumber), [.readWrite, .nonBlocking]) } catch {
      if isAbsent(error) { return false }
      throw error
    }
    defer { file.close() }
    return try value(tl_console_restore(file.number, ownNumber, loginNumber)) == 1
  }

  /// The kernel was built without consoles, or the board has none.
  static func isAbsent(_ error: Errno) -> Bool {
    error == .noSuchFile || error == .noSuchDeviceOrAddress || error == .noSuchDevice
  }

  /// Switches to another console by its number: the kernel does not see the keys for it.
  func show(_ number: Int32) { _ = tl_console_show(file.number, number) }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    while true {
      let signal = tl_next_signal(signals.number)
      if signal < 0 { return }
      if signal == Int64(TL_CONSOLE_RELEASE) {
        delegate.consoleLeaves()
        _ = tl_console_let_go(file.number)
      } else if signal == Int64(TL_CONSOLE_ACQUIRE) {
        _ = tl_console_taken(file.number)
        delegate.consoleReturns()
      }
    }
  }
}
