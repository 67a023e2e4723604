import Codec
import Runtime

/// Queries the link for the addresses of one `.local` host (RFC 6762): at 0, 1 and 3 s, until one answered.
public struct HostLookup {
  /// Milliseconds after the first query in which answers are accepted.
  private static let timeout: Int64 = 4_000
  /// Milliseconds to wait after the first address for one of the other family.
  private static let grace: Int64 = 100

  /// The host's name.
  public let name: DNSName
  /// The id of the queries.
  public let queryID: UInt16
  /// What was found so far.
  public private(set) var addresses = AddressList()

  private let port: UInt16
  private var schedule = QuerySchedule(isMulticast: true)
  private var end: Int64

  /// Starts at a monotonic instant in milliseconds.
  /// - Parameter port: of the addresses.
  public init(_ name: DNSName, port: UInt16, queryID: UInt16, at now: Int64) {
    self.name = name
    self.port = port
    self.queryID = queryID
    end = now + Self.timeout
    schedule.start(at: now)
  }

  /// True when both questions, A and AAAA, are to be put now.
  public mutating func isDue(at now: Int64) -> Bool {
    addresses.count == 0 && schedule.isDue(at: now)
  }

  /// True when the lookup has ended.
  public func isOver(at now: Int64) -> Bool { now >= end }

  /// When to call `isDue` or `isOver` again.
  public var deadline: Int64 {
    guard addresses.count == 0, let next = schedule.deadline else { return end }
    return min(next, end)
  }

  /// Takes a packet. One that is malformed or answers something else is not used.
  public mutating func take(_ packet: Span<UInt8>, from origin: PacketOrigin, at now: Int64) {
    var found = addresses
    do throws(DNSError) {
      guard packet.count <= Budget.discoveryPacketBytes else { return }
      var reader = try DNSReader(packet)
      guard reader.isResponse, reader.id == queryID || reader.id == 0 else { return }
      guard reader.has(atMost: Budget.discoveryPacketQuestions, records: Budget.discoveryPacketRecords) else { return }
      while let record = try reader.nextRecord() {
        guard record.isInternet, record.ttl > 0, record.name == name else { continue }
        guard record.type == .a || record.type == .aaaa else { continue }
        _ = found.add(try reader.address(of: record), port: port, from: origin)
      }
    } catch {
      return
    }
    if addresses.count == 0, found.count > 0 { end = min(end, now + Self.grace) }
    addresses = found
  }
}
