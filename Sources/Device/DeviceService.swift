// Device: the description of the board: identity, power, heat, storage, memory, network, clock, permissions, and the
// notifications shown at it. It knows the system only as `DeviceReadings`, and nothing of sessions or the router.

import Codec
import Runtime

/// The commands of the capability `device`.
public enum DeviceCommand: Equatable, Sendable {
  case info, status(DeviceSections), health, permissions
}

/// Why a device command has no answer.
public enum DeviceError: WireError {
  /// No worker is free, or `Budget.runningInvokes` requests wait already.
  case busy
  /// The parameters are not a JSON object.
  case notAnObject
  /// `sections` is not a list of valid names.
  case invalidSections

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .busy: ("UNAVAILABLE", "too many device requests at once")
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .invalidSections: ("INVALID_REQUEST", "sections must be a list of os, cpu, memory, disk, battery")
    }
  }
}

/// Gets the end of requests.
public protocol DeviceDelegate: AnyObject {
  /// The request `token` can be answered, by calling `DeviceService.write` during this call.
  func deviceAnswered(_ token: Int, _ command: DeviceCommand)
}

/// Gets the readings themselves.
public protocol DeviceSnapshotDelegate: AnyObject {
  /// Readings were taken. Valid during the call.
  func deviceRead(_ snapshot: borrowing DeviceSnapshot)
}

/// Answers `device.info`, `device.status`, `device.health` and `device.permissions` from readings that a worker takes.
/// Requests that come while it reads share its result.
public final class DeviceService {
  private struct Waiter {
    var token: Int
    var command: DeviceCommand
  }

  private let identity: DeviceIdentity
  private let runner: any JobRunner
  private let job: ReadingJob
  private let waiters: UnsafeMutableBufferPointer<Waiter>
  private var waiting = 0
  /// Two at most: the gateway's statistics, and metrics.
  private var observers: [any DeviceSnapshotDelegate] = []
  /// Gets the answers. A strong reference: both live as long as the program.
  public var delegate: (any DeviceDelegate)?

  /// A service that reads `readings` on a worker of `runner`.
  @export(interface)
  public init(readings: any DeviceReadings, identity: DeviceIdentity, runner: any JobRunner) {
    self.identity = identity
    self.runner = runner
    job = ReadingJob(readings)
    waiters = .allocate(capacity: Budget.runningInvokes)
    job.service = self
    observers.reserveCapacity(2)
  }

  deinit { waiters.deallocate() }

  /// Starts the request `token`, a number chosen by the caller; the delegate gets the answer.
  public func request(_ token: Int, _ command: DeviceCommand) throws(DeviceError) {
    guard waiting < waiters.count, job.isPending || runner.submit(job) else { throw .busy }
    (waiters.baseAddress! + waiting).initialize(to: Waiter(token: token, command: command))
    waiting += 1
  }

  /// Reads for `observer`, which is called once, together with requests that came meanwhile. False when no worker is
  /// free.
  public func read(for observer: any DeviceSnapshotDelegate) -> Bool {
    guard job.isPending || runner.submit(job) else { return false }
    for other in observers where other === observer { return true }
    observers.append(observer)
    return true
  }

  /// Cancels a request without an answer.
  public func cancel(_ token: Int) {
    for index in 0..<waiting where waiters[index].token == token {
      waiting -= 1
      waiters[index] = waiters[waiting]
      return
    }
  }

  /// Writes the result of a command from the last readings. Only within `deviceAnswered`: later a worker may be
  /// reading again.
  @export(interface)
  public func write(_ command: DeviceCommand, hardware: HardwareReport, to writer: inout JSONWriter) {
    switch command {
    case .info: job.snapshot.writeInfo(identity, update: hardware.update, to: &writer)
    case .status(let sections): job.snapshot.writeStatus(sections, to: &writer)
    case .health: job.snapshot.writeHealth(hardware, to: &writer)
    case .permissions: PermissionReport(hardware: hardware, access: job.snapshot.access).write(to: &writer)
    }
  }

  fileprivate func answer() {
    // One that wants to be called again begins another reading.
    while !job.isPending, let observer = observers.popLast() { observer.deviceRead(job.snapshot) }
    while waiting > 0, !job.isPending {
      waiting -= 1
      let waiter = waiters[waiting]
      delegate?.deviceAnswered(waiter.token, waiter.command)
    }
  }
}

/// Takes the readings on a worker.
private final class ReadingJob: Job {
  private let readings: any DeviceReadings
  private(set) var snapshot = DeviceSnapshot()
  /// The service, which owns this job and lives as long as the program.
  fileprivate var service: DeviceService?

  init(_ readings: any DeviceReadings) { self.readings = readings }

  override func run() { readings.read(into: &snapshot) }
  override func finish() { service?.answer() }
}
