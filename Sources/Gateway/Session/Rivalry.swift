import Codec
import Runtime

/// Whether another machine connects with this board's identity: a copied card, or a board that was restored from a
/// backup. A gateway keeps one connection of a node, so each ends the connection of the other, and both come back for
/// ever.
///
/// Gateways say so in the reason of the close frame, or refuse what the replaced connection still sends; some only
/// close, as they do for no other reason while a node is online. Plain data: ends of connections go in, a suspicion
/// comes out.
struct Rivalry {
  /// Ends in a row that make it sure enough to be told: with words of a gateway, and without any.
  static let saidMax = 2
  static let silentMax = 4
  /// An end after so many milliseconds online is not of this kind: the other machine would have come long before.
  static let onlineMax: Int64 = 600_000

  private var said = 0
  private var silent = 0

  /// It is to be told.
  var isSuspected: Bool { said >= Self.saidMax || said + silent >= Self.silentMax }

  /// The gateway refused a request because another connection has this board's place.
  mutating func refused() { said += 1 }

  /// An online connection ended.
  mutating func ended(_ end: LinkEnd, online milliseconds: Int64) {
    guard milliseconds < Self.onlineMax, case .closed(let close) = end else { return forget() }
    if Self.words.contains(where: { close.reason.contains($0) }) {
      said += 1
    } else if close.code == 1000, close.reason.isEmpty {
      silent += 1
    } else {
      forget()
    }
  }

  mutating func forget() {
    said = 0
    silent = 0
  }

  private static let words: [StaticString] = [
    "replaced", "superseded", "duplicate", "newer connection", "another connection", "same device", "taken over",
  ]
  static let sentence: StaticString = """
    another machine connects as this board, and each ends the other's connection. If its card is a copy, run \
    talon reset on one of the two
    """
}
