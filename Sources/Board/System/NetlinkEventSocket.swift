import Runtime

/// Processes the kernel's events for a watcher.
protocol NetlinkEventReader: AnyObject {
  /// Processes one datagram, valid during the call. An empty one came from another process and is ignored.
  func take(_ datagram: Span<UInt8>)
  /// The kernel's queue overflowed and events were lost.
  func newsLost()
  /// The burst of changes reported to `NetlinkEventSocket.changed` is over.
  func newsSettled()
}

/// A socket with change events of the kernel (`netlink(7)`), which combines bursts of changes.
final class NetlinkEventSocket: DescriptorHandler, TimerHandler {
  /// Most datagrams read in one turn of the loop.
  private static let datagramsPerTurn = 16

  /// The open socket.
  private(set) var descriptor: Descriptor?

  private let loop: Loop
  private let clock: any Clock
  private let settle: Int64
  private let buffer: FixedBuffer
  private var isSettling = false
  /// Outlives the socket: it closes it in deinit.
  private unowned(unsafe) var reader: (any NetlinkEventReader)! = nil

  /// - Parameters:
  ///   - bytes: longest datagram.
  ///   - settle: milliseconds from the first change of a burst until it is reported.
  init(loop: Loop, clock: any Clock, bytes: Int, settle: Int64) {
    self.loop = loop
    self.clock = clock
    self.settle = settle
    buffer = FixedBuffer(capacity: bytes)
  }

  /// Takes over an open socket; an error closes it.
  func open(_ socket: Descriptor, _ reader: any NetlinkEventReader) throws(Errno) {
    close()
    do throws(Errno) {
      try loop.watch(socket, for: .readable, self)
    } catch {
      socket.close()
      throw error
    }
    self.reader = reader
    descriptor = socket
  }

  /// Closes the socket. Harmless when it is closed.
  func close() {
    isSettling = false
    loop.cancelTimer(TimerID(0), of: self)
    guard let descriptor else { return }
    loop.unwatch(descriptor)
    descriptor.close()
    self.descriptor = nil
  }

  /// Reports a change when the burst is over.
  func changed() {
    if isSettling { return }
    isSettling = true
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + settle)
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for _ in 0..<Self.datagramsPerTurn {
      do throws(Errno) {
        let count = try Syscall.receiveNetlink(descriptor, into: buffer.bytes)
        reader.take(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count])))
      } catch {
        if error != .wouldBlock { reader.newsLost() }
        return
      }
    }
  }

  func timerFired(_ id: TimerID) {
    isSettling = false
    reader.newsSettled()
  }
}
