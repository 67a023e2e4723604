import Codec
import Gateway
import Runtime

/// Discovered gateways as text.
enum GatewayListing {
  /// `{"gateways":[...]}`, for programs.
  static func json(_ browser: GatewayBrowser) -> String {
    var counter = JSONWriter()
    write(browser, to: &counter)
    let length = counter.count
    return String(unsafeUninitializedCapacity: length) { buffer in
      var writer = JSONWriter(into: buffer)
      write(browser, to: &writer)
      return min(writer.count, buffer.count)
    }
  }

  private static func write(_ browser: GatewayBrowser, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("gateways")
    writer.beginArray()
    // A closure cannot capture the writer, so the gateways are copied first.
    var gateways: [DiscoveredGateway] = []
    browser.forEach { gateways.append($0) }
    for gateway in gateways { write(gateway, to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ gateway: DiscoveredGateway, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(gateway.id.text)
    writer.key("displayName")
    writer.string(gateway.displayName.span)
    writer.key("instance")
    writer.string(gateway.instance.span)
    writer.key("domain")
    writer.string(domain(gateway))
    if let url = gateway.url(requiresTLS: false) {
      writer.key("url")
      writer.string(url.text)
    }
    writer.key("host")
    writer.string(gateway.hostText)
    writer.key("port")
    writer.uint(UInt64(gateway.port))
    writer.key("addresses")
    writer.beginArray()
    for index in 0..<gateway.addresses.count { writer.string(text(gateway.addresses[index])) }
    writer.endArray()
    writer.key("tls")
    writer.bool(gateway.isSecure)
    if let hint = gateway.fingerprintHint {
      let digits = hint.hex
      writer.key("unprovenFingerprint")
      writer.string(digits.span)
    }
    writer.endObject()
  }

  /// All addresses in one line.
  static func addresses(_ gateway: DiscoveredGateway) -> String {
    var line = ""
    for index in 0..<gateway.addresses.count {
      if index > 0 { line += ", " }
      line += text(gateway.addresses[index])
    }
    return line
  }

  private static func text(_ address: SocketAddress) -> String {
    String(unsafeUninitializedCapacity: 64) { buffer in
      var writer = ByteWriter(into: buffer)
      writer.address(address)
      return min(writer.count, buffer.count)
    }
  }

  private static func domain(_ gateway: DiscoveredGateway) -> String {
    String(unsafeUninitializedCapacity: 1024) { buffer in
      var writer = ByteWriter(into: buffer)
      gateway.domain.writeText(to: &writer, isRooted: true)
      return min(writer.count, buffer.count)
    }
  }
}
