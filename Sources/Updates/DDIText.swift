import Codec
import Runtime

/// Why an answer of an update server, or a list of releases, is not used.
public enum UpdateMessageError: Error, Equatable, Sendable {
  case notJSON
  /// A member is missing, too long, or of another kind.
  case member(StaticText)
  /// No artifact of the deployment is a bundle, or several are.
  case noBundle, severalBundles
  /// The bundle has neither SHA-256 nor SHA-1, or one that is not hexadecimal.
  case noDigest
  /// Empty, or larger than `Budget.updateBundleBytes`.
  case size
  // Of a list of releases.
  /// Not a signature and a list, or signed by somebody else.
  case notSigned
  case expired
  /// Older than one that was seen before.
  case replayed
  /// The board does not know the date, so it cannot tell whether the list is too old.
  case noDate
  case severalReleases

  /// The error for people, to be put after the name of the server.
  public func write(to writer: inout ByteWriter) {
    if case .member(let name) = self {
      writer.text("has no valid ")
      return writer.text(name.text)
    }
    writer.text(text)
  }

  private var text: StaticString {
    switch self {
    case .notJSON: "is not JSON: is this the address of an update server?"
    case .member: ""
    case .noBundle: "offers no bundle (.raucb)"
    case .severalBundles: "offers several bundles at once"
    case .noDigest: "gives no SHA-256 or SHA-1 of the bundle"
    case .size: "gives a size of the bundle that cannot be right"
    case .notSigned: "is not signed with the key of [update] channel_key"
    case .expired: "has expired: its publisher has to sign a new one"
    case .replayed: "is older than one that this board has seen"
    case .noDate: "cannot be judged before the board knows the date"
    case .severalReleases: "names more releases than are read"
    }
  }
}

/// A literal that can be compared.
public struct StaticText: Equatable, Sendable {
  public let text: StaticString

  /// The literal.
  public init(_ text: StaticString) { self.text = text }

  public static func == (left: Self, right: Self) -> Bool { left.text.bytes.elementsEqual(right.text.bytes) }
}

extension JSONView {
  /// The string of a member, if it is there and fits.
  func copy<let capacity: Int>(_ name: StaticString, into text: inout InlineText<capacity>) -> Bool {
    guard let value = member(name), text.fill({ value.copyString(into: $0) }) else { return false }
    return !text.isEmpty
  }

  /// The address in `_links` of a member, if there is one; a link that is there and too long is an error.
  func link(_ name: StaticString) throws(UpdateMessageError) -> UpdateLink? {
    guard let links = member("_links"), let link = links.member(name) else { return nil }
    var text = UpdateLink()
    guard link.copy("href", into: &text) else { throw .member(StaticText(name)) }
    return text
  }
}

/// An address as a server gives it.
public typealias UpdateLink = InlineText<1024>
