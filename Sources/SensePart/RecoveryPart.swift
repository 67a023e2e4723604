import Codec
import Device
import Gateway
import Node
import Runtime

/// Looks from time to time whether this board hangs, and asks root's side for what `RecoveryLadder` decides: the agent
/// itself has no right to it. A step is on flash before it is asked for, so that a board that restarts at once cannot
/// forget that it did.
public final class RecoveryPart: Part, RecordDelegate {
  /// Not "recovery", which is the folder of requests beside it.
  private static let name: StaticString = "ladder"

  /// A look at the board, on a worker.
  private final class Look: Job {
    let readings: any RecoveryReadings
    var reading = RecoveryReading()
    unowned(unsafe) var part: RecoveryPart! = nil

    init(_ readings: any RecoveryReadings) { self.readings = readings }

    override func run() { reading = readings.readRecovery() }
    override func finish() { part.looked() }
  }

  /// A request to root's side, on a worker.
  private final class Request: Job {
    let requests: any RecoveryRequests
    let text = FixedBuffer(capacity: Budget.recoveryRequestBytes)
    var count = 0
    var failure: Errno?
    unowned(unsafe) var part: RecoveryPart! = nil

    init(_ requests: any RecoveryRequests) { self.requests = requests }

    override func run() {
      failure = nil
      do throws(Errno) { try requests.send(UnsafeBufferPointer(rebasing: text.bytes[..<count])) } catch {
        failure = error
      }
    }

    override func finish() { part.requested(failure) }
  }

  private let look: Look
  private let request: Request
  private let memory = FixedBuffer(capacity: Budget.recoveryRecordBytes)
  private let kept: Kept
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private var ladder: RecoveryLadder
  private var written = RecoveryRecord()
  private var writing = RecoveryRecord()
  private var savedAt: Int64 = 0
  /// The step that is asked for as soon as it is on flash.
  private var step: RecoveryStep?
  private var lookAt: Int64?
  private var isOnline = false
  private var isHeld = false

  /// A part whose record "ladder" is in `store`: one of its own, because a worker writes there.
  @export(interface)
  public init(
    _ devices: RecoveryDevices, store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log
  ) {
    look = Look(devices.readings)
    request = Request(devices.requests)
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "recovery", "a step")
    ladder = RecoveryLadder(at: clock.monotonic)
    self.runner = runner
    self.clock = clock
    self.log = log
    super.init()
    kept.delegate = self
    look.part = self
    request.part = self
  }

  deinit { kept.delegate = nil }

  // MARK: Part

  public override func start() {
    let now = clock.monotonic
    do throws(StoreError) {
      if let (count, _) = try kept.load(Self.name) {
        guard let record = RecoveryRecord(kept.prefix(count)) else {
          kept.setAside(Self.name, count)
          throw .torn
        }
        (ladder, written) = (RecoveryLadder(record, at: now), record)
      }
    } catch {
      log.write(.warning, "recovery", "which steps were taken cannot be read: they are counted anew")
    }
    savedAt = now
    lookAt = now + Budget.recoveryLook
  }

  public override func stop() {
    lookAt = nil
    step = nil
  }

  public override func flush() {
    if ladder.record != written { kept.changed() }
    kept.flush()
  }

  public override var isStopped: Bool { !look.isPending && !request.isPending && kept.isSettled }

  /// A person at the board is nobody to restart it under.
  public override func hold() {
    isHeld = true
    ladder.calm()
    step = nil
  }

  public override func letGo() { isHeld = false }

  public override func online(_ session: Session) { isOnline = true }

  /// Looked at soon: the pause was that of a board which works.
  public override func offline() {
    isOnline = false
    if let due = lookAt { lookAt = min(due, clock.monotonic + Budget.recoveryLook) }
  }

  public override var nextDeadline: Int64? { look.isPending ? kept.nextDeadline : earliest(kept.nextDeadline, lookAt) }

  public override func advance(to now: Int64) {
    kept.advance(to: now)
    guard let due = lookAt, now >= due, !look.isPending else { return }
    lookAt = now + (isOnline ? Budget.recoveryCalmLook : Budget.recoveryLook)
    _ = runner.submit(look)
  }

  // MARK: Steps

  private func looked() {
    guard lookAt != nil else { return }
    let now = clock.monotonic
    guard !isHeld else { return ladder.pass(to: now) }
    if let step = ladder.take(look.reading, isOnline: isOnline, at: now) {
      log.write(.warning, "recovery") { line in
        line.add(step.reason.text)
        line.add(step.name.isEmpty ? "" : ": ")
        line.add(step.name.span)
        line.add("; asking the system to ")
        line.add(Self.sentence(step.rung))
      }
      self.step = step
      return kept.changed()
    }
    // What the flash has not taken yet is given up with its trouble.
    if !ladder.isWaiting { step = nil }
    // How long the board has run, as long as that matters.
    if ladder.record.counts[0] > 0 || ladder.record.counts[1] > 0 || ladder.record.counts[2] > 0,
      now - savedAt >= Budget.recoverySaving
    {
      kept.changed(waits: true)
    }
  }

  private static func sentence(_ rung: RecoveryRung) -> StaticString {
    switch rung {
    case .interface: "switch it off and on"
    case .driver: "load its driver again"
    case .restart: "restart the board"
    }
  }

  private func ask(_ step: RecoveryStep) {
    guard !request.isPending else { return }
    var writer = ByteWriter(into: request.text.bytes)
    writer.text("id = ")
    writer.decimal(Int64(ladder.record.number))
    writer.text("\ndo = ")
    writer.text(step.rung.word)
    if !step.name.isEmpty {
      writer.text("\nname = ")
      writer.bytes(step.name.span)
    }
    writer.text("\nreason = ")
    writer.text(step.reason.text)
    writer.text("\n")
    request.count = min(writer.count, request.text.bytes.count)
    _ = runner.submit(request)
  }

  private func requested(_ failure: Errno?) {
    guard let failure else { return }
    log.write(.error, "recovery") { line in
      line.add("the request could not be written: ")
      line.add(failure)
    }
  }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard ladder.record != written else { return nil }
    writing = ladder.record
    return RecordOrder(Self.name.bytes, writing.encode(into: bytes))
  }

  public func recordKept(_ failure: StoreError?) {
    guard failure == nil else { return }
    written = writing
    savedAt = clock.monotonic
    guard let step else { return }
    self.step = nil
    ladder.asked(at: clock.monotonic)
    ask(step)
  }

  // MARK: Reports

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("recovery")
    writer.beginObject()
    for rung in [RecoveryRung.interface, .driver, .restart] {
      writer.key(rung.word)
      writer.uint(UInt64(ladder.record.counts[Int(rung.rawValue)]))
    }
    if let last = ladder.record.last {
      writer.key("last")
      writer.string(last.rung.word)
      writer.key("reason")
      writer.string(last.reason.text)
    }
    writer.endObject()
  }
}
