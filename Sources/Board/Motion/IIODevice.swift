import Codec
import Motion
import Runtime

/// What an IIO device measures along three axes.
enum IIOQuantity {
  case acceleration, rotation

  /// The prefix of its attribute names.
  var prefix: StaticString {
    switch self {
    case .acceleration: "in_accel_"
    case .rotation: "in_anglvel_"
    }
  }

  /// The wanted range in the units of IIO: 8 g in meters per second squared, 1000 degrees per second in radians per
  /// second.
  var range: Double {
    switch self {
    case .acceleration: 8 * 9.80665
    case .rotation: 1000 * .pi / 180
    }
  }
}

/// A device of the kernel's Industrial I/O: its attributes (kernel ABI sysfs-bus-iio) and its file.
final class IIODevice {
  /// Bytes of the longest attribute that is read: lists of rates and scales.
  private static let attributeBytes = 512
  /// One more than the largest number of a device.
  static let limit = 64

  let number: Int
  private let path: Path
  private let folderLength: Int
  private let root: String
  private let text = FixedBuffer(capacity: IIODevice.attributeBytes)

  /// A device by its number. `root` is empty except in tests.
  init(number: Int, root: String) throws(Errno) {
    self.number = number
    self.root = root
    path = try Path(root + "/sys/bus/iio/devices/iio:device\(number)/")
    folderLength = path.length
  }

  /// Calls `body` with the number of each entry in the folder of devices whose name begins with `prefix`: "iio:device"
  /// or "trigger".
  static func forEach(_ prefix: StaticString, root: String, _ body: (Int) -> Void) throws(Errno) {
    let folder = try Syscall.open(Path(root + "/sys/bus/iio/devices"), [.read, .directory])
    defer { folder.close() }
    var scratch = InlineArray<256, UInt64>(repeating: 0)
    var span = scratch.mutableSpan
    try span.withUnsafeMutableBufferPointer { scratch throws(Errno) in
      try Syscall.entries(of: folder, scratch: UnsafeMutableRawBufferPointer(scratch)) { name in
        if let number = Self.number(name, prefix) { body(number) }
      }
    }
  }

  private static func number(_ name: UnsafePointer<CChar>, _ prefix: StaticString) -> Int? {
    for index in 0..<prefix.utf8CodeUnitCount where UInt8(bitPattern: name[index]) != prefix.utf8Start[index] {
      return nil
    }
    var (index, number) = (prefix.utf8CodeUnitCount, 0)
    while (48...57).contains(name[index]), number < limit {
      number = 10 * number + Int(name[index] & 15)
      index += 1
    }
    return index > prefix.utf8CodeUnitCount && name[index] == 0 && number < limit ? number : nil
  }

  // MARK: Attributes

  /// The name of an attribute, with an optional folder, quantity and axis.
  struct Attribute {
    var folder: StaticString = ""
    var quantity: IIOQuantity?
    var axis: StaticString = ""
    var name: StaticString
  }

  func exists(_ attribute: Attribute) -> Bool {
    do throws(Errno) {
      try go(to: attribute)
      _ = try Syscall.status(path)
      return true
    } catch {
      return false
    }
  }

  /// Reads an attribute, trimmed. The text is valid during `parse`.
  func read<Value>(_ attribute: Attribute, _ parse: (Span<UInt8>) -> Value) throws(Errno) -> Value {
    try go(to: attribute)
    let file = try Syscall.open(path, .read)
    defer { file.close() }
    var count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(text.bytes))
    while count > 0, text.bytes[count - 1] <= 0x20 { count -= 1 }
    return parse(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count])))
  }

  /// The driver's name of the device.
  func name() throws(Errno) -> InlineText<64> {
    try read(Attribute(name: "name")) { InlineText(cutting: $0) }
  }

  /// A number; nil when the attribute does not exist or is not a number.
  func number(_ attribute: Attribute) -> Double? {
    do throws(Errno) {
      return try read(attribute) { $0.decimalNumber }
    } catch {
      return nil
    }
  }

  /// Sets an attribute to this text. It is not written when it already has this value, so that a user with read access
  /// only can use a device that is already set up.
  func set(_ attribute: Attribute, _ value: Span<UInt8>) throws(Errno) {
    if holds(attribute, value) { return }
    try go(to: attribute)
    let file = try Syscall.open(path, [.write, .truncate])
    defer { file.close() }
    try value.withUnsafeBufferPointer { bytes throws(Errno) in
      try Syscall.writeAll(file, UnsafeRawBufferPointer(bytes))
    }
  }

  private func holds(_ attribute: Attribute, _ value: Span<UInt8>) -> Bool {
    do throws(Errno) {
      return try read(attribute) { found in
        guard found.count == value.count else { return false }
        for index in 0..<found.count where found[index] != value[index] { return false }
        return true
      }
    } catch {
      // An attribute that cannot be read may still be writable.
      return false
    }
  }

  /// Sets an attribute to this number.
  func set(_ attribute: Attribute, _ number: Int64) throws(Errno) {
    var digits = InlineText<24>()
    digits.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.decimal(number)
      return writer.count
    }
    try set(attribute, digits.span)
  }

  /// Sets `attribute` to the number of a list that has the least `distance`. Leaves it as it is when there is no list,
  /// or when it may not be written.
  func choose(_ attribute: Attribute, from list: Attribute, _ distance: (Double) -> Double) {
    var best = InlineText<24>()
    do throws(Errno) {
      try read(list) { text in
        var least = Double.infinity
        Self.forEachWord(text) { word in
          guard let number = word.decimalNumber, distance(number) < least, word.count <= 24 else { return }
          least = distance(number)
          best.set(word)
        }
      }
      if !best.isEmpty { try set(attribute, best.span) }
    } catch {
      return
    }
  }

  /// The words of a list. For a range, "[minimum step maximum]", these three are the words.
  private static func forEachWord(_ text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...text.count {
      if index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: "["), text[index] != UInt8(ascii: "]") {
        continue
      }
      if index > start { body(text.extracting(start..<index)) }
      start = index + 1
    }
  }

  private func go(to attribute: Attribute) throws(Errno) {
    path.truncate(to: folderLength)
    try path.append(attribute.folder)
    if let quantity = attribute.quantity { try path.append(quantity.prefix) }
    try path.append(attribute.axis)
    try path.append(attribute.name)
  }

  // MARK: Elements of records, and the file

  /// Disables every channel of the records. Names end with "_en".
  func disableAll() throws(Errno) {
    for _ in 0..<Self.limit {
      guard let name = try firstEnabled() else { return }
      path.truncate(to: folderLength)
      try path.append("scan_elements/")
      try name.span.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
      let file = try Syscall.open(path, [.write, .truncate])
      defer { file.close() }
      var zero = UInt8(ascii: "0")
      try withUnsafeBytes(of: &zero) { byte throws(Errno) in try Syscall.writeAll(file, byte) }
    }
  }

  /// The first enabled channel.
  private func firstEnabled() throws(Errno) -> InlineText<64>? {
    path.truncate(to: folderLength)
    try path.append("scan_elements")
    let folder = try Syscall.open(path, [.read, .directory])
    defer { folder.close() }
    var found: InlineText<64>?
    var scratch = InlineArray<256, UInt64>(repeating: 0)
    var span = scratch.mutableSpan
    try span.withUnsafeMutableBufferPointer { scratch throws(Errno) in
      try Syscall.entries(of: folder, scratch: UnsafeMutableRawBufferPointer(scratch)) { name in
        guard found == nil, let text = Self.switchName(name), self.isOne(text) else { return }
        found = text
      }
    }
    return found
  }

  private static func switchName(_ name: UnsafePointer<CChar>) -> InlineText<64>? {
    var count = 0
    while name[count] != 0 { count += 1 }
    let isSwitch = count > 3 && name[count - 3] == 0x5F && name[count - 2] == 0x65 && name[count - 1] == 0x6E
    guard isSwitch, count <= 64 else { return nil }
    return name.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      InlineText(cutting: Span(_unsafeElements: UnsafeBufferPointer(start: bytes, count: count)))
    }
  }

  private func isOne(_ name: InlineText<64>) -> Bool {
    do throws(Errno) {
      path.truncate(to: folderLength)
      try path.append("scan_elements/")
      try name.span.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
      let file = try Syscall.open(path, .read)
      defer { file.close() }
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) { (buffer) throws(Errno) in
        try Syscall.read(file, into: buffer)
      }
      return count == 1 && byte == UInt8(ascii: "1")
    } catch {
      return false
    }
  }

  /// Opens the file that records are read from, non-blocking.
  func open() throws(Errno) -> Descriptor {
    try Syscall.open(Path(root + "/dev/iio:device\(number)"), [.read, .nonBlocking])
  }
}
