import Codec
import Device
import Runtime

/// The backlight of a panel (kernel document ABI/stable/sysfs-class-backlight): the first one of the board.
final class Backlight {
  private let folder: Path
  private let length: Int

  /// nil when the board has none.
  init?(root: String) {
    guard let found = Self.first("\(root)/sys/class/backlight"), let path = try? Path("\(found)/") else { return nil }
    folder = path
    length = path.length
  }

  /// The first by name, so that the choice is stable.
  private static func first(_ root: String) -> String? {
    guard let path = try? Path(root), let folder = try? Syscall.open(path, [.read, .directory]) else { return nil }
    defer { folder.close() }
    var best: String?
    let scratch = FixedBuffer(capacity: 1024)
    try? Syscall.entries(of: folder, scratch: UnsafeMutableRawBufferPointer(scratch.bytes)) { name in
      let text = String(cString: name)
      if best.map({ precedes(text, $0) }) ?? true { best = text }
    }
    return best.map { "\(root)/\($0)" }
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// 0 is the lowest level, which may be off; otherwise at least one step.
  func set(percent: Int) throws(Errno) {
    let most = try number("max_brightness")
    guard most > 0 else { throw .invalidArgument }
    let wanted = Int64(min(max(percent, 0), 100)) * most / 100
    try write(percent > 0 ? max(wanted, 1) : 0, to: "brightness")
  }

  private func number(_ name: StaticString) throws(Errno) -> Int64 {
    let file = try open(name, .read)
    defer { file.close() }
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return try span.withUnsafeMutableBufferPointer { room throws(Errno) in
      let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(room))
      let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: room[..<count]))
      guard let number = SystemTexts.number(text) else { throw Errno.invalidArgument }
      return number
    }
  }

  private func write(_ number: Int64, to name: StaticString) throws(Errno) {
    let file = try open(name, [.write, .truncate])
    defer { file.close() }
    var bytes = InlineArray<24, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try span.withUnsafeMutableBufferPointer { room throws(Errno) in
      var writer = ByteWriter(into: room)
      writer.decimal(number)
      writer.byte(UInt8(ascii: "\n"))
      try Syscall.writeAll(file, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<writer.count]))
    }
  }

  private func open(_ name: StaticString, _ mode: OpenMode) throws(Errno) -> Descriptor {
    folder.truncate(to: length)
    try folder.append(name)
    return try Syscall.open(folder, mode)
  }
}
