import Runtime

/// One photo outside of the agent, for trying a camera out.
public final class Snapshot {
  /// How long a frame is waited for at once, in milliseconds.
  private static let slice: Int64 = 50

  private let maker: PhotoMaker
  private let clock: any Clock

  /// Damaged frames that were passed over, by what was wrong with them.
  public var faults: FrameFaults { maker.faults }

  /// Takes address space, and memory only while there is a photo.
  public init(codec: any JPEGCodec, clock: any Clock) throws(Errno) {
    maker = try PhotoMaker(codec: codec)
    self.clock = clock
  }

  /// Takes a photo of a stream that has started: the first good frame once the camera has settled, or the delay has
  /// passed. Its bytes are valid until the next.
  /// - Parameter deadline: when to give up, in milliseconds of `Clock.monotonic`.
  public func take(
    from source: any CameraSource, _ facts: StreamFacts, _ wanted: SnapParameters, _ orientation: Orientation,
    deadline: Int64
  ) throws(CameraError) -> Photo {
    var exposure = facts.exposure.map { AutoExposure(lines: $0.lines, gain: $0.gain, law: $0.law) }
    if let exposure { try source.expose(exposure.setting) }
    var warmUp = WarmUp(until: clock.monotonic + wanted.delay)
    var damage: CameraError?
    while clock.monotonic < deadline {
      guard let frame = try source.next(within: Self.slice) else { continue }
      do throws(CameraError) {
        let light = try maker.measure(frame)
        if let setting = exposure?.add(light) { try source.expose(setting) }
        guard warmUp.isOver(light, at: clock.monotonic, isExposed: exposure?.isSettled ?? true) else { continue }
        try maker.take(frame, wanted, PhotoLimits(), orientation)
        return try maker.develop { () throws(CameraError) in }
      } catch {
        guard case .brokenFrame = error else { throw error }
        damage = error
      }
    }
    throw damage ?? .timeout
  }
}
