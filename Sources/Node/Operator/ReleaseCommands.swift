import Gateway
import Runtime

/// What gateways of a release know and allow by themselves of the commands of a Linux node (gateway reference 11.2,
/// newer-gateways 3 and 12; recorded with 2026.5.7 and 2026.6.11).
///
/// It decides what a board declares and what an owner is asked to allow. The list of dangerous commands is no part of
/// it: those always need an entry.
public enum ReleaseCommands {
  private struct Row {
    let command: String
    /// From when on gateways know it. One that nobody knows passes by an entry in the configuration, and does something
    /// only for those who call it by its name.
    var known = Release.first
    /// From when on a node may have it without an entry: at once, or when a person has approved it.
    let allowed: Release
  }

  private static let rows: [Row] = [
    Row(command: "system.notify", allowed: .first),
    Row(command: "system.run", allowed: .first), Row(command: "system.run.prepare", allowed: .first),
    Row(command: "system.which", allowed: .first),
    Row(command: "talk.ptt.start", allowed: .june), Row(command: "talk.ptt.stop", allowed: .june),
    Row(command: "talk.ptt.cancel", allowed: .june), Row(command: "talk.ptt.once", allowed: .june),
    Row(command: "mcp.tools.call.v1", known: .july, allowed: .july), Row(command: "screen.snapshot", allowed: .july),
  ]

  /// True for a command that a gateway of this release allows a Linux node without configuration, if only after an
  /// approval. A gateway that names no release allows what all do.
  static func isAllowedByDefault(_ command: String, _ release: Release?) -> Bool {
    for row in rows where row.command == command { return (release ?? .first) >= row.allowed }
    return false
  }

  /// True for a command that the gateway of this session knows, as far as it has said: in its last `hello-ok`, perhaps
  /// before a restart. One that is not known is not declared.
  public static func isKnown(_ command: String, at session: Session) -> Bool {
    isKnown(command, Release(session.serverVersion.span))
  }

  /// A gateway that names no release may know everything.
  static func isKnown(_ command: String, _ release: Release?) -> Bool {
    guard let release else { return true }
    for row in rows where row.command == command { return release >= row.known }
    return true
  }
}
