import Camera
import Runtime

/// H.264 by the board's own encoder where it has one that works, else in software.
public final class BoardEncoder: H264Encoder {
  /// Which encoder is in use.
  public enum Kind: Sendable {
    /// None yet.
    case none
    case hardware
    case software

    /// The name in the log.
    public var text: StaticString {
      switch self {
      case .none: "nothing"
      case .hardware: "the board's encoder"
      case .software: "openh264"
      }
    }
  }

  /// The encoder of the running clip, or of the last one.
  public private(set) var kind = Kind.none

  private let hardware: any H264Encoder
  private let software: any H264Encoder
  /// An encoder that accepted a picture and failed before its first output is not tried again.
  private var isBroken = false
  private var hasGiven = false
  private var format = VideoFormat(width: 0, height: 0, picturesPerKilosecond: 0, isFullRange: false)
  private var most = 0

  /// `M2MEncoder`, or else `OpenH264`.
  @export(interface)
  public convenience init(clock: any Clock) { self.init(hardware: M2MEncoder(clock: clock), software: OpenH264()) }

  /// Uses `hardware` where it starts, else `software`.
  init(hardware: any H264Encoder, software: any H264Encoder) {
    self.hardware = hardware
    self.software = software
  }

  /// See `H264Encoder`.
  public func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    stop()
    (self.format, self.most, hasGiven) = (format, most, false)
    if !isBroken {
      do throws(ClipError) {
        try hardware.start(format, most: most)
        kind = .hardware
        return
      } catch {}
    }
    try startSoftware()
  }

  private func startSoftware() throws(ClipError) {
    kind = .none
    try software.start(format, most: most)
    kind = .software
  }

  /// See `H264Encoder`.
  public func encode(
    _ image: PlanarImage, at time: Int64, _ order: PictureOrder
  ) throws(ClipError) -> EncodedPicture? {
    guard kind == .hardware else { return try software.encode(image, at: time, order) }
    do throws(ClipError) {
      let picture = try hardware.encode(image, at: time, order)
      if picture != nil { hasGiven = true }
      return picture
    } catch {
      guard !hasGiven else { throw error }
      isBroken = true
      hardware.stop()
      try startSoftware()
      return try software.encode(image, at: time, order)
    }
  }

  /// See `H264Encoder`.
  public func drain() throws(ClipError) -> EncodedPicture? {
    kind == .hardware ? try hardware.drain() : try software.drain()
  }

  /// See `H264Encoder`.
  public func stop() {
    hardware.stop()
    software.stop()
  }
}
