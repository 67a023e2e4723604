import CLinux
import Runtime

/// Told when the text console goes and comes, on the loop's thread.
protocol TextConsoleDelegate: AnyObject {
  /// Another console is asked for: draw no more. It is shown when this returns.
  func consoleLeaves()
  /// Ours is shown again.
  func consoleReturns()
}

/// The text console that shares the screen (console_ioctl(4)): while it is taken the kernel shows no text and no cursor, and
/// what is typed reaches no shell. It is given back when the program ends, and when it crashes.
final class TextConsole: DescriptorHandler {
  private let file: Descriptor
  private let signals: Descriptor
  private let loop: Loop
  private unowned(unsafe) var delegate: any TextConsoleDelegate

  /// Takes the console that is shown.
  /// - Throws: `ENOENT` when the kernel has no consoles.
  init(root: String, loop: Loop, _ delegate: any TextConsoleDelegate) throws(Errno) {
    self.loop = loop
    self.delegate = delegate
    file = try Self.openShown(root)
    do throws(Errno) {
      signals = Descriptor(Int32(try Self.value(tl_console_signals())))
    } catch {
      file.close()
      throw error
    }
    do throws(Errno) {
      try loop.watch(signals, for: .readable, self)
      _ = try Self.value(tl_console_take(file.number))
    } catch {
      loop.unwatch(signals)
      signals.close()
      file.close()
      throw error
    }
  }

  private static func openShown(_ root: String) throws(Errno) -> Descriptor {
    let any = try Syscall.open(try Path("\(root)/dev/tty0"), [.readWrite, .nonBlocking, .noControllingTerminal])
    defer { any.close() }
    let number = try value(tl_console_shown(any.number))
    // Becomes the terminal of a session that has none: then the kernel lets it be taken without further rights.
    return try Syscall.open(try Path("\(root)/dev/tty\(number)"), [.readWrite, .nonBlocking])
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

  /// Asks for another console by its number: the keyboard that would is silent.
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
