import Runtime

/// Gets once whether a record was written to flash.
public protocol FlashProofDelegate: AnyObject {
  /// `isGood`: the record is on flash.
  func flashProved(_ isGood: Bool)
}

/// The panic state on flash: the board stays held through a power cut, until a person releases it.
public final class PanicHold: Part, RecordDelegate {
  private static let name: StaticString = "hold"

  /// True while the board is held. Set at once, before it is on flash.
  public private(set) var isHeld = false
  private let memory = FixedBuffer(capacity: Budget.holdRecordBytes)
  private let kept: Kept
  private let log: Log
  /// The state on flash, and the one being written; a board that was never held has no record.
  private var onFlash = false
  private var writing = false
  /// Gets whether the next write succeeded.
  private var proof: (any FlashProofDelegate)?

  /// A hold with its record "hold" in `store`, which it must not share, because a worker writes there.
  @export(interface)
  public init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "panel", "the state of the panic button")
    self.log = log
    super.init()
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads the stored state. Blocks: only at start. An unreadable record means that a person held or released the
  /// board; the safe state, held, is assumed.
  public func load() {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.name) else { return }
      guard count == 1, memory.bytes[0] <= 1 else { throw .torn }
      isHeld = memory.bytes[0] == 1
      onFlash = isHeld
    } catch {
      isHeld = error == .torn || error == .newer
      log.write(.error, "panel", "the stored state of the panic button cannot be read: the board is held")
    }
  }

  /// Holds or releases the board.
  public func set(_ isHeld: Bool) {
    guard self.isHeld != isHeld else { return }
    self.isHeld = isHeld
    kept.changed()
  }

  /// Writes the state once more, to test that flash takes it. False when a test is under way.
  public func prove(_ delegate: any FlashProofDelegate) -> Bool {
    guard proof == nil else { return false }
    proof = delegate
    kept.changed()
    return true
  }

  // MARK: Part

  public override func flush() { kept.flush() }

  public override var isStopped: Bool { kept.isSettled }

  public override var nextDeadline: Int64? { kept.nextDeadline }

  public override func advance(to now: Int64) { kept.advance(to: now) }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard proof != nil || onFlash != isHeld else { return nil }
    writing = isHeld
    bytes[0] = writing ? 1 : 0
    return RecordOrder(Self.name.bytes, 1)
  }

  public func recordKept(_ failure: StoreError?) {
    if failure == nil { onFlash = writing }
    let proof = self.proof
    self.proof = nil
    proof?.flashProved(failure == nil)
  }
}
