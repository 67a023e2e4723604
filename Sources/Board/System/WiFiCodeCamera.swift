import Device
import Runtime

/// The search for a Wi-Fi code on a board. A process of this program looks through the camera, as the agent's user and
/// without sockets (`LimitedProgram`), so that a look takes no memory of the agent's and ends with its pictures. A
/// request is a file in memory: a passphrase does not get onto flash by the agent.
public final class WiFiCodeCamera: WiFiBoard, ProgramRelay {
  /// The internal command of that process: its name, the configuration's file, and seconds.
  public static let command = "look-for-wifi"
  /// Written by root's side where the card allows a network to be named by a code.
  private static let answerFile: StaticString = "/run/talon-system/wifi"

  private let configuration: String
  private let program: String
  private let answer: Path
  private let folder: Path
  private let request: Path
  private let fresh: Path
  private let errors = FixedBuffer(capacity: Budget.wifiTroubleBytes)
  private var (textBytes, errorBytes) = (0, 0)
  private var text = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var cancellation: Cancellation?

  /// True where the card allows it.
  public static var isAllowed: Bool {
    do throws(Errno) {
      _ = try Syscall.status(answerFile.path)
      return true
    } catch {
      return false
    }
  }

  /// A search by the cameras of a configuration file. `runtimeFolder`: where a request is put; it is that of the
  /// image's path unit, `/run/talon`, unless the owner has moved it.
  @export(interface)
  public init(
    configuration: String, runtimeFolder: String, program: String = "/proc/self/exe", answer: String? = nil
  ) throws(Errno) {
    (self.configuration, self.program) = (configuration, program)
    folder = try Path(runtimeFolder)
    request = try Path(runtimeFolder + "/wifi-request")
    fresh = try Path(runtimeFolder + "/wifi-request.new")
    if let answer {
      self.answer = try Path(answer)
    } else {
      self.answer = Path()
      try self.answer.append(Self.answerFile)
    }
  }

  // MARK: The look

  public func look(
    for milliseconds: Int64, into text: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> WiFiSight {
    (textBytes, errorBytes) = (0, 0)
    self.text = text
    self.cancellation = cancellation
    defer {
      self.text = UnsafeMutableBufferPointer(start: nil, count: 0)
      self.cancellation = nil
    }
    var limits = LimitedProgram.Limits()
    limits.isOffline = true
    let words = ["talon", Self.command, configuration, String((milliseconds + 999) / 1000)]
    do throws(Errno) {
      let end = try LimitedProgram.relay(
        Path(program), words, limits: limits, milliseconds: milliseconds + Budget.wifiLookMargin, to: self)
      switch end {
      case .exited(0): return textBytes > 0 ? .code(textBytes) : .nothing
      case .cancelled: return .nothing
      case .timedOut: return .trouble(InlineText(cutting: "the camera does not end its look"))
      case .exited, .signal: return .trouble(complaint)
      }
    } catch {
      return .trouble(InlineText(cutting: error.text))
    }
  }

  public func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool) {
    let room = isError ? errors.bytes : text
    let used = isError ? errorBytes : textBytes
    let count = min(bytes.count, room.count - used)
    for index in 0..<count { room[used + index] = bytes[index] }
    if isError {
      errorBytes += count
    } else {
      textBytes += count
    }
  }

  public var isUnwanted: Bool { cancellation?.isRequested ?? true }

  /// The first line of what it said.
  private var complaint: InlineText<160> {
    var count = 0
    while count < errorBytes, errors.bytes[count] != UInt8(ascii: "\n") { count += 1 }
    guard count > 0 else { return InlineText(cutting: "the process that looks has failed") }
    return InlineText(cutting: UnsafeBufferPointer(rebasing: errors.bytes[..<count]).span)
  }

  // MARK: Root's side

  public func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    try FreshFile.write(fresh, UnsafeRawBufferPointer(request))
    try FreshFile.place(fresh, at: self.request, in: folder)
  }

  public func readAnswer(into text: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int {
    let file = try Syscall.open(answer, .read)
    defer { file.close() }
    return try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(text))
  }
}
