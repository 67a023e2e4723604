import Codec
import Runtime

/// The address of a gateway's canvas host (gateway reference 3.10), made reachable from this board.
public enum SurfaceURL {
  /// Rewrites `text` for a board that reached the gateway at `gateway`. A host that is missing or means the gateway's
  /// own machine becomes the gateway's; on an encrypted connection the scheme and the port do too. Path, query and
  /// fragment stay. `isForPeople`: a host of another machine stays as it is, for it is reached on its own way. Nil when
  /// it is not an http or https address, or too long.
  public static func rewritten<let capacity: Int>(
    _ text: Span<UInt8>, for gateway: GatewayURL, isForPeople: Bool = false
  ) -> InlineText<capacity>? {
    guard let start = authorityStart(of: text) else { return nil }
    var end = start
    while end < text.count, !isDelimiter(text[end]) { end += 1 }
    for index in 0..<text.count where text[index] <= 0x20 || text[index] == 0x7F { return nil }
    let named = host(of: text.extracting(start..<end))
    let isOwn = named.isEmpty || (named.isLoopback && !gateway.isLoopback)
    var result = InlineText<capacity>()
    let isWhole = result.fill { buffer in
      var writer = ByteWriter(into: buffer)
      if isOwn || gateway.isSecure && !isForPeople {
        writer.text(gateway.isSecure ? "https://" : "http://")
        writer.text(isOwn ? gateway.bracketedHost : named.text)
        writer.text(":")
        writer.decimal(Int64(gateway.port))
      } else {
        writer.bytes(text.extracting(0..<end))
      }
      writer.bytes(text.extracting(end..<text.count))
      return writer.isComplete ? writer.count : nil
    }
    return isWhole ? result : nil
  }

  /// Where the authority begins; nil when this is no http address.
  private static func authorityStart(of text: Span<UInt8>) -> Int? {
    if starts(text, with: "https://") { return 8 }
    if starts(text, with: "http://") { return 7 }
    return nil
  }

  private static func starts(_ text: Span<UInt8>, with prefix: StaticString) -> Bool {
    guard text.count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where text[index] != prefix.bytes[index] { return false }
    return true
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private struct Host {
    var text = ""
    var isLoopback = false
    var isEmpty: Bool { text.isEmpty }
  }

  /// The host of an authority, as in a gateway's URL; empty when it is not valid.
  private static func host(of authority: Span<UInt8>) -> Host {
    let text = authority.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    guard let url = try? GatewayURL("ws://" + text) else { return Host() }
    return Host(text: url.bracketedHost, isLoopback: url.isLoopback)
  }
}
