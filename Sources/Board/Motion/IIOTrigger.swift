import Codec
import Runtime

/// A trigger of IIO, which decides when a sample is taken.
struct IIOTrigger {
  private let path: Path
  private let folderLength: Int

  init?(number: Int, root: String) {
    do throws(Errno) {
      path = try Path(root + "/sys/bus/iio/devices/trigger\(number)/")
      folderLength = path.length
    } catch {
      return nil
    }
  }

  var name: InlineText<64>? {
    do throws(Errno) {
      let file = try open("name", .read)
      defer { file.close() }
      var bytes = InlineArray<64, UInt8>(repeating: 0)
      var span = bytes.mutableSpan
      var count = try span.withUnsafeMutableBytes { (buffer) throws(Errno) in try Syscall.readAll(file, into: buffer) }
      while count > 0, bytes[count - 1] <= 0x20 { count -= 1 }
      return InlineText(cutting: bytes.span.extracting(0..<count))
    } catch {
      return nil
    }
  }

  /// Sets the rate of a timer; other triggers have none.
  func setRate(_ wanted: Double) {
    var digits = InlineText<24>()
    digits.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.decimal(Int64(clamping: wanted))
      return writer.count
    }
    do throws(Errno) {
      let file = try open("sampling_frequency", [.write, .truncate])
      defer { file.close() }
      try digits.span.withUnsafeBytes { (bytes) throws(Errno) in try Syscall.writeAll(file, bytes) }
    } catch {}
  }

  private func open(_ name: StaticString, _ mode: OpenMode) throws(Errno) -> Descriptor {
    path.truncate(to: folderLength)
    try path.append(name)
    return try Syscall.open(path, mode)
  }

  /// 2 for a trigger whose name begins with the device's, as drivers name their own ("bmi160-dev0"), 1 for a timer, 0
  /// for the trigger of another device.
  static func rank(_ name: InlineText<64>, device: InlineText<64>) -> Int {
    if begins(name, with: device) { return 2 }
    for start in 0..<name.count where stands("-dev", in: name, at: start) { return 0 }
    return 1
  }

  private static func stands(_ word: StaticString, in name: InlineText<64>, at start: Int) -> Bool {
    let word = word.bytes
    guard start + word.count <= name.count else { return false }
    for index in 0..<word.count where name.span[start + index] != word[index] { return false }
    return true
  }

  private static func begins(_ name: InlineText<64>, with prefix: InlineText<64>) -> Bool {
    guard name.count >= prefix.count, !prefix.isEmpty else { return false }
    for index in 0..<prefix.count where name.span[index] != prefix.span[index] { return false }
    return true
  }
}
