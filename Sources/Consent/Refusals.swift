import Runtime

/// What was refused at the board, or what nobody answered: for a while nobody is asked again.
public struct Refusals: Sendable {
  private var ends = InlineArray<8, Int64>(repeating: .min)
  private var answered = PermissionSet()

  /// Nothing was refused.
  public init() {}

  /// Somebody said no (`byPerson`), or nobody came: until `end` the same question is not asked.
  public mutating func add(_ permissions: PermissionSet, until end: Int64, byPerson: Bool) {
    var rest = permissions
    while let permission = rest.popFirst() {
      ends[Int(permission.rawValue)] = end
      if byPerson { answered.insert(PermissionSet(permission)) } else { answered.remove(PermissionSet(permission)) }
    }
  }

  /// A person allows it after all.
  public mutating func forget(_ permissions: PermissionSet) {
    var rest = permissions
    while let permission = rest.popFirst() { ends[Int(permission.rawValue)] = .min }
  }

  /// The last end of those that hold at `now`, and whether a person refused; nil when none does.
  public func holding(_ permissions: PermissionSet, at now: Int64) -> (end: Int64, byPerson: Bool)? {
    var found: (end: Int64, byPerson: Bool)?
    var rest = permissions
    while let permission = rest.popFirst() {
      let end = ends[Int(permission.rawValue)]
      guard end > now, end > found?.end ?? .min else { continue }
      found = (end, answered.has(permission) || found?.byPerson ?? false)
    }
    return found
  }
}
