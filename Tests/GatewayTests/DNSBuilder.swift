import Codec

/// Builds answers of DNS by hand, without compression.
struct DNSBuilder {
  static let service = "_openclaw-gw._tcp"
  var id: UInt16 = 0
  var flags: UInt16 = 0x8400
  var ttl: UInt32 = 120
  private var records: [[UInt8]] = []

  init() {}

  static func wire(_ name: String) -> [UInt8] {
    // swift-format-ignore: NeverUseForceTry
    let name = try! DNSName(text: name.utf8.span)
    return name.bytes.withUnsafeBufferPointer { Array($0) }
  }

  static func half(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

  mutating func record(_ name: String, _ type: Int, _ data: [UInt8], ttl: UInt32? = nil) {
    let ttl = Int(ttl ?? self.ttl)
    records.append(
      Self.wire(name) + Self.half(type) + [0x80, 1] + Self.half(ttl >> 16) + Self.half(ttl)
        + Self.half(data.count)
        + data)
  }

  mutating func ptr(_ instance: String, domain: String = "local", ttl: UInt32? = nil) {
    record("\(Self.service).\(domain)", 12, Self.wire("\(instance).\(Self.service).\(domain)"), ttl: ttl)
  }

  mutating func srv(_ instance: String, _ host: String, port: Int = 18789, domain: String = "local") {
    record("\(instance).\(Self.service).\(domain)", 33, [0, 0, 0, 0] + Self.half(port) + Self.wire(host))
  }

  mutating func txt(
    _ instance: String, _ strings: [String] = ["role=gateway", "transport=gateway"], domain: String = "local"
  ) {
    record(
      "\(instance).\(Self.service).\(domain)", 16, strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    )
  }

  mutating func a(_ host: String, _ bytes: [UInt8] = [192, 0, 2, 20]) { record(host, 1, bytes) }
  mutating func aaaa(_ host: String, _ bytes: [UInt8]) { record(host, 28, bytes) }

  /// All that there is to know of a gateway.
  mutating func gateway(_ instance: String, host: String = "studio.local", domain: String = "local") {
    ptr(instance, domain: domain)
    srv(instance, host, domain: domain)
    txt(instance, domain: domain)
    a(host)
  }

  var bytes: [UInt8] {
    Self.half(Int(id)) + Self.half(Int(flags)) + [0, 0] + Self.half(records.count) + [0, 0, 0, 0]
      + records.flatMap { $0 }
  }
}

/// 16 bytes that begin and end so.
func ipv6(_ first: UInt8, _ second: UInt8, _ last: UInt8) -> [UInt8] {
  [first, second] + [UInt8](repeating: 0, count: 13) + [last]
}
