import CLinux
import Camera
import Codec
import Runtime

/// A device file of Video4Linux, `/dev/videoN` or `/dev/v4l-subdevN`.
struct V4L2Node {
  /// The kind of device.
  enum Kind {
    /// Streams video.
    case video
    /// A subdevice with its own controls: a sensor.
    case part

    var prefix: StaticString {
      switch self {
      case .video: "video"
      case .part: "v4l-subdev"
      }
    }
  }

  let kind: Kind
  /// N.
  let number: Int
  /// The prefix of /dev and /sys; empty except in tests.
  let root: CameraText

  init(_ kind: Kind = .video, number: Int, root: CameraText = CameraText()) {
    self.kind = kind
    self.number = number
    self.root = root
  }

  /// The numbers of all existing nodes, as a set of bits: the kernel assigns 0...255 (videodev's minors).
  struct Numbers {
    private var bits = InlineArray<4, UInt64>(repeating: 0)

    func contains(_ number: Int) -> Bool { bits[number / 64] >> UInt64(number % 64) & 1 == 1 }

    mutating func insert(_ number: Int) { bits[number / 64] |= 1 << UInt64(number % 64) }
  }

  /// One more than the largest number.
  static let limit = 256

  /// The numbers of the nodes that exist.
  static func present(_ kind: Kind = .video, root: CameraText = CameraText()) throws(Errno) -> Numbers {
    let folder = try open(root, CameraText(cutting: "/dev" as StaticString), [.read, .directory])
    defer { folder.close() }
    var numbers = Numbers()
    var scratch = InlineArray<128, UInt64>(repeating: 0)
    var span = scratch.mutableSpan
    try span.withUnsafeMutableBufferPointer { scratch throws(Errno) in
      try Syscall.entries(of: folder, scratch: UnsafeMutableRawBufferPointer(scratch)) { name in
        if let number = number(in: name, kind) { numbers.insert(number) }
      }
    }
    return numbers
  }

  /// N of a file name "videoN".
  private static func number(in name: UnsafePointer<CChar>, _ kind: Kind) -> Int? {
    let prefix = kind.prefix.bytes
    for index in 0..<prefix.count where UInt8(bitPattern: name[index]) != prefix[index] { return nil }
    var (index, number) = (prefix.count, 0)
    while let digit = Int(exactly: name[index]), (48...57).contains(digit), number < limit {
      number = 10 * number + digit - 48
      index += 1
    }
    return index > prefix.count && name[index] == 0 && number < limit ? number : nil
  }

  /// The path, which is also the camera's id.
  var id: CameraText { text("/dev/", "") }

  /// The kernel's name of the device; "" when there is none.
  var kernelName: CameraText {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var count = 0
    do throws(Errno) {
      let file = try Self.open(root, text("/sys/class/video4linux/", "/name"), .read)
      defer { file.close() }
      var span = bytes.mutableSpan
      count = try span.withUnsafeMutableBufferPointer { buffer throws(Errno) in
        try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      return CameraText()
    }
    while count > 0, bytes[count - 1] <= 0x20 { count -= 1 }
    return CameraText(cutting: bytes.span.extracting(0..<count))
  }

  /// Opens the device, non-blocking. A camera that is asleep may refuse the first time.
  func open() throws(Errno) -> Descriptor {
    let mode: OpenMode = [.readWrite, .nonBlocking]
    do throws(Errno) { return try Self.open(root, id, mode) } catch { return try Self.open(root, id, mode) }
  }

  private func text(_ folder: StaticString, _ suffix: StaticString) -> CameraText {
    var text = CameraText()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(folder)
      writer.text(kind.prefix)
      writer.decimal(Int64(number))
      writer.text(suffix)
      return writer.isComplete ? writer.count : nil
    }
    return text
  }

  private static func open(
    _ root: CameraText, _ path: CameraText, _ mode: OpenMode
  ) throws(Errno) -> Descriptor {
    var terminated = InlineArray<129, CChar>(repeating: 0)
    for index in 0..<root.count { terminated[index] = CChar(bitPattern: root.span[index]) }
    for index in 0..<path.count { terminated[root.count + index] = CChar(bitPattern: path.span[index]) }
    return try terminated.span.withUnsafeBufferPointer { path throws(Errno) in
      try Syscall.open(path.baseAddress!, mode)
    }
  }
}
