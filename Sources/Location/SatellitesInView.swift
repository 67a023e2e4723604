import Codec
import Runtime

/// The satellites that a receiver reports: direction, signal strength, and which are in use.
///
/// A complete list (all pages of GSV of one talker and signal, or a NAV-SAT) replaces the previous one. An incomplete
/// list changes nothing, and a satellite that is not listed for `Budget.satelliteLifetimeMilliseconds` is removed.
/// Sentences are ignored once NAV-SAT is received.
public final class SatellitesInView {
  private struct Entry {
    var satellite: GNSSSatellite
    /// The source: the talker of GSV; 0 for NAV-SAT.
    var talker: UInt16
    /// The signals on which it was reported, a bit each.
    var signals: UInt16
    /// When it was last reported: milliseconds of `Clock.monotonic`.
    var arrival: Int64
  }

  private let entries: UnsafeMutableBufferPointer<Entry>
  /// The number of satellites.
  public private(set) var count = 0
  /// The incomplete list of GSV.
  private let pages: UnsafeMutableBufferPointer<GNSSSatellite>
  private var pagesCount = 0
  private var group: UInt32 = 0
  private var nextPage: UInt32 = 0
  private var pageCount: UInt32 = 0
  /// A bit for each number of each system that is in use.
  private var used = InlineArray<32, UInt64>(repeating: 0)
  /// The epoch of the last GSA of each system, and of one about all systems: several GSA of one epoch are combined.
  private var usedEpochs = InlineArray<9, UInt32>(repeating: 0)
  private var ubxArrival: Int64?

  /// An empty sky.
  @export(interface)
  public init() {
    entries = .allocate(capacity: Budget.satellites)
    pages = .allocate(capacity: Budget.satellites)
  }

  deinit {
    entries.deallocate()
    pages.deallocate()
  }

  /// One of the satellites, from 0, in no order.
  public subscript(index: Int) -> GNSSSatellite {
    var satellite = entries[index].satellite
    satellite.isUsed = isUsed(satellite.id)
    return satellite
  }

  /// Satellites in use, including ones that are not listed.
  public var usedCount: Int {
    var count = 0
    for index in 0..<used.count { count += used[index].nonzeroBitCount }
    return count
  }

  /// Removes all satellites.
  public func clear() {
    (count, pagesCount, nextPage, ubxArrival) = (0, 0, 0, nil)
    used = InlineArray(repeating: 0)
  }

  /// Takes the satellites of a message, if any.
  /// - Parameters:
  ///   - epoch: the same for messages of one epoch.
  ///   - arrival: milliseconds of `Clock.monotonic`.
  func accept(_ message: GNSSMessage, epoch: UInt32, at arrival: Int64) {
    switch message {
    case .ubx(.satellites): beginList(arrival)
    case .ubx(.satellite(let satellite)): addToList(satellite, signal: 0, arrival)
    case .nmea(.gsv(let page)):
      if !hasUBX(arrival) { accept(page, arrival) }
    case .nmea(.gsa(let active)):
      if !hasUBX(arrival) { accept(active, epoch) }
    default: break
    }
  }

  /// A list of all satellites begins.
  func beginList(_ arrival: Int64) {
    clear()
    ubxArrival = arrival
  }

  /// One satellite of that list, on one signal, from 0 to 15.
  func addToList(_ satellite: GNSSSatellite, signal: UInt8, _ arrival: Int64) {
    add(satellite, talker: 0, signal: min(signal, 15), arrival)
    if satellite.isUsed == true { use(satellite.id) }
  }

  private func hasUBX(_ arrival: Int64) -> Bool {
    guard let ubxArrival else { return false }
    return arrival - ubxArrival < Budget.satelliteLifetimeMilliseconds
  }

  // MARK: GSV

  private func accept(_ page: NMEASatellitesInView, _ arrival: Int64) {
    if page.page == 1 {
      (group, nextPage, pageCount, pagesCount) = (page.group, 1, page.pages, 0)
    }
    guard page.group == group, page.page == nextPage, page.pages == pageCount else {
      nextPage = 0
      return
    }
    nextPage += 1
    for index in 0..<page.count where pagesCount < pages.count {
      (pages.baseAddress! + pagesCount).initialize(to: page[index])
      pagesCount += 1
    }
    if page.page == page.pages { replace(page, arrival) }
  }

  /// Replaces the previous list.
  private func replace(_ last: NMEASatellitesInView, _ arrival: Int64) {
    for index in 0..<count where entries[index].talker == last.talker {
      entries[index].signals &= ~(1 << UInt16(last.signal))
    }
    for index in 0..<pagesCount { add(pages[index], talker: last.talker, signal: last.signal, arrival) }
    pagesCount = 0
    nextPage = 0
    removeForgotten(arrival)
  }

  private func add(_ satellite: GNSSSatellite, talker: UInt16, signal: UInt8, _ arrival: Int64) {
    let bit: UInt16 = 1 << UInt16(signal)
    for index in 0..<count where entries[index].satellite.id == satellite.id && entries[index].talker == talker {
      // The strength of its first signal is kept.
      if entries[index].signals & (bit - 1) == 0 { entries[index].satellite = satellite }
      entries[index].signals |= bit
      entries[index].arrival = arrival
      return
    }
    guard count < entries.count else { return }
    (entries.baseAddress! + count).initialize(
      to: Entry(satellite: satellite, talker: talker, signals: bit, arrival: arrival))
    count += 1
  }

  private func removeForgotten(_ arrival: Int64) {
    var kept = 0
    for index in 0..<count {
      let entry = entries[index]
      guard entry.signals != 0, arrival - entry.arrival < Budget.satelliteLifetimeMilliseconds else { continue }
      entries[kept] = entry
      kept += 1
    }
    count = kept
  }

  // MARK: In use

  private func accept(_ active: NMEAActiveSatellites, _ epoch: UInt32) {
    let system = active.system.map { Int($0.rawValue) } ?? 8
    if usedEpochs[system] != epoch {
      usedEpochs[system] = epoch
      if let constellation = active.system { unuse(constellation) } else { used = InlineArray(repeating: 0) }
      // SBAS satellites are reported with those of GPS.
      if active.system == .gps { unuse(.sbas) }
    }
    for index in 0..<active.count { use(active[index]) }
  }

  private func use(_ id: SatelliteID) {
    used[Self.word(id)] |= 1 << UInt64(id.number & 63)
  }

  private func unuse(_ constellation: Constellation) {
    for word in 0..<4 { used[4 * Int(constellation.rawValue) + word] = 0 }
  }

  private func isUsed(_ id: SatelliteID) -> Bool {
    used[Self.word(id)] & 1 << UInt64(id.number & 63) != 0
  }

  private static func word(_ id: SatelliteID) -> Int {
    4 * Int(id.constellation.rawValue) + Int(id.number >> 6)
  }
}
