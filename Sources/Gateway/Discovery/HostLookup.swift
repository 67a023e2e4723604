import Codec
import Runtime

/// Asks the link for the addresses of one `.local` host (RFC 6762): at 0, 1 and 3 s, until one answered.
public struct HostLookup {
  /// Milliseconds after the first question in which an answer counts.
  private static let patience: Int64 = 4_000
  /// Milliseconds after the first address, for the other family to arrive too.
  private static let grace: Int64 = 100

  /// Who is looked for.
  public let name: DNSName
  /// The number of our queries.
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
    end = now + Self.patience
    schedule.start(at: now)
  }

  /// True when both questions, A and AAAA, are to be put now.
  public mutating func isDue(at now: Int64) -> Bool {
    addresses.count == 0 && schedule.isDue(at: now)
  }

  /// True when nothing more is waited for.
  public func isOver(at now: Int64) -> Bool { now >= end }

  /// When to look again.
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
