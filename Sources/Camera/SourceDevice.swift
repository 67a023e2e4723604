import Runtime

/// A source of streams as a device of single captures.
public final class SourceDevice: CameraDevice {
  /// How often a waiting capture looks whether it was cancelled, in milliseconds.
  private static let slice: Int64 = 50

  private let source: any CameraSource
  private let clock: any Clock

  /// Captures from `source`.
  public init(_ source: any CameraSource, clock: any Clock) {
    self.source = source
    self.clock = clock
  }

  public var kind: StaticString { source.kind }

  public func enumerate(into list: inout CameraList) throws(CameraError) { try source.enumerate(into: &list) }

  public func capture(_ request: CaptureRequest, _ visit: (RawFrame) -> FrameVerdict) throws(CameraError) {
    _ = try source.start(StreamOrder(device: request.device, purpose: .photo, width: request.width))
    defer { source.stop() }
    let ripe = clock.monotonic + request.warmUp
    while true {
      if request.cancellation.isRequested { throw .cancelled }
      let now = clock.monotonic
      guard now < request.deadline else { throw .timeout }
      guard let frame = try source.next(within: min(Self.slice, request.deadline - now)) else { continue }
      if clock.monotonic >= ripe, visit(frame) == .done { return }
    }
  }
}
