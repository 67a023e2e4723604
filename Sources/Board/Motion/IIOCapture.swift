import Codec
import Motion
import Runtime

/// The stream of records of one IIO device: three axes of acceleration, of rotation, or both.
final class IIOCapture {
  /// One axis in a record.
  private struct Channel {
    var index = 0
    var format: IIOFormat
    var offset = 0
  }

  /// A quantity in a record, and how its numbers become the units of IIO: (number + offset) * scale.
  private struct Part {
    let quantity: IIOQuantity
    var channels: [Channel]
    var scale: Float
    var offset: Float
  }

  let device: IIODevice
  /// Sample rate in Hz; 0 when the driver does not report it.
  private(set) var rate: Double = 0
  private var parts: [Part] = []
  private var recordBytes = 1
  private var file: Descriptor?
  private let records = FixedBuffer(capacity: Budget.iioReadBytes)

  init(_ device: IIODevice) { self.device = device }

  // MARK: Setting up

  /// Starts capturing these quantities at the rate nearest to `wanted`.
  func start(_ quantities: [IIOQuantity], rate wanted: Float, root: String) throws(Errno) {
    try device.set(Self.enable, 0)
    try device.disableAll()
    parts = []
    for quantity in quantities { parts.append(try part(quantity)) }
    layOut()
    setRate(quantities, Double(wanted))
    try setTrigger(root, Double(wanted))
    try device.set(IIODevice.Attribute(folder: "buffer/", name: "length"), Int64(Budget.iioBufferSamples))
    try device.set(Self.enable, 1)
    file = try device.open()
  }

  private static let enable = IIODevice.Attribute(folder: "buffer/", name: "enable")
  private static let axes: InlineArray<3, StaticString> = ["x_", "y_", "z_"]

  private func part(_ quantity: IIOQuantity) throws(Errno) -> Part {
    var channels: [Channel] = []
    for axis in 0..<3 {
      let element = { (name: StaticString) in
        IIODevice.Attribute(folder: "scan_elements/", quantity: quantity, axis: Self.axes[axis], name: name)
      }
      try device.set(element("en"), 1)
      let format = try device.read(element("type")) { IIOFormat($0) }
      let index = device.number(element("index"))
      guard let format, let index, (0..<256).contains(index) else { throw .notSupported }
      channels.append(Channel(index: Int(clamping: index), format: format))
    }
    setRange(quantity, bits: channels[0].format.bits)
    let scale = number("scale", quantity) ?? 1
    return Part(
      quantity: quantity, channels: channels, scale: Float(scale), offset: Float(number("offset", quantity) ?? 0))
  }

  /// The attribute shared by all axes, or that of x.
  private func number(_ name: StaticString, _ quantity: IIOQuantity) -> Double? {
    device.number(IIODevice.Attribute(quantity: quantity, name: name))
      ?? device.number(IIODevice.Attribute(quantity: quantity, axis: "x_", name: name))
  }

  /// Sets the available scale whose full range is nearest to the wanted range.
  private func setRange(_ quantity: IIOQuantity, bits: Int) {
    var largest = 1.0
    for _ in 1..<bits { largest *= 2 }
    device.choose(
      IIODevice.Attribute(quantity: quantity, name: "scale"),
      from: IIODevice.Attribute(quantity: quantity, name: "scale_available")
    ) { scale in abs(scale * largest - quantity.range) }
  }

  /// Elements of a record are ordered by index and aligned to their own size; so is the next record.
  private func layOut() {
    var (end, widest, next) = (0, 1, 0)
    while let (part, axis) = channel(atOrBehind: next) {
      let size = parts[part].channels[axis].format.storageBytes
      end = (end + size - 1) / size * size
      parts[part].channels[axis].offset = end
      end += size
      widest = max(widest, size)
      next = parts[part].channels[axis].index + 1
    }
    recordBytes = (end + widest - 1) / widest * widest
  }

  private func channel(atOrBehind next: Int) -> (Int, Int)? {
    var best: (part: Int, axis: Int)?
    var least = Int.max
    for part in 0..<parts.count {
      for axis in 0..<3 where parts[part].channels[axis].index >= next && parts[part].channels[axis].index < least {
        least = parts[part].channels[axis].index
        best = (part, axis)
      }
    }
    return best
  }

  /// The rate is an attribute of the device, or of each quantity.
  private func setRate(_ quantities: [IIOQuantity], _ wanted: Double) {
    rate = 0
    setRate(nil, wanted)
    for quantity in quantities { setRate(quantity, wanted) }
  }

  private func setRate(_ quantity: IIOQuantity?, _ wanted: Double) {
    let attribute = IIODevice.Attribute(quantity: quantity, name: "sampling_frequency")
    let list = IIODevice.Attribute(quantity: quantity, name: "sampling_frequency_available")
    if device.exists(list) {
      device.choose(attribute, from: list) { abs($0 - wanted) }
    } else {
      // Without a list of rates the driver takes the nearest one, or refuses and keeps its rate.
      do throws(Errno) { try device.set(attribute, Int64(clamping: wanted)) } catch {}
    }
    if let kept = device.number(attribute), kept > 0 { rate = kept }
  }

  // MARK: Triggers

  /// A device with triggers captures when one fires: its own (named after the device), or a timer, which belongs to no
  /// device.
  private func setTrigger(_ root: String, _ wanted: Double) throws(Errno) {
    let current = IIODevice.Attribute(folder: "trigger/", name: "current_trigger")
    guard device.exists(current) else { return }
    if try device.read(current, { !$0.isEmpty }) { return }
    let own = try device.name()
    var best: (rank: Int, number: Int, name: InlineText<64>)?
    try IIODevice.forEach("trigger", root: root) { number in
      guard let name = IIOTrigger(number: number, root: root)?.name else { return }
      let rank = IIOTrigger.rank(name, device: own)
      if rank > (best?.rank ?? 0) { best = (rank, number, name) }
    }
    guard let best else { throw .noSuchDevice }
    IIOTrigger(number: best.number, root: root)?.setRate(wanted)
    try device.set(current, best.name.span)
  }

  // MARK: Capturing

  /// Reads the available records as far as they fit; returns their number and whether the kernel's buffer was full.
  func read(
    _ acceleration: UnsafeMutableBufferPointer<Vector3>, _ rotation: UnsafeMutableBufferPointer<Vector3>
  ) throws(Errno) -> (count: Int, isFull: Bool) {
    guard let file else { throw .noSuchDevice }
    var count = 0
    let room = min(records.bytes.count / recordBytes, Budget.iioBufferSamples)
    while count < Budget.iioBufferSamples {
      let wanted = min(room, Budget.iioBufferSamples - count) * recordBytes
      let bytes = try available(file, wanted)
      for record in 0..<bytes / recordBytes {
        for part in 0..<parts.count {
          let value = vector(part, record * recordBytes)
          switch parts[part].quantity {
          case .acceleration: acceleration[count] = value
          case .rotation: rotation[count] = value
          }
        }
        count += 1
      }
      if bytes < wanted { break }
    }
    return (count, count >= Budget.iioBufferSamples)
  }

  private func available(_ file: Descriptor, _ wanted: Int) throws(Errno) -> Int {
    do throws(Errno) {
      return try Syscall.read(
        file, into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: records.bytes[..<wanted])))
    } catch {
      if error == .wouldBlock { return 0 }
      throw error
    }
  }

  /// The value of a part in the record that begins at `start`.
  private func vector(_ part: Int, _ start: Int) -> Vector3 {
    Vector3(value(part, 0, start), value(part, 1, start), value(part, 2, start))
  }

  private func value(_ part: Int, _ axis: Int, _ start: Int) -> Float {
    let channel = parts[part].channels[axis]
    let place = UnsafePointer(records.bytes.baseAddress! + start + channel.offset)
    return (Float(channel.format.number(at: place)) + parts[part].offset) * parts[part].scale
  }

  /// Stops capturing; ignores errors.
  func stop() {
    file?.close()
    file = nil
    do throws(Errno) { try device.set(Self.enable, 0) } catch {}
  }
}
