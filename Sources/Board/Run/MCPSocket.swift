import Codec
import MCP
import Programs
import Runtime

/// The way to one of the owner's MCP servers: a connection to the service that systemd starts for each
/// (`talon-mcp.socket`), which begins the program of a section `[mcp NAME]`. It says the section's name, and no more of
/// what is to be run; then it carries lines to the program, and bytes of it back. The service ends the program, and
/// systemd all that it has begun, when the connection ends.
public final class MCPSocket: MCPLink, DescriptorHandler {
  /// Where the socket is.
  public static let usualPath = "/run/talon-mcp.socket"

  private let path: Path
  private let loop: Loop
  /// The request, which is the same each time; empty for what is no name of a section.
  private let request = FixedBuffer(capacity: ServerRequest.most)
  private let requestBytes: Int
  private var reader = RunFrameReader()
  /// Lines that the service had no room for: `sent` bytes of the first `used` have gone. Address space until then.
  private let waiting: ReservedBuffer
  private var (sent, used) = (0, 0)
  /// The line that the program writes to its standard error, and the last one that it has ended.
  private let errors = FixedBuffer(capacity: Budget.mcpErrorBytes)
  private var errorCount = 0
  private var lastWords = InlineText<160>()
  private var socket: Descriptor?
  /// Counts connections, for a delegate may close one and open another within its call.
  private var connection: UInt64 = 0
  private var isWatchingRoom = false
  /// Lives until `close`.
  private unowned(unsafe) var delegate: (any MCPLinkDelegate)?

  /// A way that is used later; nothing is opened before. `name`: of the section.
  @export(interface)
  public init(_ name: String, path: String = usualPath, loop: Loop) throws(Errno) {
    precondition(Budget.mcpErrorBytes == 160)
    self.path = try Path(path)
    self.loop = loop
    waiting = try ReservedBuffer(capacity: Budget.mcpWaitingBytes)
    let room = request.bytes
    requestBytes = name.withBytes { ServerRequest.write($0, into: room) ?? 0 }
  }

  // MARK: MCPLink

  public func open(_ delegate: any MCPLinkDelegate) -> Bool {
    guard socket == nil, requestBytes > 0 else { return false }
    reader.reset()
    lastWords.clear()
    errorCount = 0
    do throws(Errno) {
      let socket = try Syscall.localSocket()
      do throws(Errno) {
        try Syscall.connect(socket, to: path)
        // A new connection has room for a request (socket(7), wmem_default).
        let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(request.bytes)[..<requestBytes])
        guard try Syscall.send(socket, bytes) == requestBytes else { throw Errno.noBufferSpace }
        try loop.watch(socket, for: .readable, self)
      } catch {
        socket.close()
        throw error
      }
      self.socket = socket
      self.delegate = delegate
      connection &+= 1
      return true
    } catch {
      return false
    }
  }

  public func close() {
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
    delegate = nil
    isWatchingRoom = false
    forgetWaiting()
  }

  public func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard socket != nil, used - sent + line.count <= waiting.bytes.count else { return false }
    var rest = line
    if used == sent {
      guard let count = write(line) else { return false }
      if count == line.count { return true }
      rest = UnsafeBufferPointer(rebasing: line[count...])
    }
    keep(rest)
    watchRoom(true)
    return true
  }

  /// The loop tells of everything.
  public var nextDeadline: Int64? { nil }
  public func advance(to now: Int64) {}

  // MARK: Sending

  /// Sends what there is room for, and returns its bytes; nil when the connection has failed, of which the loop tells.
  private func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let socket else { return nil }
    do throws(Errno) { return try Syscall.send(socket, bytes) } catch { return error == .wouldBlock ? 0 : nil }
  }

  private func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let room = waiting.bytes.baseAddress, let from = bytes.baseAddress else { return }
    if used + bytes.count > waiting.bytes.count {
      room.update(from: room + sent, count: used - sent)
      (sent, used) = (0, used - sent)
    }
    (room + used).update(from: from, count: bytes.count)
    used += bytes.count
  }

  /// Sends what waits; its memory is given back when all has gone.
  private func flush() {
    while sent < used {
      let rest = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(waiting.bytes)[sent..<used])
      // Of a connection that has failed the loop tells.
      guard let count = write(rest), count > 0 else { return }
      sent += count
    }
    forgetWaiting()
    watchRoom(false)
  }

  private func forgetWaiting() {
    if used > 0 { waiting.release() }
    (sent, used) = (0, 0)
  }

  private func watchRoom(_ isWatched: Bool) {
    guard let socket, isWatched != isWatchingRoom else { return }
    do throws(Errno) {
      try loop.change(socket, to: isWatched ? [.readable, .writable] : .readable)
      isWatchingRoom = isWatched
    } catch {
      // What waits would never be sent.
      Syscall.finishWriting(socket)
    }
  }

  // MARK: Receiving

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    guard socket == descriptor, !readiness.isDisjoint(with: [.readable, .failed]) else { return }
    do throws(Errno) {
      let count = try Syscall.receiveStream(descriptor, into: reader.room())
      if count == 0 { return lose() }
      reader.wrote(count)
    } catch {
      if error != .wouldBlock { lose() }
      return
    }
    let connection = connection
    while isOpen(connection), let frame = reader.next() { receive(frame) }
    if isOpen(connection), reader.isBroken { lose() }
  }

  private func isOpen(_ connection: UInt64) -> Bool { socket != nil && self.connection == connection }

  private func receive(_ frame: RunFrameReader.Frame) {
    guard case .bytes(let kind, let bytes) = frame else { return }
    switch kind {
    case .begun: delegate?.linkOpened()
    case .output: delegate?.linkReceived(bytes)
    case .errors: receiveErrors(bytes)
    case .refused:
      lastWords = InlineText(cutting: Span(_unsafeElements: bytes))
      lose()
    // Of runs alone.
    case .cut, .exited, .signal, .timedOut: return
    }
  }

  /// Puts lines together, each cut to what is kept of one.
  private func receiveErrors(_ bytes: UnsafeBufferPointer<UInt8>) {
    let connection = connection
    for index in 0..<bytes.count {
      guard bytes[index] == 0x0A else {
        if errorCount < errors.bytes.count {
          errors.bytes[errorCount] = bytes[index]
          errorCount += 1
        }
        continue
      }
      endErrorLine()
      guard isOpen(connection) else { return }
    }
  }

  private func endErrorLine() {
    guard errorCount > 0 else { return }
    let line = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(errors.bytes)[..<errorCount])
    errorCount = 0
    lastWords = InlineText(cutting: Span(_unsafeElements: line))
    delegate?.linkComplained(line)
  }

  private func lose() {
    let connection = connection
    endErrorLine()
    guard isOpen(connection) else { return }
    let delegate = delegate
    close()
    lastWords.span.withUnsafeBufferPointer { delegate?.linkLost($0) }
  }
}
