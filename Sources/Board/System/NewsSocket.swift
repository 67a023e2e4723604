import Runtime

/// What a watcher makes of the kernel's news.
protocol NewsReader: AnyObject {
  /// Takes one datagram, valid during the call. An empty one came from another process and counts for nothing.
  func take(_ datagram: Span<UInt8>)
  /// Some news did not fit the kernel's queue.
  func newsLost()
  /// What `NewsSocket.changed` was called for has settled.
  func newsSettled()
}

/// A socket on which the kernel tells of changes (`netlink(7)`), and the pause in which a burst of them gathers.
final class NewsSocket: DescriptorHandler, TimerHandler {
  /// Datagrams taken before the loop gets its turn.
  private static let datagramsPerTurn = 16

  /// The open socket.
  private(set) var descriptor: Descriptor?

  private let loop: Loop
  private let clock: any Clock
  private let settle: Int64
  private let buffer: FixedBuffer
  private var isSettling = false
  /// Outlives the socket: it closes it before it goes.
  private unowned(unsafe) var reader: (any NewsReader)! = nil

  /// - Parameters:
  ///   - bytes: longest datagram.
  ///   - settle: milliseconds from the first change of a burst until it is told.
  init(loop: Loop, clock: any Clock, bytes: Int, settle: Int64) {
    self.loop = loop
    self.clock = clock
    self.settle = settle
    buffer = FixedBuffer(capacity: bytes)
  }

  /// Takes over an open socket; an error closes it.
  func open(_ socket: Descriptor, _ reader: any NewsReader) throws(Errno) {
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

  /// Nothing more is told. Harmless when nothing is open.
  func close() {
    isSettling = false
    loop.cancelTimer(TimerID(0), of: self)
    guard let descriptor else { return }
    loop.unwatch(descriptor)
    descriptor.close()
    self.descriptor = nil
  }

  /// Something changed: it is told when the burst is over.
  func changed() {
    if isSettling { return }
    isSettling = true
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + settle)
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for _ in 0..<Self.datagramsPerTurn {
      do throws(Errno) {
        let count = try Syscall.receiveNews(descriptor, into: buffer.bytes)
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
