// Updates: how a board gets a new system: the messages of an update server (hawkBit's Direct Device Integration API v1:
// https://eclipse.dev/hawkbit/apis/ddi_api/), signed lists of releases, when to ask, and the course of an update from
// the offer to the proof. Pure: messages, files' contents and time go in; requests and reports come out.

import Codec
import Runtime

/// What the server wants of a part of an action.
public enum DDIHandling: Equatable, Sendable {
  /// Not now.
  case skip
  /// When it suits the board.
  case attempt
  /// At once.
  case forced

  init?(_ value: borrowing JSONView) {
    if value.equals("skip") {
      self = .skip
    } else if value.equals("attempt") {
      self = .attempt
    } else if value.equals("forced") {
      self = .forced
    } else {
      return nil
    }
  }
}

/// The controller's base resource: what there is to do.
public struct DDIBase: Sendable {
  /// Seconds until the server wants to be asked again; nil when it does not say.
  public private(set) var sleepSeconds: Int64?
  public private(set) var deployment: UpdateLink?
  public private(set) var cancel: UpdateLink?
  public private(set) var configData: UpdateLink?

  /// Reads the body of `GET /{tenant}/controller/v1/{id}`. Other links, as `confirmationBase`, are ignored.
  public init(_ body: Span<UInt8>) throws(UpdateMessageError) {
    let root = try checkedJSON(body)
    guard root.kind == .object else { throw .notJSON }
    if let config = root.member("config"), let polling = config.member("polling"), let sleep = polling.member("sleep") {
      var text = InlineText<16>()
      guard text.fill({ sleep.copyString(into: $0) }), let seconds = Self.seconds(text.span) else {
        throw .member(StaticText("sleep"))
      }
      sleepSeconds = seconds
    }
    deployment = try root.link("deploymentBase")
    cancel = try root.link("cancelAction")
    configData = try root.link("configData")
  }

  /// `HH:MM:SS`.
  static func seconds(_ text: Span<UInt8>) -> Int64? {
    guard text.count == 8 else { return nil }
    var value: Int64 = 0
    for index in 0..<8 {
      if index == 2 || index == 5 {
        guard text[index] == UInt8(ascii: ":") else { return nil }
        continue
      }
      guard text[index].isDigit else { return nil }
      // Hours count 3600, minutes 60; the first digit of each ten of them.
      let unit: Int64 = index < 2 ? 3600 : index < 5 ? 60 : 1
      value += Int64(text[index] - 48) * unit * (index % 3 == 0 ? 10 : 1)
    }
    return value
  }
}

/// The action that a server has for this board.
public struct DDIDeployment: Sendable {
  /// The server's number of the action.
  public private(set) var id = InlineText<64>()
  public private(set) var download = DDIHandling.attempt
  public private(set) var update = DDIHandling.attempt
  public private(set) var release = Release()

  /// Reads the body of `GET .../deploymentBase/{actionId}`. `isSecure`: TLS leads to the server, so links with TLS are
  /// taken alone where there are some.
  public init(_ body: Span<UInt8>) throws(UpdateMessageError) {
    let root = try checkedJSON(body)
    guard root.copy("id", into: &id), id.isWord else { throw .member(StaticText("id")) }
    guard let deployment = root.member("deployment") else { throw .member(StaticText("deployment")) }
    if let value = deployment.member("download") {
      guard let handling = DDIHandling(value) else { throw .member(StaticText("download")) }
      download = handling
    }
    if let value = deployment.member("update") {
      guard let handling = DDIHandling(value) else { throw .member(StaticText("update")) }
      update = handling
    }
    // Servers that keep the window say whether it is open.
    if let window = deployment.member("maintenanceWindow"), window.equals("unavailable") { update = .skip }
    try findBundle(deployment)
  }

  /// The one bundle: an artifact whose name ends in `.raucb`, or the only one.
  private mutating func findBundle(_ deployment: borrowing JSONView) throws(UpdateMessageError) {
    guard let chunks = deployment.member("chunks"), chunks.kind == .array else { throw .member(StaticText("chunks")) }
    var (artifacts, bundles) = (0, 0)
    var all = chunks.elements()
    while let chunk = all.next() {
      guard let list = chunk.member("artifacts") else { continue }
      var some = list.elements()
      while let artifact = some.next() {
        artifacts += 1
        var name = InlineText<256>()
        guard artifact.copy("filename", into: &name) else { throw .member(StaticText("filename")) }
        let isBundle = name.span.hasSuffix(".raucb")
        if isBundle { bundles += 1 }
        guard isBundle || bundles == 0 && artifacts == 1 else { continue }
        release = try Self.release(chunk, artifact)
      }
    }
    if bundles > 1 { throw .severalBundles }
    if bundles == 0, artifacts != 1 { throw artifacts == 0 ? .noBundle : .severalBundles }
  }

  private static func release(
    _ chunk: borrowing JSONView, _ artifact: borrowing JSONView
  ) throws(UpdateMessageError) -> Release {
    var release = Release()
    guard chunk.copy("version", into: &release.version), release.version.isWord else {
      throw .member(StaticText("version"))
    }
    guard let size = artifact.member("size")?.int64, (1...Budget.updateBundleBytes).contains(size) else { throw .size }
    release.size = size
    guard let hashes = artifact.member("hashes"), let digest = BundleDigest(hashes) else { throw .noDigest }
    release.digest = digest
    if let link = try artifact.link("download") {
      release.url = link
    } else if let link = try artifact.link("download-http") {
      release.url = link
    } else {
      throw .member(StaticText("download link"))
    }
    return release
  }
}

/// What a server wants to be stopped.
public struct DDICancel: Sendable {
  /// The number of the request to stop, and of the action to be stopped.
  public private(set) var id = InlineText<64>()
  public private(set) var action = InlineText<64>()

  /// Reads the body of `GET .../cancelAction/{actionId}`.
  public init(_ body: Span<UInt8>) throws(UpdateMessageError) {
    let root = try checkedJSON(body)
    guard root.copy("id", into: &id), id.isWord else { throw .member(StaticText("id")) }
    guard let cancel = root.member("cancelAction"), cancel.copy("stopId", into: &action) else {
      throw .member(StaticText("stopId"))
    }
  }
}

/// One release that can be installed.
public struct Release: Sendable {
  public var version = InlineText<64>()
  public var url = UpdateLink()
  /// Bytes; 0 when nobody has told.
  public var size: Int64 = 0
  public var digest = BundleDigest()

  /// A release of which nothing is known yet.
  public init() {}
}

/// What a bundle's bytes must add up to.
public struct BundleDigest: Equatable, Sendable {
  /// The algorithm; the raw values stand in records on flash.
  public enum Kind: UInt8, Sendable { case none = 0, sha1 = 1, sha256 = 2 }

  public private(set) var kind = Kind.none
  /// SHA-1 takes the first 20 bytes.
  private var bytes = InlineArray<32, UInt8>(repeating: 0)

  /// Nothing that could be compared: the bundle's signature alone decides.
  public init() {}

  /// From the members `sha256` and `sha1` of an object; nil without a valid one.
  init?(_ hashes: borrowing JSONView) {
    var text = InlineText<64>()
    if hashes.copy("sha256", into: &text) {
      self.init(.sha256, hex: text.span)
    } else if hashes.copy("sha1", into: &text) {
      self.init(.sha1, hex: text.span)
    } else {
      return nil
    }
  }

  /// From hexadecimal digits; nil when they are not a digest of that kind.
  public init?(_ kind: Kind, hex: Span<UInt8>) {
    guard hex.count == 2 * Self.count(kind), kind != .none else { return nil }
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = span.withUnsafeMutableBufferPointer { Hex.decode(hex, into: $0) }
    guard count == Self.count(kind) else { return nil }
    self.kind = kind
    self.bytes = bytes
  }

  private static func count(_ kind: Kind) -> Int {
    switch kind {
    case .none: 0
    case .sha1: 20
    case .sha256: 32
    }
  }

  /// Its hexadecimal digits.
  public var hex: InlineText<64> {
    var text = InlineText<64>()
    text.fill { Hex.encode(bytes.span.extracting(0..<Self.count(kind)), into: $0) }
    return text
  }

  /// True when these are the bytes of the digest.
  public func equals(_ digest: Span<UInt8>) -> Bool {
    guard kind != .none, digest.count >= Self.count(kind) else { return false }
    for index in 0..<Self.count(kind) where digest[index] != bytes[index] { return false }
    return true
  }

  public static func == (left: Self, right: Self) -> Bool {
    guard left.kind == right.kind else { return false }
    for index in 0..<32 where left.bytes[index] != right.bytes[index] { return false }
    return true
  }
}

extension InlineText {
  /// True for one word of visible ASCII without characters of paths and queries: it may become a part of an address.
  public var isWord: Bool {
    guard !isEmpty else { return false }
    let text = span
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"):
        continue
      default: return false
      }
    }
    return true
  }
}

/// The root of a message, which is JSON of no more depth than is read.
@_lifetime(copy body)
func checkedJSON(_ body: Span<UInt8>) throws(UpdateMessageError) -> JSONView {
  do throws(JSONError) {
    try JSONValidator.check(body, depthLimit: Budget.updateDepth)
  } catch {
    throw .notJSON
  }
  return JSONView(body)
}
