import Node
import Runtime

/// Whether this board ever had a camera. Until then the commands of cameras are not declared: nobody is asked to allow
/// what the board cannot do. From then on they are, whether one is plugged in or not, so that a camera which is pulled
/// out needs no new approval when it comes back.
public final class CameraMemory: Part, RecordDelegate {
  private static let name: StaticString = "camera"

  private unowned(unsafe) let camera: CameraCommands
  private unowned(unsafe) let router: Router
  private let memory = FixedBuffer(capacity: Budget.cameraRecordBytes)
  private let kept: Kept
  private let log: Log
  /// A camera was seen, now or in an earlier life.
  public private(set) var hasSeen = false
  private var onFlash = false

  /// A memory with its record "camera" in `store`, which nothing else writes. `camera` and `router` live as long as it.
  public init(
    of camera: CameraCommands, router: Router, store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log
  ) {
    self.camera = camera
    self.router = router
    self.log = log
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "camera", "that this board has a camera")
    super.init()
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  // MARK: Part

  /// After those of cameras.
  public override func addCommands(to router: Router) {
    do throws(StoreError) {
      // A record of any contents was written by a board that had a camera.
      hasSeen = try kept.load(Self.name) != nil
    } catch {
      hasSeen = true
    }
    onFlash = hasSeen
    router.setDeclared("camera", hasSeen)
    camera.whenListed = { [unowned(unsafe) self] count in if count > 0 { self.see() } }
  }

  private func see() {
    guard !hasSeen else { return }
    hasSeen = true
    log.write(
      .notice, "camera", "the first camera of this board is there: its commands are declared to the gateway from now on"
    )
    kept.changed()
    router.setDeclared("camera", true)
    router.declarationChanged?()
  }

  public override func flush() { kept.flush() }

  public override var isStopped: Bool { kept.isSettled }

  public override var nextDeadline: Int64? { kept.nextDeadline }

  public override func advance(to now: Int64) { kept.advance(to: now) }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard hasSeen, !onFlash else { return nil }
    bytes[0] = 1
    return RecordOrder(Self.name.bytes, 1)
  }

  public func recordKept(_ failure: StoreError?) { if failure == nil { onFlash = true } }
}
