import Programs
import Runtime

/// The way to the service that systemd starts for each connection (`talon-run.socket`). The service ends the program,
/// and systemd all that it has begun, when the connection ends.
public final class ProgramSocket: ProgramLink, DescriptorHandler {
  /// Where the socket is.
  public static let usualPath = "/run/talon-run.socket"

  private let path: Path
  private let loop: Loop
  private let request = FixedBuffer(capacity: RunMessage.headBytes + Budget.runCommandBytes)
  private var reader = RunFrameReader()
  private var socket: Descriptor?
  /// Lives until the run has ended.
  private unowned(unsafe) var delegate: (any ProgramDelegate)?

  /// A way that is used later; nothing is opened before.
  @export(interface)
  public init(path: String = usualPath, loop: Loop) throws(Errno) {
    self.path = try Path(path)
    self.loop = loop
  }

  /// To connect would start an instance of the service.
  public var hasService: Bool {
    do throws(Errno) { return try Syscall.status(path).isSocket } catch { return false }
  }

  public func isInstalled(_ path: String) -> Bool {
    do throws(Errno) {
      let status = try Syscall.status(Path(path))
      return !status.isFolder && status.mode & 0o111 != 0
    } catch {
      return false
    }
  }

  public func begin(
    _ words: UnsafeBufferPointer<UInt8>, milliseconds: Int64, _ delegate: any ProgramDelegate
  ) -> Bool {
    guard socket == nil, words.count <= Budget.runCommandBytes else { return false }
    RunMessage.writeHead(words: words.count, milliseconds: milliseconds, into: request.bytes)
    for index in 0..<words.count { request.bytes[RunMessage.headBytes + index] = words[index] }
    reader.reset()
    do throws(Errno) {
      let socket = try Syscall.localSocket()
      do throws(Errno) {
        try Syscall.connect(socket, to: path)
        try send(
          socket,
          UnsafeBufferPointer(rebasing: UnsafeBufferPointer(request.bytes)[..<(RunMessage.headBytes + words.count)]))
        try loop.watch(socket, for: .readable, self)
      } catch {
        socket.close()
        throw error
      }
      self.socket = socket
      self.delegate = delegate
      return true
    } catch {
      return false
    }
  }

  /// A new connection has room for a request (socket(7), wmem_default); a short write is a failure.
  private func send(_ socket: Descriptor, _ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    guard try Syscall.send(socket, bytes) == bytes.count else { throw .noBufferSpace }
  }

  public func cancel() {
    close()
    delegate = nil
  }

  private func close() {
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    do throws(Errno) {
      let count = try Syscall.receiveStream(descriptor, into: reader.room())
      if count == 0 { return end(.lost) }
      reader.wrote(count)
    } catch {
      if error != .wouldBlock { end(.lost) }
      return
    }
    // A delegate may cancel in the middle.
    while socket != nil, let frame = reader.next() { take(frame) }
    if reader.isBroken { end(.lost) }
  }

  private func take(_ frame: RunFrameReader.Frame) {
    switch frame {
    case .number(let kind, let number): end(kind == .exited ? .exited(number) : .signal(number))
    case .bytes(let kind, let bytes):
      switch kind {
      case .output: delegate?.programWrote(bytes, isError: false)
      case .errors: delegate?.programWrote(bytes, isError: true)
      case .cut: delegate?.programCut()
      case .refused:
        delegate?.programRefused(bytes)
        end(.refused)
      case .timedOut: end(.timedOut)
      // Numbers are not among these, and a run has no input.
      case .begun, .exited, .signal: return
      }
    }
  }

  private func end(_ verdict: ProgramVerdict) {
    guard socket != nil, let delegate else { return }
    close()
    self.delegate = nil
    delegate.programEnded(verdict)
  }
}
