import OwnAgent
import Runtime

/// The way from the node to the process of the board's own agent: a stream socket that systemd holds
/// (`talon-agent.socket`). The connection stays; what there is no room for waits at the delegate.
public final class AgentSocket: AgentLink, DescriptorHandler {
  /// Where the socket is.
  public static let usualPath = "/run/talon-agent.socket"

  private let path: Path
  private let loop: Loop
  private var socket: Descriptor?
  private var watched = Readiness.readable
  /// Lives until the connection has ended.
  private unowned(unsafe) var delegate: (any AgentLinkDelegate)?

  /// A way that is used later; nothing is opened before.
  @export(interface)
  public init(path: String = usualPath, loop: Loop) throws(Errno) {
    self.path = try Path(path)
    self.loop = loop
  }

  public func open(_ delegate: any AgentLinkDelegate) -> Bool {
    guard socket == nil else { return false }
    do throws(Errno) {
      let socket = try Syscall.localSocket()
      do throws(Errno) {
        try Syscall.connect(socket, to: path)
        try loop.watch(socket, for: .readable, self)
      } catch {
        socket.close()
        throw error
      }
      self.socket = socket
      self.delegate = delegate
      watched = .readable
      return true
    } catch {
      return false
    }
  }

  public func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let socket, !bytes.isEmpty else { return 0 }
    var count = 0
    do throws(Errno) {
      count = try Syscall.send(socket, bytes)
    } catch {
      // Of a connection that has failed the loop tells.
      guard error == .wouldBlock else { return 0 }
    }
    if count < bytes.count { watch([.readable, .writable]) }
    return count
  }

  public func close() {
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
    delegate = nil
  }

  private func watch(_ readiness: Readiness) {
    guard let socket, readiness != watched else { return }
    do throws(Errno) {
      try loop.change(socket, to: readiness)
      watched = readiness
    } catch {
      // Without it nothing more would be sent.
      Syscall.finishWriting(socket)
    }
  }

  // MARK: DescriptorHandler

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.writable) {
      watch(.readable)
      delegate?.agentLinkIsWritable()
    }
    // The delegate may have closed it.
    guard socket == descriptor, !readiness.isDisjoint(with: [.readable, .failed]) else { return }
    receive(descriptor)
  }

  private func receive(_ socket: Descriptor) {
    guard let delegate else { return }
    let room = delegate.agentLinkRoom()
    guard !room.isEmpty else { return lose() }
    do throws(Errno) {
      let count = try Syscall.receiveStream(socket, into: room)
      if count == 0 { return lose() }
      delegate.agentLinkReceived(count)
    } catch {
      if error != .wouldBlock { lose() }
    }
  }

  private func lose() {
    let delegate = delegate
    close()
    delegate?.agentLinkLost()
  }
}
