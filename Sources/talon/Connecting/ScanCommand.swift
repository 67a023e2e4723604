import Board
import Camera
import CameraPart
import Codec
import Gateway
import Runtime

/// `talon connect --scan`: looks for a code that connects this board in front of the camera.
enum ScanCommand {
  /// The text of the first code that can connect the board. The camera is opened as the person who calls.
  /// - Parameter goesOn: asked before each picture; false ends the look.
  static func run(
    _ options: Options, _ configuration: Configuration, while goesOn: () -> Bool = { true }
  ) throws(Failure) -> String {
    if let word = options.words.first { throw Failure(.usage, "--scan reads a code, and takes no \"\(word)\"") }
    let range = Budget.scanSecondsRange
    let seconds = try options.number("--seconds", range) ?? Budget.scanSeconds
    let found = Found()
    let look = try look(
      configuration, device: options.value("--device"), seconds: seconds, while: goesOn,
      begin: { Console.err("Show the code to the camera (\(seconds) s) ...") }
    ) { found.take($0) }
    if look.isFound { return found.text }
    let pictures = "\(look.pictures) pictures in \(seconds) s"
    if let complaint = found.complaint {
      throw Failure(.unavailable, "a QR code was seen, but \(complaint) (\(pictures))")
    }
    throw Failure(.unavailable, "no QR code was seen: \(pictures); bring it nearer, and have light on it")
  }

  /// Looks at pictures of the camera until `take` returns true for the text of a code, and tells how many that were.
  static func look(
    _ configuration: Configuration, device: String? = nil, seconds: Int, while goesOn: () -> Bool = { true },
    begin: () -> Void = {}, take: (Span<UInt8>) -> Bool
  ) throws(Failure) -> (isFound: Bool, pictures: Int) {
    guard configuration.camera.isEnabled, configuration.cameraDriver != .none else {
      throw Failure(.unavailable, "the camera is switched off: see [camera] of talon.conf")
    }
    let name = device.map { CameraText(cutting: $0) }
    let cameras = CameraWiring(configuration: configuration, clock: SystemClock())
    begin()
    let scan = try scan(cameras)
    do throws(CameraError) {
      let isFound = try scan.run(
        CameraChoice(device: name), by: QuircReader(), until: cameras.clock.monotonic + Int64(seconds) * 1000,
        while: goesOn, take)
      return (isFound, scan.pictures)
    } catch {
      throw Failure(.unavailable, "the camera: \(text(error))")
    }
  }

  private static func scan(_ cameras: CameraWiring) throws(Failure) -> CodeScan {
    do throws(Errno) {
      return try CodeScan(
        stream: try cameras.stream(of: try cameras.source()), codec: try TurboJPEG(), clock: cameras.clock)
    } catch {
      throw Failure(.system, "no memory for pictures: \(String(error.text))")
    }
  }

  private static func text(_ error: CameraError) -> String {
    var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      error.writeMessage(to: &writer)
      return min(writer.count, buffer.count)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// What was read.
  private final class Found {
    private(set) var text = ""
    /// Why the last code that was read is of no use.
    private(set) var complaint: String?

    func take(_ code: Span<UInt8>) -> Bool {
      text = code.withUnsafeBufferPointer { ConfigurationKey.trimmed(Array($0)[...]) }
      do throws(Failure) {
        switch try ConnectCommand.sorted(text) {
        case .join, .dashboard: break
        case .link(let link): try check(link)
        case .code(let code): _ = try ConnectCommand.code(code)
        case .file: throw Failure(.usage, "it connects no board")
        }
        return true
      } catch {
        complaint = error.text
        return false
      }
    }

    private func check(_ text: String) throws(Failure) {
      guard try OpenCommand.link(text.utf8.span).kind == .agent else { return }
      throw Failure(.usage, "it is a message for the agent, which talon open sends")
    }
  }
}
