import Codec
import Runtime

/// Identifies a discovered gateway; stays the same when its host, port or address changes (gateway reference 6.3). Its
/// text is `_openclaw-gw._tcp|domain.|instance`, in lower case.
public struct GatewayID: Equatable, Sendable {
  /// The service that every gateway advertises (gateway reference 7.1).
  public static let service: StaticString = "_openclaw-gw._tcp"

  /// `local`, or a domain of unicast DNS-SD.
  public let domain: DNSName
  /// The instance, cleaned and in lower case.
  public let instance: PlainName

  /// An id from its parts.
  /// - Parameter instance: as on the wire, or as a person types it.
  public init(domain: DNSName, instance: Span<UInt8>) {
    self.domain = domain
    self.instance = PlainName(cleaning: instance).lowercased
  }

  /// Reads the text of an id; nil when it is none.
  public init?(text: Span<UInt8>) {
    let prefix = Self.service.utf8CodeUnitCount
    guard text.count > prefix, text[prefix] == UInt8(ascii: "|") else { return nil }
    for index in 0..<prefix where text[index] != Self.service.bytes[index] { return nil }
    var end = prefix + 1
    while end < text.count, text[end] != UInt8(ascii: "|") { end += 1 }
    guard end > prefix + 1, end + 1 < text.count else { return nil }
    do throws(DNSError) {
      domain = try DNSName(text: text.extracting(prefix + 1..<end))
    } catch {
      return nil
    }
    instance = PlainName(cleaning: text.extracting((end + 1)...)).lowercased
    if domain.isRoot || instance.isEmpty { return nil }
  }

  /// Writes the text.
  public func write(to writer: inout ByteWriter) {
    writer.text(Self.service)
    writer.text("|")
    var lower = InlineArray<1024, UInt8>(repeating: 0)
    var span = lower.mutableSpan
    let count = span.withUnsafeMutableBufferPointer { buffer in
      var name = ByteWriter(into: buffer)
      domain.writeText(to: &name, isRooted: true)
      return min(name.count, buffer.count)
    }
    for index in 0..<count {
      let byte = lower[index]
      writer.byte(byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
    }
    writer.text("|")
    writer.bytes(instance.span)
  }

  /// The text. For start-up, the console and records: allocates.
  public var text: String {
    String(unsafeUninitializedCapacity: 1200) { buffer in
      var writer = ByteWriter(into: buffer)
      write(to: &writer)
      return min(writer.count, buffer.count)
    }
  }
}
