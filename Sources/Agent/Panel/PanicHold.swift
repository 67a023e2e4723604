import Runtime

/// Told once whether flash took a record.
protocol FlashProofOwner: AnyObject {
  func flashProved(_ isGood: Bool)
}

/// Whether a person holds the board still, on flash: it stays held through a power cut, until a person lets it go.
final class PanicHold: RecordWriterOwner {
  /// True while the board is held. Counts at once, before it is on flash.
  private(set) var isHeld = false
  private let writer: RecordWriter
  private let clock: any Clock
  private let log: Log
  /// What is written, or was.
  private var written = false
  private var patience = FlashPatience()
  /// Told whether the next write got through.
  private var proof: (any FlashProofOwner)?

  /// A hold whose record "hold" is in `store`: one of its own, because a worker writes there.
  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    writer = RecordWriter("hold", capacity: Budget.holdRecordBytes, store: store, runner: runner)
    self.clock = clock
    self.log = log
    writer.owner = self
  }

  deinit { writer.owner = nil }

  /// Reads what the last run left. Blocks: at start only. A record that cannot be read was written by somebody who wanted
  /// the board held, or let go; the safe one of both counts.
  func load() {
    do throws(StoreError) {
      guard let (count, _) = try writer.load() else { return }
      guard count == 1, writer.bytes.bytes[0] <= 1 else { throw .torn }
      isHeld = writer.bytes.bytes[0] == 1
    } catch {
      isHeld = error == .torn
      log.write(.error, "panel", "what is kept of the panic button cannot be read")
    }
  }

  /// Holds the board, or lets it go.
  func set(_ isHeld: Bool) {
    guard self.isHeld != isHeld else { return }
    self.isHeld = isHeld
    write()
  }

  /// Writes the state once more, to prove that flash takes it, and tells. False when a proof is under way.
  func prove(_ owner: any FlashProofOwner) -> Bool {
    guard proof == nil else { return false }
    proof = owner
    write()
    return true
  }

  /// True while the newest state is not on flash.
  var isWriting: Bool { writer.isPending }

  var nextDeadline: Int64? { patience.dueAt }

  func advance(to now: Int64) {
    if let due = patience.dueAt, now >= due { write() }
  }

  private func write() {
    guard !writer.isPending else { return }
    patience.begin()
    written = isHeld
    writer.bytes.bytes[0] = written ? 1 : 0
    if !writer.write(1) { patience.failed(at: clock.monotonic) }
  }

  func recordWritten(_ failure: StoreError?) {
    let proof = self.proof
    self.proof = nil
    proof?.flashProved(failure == nil)
    guard failure == nil else {
      log.write(.error, "panel", "the state of the panic button could not be written to flash; it is tried again")
      return patience.failed(at: clock.monotonic)
    }
    patience.succeeded()
    if written != isHeld { write() }
  }
}
