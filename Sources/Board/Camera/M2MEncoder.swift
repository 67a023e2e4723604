import CLinux
import Camera
import Runtime

/// H.264 by the board's own encoder, a V4L2 memory-to-memory device (kernel: dev-encoder), as on Raspberry Pi boards up
/// to the 4. Output is delayed by some pictures.
public final class M2MEncoder: H264Encoder {
  private let clock: any Clock
  private let openNode: (Int) -> Descriptor?
  private let codedFormat: UInt32
  private var number: Int?
  private var isAbsent = false
  private var device: M2MDevice?
  private var format = VideoFormat(width: 0, height: 0, picturesPerKilosecond: 0, isFullRange: false)
  private var rate = 0
  /// Free raw buffers, one bit each.
  private var free: UInt32 = 0
  /// The coded buffer that is lent to the caller.
  private var lent: UInt32?
  /// Pictures queued and not yet encoded.
  private var inside = 0
  private var phase = Phase.running

  private enum Phase {
    case running
    /// The input has ended; whether the encoder marks the last picture.
    case draining(tellsEnd: Bool)
    case ended
  }

  /// Milliseconds without output after which the encoder has failed: thirty times what a picture takes.
  private static let stallTimeout: Int64 = 1_000

  /// An encoder that looks for its device at the first start. Takes memory only while it runs.
  /// - Parameter codedFormat: V4L2's code of the coded format.
  @export(interface)
  public convenience init(clock: any Clock, codedFormat: StaticString = "H264") {
    self.init(clock: clock, codedFormat: codedFormat, number: nil) { try? V4L2Node(number: $0).open() }
  }

  /// - Parameters:
  ///   - number: of the device, when it is known.
  ///   - openNode: opens the device of a number.
  init(clock: any Clock, codedFormat: StaticString, number: Int?, _ openNode: @escaping (Int) -> Descriptor?) {
    self.clock = clock
    self.codedFormat = M2MLayout.fourcc(codedFormat)
    self.number = number
    self.openNode = openNode
  }

  /// See `H264Encoder`. `.encoder` also where the board has none.
  public func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    stop()
    guard format.width >= 16, format.height >= 16, format.width % 2 == 0, format.height % 2 == 0,
      format.picturesPerKilosecond > 0, let found = open()
    else { throw .encoder }
    rate = max(most, 1)
    try found.start(format, bitsPerSecond: rate)
    self.format = format
    free = (1 << UInt32(found.raw.count)) - 1
    (lent, inside, phase) = (nil, 0, .running)
    device = found
  }

  /// The encoder is part of the board: its number, or that there is none, is looked up once.
  private func open() -> M2MDevice? {
    if let number { return open(number) }
    guard !isAbsent, let nodes = try? V4L2Node.present() else { return nil }
    for number in 0..<V4L2Node.limit where nodes.contains(number) {
      guard let found = open(number) else { continue }
      self.number = number
      return found
    }
    isAbsent = true
    return nil
  }

  private func open(_ number: Int) -> M2MDevice? {
    guard let file = openNode(number) else { return nil }
    return M2MDevice(file, codedFormat: codedFormat)
  }

  /// See `H264Encoder`.
  public func encode(
    _ image: PlanarImage, at time: Int64, _ order: PictureOrder
  ) throws(ClipError) -> EncodedPicture? {
    guard let device, case .running = phase, image.width == format.width, image.height == format.height,
      image.chroma == .quarter
    else { throw .encoder }
    try takeBack(device)
    steer(device, order)
    let buffer = try freeBuffer(device)
    try device.put(image, buffer, at: time)
    free &= ~(1 << UInt32(buffer))
    inside += 1
    // One buffer stays free, so that the encoder can always deliver.
    return try next(device, mustWait: inside >= device.coded.count - 1)
  }

  /// See `H264Encoder`. Pictures that the encoder does not deliver in time are lost.
  public func drain() throws(ClipError) -> EncodedPicture? {
    guard let device else { return nil }
    try takeBack(device)
    if case .running = phase { phase = .draining(tellsEnd: device.finish()) }
    switch phase {
    case .draining(let tellsEnd) where tellsEnd || inside > 0: return try next(device, mustWait: true)
    default: return nil
    }
  }

  /// See `H264Encoder`.
  public func stop() { device = nil }

  /// An encoder that cannot change its rate while it runs keeps the first one; then pictures are dropped.
  private func steer(_ device: M2MDevice, _ order: PictureOrder) {
    if order.bitsPerSecond != rate {
      rate = order.bitsPerSecond
      device.set(TL_M2M_BITRATE, Int32(clamping: max(rate, 1)))
    }
    if order.isKeyframe { device.set(TL_M2M_KEY_FRAME, 1) }
  }

  private func takeBack(_ device: M2MDevice) throws(ClipError) {
    guard let lent else { return }
    self.lent = nil
    if case .ended = phase { return }
    try device.giveBack(lent)
  }

  private func freeBuffer(_ device: M2MDevice) throws(ClipError) -> Int {
    let deadline = clock.monotonic + Self.stallTimeout
    while true {
      while case .buffer(let done) = try device.take(TL_M2M_RAW) { free |= 1 << done.index }
      if free != 0 { return free.trailingZeroBitCount }
      let left = deadline - clock.monotonic
      guard left > 0 else { throw .encoder }
      try device.wait(for: TL_M2M_RAW, milliseconds: left)
    }
  }

  /// The next encoded picture; nil when there is none yet, or no more.
  private func next(_ device: M2MDevice, mustWait: Bool) throws(ClipError) -> EncodedPicture? {
    let deadline = clock.monotonic + Self.stallTimeout
    while true {
      switch try device.take(TL_M2M_CODED) {
      case .buffer(let done):
        if let picture = try picture(device, done) { return picture }
        if case .ended = phase { return nil }
      case .end:
        phase = .ended
        return nil
      case .nothingYet:
        guard mustWait else { return nil }
        let left = deadline - clock.monotonic
        guard left > 0 else {
          guard case .draining = phase else { throw .encoder }
          phase = .ended
          return nil
        }
        try device.wait(for: TL_M2M_CODED, milliseconds: left)
      }
    }
  }

  private func picture(_ device: M2MDevice, _ done: tl_m2m_buffer) throws(ClipError) -> EncodedPicture? {
    guard done.is_damaged == 0, let bytes = device.bytes(done) else { throw .encoder }
    if done.is_last != 0 { phase = .ended }
    if bytes.isEmpty {
      if done.is_last == 0 { try device.giveBack(done.index) }
      return nil
    }
    inside = max(0, inside - 1)
    lent = done.index
    return EncodedPicture(bytes: bytes, time: done.time)
  }
}
