import Codec
import Runtime

extension WiFiCode {
  /// Writes the request to join this network, in lines `key = value` for root's side: its length, at most
  /// `Budget.wifiRequestBytes`. Name and passphrase are hexadecimal digits, so that no byte of them can begin a line.
  public func writeRequest(_ id: Int64, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = ByteWriter(into: bytes)
    writer.text("id = ")
    writer.decimal(id)
    writer.text("\nssid = ")
    Self.write(name.span, to: &writer)
    switch protection {
    case .open: break
    case .passphrase:
      writer.text("\npassphrase = ")
      Self.write(secret.span, to: &writer)
    case .key:
      writer.text("\npsk = ")
      for index in 0..<secret.count { writer.byte(secret.span[index].asciiLowercased) }
    }
    writer.text(isHidden ? "\nhidden = yes\n" : "\n")
    return min(writer.count, bytes.count)
  }

  private static func write(_ text: Span<UInt8>, to writer: inout ByteWriter) {
    var digits = InlineText<128>()
    digits.fill { Hex.encode(text, into: $0) }
    writer.bytes(digits.span)
  }
}

/// What root's side says of the last request: the file `wifi` of `/run/talon-system`, in lines `key = value`. It is
/// there where the card allows a network to be named by a code.
public struct WiFiAnswer: Equatable, Sendable {
  /// How far it is.
  public enum State: Equatable, Sendable { case waiting, working, joined, failed }

  /// The number of the request; 0 before the first.
  public private(set) var id: Int64 = 0
  public private(set) var state: State
  /// Why it failed.
  public private(set) var reason = InlineText<160>()

  /// Reads the file; nil without a state that is known. What is no printable ASCII in a reason becomes a question mark.
  public init?(_ text: Span<UInt8>) {
    var found: State?
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      if let word = line.dropping("state = ") {
        found = Self.state(word)
      } else if let number = line.dropping("id = ")?.unsigned.flatMap({ Int64(exactly: $0) }) {
        id = number
      } else if let words = line.dropping("reason = ") {
        reason.fill { bytes in
          let count = min(words.count, bytes.count)
          for index in 0..<count { bytes[index] = (0x20..<0x7F).contains(words[index]) ? words[index] : 0x3F }
          return count
        }
      }
    }
    guard let found else { return nil }
    state = found
  }

  private static func state(_ word: Span<UInt8>) -> State? {
    if word.matches("waiting") { return .waiting }
    if word.matches("working") { return .working }
    if word.matches("joined") { return .joined }
    return word.matches("failed") ? .failed : nil
  }
}

/// What a look through the camera has found.
public enum WiFiSight: Equatable, Sendable {
  case nothing
  /// The bytes of a code's text, at the beginning of what the look was given.
  case code(Int)
  /// Why nothing can be seen.
  case trouble(InlineText<160>)
}

/// What the search needs of the board. Calls block: on a worker, one at a time.
public protocol WiFiBoard: AnyObject {
  /// Looks for a Wi-Fi code in front of the camera, for so many milliseconds.
  func look(
    for milliseconds: Int64, into text: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> WiFiSight
  /// Hands a request to root's side, whole or not at all.
  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno)
  /// Reads what root's side last said: its bytes.
  func readAnswer(into text: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int
}
