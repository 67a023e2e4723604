// MCP: the client of the owner's own MCP servers (`[mcp NAME]`): the life of a server, JSON-RPC 2.0 in lines, lists of
// tools, calls and their results. Pure: bytes and time go in, lines and answers come out. It must not know processes,
// sockets, gateways or the router.
//
// The specification is that of modelcontextprotocol.io, revision 2025-06-18; "spec" in comments means it.

import Codec
import Runtime

/// The revisions of the protocol that Talon speaks: between them nothing changed that a client of tools needs.
public enum MCPVersion: CaseIterable, Sendable {
  case november2024, march2025, june2025, november2025

  /// What Talon asks for (spec, Lifecycle: a server that does not support it answers with one that it does).
  public static let wanted = MCPVersion.june2025

  /// Its name on the wire.
  public var name: StaticString {
    switch self {
    case .november2024: "2024-11-05"
    case .march2025: "2025-03-26"
    case .june2025: "2025-06-18"
    case .november2025: "2025-11-25"
    }
  }

  /// The revision of a name; nil for one that Talon does not know.
  public init?(_ name: borrowing JSONView) {
    if name.equals(MCPVersion.november2024.name) {
      self = .november2024
    } else if name.equals(MCPVersion.march2025.name) {
      self = .march2025
    } else if name.equals(MCPVersion.june2025.name) {
      self = .june2025
    } else if name.equals(MCPVersion.november2025.name) {
      self = .november2025
    } else {
      return nil
    }
  }
}
