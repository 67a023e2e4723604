import Codec
import Runtime

/// Cleans text that has no markup for a language model, as it arrives: plain text, Markdown, JSON. Drops the same
/// characters as `PageText`; lines and blanks are kept, of empty lines one after another.
public final class PlainText {
  private var decoder = PageDecoder()
  private var output = PageOutput()
  private var keepsLines = true

  /// A reader without a text.
  @export(interface)
  public init() {}

  /// Starts a text, which is written into `room`, which must live until the next one. `keepsLines`: false for what is
  /// to be one line. `charset`: what the server named.
  public func begin(
    into room: UnsafeMutableBufferPointer<UInt8>, keepsLines: Bool = true, charset: PageCharset? = nil
  ) {
    decoder = PageDecoder(charset)
    output.begin(into: room)
    self.keepsLines = keepsLines
  }

  /// Reads the next bytes. Bytes after `isFull` change nothing.
  public func take(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count, !output.isCut {
      decoder.take(bytes[index])
      put()
      index += 1
    }
  }

  /// The text has ended.
  /// - Returns: its length
  public func end() -> Int {
    decoder.end()
    put()
    output.end()
    return output.count
  }

  /// The text is as long as it may be: the rest does not matter.
  public var isFull: Bool { output.isCut }

  /// The text so far; whole after `end`.
  public var text: UnsafeBufferPointer<UInt8> { output.text }

  private func put() {
    while let scalar = decoder.next() {
      if keepsLines { output.putKept(scalar) } else { output.put(scalar) }
    }
  }
}
