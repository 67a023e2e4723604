import Codec
import Consent
import Node
import Runtime

/// The camera and the microphone for the journal: a device stays open after the request that opened it, and people at
/// the board use both without any request.
struct LiveUses {
  private static let permissions: InlineArray<2, Permission> = [.camera, .microphone]
  private static let bits: InlineArray<2, LiveUse> = [.camera, .microphone]

  /// Where the use of each is counted while it is open without a request.
  private var entries = InlineArray<2, UseJournal.Entry?>(repeating: nil)
  private var wasLive: LiveUse = []

  /// A request has ended: it lasts on while its device stays open.
  mutating func end(_ use: ConsentPart.Running, _ live: LiveUse, _ journal: JournalKeeper?) {
    guard let journal, let entry = use.entry else { return }
    journal.end(entry)
    for index in 0..<2 {
      let isOfCamera = index == 0 && use.permissions.contains(.frontCamera)
      let isOfDevice = isOfCamera || use.permissions.has(Self.permissions[index])
      if isOfDevice, live.contains(Self.bits[index]) { entries[index] = entry }
    }
  }

  /// Looks at what is open now. `isRunning`: what requests use.
  mutating func look(_ live: LiveUse, isRunning: PermissionSet, wall: Int64, _ journal: JournalKeeper) {
    for index in 0..<2 {
      let (isLive, was) = (live.contains(Self.bits[index]), wasLive.contains(Self.bits[index]))
      if !isLive, let entry = entries[index] {
        journal.end(entry)
        entries[index] = nil
      }
      guard isLive, !was, entries[index] == nil else { continue }
      let permission = Self.permissions[index]
      if isRunning.has(permission) || index == 0 && isRunning.contains(.frontCamera) { continue }
      entries[index] = journal.begin(
        Use(
          wall: wall, permissions: PermissionSet(permission), basis: .board, command: InlineText(cutting: "board"),
          who: InlineText()))
    }
    wasLive = live
  }
}
