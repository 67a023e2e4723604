import Foundation
import Glibc
import Runtime

/// The other end of a serial line: the master of a pseudo-terminal, with a name in a folder that stays the same when
/// the receiver is plugged in again.
final class SerialTerminal {
  /// Where the port finds the line.
  let path: String
  private var master: Int32 = -1
  /// `FIONREAD`, `TIOCSPTLCK` and `TIOCGPTN` of ioctl_tty(2).
  private static let bytesWaiting: UInt = 0x541B
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init() { path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).tty").path }

  deinit { unplug() }

  /// Makes the line appear.
  func plug() {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    precondition(master >= 0)
    var locked: Int32 = 0
    precondition(ioctl(master, SerialTerminal.setLock, &locked) == 0)
    var number: UInt32 = 0
    precondition(ioctl(master, SerialTerminal.getNumber, &number) == 0)
    precondition(symlink("/dev/pts/\(number)", path) == 0)
  }

  /// Makes something else stand where the line was.
  func point(to other: String) {
    unlink(path)
    precondition(symlink(other, path) == 0)
  }

  /// Makes the line hang up and disappear.
  func unplug() {
    unlink(path)
    if master >= 0 { close(master) }
    master = -1
  }

  /// What the receiver sends; returns when it has arrived. The kernel carries it over in its own time.
  func send(_ text: String) {
    let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    precondition(line >= 0)
    defer { close(line) }
    let bytes = Array(text.utf8)
    let wanted = waiting(line) + Int32(bytes.count)
    precondition(write(master, bytes, bytes.count) == bytes.count)
    while waiting(line) < wanted { usleep(100) }
  }

  /// How many bytes wait to be read.
  private func waiting(_ line: Int32) -> Int32 {
    var count: Int32 = 0
    precondition(ioctl(line, SerialTerminal.bytesWaiting, &count) == 0)
    return count
  }
}
