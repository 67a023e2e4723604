import Board
import Device
import Runtime

/// `talon look-for-wifi FILE SECONDS`: looks for a Wi-Fi code in front of the camera and writes its text, for the agent
/// that started it (`WiFiCodeCamera`); writes nothing when none was seen. Not for people, and in no list.
enum WiFiLookCommand {
  /// The exit code; nil for another command.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 3, words[0] == WiFiCodeCamera.command, let seconds = Int(words[2]) else { return nil }
    do throws(Failure) {
      let configuration = try ConfigCommand.read(words[1], as: .caller)
      var failure: Errno?
      let bound = Budget.scanSecondsRange
      _ = try ScanCommand.look(configuration, seconds: min(max(seconds, bound.lowerBound), bound.upperBound)) { text in
        guard WiFiCode.isCode(text) else { return false }
        // A longer one is told apart by its first byte too many.
        let shown = text.extracting(0..<min(text.count, Budget.wifiCodeBytes + 1))
        shown.withUnsafeBytes { bytes in
          do throws(Errno) { try Syscall.writeAll(Descriptor(1), bytes) } catch { failure = error }
        }
        return true
      }
      if let failure { throw Failure(.system, String(failure.text)) }
      return 0
    } catch {
      Console.err(error.text)
      return error.code.rawValue
    }
  }
}
