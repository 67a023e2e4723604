import Hands
import Runtime

/// A serial line of the board (termios(3), raw), for requests of the agent. It stays open between them: opening the
/// port of many boards restarts what is connected to it.
public final class SerialToolLine: SerialLine {
  private let path: Path
  private let baud: UInt32
  private let framing: SerialFraming
  private var port: Descriptor?

  /// A closed line. `baud` must be a rate that termios has. Throws when the path is too long.
  @export(interface)
  public init(path: String, baud: UInt32, framing: SerialFraming) throws(Errno) {
    self.path = try Path(path)
    self.baud = baud
    self.framing = framing
  }

  deinit { close() }

  public func send(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    let port = try open()
    try Syscall.discardInput(port)
    try Syscall.writeAll(port, UnsafeRawBufferPointer(bytes))
  }

  public func receive(into bytes: UnsafeMutableBufferPointer<UInt8>, milliseconds: Int64) throws(Errno) -> Int {
    guard let port else { throw .inputOutput }
    guard try Syscall.waitReadable(port, or: nil, milliseconds: Int32(clamping: milliseconds)).ready else { return 0 }
    let count = try Syscall.read(port, into: UnsafeMutableRawBufferPointer(bytes))
    // A raw port (VMIN and VTIME 0) that is readable and has nothing was unplugged.
    guard count > 0 else { throw .inputOutput }
    return count
  }

  public func close() {
    port?.close()
    port = nil
  }

  private func open() throws(Errno) -> Descriptor {
    if let port { return port }
    let opened = try Syscall.open(path.cString, [.readWrite, .nonBlocking, .noControllingTerminal])
    do throws(Errno) {
      try Syscall.makeSerialRaw(opened, baud: baud)
      let parity: Int32 = framing.parity == .none ? 0 : framing.parity == .odd ? 1 : 2
      try Syscall.setSerialFraming(
        opened, dataBits: Int32(framing.dataBits), parity: parity, stopBits: Int32(framing.stopBits))
    } catch {
      opened.close()
      throw error
    }
    port = opened
    return opened
  }
}
