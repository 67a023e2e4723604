import Codec
import Runtime

/// Finds gateways by DNS-SD (gateway reference 7, RFC 6763): asks for the instances of `_openclaw-gw._tcp` in a
/// domain, then for what their answers left out. Packets and time go in, questions come out; the same machine serves
/// the link (`local`, multicast) and a domain of name servers.
public final class GatewayBrowser {
  /// What was not used, for people who look for a gateway.
  public struct Counters: Equatable, Sendable {
    /// Packets that are not valid DNS messages, and records that do not fit their type.
    public var malformed: UInt64 = 0
    /// Packets that are larger than `Budget.discoveryPacketBytes`, or have more questions or records than a packet may.
    public var overlong: UInt64 = 0
    /// Packets that answer none of the queries.
    public var foreign: UInt64 = 0
    /// Instances beyond `Budget.discoveryInstances`.
    public var overflow: UInt64 = 0
  }

  /// The domain that is searched.
  public let domain: DNSName
  /// True on the link, false with name servers.
  public let isMulticast: Bool
  /// The id of multicast queries; unicast answers to an ephemeral port repeat it (RFC 6762 section 6.7).
  public let queryID: UInt16
  /// What was discarded.
  public private(set) var counters = Counters()

  private let serviceName: DNSName
  private let wanted: GatewayID?
  private let fingerprint: Fingerprint?
  private let entries: UnsafeMutablePointer<Entry>
  private var entryCount = 0
  private var schedule: QuerySchedule
  /// Questions that may still be put.
  private var questionsLeft = 0

  /// - Parameters:
  ///   - domain: `local` for the link. Throws `nameTooLong` when no service could have a name in it.
  ///   - wanted: the only gateway to take, so that many others cannot crowd it out; nil for all.
  ///   - - fingerprint: the certificate of the gateway that is wanted. Whoever announces it is taken as well, for
  ///     gateways and hosts are renamed when another one has their name (RFC 6762 section 9).
  ///   - queryID: a random number.
  @export(interface)
  public init(
    domain: DNSName, wanted: GatewayID? = nil, fingerprint: Fingerprint? = nil, queryID: UInt16
  ) throws(DNSError) {
    var name = DNSName(GatewayID.service)
    try name.append(domain)
    serviceName = name
    self.domain = domain
    self.wanted = wanted
    self.fingerprint = fingerprint
    self.queryID = queryID
    isMulticast = domain == DNSName("local")
    schedule = QuerySchedule(isMulticast: isMulticast)
    entries = .allocate(capacity: Budget.discoveryInstances)
  }

  deinit {
    entries.deinitialize(count: entryCount)
    entries.deallocate()
  }

  /// Calls `body` with each gateway whose host, port, address and role are known.
  public func forEach(_ body: (DiscoveredGateway) -> Void) {
    for index in 0..<entryCount where entries[index].isComplete { body(entries[index].gateway) }
  }

  /// The gateway that is wanted: the one that announces its certificate, or has its name and announces none. `isLast`:
  /// no more answers come, so one of its name counts whatever it announces, for its certificate may be new.
  public func match(isLast: Bool) -> DiscoveredGateway? {
    var named: DiscoveredGateway?
    for index in 0..<entryCount where entries[index].isComplete {
      let gateway = entries[index].gateway
      if let fingerprint, gateway.fingerprintHint == fingerprint { return gateway }
      guard let wanted, gateway.id == wanted else { continue }
      if isLast || fingerprint == nil || gateway.fingerprintHint == nil { named = gateway }
    }
    return named
  }

  // MARK: Questions

  /// Starts querying, at a monotonic instant in milliseconds.
  public func start(at now: Int64) {
    schedule.start(at: now)
    questionsLeft = Budget.discoveryQuestions
  }

  /// The next question that is due; call until nil after `start`, `take` and when `deadline` has come.
  public func nextQuestion(at now: Int64) -> DNSQuestion? {
    if schedule.isDue(at: now) { return DNSQuestion(serviceName, .ptr) }
    for index in 0..<entryCount where questionsLeft > 0 {
      guard let question = entries[index].nextQuestion(at: now, isMulticast: isMulticast) else { continue }
      questionsLeft -= 1
      return question
    }
    return nil
  }

  /// When the next question may be due; nil when only an answer could cause one.
  public var deadline: Int64? {
    var earliest = schedule.deadline
    for index in 0..<entryCount where questionsLeft > 0 {
      guard let deadline = entries[index].deadline(isMulticast: isMulticast) else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  // MARK: Answers

  /// Takes a packet; true when the gateways may have changed. A packet that is malformed anywhere is not used at all.
  @discardableResult
  @export(interface)
  public func take(_ packet: Span<UInt8>, from origin: PacketOrigin, at now: Int64) -> Bool {
    guard packet.count <= Budget.discoveryPacketBytes else {
      counters.overlong += 1
      return false
    }
    do throws(DNSError) {
      let reader = try DNSReader(packet)
      guard reader.has(atMost: Budget.discoveryPacketQuestions, records: Budget.discoveryPacketRecords) else {
        counters.overlong += 1
        return false
      }
      guard try isAnswer(packet) else {
        counters.foreign += 1
        return false
      }
      // In three passes, because records may be in any order in the packet.
      let instances = try read(packet, .instances, from: origin, at: now)
      let services = try read(packet, .services, from: origin, at: now)
      let addresses = try read(packet, .addresses, from: origin, at: now)
      return instances || services || addresses
    } catch {
      counters.malformed += 1
      return false
    }
  }

  /// Reads the whole packet once, so that nothing of a malformed one is used.
  private func isAnswer(_ packet: Span<UInt8>) throws(DNSError) -> Bool {
    var reader = try DNSReader(packet)
    let isOurs = !isMulticast || reader.id == queryID || reader.id == 0
    let isGood = reader.isResponse && reader.opcode == 0 && reader.responseCode == 0
    while try reader.nextRecord() != nil {}
    return isOurs && isGood
  }

  private enum Pass { case instances, services, addresses }

  private func read(
    _ packet: Span<UInt8>, _ pass: Pass, from origin: PacketOrigin, at now: Int64
  ) throws(DNSError) -> Bool {
    var changed = false
    var reader = try DNSReader(packet)
    while let record = try reader.nextRecord() {
      guard record.isInternet else { continue }
      do throws(DNSError) {
        let isNews =
          switch pass {
          case .instances: try takeInstance(reader, record, at: now)
          case .services: try takeService(reader, record)
          case .addresses: try takeAddress(reader, record, from: origin)
          }
        if isNews { changed = true }
      } catch {
        counters.malformed += 1
      }
    }
    return changed
  }

  private func takeInstance(
    _ reader: borrowing DNSReader, _ record: DNSRecord, at now: Int64
  ) throws(DNSError) -> Bool {
    guard record.type == .ptr, record.name == serviceName else { return false }
    let name = try reader.target(of: record)
    guard name.isDirectChild(of: serviceName) else {
      throw DNSError(kind: .badData, offset: record.data.lowerBound)
    }
    if isWithdrawn(record) { return remove(name) }
    if entry(of: name) != nil { return false }
    let isWanted = GatewayID(domain: domain, instance: name.firstLabel) == wanted
    if wanted != nil, fingerprint == nil, !isWanted { return false }
    if entryCount == Budget.discoveryInstances {
      counters.overflow += 1
      // Many others cannot crowd out the one that has the name.
      guard isWanted else { return false }
      entryCount -= 1
      (entries + entryCount).deinitialize(count: 1)
    }
    (entries + entryCount).initialize(
      to: Entry(gateway: DiscoveredGateway(name: name, domain: domain), at: now))
    entryCount += 1
    return true
  }

  private func takeService(_ reader: borrowing DNSReader, _ record: DNSRecord) throws(DNSError) -> Bool {
    guard record.type == .srv || record.type == .txt, !isWithdrawn(record) else { return false }
    guard let index = entry(of: record.name) else { return false }
    if record.type == .srv { return entries[index].take(try reader.service(of: record)) }
    guard record.data.count <= Budget.discoveryTextBytes else {
      throw DNSError(kind: .badData, offset: record.data.lowerBound)
    }
    return entries[index].take(try reader.text(of: record))
  }

  private func takeAddress(
    _ reader: borrowing DNSReader, _ record: DNSRecord, from origin: PacketOrigin
  ) throws(DNSError) -> Bool {
    guard record.type == .a || record.type == .aaaa, !isWithdrawn(record) else { return false }
    let address = try reader.address(of: record)
    var changed = false
    for index in 0..<entryCount where entries[index].takeAddress(address, of: record.name, from: origin) {
      changed = true
    }
    return changed
  }

  /// On the link, a record that lives for 0 seconds is withdrawn (RFC 6762 section 10.1).
  private func isWithdrawn(_ record: DNSRecord) -> Bool { isMulticast && record.ttl == 0 }

  private func entry(of name: DNSName) -> Int? {
    for index in 0..<entryCount where entries[index].gateway.name == name { return index }
    return nil
  }

  private func remove(_ name: DNSName) -> Bool {
    guard let index = entry(of: name) else { return false }
    entryCount -= 1
    entries[index] = entries[entryCount]
    (entries + entryCount).deinitialize(count: 1)
    return true
  }
}
