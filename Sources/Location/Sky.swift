import Codec
import Runtime

/// The satellites that a receiver tells of: where they stand, how strong they are, and which are in use.
///
/// A list takes the place of the one before it when it is whole: pages of GSV of one talker and signal, or a NAV-SAT. A
/// list that breaks off changes nothing, and what no list has named for `Budget.satelliteLifetimeMilliseconds` is gone.
/// Once NAV-SAT is there, sentences are not needed.
public final class Sky {
  private struct Entry {
    var satellite: GNSSSatellite
    /// Who told, the letters of GSV; 0 for NAV-SAT.
    var talker: UInt16
    /// The signals on which it was told, a bit each.
    var signals: UInt16
    /// When that was last: milliseconds of `Clock.monotonic`.
    var arrival: Int64
  }

  private let entries: UnsafeMutableBufferPointer<Entry>
  /// How many satellites there are.
  public private(set) var count = 0
  /// The list of GSV in the making.
  private let pages: UnsafeMutableBufferPointer<GNSSSatellite>
  private var pagesCount = 0
  private var group: UInt32 = 0
  private var nextPage: UInt32 = 0
  private var pageCount: UInt32 = 0
  /// A bit for each number of each system that is in use.
  private var used = InlineArray<32, UInt64>(repeating: 0)
  /// The epoch of the last GSA of each system, and of one about all: several of one epoch add up.
  private var usedEpochs = InlineArray<9, UInt32>(repeating: 0)
  private var ubxArrival: Int64?

  /// An empty sky.
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

  /// Satellites in use, those that no list names included.
  public var usedCount: Int {
    var count = 0
    for index in 0..<used.count { count += used[index].nonzeroBitCount }
    return count
  }

  /// Forgets all of them.
  public func clear() {
    (count, pagesCount, nextPage, ubxArrival) = (0, 0, 0, nil)
    used = InlineArray(repeating: 0)
  }

  /// Takes what a message tells of satellites, if anything.
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

  /// Puts the whole list in the place of the one before.
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
      // Its strength is that of its first signal.
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
      // Satellites that augment GPS are told with it.
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
