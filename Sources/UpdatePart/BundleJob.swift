import Runtime
import Updates

/// One step of work at the bundle's file, on a worker: small, so that a camera's work does not wait for flash.
final class BundleJob: Job {
  enum Step {
    case open(isContinued: Bool), digest, append(Int), copy, seal, discard
  }

  private let files: any UpdateFiles
  private unowned(unsafe) let delegate: any BundleJobDelegate
  /// A piece of the bundle on its way to flash: lent by the fetcher while it comes from the network.
  var piece: UnsafeMutableBufferPointer<UInt8>
  private let memory: ReservedBuffer
  private(set) var step = Step.discard
  private var kind = BundleDigest.Kind.none
  /// The file that is copied.
  let source = Path()
  /// What the step gave: bytes of `open` and `copy`; 1 of `digest` when there is more.
  private(set) var count: Int64 = 0
  private(set) var room: Int64 = 0
  private(set) var digest = InlineArray<32, UInt8>(repeating: 0)
  private(set) var failure: Errno?

  init(_ files: any UpdateFiles, _ delegate: any BundleJobDelegate) throws(Errno) {
    self.files = files
    self.delegate = delegate
    memory = try ReservedBuffer(capacity: Budget.updatePieceBytes)
    piece = memory.bytes
  }

  func prepare(_ step: Step, kind: BundleDigest.Kind = .none) {
    self.step = step
    if kind != .none { self.kind = kind }
    if case .open = step { self.kind = kind }
    (count, failure) = (0, nil)
  }

  /// Lets the pages of pieces go.
  func release() { memory.release() }

  override func run() {
    do throws(Errno) {
      switch step {
      case .open(let isContinued):
        room = try files.room()
        count = try files.open(isContinued: isContinued, kind)
      case .digest: count = try files.digestNext(memory.bytes) ? 1 : 0
      case .append(let bytes):
        try files.append(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece)[..<bytes]))
      case .copy:
        count = Int64(try files.copyNext(of: source.cString, memory.bytes))
      case .seal:
        digest = try files.seal()
      case .discard:
        files.close()
        files.discard()
      }
    } catch {
      files.close()
      failure = error
    }
  }

  override func finish() { delegate.bundleStepEnded(self) }
}

/// Gets the end of each step.
protocol BundleJobDelegate: AnyObject {
  func bundleStepEnded(_ job: BundleJob)
}
