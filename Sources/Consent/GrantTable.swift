import Codec
import Runtime

/// The grants in force: for each permission one for a single use, and one that lasts; of each the last one given. Time
/// is the monotonic clock, so that no change of the date makes a grant longer.
public struct GrantTable: Sendable {
  private var onces = InlineArray<8, Grant?>(repeating: nil)
  private var lasting = InlineArray<8, Grant?>(repeating: nil)

  /// No grant.
  public init() {}

  /// The grant of a permission that is in force at `now`, whatever it is for: the one that lasts, before the one for a
  /// single use.
  public func grant(_ permission: Permission, at now: Int64) -> Grant? {
    let digest = lasting[Int(permission.rawValue)]?.digest ?? InlineText()
    return lasting(permission, digest, [], for: 0, at: now) ?? onces[Int(permission.rawValue)]
  }

  /// The lasting grant on which a use of `milliseconds` from `now` on may rely, if it is for every use or for this one.
  func lasting(
    _ permission: Permission, _ digest: InlineText<32>, _ kinds: UseKinds, for milliseconds: Int64, at now: Int64
  ) -> Grant? {
    guard let grant = lasting[Int(permission.rawValue)], grant.start <= now else { return nil }
    guard grant.digest.isEmpty || grant.digest == digest, grant.kinds.isSuperset(of: kinds) else { return nil }
    if let end = grant.end, end <= now || end < now.adding(clamping: milliseconds) { return nil }
    return grant
  }

  /// Gives a grant, in place of the one before of its kind.
  public mutating func give(_ permission: Permission, _ grant: Grant) {
    if grant.scope == .once {
      onces[Int(permission.rawValue)] = grant
    } else {
      lasting[Int(permission.rawValue)] = grant
    }
  }

  /// Of `wanted`, those that a use of `milliseconds` from `now` on may rely on. `digest` and `kinds`: of what is asked
  /// for.
  public func covered(
    _ wanted: PermissionSet, _ digest: InlineText<32> = InlineText(), _ kinds: UseKinds = [], for milliseconds: Int64,
    at now: Int64
  ) -> PermissionSet {
    var found: PermissionSet = []
    var rest = wanted
    while let permission = rest.popFirst() {
      let isCovered =
        lasting(permission, digest, kinds, for: milliseconds, at: now) != nil || onces[Int(permission.rawValue)] != nil
      if isCovered { found.insert(PermissionSet(permission)) }
    }
    return found
  }

  /// A use of `milliseconds` begins, which relies on these: what was given for one use is used up where nothing that
  /// lasts covers it. Returns those that were used up.
  public mutating func use(
    _ permissions: PermissionSet, _ digest: InlineText<32> = InlineText(), _ kinds: UseKinds = [],
    for milliseconds: Int64, at now: Int64
  ) -> PermissionSet {
    var used: PermissionSet = []
    var rest = permissions
    while let permission = rest.popFirst() {
      if lasting(permission, digest, kinds, for: milliseconds, at: now) != nil { continue }
      onces[Int(permission.rawValue)] = nil
      used.insert(PermissionSet(permission))
    }
    return used
  }

  /// Ends these grants, of both kinds: those that there were.
  public mutating func end(_ permissions: PermissionSet) -> PermissionSet {
    var ended: PermissionSet = []
    var rest = permissions
    while let permission = rest.popFirst() {
      let place = Int(permission.rawValue)
      if onces[place] == nil, lasting[place] == nil { continue }
      (onces[place], lasting[place]) = (nil, nil)
      ended.insert(PermissionSet(permission))
    }
    return ended
  }

  /// Ends the grants for a session: those that ended.
  public mutating func endSession() -> PermissionSet {
    endLasting { $0.scope == .session }
  }

  /// Ends what is over at `now`: those that ended.
  public mutating func expire(at now: Int64) -> PermissionSet {
    endLasting { grant in grant.end.map { $0 <= now } ?? false }
  }

  private mutating func endLasting(where isOver: (Grant) -> Bool) -> PermissionSet {
    var ended: PermissionSet = []
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      guard let grant = lasting[Int(permission.rawValue)], isOver(grant) else { continue }
      lasting[Int(permission.rawValue)] = nil
      ended.insert(PermissionSet(permission))
    }
    return ended
  }

  /// When the next one ends by time, in milliseconds of the monotonic clock.
  public var nextEnd: Int64? {
    var next: Int64?
    for index in 0..<8 { next = earliest(next, lasting[index]?.end) }
    return next
  }

  /// True without any grant.
  public var isEmpty: Bool {
    for index in 0..<8 where onces[index] != nil || lasting[index] != nil { return false }
    return true
  }
}
