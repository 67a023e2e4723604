import CLinux
import Camera
import Runtime

/// One of an encoder's two queues, with its buffers mapped.
struct M2MQueue {
  /// `TL_M2M_RAW` or `TL_M2M_CODED`.
  private let kind: Int32
  /// Buffers.
  private(set) var count = 0
  /// The memory planes of each buffer, three entries per buffer.
  private var pieces = InlineArray<24, UnsafeMutableRawBufferPointer>(
    repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0))

  static let most = 8, pieces = 3

  init(_ kind: Int32) { self.kind = kind }

  /// A plane of a buffer's memory; empty when the buffer has fewer planes.
  func memory(_ buffer: Int, _ piece: Int) -> UnsafeMutableRawBufferPointer { pieces[buffer * Self.pieces + piece] }

  /// Requests buffers and maps them. After an error, `unmap` releases what was mapped.
  mutating func map(_ device: inout tl_m2m, _ wanted: Int) throws(ClipError) {
    let granted = tl_m2m_request(&device, kind, UInt32(wanted))
    guard granted > 0 else { throw .encoder }
    for index in 0..<min(Int(granted), Self.most) {
      var memory = tl_m2m_memory()
      guard tl_m2m_memory_of(&device, kind, UInt32(index), &memory) >= 0 else { throw .encoder }
      let lengths = [memory.length.0, memory.length.1, memory.length.2] as InlineArray<3, UInt32>
      let offsets = [memory.offset.0, memory.offset.1, memory.offset.2] as InlineArray<3, UInt32>
      for piece in 0..<min(Int(memory.planes), Self.pieces) {
        var address: UnsafeMutableRawPointer?
        guard tl_mmap(device.fd, numericCast(lengths[piece]), Int64(offsets[piece]), &address) >= 0 else {
          throw .encoder
        }
        pieces[index * Self.pieces + piece] = UnsafeMutableRawBufferPointer(
          start: address, count: Int(lengths[piece]))
      }
      count = index + 1
    }
  }

  /// Unmaps and frees all buffers. Harmless when there are none, or the device is gone.
  mutating func unmap(_ device: inout tl_m2m) {
    for index in 0..<pieces.count {
      guard let address = pieces[index].baseAddress else { continue }
      tl_munmap(address, numericCast(pieces[index].count))
      pieces[index] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
    count = 0
    _ = tl_m2m_request(&device, kind, 0)
  }
}

/// An open memory-to-memory encoder. Deinit stops the streams, unmaps the buffers and closes the file.
final class M2MDevice {
  private(set) var raw = M2MQueue(TL_M2M_RAW)
  private(set) var coded = M2MQueue(TL_M2M_CODED)
  /// The layout of pictures in the raw buffers.
  private(set) var layout: M2MLayout

  private var device: tl_m2m
  private let file: Descriptor
  private let codedFormat: UInt32
  private var isStarted = false

  /// Most formats of a queue that are read; encoders have up to twenty.
  private static let formats: UInt32 = 64
  /// Least bytes of a coded buffer.
  private static let minimumBytes = 128 * 1024
  /// Seconds between key frames, for an encoder that cannot be told to make one.
  private static let groupSeconds = 4

  /// Takes over an open video device; nil unless it encodes `codedFormat` from a raw format that is supported here.
  init?(_ file: Descriptor, codedFormat: UInt32) {
    self.file = file
    self.codedFormat = codedFormat
    var device = tl_m2m(fd: file.number, is_planar: 0)
    var found: M2MLayout?
    if tl_m2m_query(&device) > 0, Self.offers(codedFormat, TL_M2M_CODED, &device) {
      for index in 0..<M2MLayout.all.count where found == nil {
        if Self.offers(M2MLayout.all[index].fourcc, TL_M2M_RAW, &device) { found = M2MLayout.all[index] }
      }
    }
    self.device = device
    layout = found ?? M2MLayout.all[0]
    if found == nil { return nil }
  }

  deinit {
    if isStarted {
      _ = tl_m2m_stream(&device, TL_M2M_RAW, 0)
      _ = tl_m2m_stream(&device, TL_M2M_CODED, 0)
      raw.unmap(&device)
      coded.unmap(&device)
    }
    file.close()
  }

  private static func offers(_ format: UInt32, _ queue: Int32, _ device: inout tl_m2m) -> Bool {
    var found: UInt32 = 0
    for index in 0..<formats {
      guard tl_m2m_format(&device, queue, index, &found) >= 0 else { return false }
      if found == format { return true }
    }
    return false
  }

  // MARK: Start

  /// Sets formats and controls, maps the buffers and starts both streams.
  func start(_ format: VideoFormat, bitsPerSecond: Int) throws(ClipError) {
    isStarted = true
    try setFormats(format)
    setControls(format, bitsPerSecond)
    try raw.map(&device, Budget.encoderRawBuffers)
    try coded.map(&device, Budget.encoderCodedBuffers)
    guard coded.count >= 2 else { throw .encoder }
    for index in 0..<coded.count { try giveBack(UInt32(index)) }
    guard tl_m2m_stream(&device, TL_M2M_RAW, 1) >= 0, tl_m2m_stream(&device, TL_M2M_CODED, 1) >= 0 else {
      throw .encoder
    }
  }

  /// In the order of the kernel's document: the coded format first, because the raw one depends on it.
  private func setFormats(_ format: VideoFormat) throws(ClipError) {
    let (width, height) = (UInt32(format.width), UInt32(format.height))
    var wanted = tl_m2m_picture()
    (wanted.width, wanted.height, wanted.is_full_range, wanted.planes) = (width, height, format.isFullRange ? 1 : 0, 1)
    wanted.fourcc = codedFormat
    wanted.image_bytes.0 = UInt32(max(format.width * format.height / 2, Self.minimumBytes))
    guard tl_m2m_set_format(&device, TL_M2M_CODED, &wanted) >= 0, wanted.fourcc == codedFormat else {
      throw .encoder
    }
    var granted = tl_m2m_picture()
    (granted.width, granted.height, granted.is_full_range) = (width, height, wanted.is_full_range)
    (granted.fourcc, granted.planes) = (layout.fourcc, UInt32(layout.pieces))
    guard tl_m2m_set_format(&device, TL_M2M_RAW, &granted) >= 0, granted.fourcc == layout.fourcc,
      granted.width >= width, granted.height >= height, layout.take(granted)
    else { throw .encoder }
    _ = tl_m2m_rate(&device, UInt32(format.picturesPerKilosecond))
    // Encoders work in blocks. Some accept only whole blocks and crop the rest; one that does neither cannot be used.
    let isCropped = tl_m2m_crop(&device, width, height) >= 0
    guard isCropped || granted.width == width && granted.height == height else { throw .encoder }
  }

  /// A control that the encoder lacks keeps its default: the clip writer checks what comes out.
  private func setControls(_ format: VideoFormat, _ bitsPerSecond: Int) {
    let group = Int32(clamping: max(1, Self.groupSeconds * format.picturesPerKilosecond / 1000))
    set(TL_M2M_BITRATE_MODE, 0)
    set(TL_M2M_BITRATE_PEAK, Int32(clamping: bitsPerSecond))
    set(TL_M2M_BITRATE, Int32(clamping: bitsPerSecond))
    set(TL_M2M_B_FRAMES, 0)
    set(TL_M2M_GROUP, group)
    set(TL_M2M_H264_GROUP, group)
    set(TL_M2M_REPEAT_HEADER, 1)
    set(TL_M2M_HEADER_MODE, 1)
    if !set(TL_M2M_H264_PROFILE, 4) { set(TL_M2M_H264_PROFILE, 2) }
    set(TL_M2M_H264_LEVEL, 11)
  }

  /// Sets a control; false when the encoder does not have it or refuses it.
  @discardableResult
  func set(_ control: tl_m2m_control, _ value: Int32) -> Bool { tl_m2m_set(&device, control, value) >= 0 }

  // MARK: Pictures

  /// Copies a picture into a raw buffer and queues it.
  func put(_ image: PlanarImage, _ buffer: Int, at time: Int64) throws(ClipError) {
    guard layout.write(image, to: raw, buffer), tl_m2m_queue_raw(&device, UInt32(buffer), &layout.granted, time) >= 0
    else { throw .encoder }
  }

  /// Queues an empty coded buffer.
  func giveBack(_ buffer: UInt32) throws(ClipError) {
    guard tl_m2m_queue_coded(&device, buffer) >= 0 else { throw .encoder }
  }

  /// The result of dequeuing.
  enum Taken {
    case buffer(tl_m2m_buffer)
    case nothingYet
    /// The last buffer was dequeued earlier.
    case end
  }

  /// Dequeues the next finished buffer.
  func take(_ queue: Int32) throws(ClipError) -> Taken {
    var buffer = tl_m2m_buffer()
    let result = tl_m2m_dequeue(&device, queue, &buffer)
    switch Errno(Int32(truncatingIfNeeded: -result)) {
    case .wouldBlock: return .nothingYet
    case .brokenPipe: return .end
    default: break
    }
    let count = queue == TL_M2M_RAW ? raw.count : coded.count
    guard result >= 0, buffer.index < UInt32(count) else { throw .encoder }
    return .buffer(buffer)
  }

  /// The bytes of a coded picture.
  func bytes(_ buffer: tl_m2m_buffer) -> UnsafeBufferPointer<UInt8>? {
    let memory = UnsafeRawBufferPointer(coded.memory(Int(buffer.index), 0))
    let (start, count) = (Int(clamping: buffer.offset), Int(clamping: buffer.bytes))
    guard start <= memory.count, count <= memory.count - start else { return nil }
    return UnsafeBufferPointer(
      rebasing: memory.assumingMemoryBound(to: UInt8.self)[start..<start + count])
  }

  /// Waits until a buffer of a queue may be done.
  func wait(for queue: Int32, milliseconds: Int64) throws(ClipError) {
    let events = UInt32(queue == TL_M2M_RAW ? TL_OUT : TL_IN)
    guard tl_poll(file.number, events, -1, Int32(clamping: milliseconds)) >= 0 else { throw .encoder }
  }

  /// Signals the end of the input; false when the encoder has no stop command.
  func finish() -> Bool { tl_m2m_finish(&device) >= 0 }
}
