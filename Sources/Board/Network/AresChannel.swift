import CCares
import Runtime

/// Gets progress of a c-ares channel.
protocol AresChannelDelegate: AnyObject {
  /// c-ares did some work and has returned, so the channel may be closed or queried here.
  func channelAdvanced(_ channel: AresChannel)
}

/// One c-ares channel on the loop: its sockets and timeouts. Opened anew for each query, so that a changed
/// `/etc/resolv.conf` takes effect at once.
final class AresChannel: DescriptorHandler, TimerHandler {
  private let loop: Loop
  private let clock: any Clock
  private var delegate: (any AresChannelDelegate)?
  /// The c-ares handle while open.
  private(set) var raw: ares_channel?

  init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
  }

  deinit { close() }

  /// Opens the channel; false when c-ares has no memory. Call `wait` after each query.
  /// - Parameter lookups: c-ares's lookup order, "f" for the hosts file only; nil for the system's configuration.
  func open(_ delegate: any AresChannelDelegate, lookups: StaticString? = nil) -> Bool {
    close()
    let context = Unmanaged.passUnretained(self).toOpaque()
    let changed: ares_sock_state_cb = { context, socket, readable, writable in
      let channel = Unmanaged<AresChannel>.fromOpaque(context!).takeUnretainedValue()
      channel.watch(Descriptor(socket), readable: readable != 0, writable: writable != 0)
    }
    raw = tl_ares_channel(changed, context, lookups?.path)
    if raw != nil { self.delegate = delegate }
    return raw != nil
  }

  /// Cancels every query; c-ares calls their callbacks.
  func close() {
    delegate = nil
    loop.cancelTimer(TimerID(0), of: self)
    guard let raw else { return }
    self.raw = nil
    ares_destroy(raw)
  }

  /// Watches c-ares's sockets and timeout; nothing when no query is open.
  func wait() {
    guard let raw else { return }
    let wait = tl_ares_timeout(raw)
    if wait < 0 { return loop.cancelTimer(TimerID(0), of: self) }
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + wait)
  }

  private func watch(_ socket: Descriptor, readable: Bool, writable: Bool) {
    var wanted: Readiness = []
    if readable { wanted.insert(.readable) }
    if writable { wanted.insert(.writable) }
    loop.unwatch(socket)
    if wanted.isEmpty { return }
    // When the loop has no room the socket is not watched and the query times out.
    do throws(Errno) { try loop.watch(socket, for: wanted, self) } catch {}
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    let readable = !readiness.isDisjoint(with: [.readable, .failed])
    let writable = readiness.contains(.writable)
    process(readable ? descriptor.number : -1, writable ? descriptor.number : -1)
  }

  func timerFired(_ id: TimerID) { process(-1, -1) }

  private func process(_ readable: ares_socket_t, _ writable: ares_socket_t) {
    guard let raw else { return }
    ares_process_fd(raw, readable, writable)
    delegate?.channelAdvanced(self)
  }
}
