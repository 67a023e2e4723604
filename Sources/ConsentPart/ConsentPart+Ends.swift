import Codec
import Consent
import Node
import Runtime

/// How grants end, and what ran by them.
extension ConsentPart {
  /// A person takes these grants back: what runs by them ends, also what was allowed once.
  public func takeBack(_ permissions: PermissionSet, _ reason: StaticString) {
    let ended = table.end(permissions)
    say(ended, reason)
    stop { use in use.lasting.union(use.once).intersection(permissions) }
    // What the file allows needs no grant, and goes on.
    let asked = settings.rules.those(of: permissions, with: .ask)
    if !asked.isEmpty { parts.grantsEnded(asked) }
  }

  /// These lasting grants are over: what runs by them ends.
  func ended(_ permissions: PermissionSet, _ reason: StaticString) {
    guard !permissions.isEmpty else { return }
    say(permissions, reason)
    stop { use in use.lasting.intersection(permissions) }
    parts.grantsEnded(permissions)
  }

  /// The log, flash and the gateway hear of it.
  private func say(_ permissions: PermissionSet, _ reason: StaticString) {
    guard !permissions.isEmpty else { return }
    log.write(.notice, "consent") { line in
      Self.write(permissions, to: &line)
      line.add(": the grant is over, ")
      line.add(reason)
    }
    changed(permissions, .ended)
  }

  /// Ends each use that relies on something that is over, as `lost` says.
  private func stop(_ lost: (Running) -> PermissionSet) {
    while let (token, permission) = first(lost) {
      router.end(token, code: ConsentRefusal.code(permission)) {
        ConsentRefusal.ended.write(for: permission, to: &$0)
      }
      // The router has called this, unless it did not know the token any more.
      ended(token)
    }
  }

  private func first(_ lost: (Running) -> PermissionSet) -> (InvokeToken, Permission)? {
    var found: (InvokeToken, Permission)?
    for _ in 0..<running.count {
      guard let use = running.pop() else { break }
      if found == nil, let permission = lost(use).first { found = (use.token, permission) }
      _ = running.push(use)
    }
    return found
  }

  /// The permissions of all that runs.
  var uses: PermissionSet {
    var all: PermissionSet = []
    for _ in 0..<running.count {
      guard let use = running.pop() else { break }
      all.formUnion(use.permissions)
      _ = running.push(use)
    }
    return all
  }

  /// Flash and the gateway shall know.
  func changed(_ permissions: PermissionSet, _ change: ConsentNews.Change) {
    keeper.changed(GrantRecord(table, boot: keeper.boot, at: clock.monotonic))
    ConsentNews(permissions: permissions, change: change).post(to: outbox, at: clock.monotonic)
  }

  static func write(_ permissions: PermissionSet, to line: inout LogLine) {
    var isFirst = true
    var rest = permissions
    while let permission = rest.popFirst() {
      line.add(isFirst ? "" : ", ")
      line.add(permission.word)
      isFirst = false
    }
  }
}
