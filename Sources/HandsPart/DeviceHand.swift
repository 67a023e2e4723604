import Codec
import Hands
import Node
import Runtime

/// A hand with a device that may be absent or fail: it is opened at the start, and after a failure tried again, ever
/// less often.
open class DeviceHand: Hand {
  /// True while the device is open.
  public private(set) var isOpen = false
  /// Why it is not.
  public private(set) var failure: Errno?
  /// What that means.
  public var trouble: DeviceTrouble? { failure.map { DeviceTrouble($0, of: .line) } }
  private var retry = RetryPause(Budget.handRetry)
  private var isStopping = false

  public final var now: Int64 { surroundings.clock.monotonic }

  // MARK: For subclasses

  /// Opens the device, and brings it into its first state.
  open func openDevice() throws(Errno) {}

  /// Gives it back. Also after `openDevice` has thrown.
  open func closeDevice() {}

  /// Brings an open device into the state in which it is left at the end.
  open func leaveDevice() {}

  /// When `advance(to:isOpen:)` is to be called for the subclass's own work.
  open var nextWork: Int64? { nil }

  /// The subclass's own work.
  open func work(at now: Int64) {}

  /// Members of the status of an open device.
  open func writeState(to writer: inout JSONWriter) {}

  /// The device has failed: it is closed, and tried again.
  public final func failed(_ error: Errno) {
    closeDevice()
    isOpen = false
    retry.failed(at: now)
    guard failure != error else { return }
    failure = error
    surroundings.log.write(.warning, "io") { line in
      line.add(self.settings.name)
      line.add(" does not work: ")
      line.add(DeviceTrouble(error, of: .line))
      line.add("; it is tried again from time to time")
    }
  }

  /// Calls the device; a failure closes it, and is the answer.
  public final func reach<Value>(_ call: () throws(Errno) -> Value) throws(HandRefusal) -> Value {
    guard isOpen else { throw .broken(trouble?.text ?? "it is not open") }
    do throws(Errno) { return try call() } catch {
      failed(error)
      throw .broken(DeviceTrouble(error, of: .line).text)
    }
  }

  // MARK: Hand

  open override func start() { tryOpening() }

  private func tryOpening() {
    do throws(Errno) {
      try openDevice()
      isOpen = true
      if failure != nil { say(.notice, "it works") }
      (failure, retry) = (nil, RetryPause(Budget.handRetry))
    } catch {
      failed(error)
    }
  }

  open override func stop() {
    isStopping = true
    if isOpen { leaveDevice() }
    if isOpen { closeDevice() }
    isOpen = false
    retry = RetryPause(Budget.handRetry)
  }

  open override var nextDeadline: Int64? { earliest(retry.dueAt, isOpen ? nextWork : nil) }

  open override func advance(to now: Int64) {
    if let due = retry.dueAt, now >= due, !isStopping {
      retry.begin()
      tryOpening()
    }
    if isOpen { work(at: now) }
  }

  open override var hasFault: Bool { failure != nil }

  open override func writeStatus(to writer: inout JSONWriter) {
    if isOpen { return writeState(to: &writer) }
    writer.key("state")
    writer.string("broken")
    guard let trouble else { return }
    writer.key("trouble")
    writer.string(trouble.text)
    writer.key("step")
    writer.string(trouble.step)
  }
}
