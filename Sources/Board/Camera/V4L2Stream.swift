import CLinux
import Camera
import Runtime

/// The stream of an open camera into mapped buffers. Made once; `start` and `stop` follow each other.
final class V4L2Stream {
  private typealias Plane = UnsafeMutableRawBufferPointer
  private static var noPlane: Plane { Plane(start: nil, count: 0) }
  /// Milliseconds between two looks for a frame where the driver cannot be waited for: a sixth of a frame's time.
  private static let pollMilliseconds: Int32 = 5
  /// Microseconds by which a driver's time may be ahead of ours, which counts milliseconds.
  private static let futureMicroseconds: Int64 = 1_000_000

  /// Frames that the driver marked as damaged, since the start of the program.
  private(set) var damagedFrames = 0
  /// The mode that the driver granted.
  private(set) var mode = CameraMode(code: FourCC(0), format: nil, width: 0, height: 0)

  private let clock: any Clock
  /// The code of a vendor format for the converter: that of the mode, with the configured order of colors.
  private var convertedCode = FourCC(0)
  /// The converter of vendor formats into YU12, and its output buffer. Only while such a stream runs.
  private var converter: FormatConverter?
  private var converted: ReservedBuffer?
  /// The camera whose buffers are mapped.
  private var device: V4L2Device?
  private var buffers = InlineArray<8, InlineArray<3, UnsafeMutableRawBufferPointer>>(
    repeating: InlineArray(repeating: noPlane))
  private var count = 0
  /// True when a buffer is mapped only while its frame is lent: large buffers would otherwise count as Talon's memory
  /// all the time.
  private var mapsLentAlone = false
  private var picture = tl_video_picture()
  /// The buffer whose frame is lent to the caller.
  private var lent: UInt32?
  /// When the last frame came or the signal was last checked, in milliseconds of `Clock.monotonic`.
  private var sign: Int64 = 0
  /// When the stream began, or began anew, in milliseconds of `Clock.monotonic`.
  private(set) var began: Int64 = 0
  /// True after a frame has come since.
  private var hasFrame = false
  /// True after this start went on the usual way.
  private var hasRestarted = false
  /// True when the driver had said that there is a frame, or could not be waited for, and there was none.
  private var isEmpty = false
  /// The driver's last time in microseconds, and whether its times cannot be used.
  private var lastStamp: Int64 = 0
  private var isForeignClock = false

  init(clock: any Clock) { self.clock = clock }

  deinit { stop() }

  // MARK: Start and end

  /// Sets a mode; `mode` is then what the driver granted.
  /// - Parameters:
  ///   - setsRate: true when the mode's rate is to be set, false to leave it as it is.
  ///   - order: the order of a raw camera's colors; nil: as the driver says.
  func set(_ wanted: CameraMode, setsRate: Bool, order: BayerOrder?, of device: V4L2Device) throws(CameraError) {
    picture = tl_video_picture()
    picture.fourcc = wanted.code.value
    picture.width = UInt32(wanted.width)
    picture.height = UInt32(wanted.height)
    try V4L2Camera.check(tl_video_set_picture(device.file.number, device.type, &picture))
    let code = FourCC(picture.fourcc)
    var format = V4L2Format.format(of: code)
    // A driver may grant another mode than the one asked for; it is used when it is usable.
    guard format != nil || code == wanted.code, imageBytes <= Budget.cameraFrameBytes, picture.width > 0,
      picture.height > 0
    else { throw .unsupportedFormat }
    convertedCode = code
    if let order {
      convertedCode = VendorFormat.code(code, ordered: order)
      format = format?.ordered(order)
    }
    mode = CameraMode(
      code: code, format: format, width: Int(clamping: picture.width), height: Int(clamping: picture.height),
      rate: Self.rate(of: device, wanted: setsRate ? wanted.rate : 0))
  }

  private var imageBytes: Int {
    var sum = 0
    for plane in 0..<Int(picture.planes) { sum += Int(clamping: Self.element(picture.image_bytes, plane)) }
    return sum
  }

  private static func rate(of device: V4L2Device, wanted: Int) -> Int {
    var (numerator, denominator): (UInt32, UInt32) = (1000, UInt32(clamping: wanted))
    // A driver without rates is fine.
    let result =
      wanted > 0
      ? tl_video_set_interval(device.file.number, device.type, &numerator, &denominator)
      : tl_video_interval_now(device.file.number, device.type, &numerator, &denominator)
    return result < 0 ? 0 : V4L2Device.rate(numerator, denominator)
  }

  /// Maps buffers and starts the stream of a camera whose mode is set. After an error, `stop`.
  /// - Parameter isPhoto: true when a frame or two are enough.
  func start(_ device: V4L2Device, isPhoto: Bool) throws(CameraError) {
    self.device = device
    if mode.format == nil { try prepareConverter(device) }
    mapsLentAlone = isPhoto && imageBytes > Budget.largeFrameBytes
    hasRestarted = false
    lastStamp = 0
    isForeignClock = false
    do throws(CameraError) {
      try run(device, mapsLentAlone ? Budget.photoBuffers : Budget.cameraBuffers)
    } catch {
      guard mapsLentAlone ? error.isRefusal : error.isOfMemory else { throw error }
      release(device)
      hasRestarted = mapsLentAlone
      mapsLentAlone = false
      try run(device, hasRestarted ? Budget.cameraBuffers : Budget.photoBuffers)
    }
  }

  private func run(_ device: V4L2Device, _ wanted: Int) throws(CameraError) {
    let granted = try V4L2Camera.check(
      tl_video_request_buffers(device.file.number, device.type, UInt32(wanted)))
    guard granted > 0 else { throw .io(.outOfMemory) }
    for index in 0..<min(Int(granted), buffers.count) {
      count = index + 1
      if !mapsLentAlone { try map(index, of: device) }
    }
    for index in 0..<count { try queue(UInt32(index), of: device) }
    try V4L2Camera.check(tl_video_stream(device.file.number, device.type, 1))
    sign = clock.monotonic
    (began, hasFrame) = (sign, false)
  }

  /// Continues the usual way after a driver refused one that is cheaper: all buffers are mapped and queued anew. Frames
  /// that they had are lost. Where that fails, for want of memory, it goes on with as many buffers as before, of the
  /// same kind. Once for each start; throws `error` after that.
  private func restart(_ device: V4L2Device, after error: CameraError) throws(CameraError) {
    guard !hasRestarted, error.isRefusal else { throw error }
    hasRestarted = true
    let (had, hadLentAlone) = (count, mapsLentAlone)
    release(device)
    mapsLentAlone = false
    do throws(CameraError) { try run(device, Budget.cameraBuffers) } catch {
      release(device)
      mapsLentAlone = hadLentAlone
      try run(device, had)
    }
  }

  private func map(_ index: Int, of device: V4L2Device) throws(CameraError) {
    var memory = tl_video_memory()
    try V4L2Camera.check(tl_video_buffer(device.file.number, device.type, UInt32(index), &memory))
    guard memory.planes == picture.planes else { throw .io(.invalidArgument) }
    for plane in 0..<Int(memory.planes) {
      let length = Self.element(memory.length, plane)
      var address: UnsafeMutableRawPointer?
      try V4L2Camera.check(
        tl_mmap(
          device.file.number, numericCast(length), Int64(Self.element(memory.offset, plane)), &address))
      buffers[index][plane] = Plane(start: address, count: Int(length))
    }
  }

  private func unmap(_ index: Int) {
    for plane in 0..<3 {
      Syscall.unmap(buffers[index][plane])
      buffers[index][plane] = Self.noPlane
    }
  }

  private func queue(_ index: UInt32, of device: V4L2Device) throws(CameraError) {
    try V4L2Camera.check(tl_video_queue(device.file.number, device.type, index, picture.planes))
  }

  /// Ends the stream and releases its buffers; the camera itself stays open. Harmless without a stream, after a failed
  /// start, or when the device is gone.
  func stop() {
    guard let device else { return }
    release(device)
    (converter, converted) = (nil, nil)
    self.device = nil
  }

  private func release(_ device: V4L2Device) {
    _ = tl_video_stream(device.file.number, device.type, 0)
    for index in 0..<count { unmap(index) }
    _ = tl_video_request_buffers(device.file.number, device.type, 0)
    count = 0
    lent = nil
  }

  private func prepareConverter(_ device: V4L2Device) throws(CameraError) {
    let converter = try FormatConverter(descriptor: device.file.number)
    guard picture.planes == 1, converter.canConvert(convertedCode.value, width: mode.width, height: mode.height) else {
      throw .unsupportedFormat
    }
    do throws(Errno) {
      converted = try ReservedBuffer(capacity: FormatConverter.bytes(width: mode.width, height: mode.height))
    } catch {
      throw .io(error)
    }
    self.converter = converter
  }

  // MARK: Frames

  /// See `CameraSource.next`.
  func next(within milliseconds: Int64, sensor: Sensor) throws(CameraError) -> RawFrame? {
    guard let device else { throw .stalled }
    if let index = lent {
      lent = nil
      if mapsLentAlone { unmap(Int(index)) }
      do throws(CameraError) { try queue(index, of: device) } catch { try restart(device, after: error) }
    }
    var filled = tl_video_filled()
    try wait(device, milliseconds)
    guard try dequeue(device, &filled) else {
      try checkSignal(device)
      return nil
    }
    guard filled.index < count else { throw .io(.inputOutput) }
    lent = filled.index
    sign = clock.monotonic
    hasFrame = true
    if mapsLentAlone {
      do throws(CameraError) { try map(Int(filled.index), of: device) } catch {
        try restart(device, after: error)
        return nil
      }
    }
    guard filled.is_damaged == 0, let frame = frame(filled, sensor) else {
      damagedFrames += 1
      return nil
    }
    return frame
  }

  /// Waits for a frame. A driver that cannot be waited for, or says at once that there is one, is asked again soon.
  private func wait(_ device: V4L2Device, _ milliseconds: Int64) throws(CameraError) {
    let timeout = Int32(clamping: max(milliseconds, 0))
    do throws(Errno) {
      if isEmpty { Syscall.pause(milliseconds: min(timeout, Self.pollMilliseconds)) }
      isEmpty = try Syscall.waitReadable(device.file, or: nil, milliseconds: timeout).ready
    } catch {
      let failure = V4L2Camera.error(error)
      guard failure.isRefusal else { throw failure }
      isEmpty = true
    }
  }

  /// Dequeues a filled buffer; false when there is none, also after a refusal, with which the stream begins anew.
  private func dequeue(_ device: V4L2Device, _ filled: inout tl_video_filled) throws(CameraError) -> Bool {
    let result = tl_video_dequeue(device.file.number, device.type, &filled)
    let reason = Errno(Int32(truncatingIfNeeded: -result))
    if reason == .wouldBlock { return false }
    isEmpty = false
    // The source's resolution changed, which ends the stream (V4L2_EVENT_SOURCE_CHANGE).
    if reason == .brokenPipe { throw hasSignal(device) ? .stalled : .noSignal }
    if result >= 0 { return true }
    // EIO may be temporary (VIDIOC_DQBUF): a camera that is gone refuses to begin anew.
    if reason == .noSuchDevice { throw .disconnected }
    try restart(device, after: V4L2Camera.error(reason))
    return false
  }

  /// While no frames come, checks from time to time that the input has a signal.
  private func checkSignal(_ device: V4L2Device) throws(CameraError) {
    guard clock.monotonic - sign >= Budget.cameraSignalMilliseconds else { return }
    sign = clock.monotonic
    if !hasSignal(device) { throw .noSignal }
    // Some drivers fill no buffer while few are queued; others take up to two seconds to begin.
    guard mapsLentAlone, !hasFrame, !hasRestarted, sign - began >= Budget.cameraStall / 2 else { return }
    try restart(device, after: .io(.wouldBlock))
  }

  /// False when the input reports no signal; true for a driver that does not report it.
  private func hasSignal(_ device: V4L2Device) -> Bool { tl_video_has_signal(device.file.number) != 0 }

  /// The frame in a buffer; nil when that is empty.
  private func frame(_ filled: tl_video_filled, _ sensor: Sensor) -> RawFrame? {
    var planes = InlineArray<3, FramePlane>(
      repeating: FramePlane(bytes: UnsafeBufferPointer(start: nil, count: 0), rowBytes: 0))
    for index in 0..<Int(picture.planes) {
      let memory = buffers[Int(filled.index)][index]
      let end = min(Int(clamping: Self.element(filled.bytes_used, index)), memory.count)
      let start = min(Int(clamping: Self.element(filled.data_offset, index)), end)
      if start == end { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: memory[start..<end]).assumingMemoryBound(to: UInt8.self)
      planes[index] = FramePlane(
        bytes: bytes, rowBytes: Int(clamping: Self.element(picture.bytes_per_line, index)))
    }
    let time = time(of: filled)
    guard let format = mode.format else { return converted(planes[0], at: time) }
    return RawFrame(
      format: format, width: mode.width, height: mode.height, isFullRange: picture.is_full_range != 0,
      planes: planes, planeCount: Int(picture.planes), sensor: sensor, time: time)
  }

  /// A frame's time by our clock. Some drivers claim to use it and do not: their times stand still, or lie ahead.
  private func time(of filled: tl_video_filled) -> Int64 {
    let now = clock.monotonic * 1000
    let stamp = filled.microseconds
    guard filled.is_monotonic != 0, !isForeignClock else { return now }
    isForeignClock = stamp <= lastStamp || stamp > now + Self.futureMicroseconds
    lastStamp = stamp
    return isForeignClock ? now : stamp
  }

  /// The frame as YU12; nil when it is damaged.
  private func converted(_ plane: FramePlane, at time: Int64) -> RawFrame? {
    guard let converter, let room = converted?.bytes else { return nil }
    do throws(CameraError) {
      let count = try converter.convert(
        plane.bytes, convertedCode.value, width: mode.width, height: mode.height, rowBytes: plane.rowBytes, into: room)
      return RawFrame(
        format: .yu12, width: mode.width, height: mode.height, rowBytes: mode.width,
        isFullRange: converter.isFullRange(convertedCode.value),
        bytes: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count]), time: time)
    } catch {
      return nil
    }
  }

  /// An element of a C array, which Swift sees as a tuple.
  private static func element(_ array: (UInt32, UInt32, UInt32), _ index: Int) -> UInt32 {
    switch index {
    case 0: array.0
    case 1: array.1
    default: array.2
    }
  }
}
