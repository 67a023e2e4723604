import CLinux
import Glibc
import Runtime

/// Makes system calls fail and writes them down: only those of the thread that asks, so that tests on other
/// threads are not disturbed. The hooks are set once and stay; what they do hangs on the thread.
final class FaultInjector {
  struct Call: Equatable {
    let name: String
    /// The descriptor, or 0.
    let argument: Int64
    let result: Int64
  }

  /// The calls since the start, in order.
  private(set) var calls: [Call] = []
  private var started = 0
  private let fault: (_ index: Int, _ name: String) -> Errno?

  private init(_ fault: @escaping (Int, String) -> Errno?) { self.fault = fault }

  /// Runs `body` with `fault` asked before each call; answers what was called.
  static func record<Failure: Error>(
    fault: @escaping (_ index: Int, _ name: String) -> Errno? = { _, _ in nil },
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> FaultInjector {
    let injector = FaultInjector(fault)
    installed
    pthread_setspecific(key, Unmanaged.passUnretained(injector).toOpaque())
    defer { pthread_setspecific(key, nil) }
    try body()
    return injector
  }

  /// Runs `body` while call `index` fails, and all calls after it when `isCut`: the power is gone.
  static func fail(_ index: Int, _ reason: Errno, isCut: Bool = false, _ body: () -> Void) -> FaultInjector {
    record(fault: { now, _ in now == index || (isCut && now > index) ? reason : nil }, body)
  }

  /// Descriptors that were opened and not closed.
  var leaked: Set<Int64> {
    var open: Set<Int64> = []
    for call in calls where call.result >= 0 || call.name == "close" {
      if Self.openers.contains(call.name) { open.insert(call.result) }
      if call.name == "close" { open.remove(call.argument) }
    }
    return open
  }

  private static let openers: Set = ["open", "epoll_create", "eventfd", "signalfd", "socket", "memfd"]

  // MARK: Hooks

  private static let key: pthread_key_t = {
    var key: pthread_key_t = 0
    pthread_key_create(&key, nil)
    return key
  }()

  private static let installed: Void = {
    _ = key
    tl_interpose(
      { _, call, _ in FaultInjector.ofThisThread?.before(call) ?? 0 },
      { _, call, argument, result in FaultInjector.ofThisThread?.after(call, argument, result) },
      nil)
  }()

  private static var ofThisThread: FaultInjector? {
    pthread_getspecific(key).map { Unmanaged<FaultInjector>.fromOpaque($0).takeUnretainedValue() }
  }

  private func before(_ call: Int32) -> Int32 {
    defer { started += 1 }
    return fault(started, String(cString: tl_call_name(call)))?.number ?? 0
  }

  private func after(_ call: Int32, _ argument: Int64, _ result: Int64) {
    calls.append(Call(name: String(cString: tl_call_name(call)), argument: argument, result: result))
  }
}
