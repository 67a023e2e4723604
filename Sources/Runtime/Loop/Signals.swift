import CLinux

/// What a person or the service manager requests by a signal.
public enum ProcessSignal: Equatable, Sendable {
  /// SIGTERM or SIGINT: close the sessions and end.
  case stop
  /// SIGHUP: read the configuration again.
  case reload
}

/// Signals as events of the loop (`signalfd(2)`): nothing ever runs inside a signal handler.
public final class Signals: DescriptorHandler {
  private let descriptor: Descriptor
  private let loop: Loop
  private let deliver: (ProcessSignal) -> Void

  /// Blocks the signals for this and every later thread, so create it before the workers.
  @export(interface)
  public init(loop: Loop, deliver: @escaping (ProcessSignal) -> Void) throws(Errno) {
    self.loop = loop
    self.deliver = deliver
    descriptor = Descriptor(Int32(try check(tl_signalfd())))
    do throws(Errno) {
      try loop.watch(descriptor, for: .readable, self)
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Stops watching; the signals stay blocked.
  public func close() {
    loop.unwatch(descriptor)
    descriptor.close()
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    while true {
      switch tl_next_signal(descriptor.number) {
      case 1: deliver(.reload)
      case 2, 15: deliver(.stop)
      default: return
      }
    }
  }
}
