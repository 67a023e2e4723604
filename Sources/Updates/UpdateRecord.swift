import Codec
import Runtime

/// How far an update is.
public enum UpdateState: UInt8, Sendable {
  case idle = 0
  /// There is an action, which is not begun.
  case offered = 1
  case downloading = 2
  /// The bundle is complete.
  case downloaded = 3
  case installing = 4
  /// It is in the other slot, and the restart waits.
  case installed = 5
  /// Root's side was asked to restart into it.
  case trying = 6
  /// It runs, and has to prove itself.
  case trial = 7
  /// Root's side was asked to make it the board's system.
  case confirming = 8
  /// It was left without having reached the gateway; the old system tries whether it can.
  case control = 9
  /// The old system could not either. Nobody can say whose fault it was.
  case open = 10
  /// It is over, and the server is still to be told.
  case closed = 11

  /// The word of status objects.
  public var word: StaticString {
    switch self {
    case .idle: "idle"
    case .offered: "offered"
    case .downloading: "downloading"
    case .downloaded: "downloaded"
    case .installing: "installing"
    case .installed: "installed"
    case .trying: "restarting"
    case .trial: "trial"
    case .confirming: "confirming"
    case .control: "comparing"
    case .open: "undecided"
    case .closed: "closed"
    }
  }
}

/// Who wants an update.
public enum UpdateOrigin: UInt8, Sendable { case none = 0, server = 1, list = 2, local = 3 }

/// How an update ended.
public enum UpdateOutcome: UInt8, Sendable {
  case none = 0, success = 1, failure = 2, canceled = 3

  /// The word of status objects.
  public var word: StaticString {
    switch self {
    case .none: "none"
    case .success: "success"
    case .failure: "failure"
    case .canceled: "canceled"
    }
  }
}

/// A sentence about an update.
public typealias UpdateText = InlineText<256>

/// What flash knows of an update, so that it goes on after a power cut, in the old system as in the new one.
///
/// A JSON object. Members that a release does not know are skipped and those that are missing have their defaults, so
/// that a release reads what others wrote, older and newer ones. A member never changes its meaning; `format` counts
/// up when one must be given up.
public struct UpdateRecord: Sendable {
  public static let format: Int64 = 1

  public var state = UpdateState.idle
  public var origin = UpdateOrigin.none
  /// The server's number of the action; a list's version; empty for a local one.
  public var action = InlineText<64>()
  public var release = Release()
  /// Of the file that is being downloaded, for `If-Range`.
  public var etag = InlineText<128>()
  public var isForced = false
  /// A person wants it now: the server's restrictions do not count.
  public var isHurried = false
  /// What the server allows at the moment.
  public var mayDownload = true
  public var mayInstall = true
  public var attempts: Int64 = 0
  public var trials: Int64 = 0
  /// The slot from which it was installed.
  public var fromSlot: UInt8 = 0
  /// Checks of the self-test that the old system passed: bit by bit in their order.
  public var baseline: Int64 = 0
  /// Of the last trial: its self-test passed; a connection to the gateway was made, whatever the gateway said.
  public var hasPassed = false
  public var hasReached = false
  /// The last lines of its log, each ended by a line feed.
  public var lines = InlineText<800>()
  public var outcome = UpdateOutcome.none
  public var reason = UpdateText()

  // Kept beyond one update.
  public var request: Int64 = 0
  public var listNumber: Int64 = 0
  public var closedAction = InlineText<64>()
  public var closedOutcome = UpdateOutcome.none
  /// A version that failed: no list makes this board try it again.
  public var refusedVersion = InlineText<64>()
  /// Bytes that updates have written to flash and that time has not given back yet (`UpdateCourse.mayWrite`).
  public var spent: Int64 = 0

  /// The record of a board that never had an update.
  public init() {}

  /// Writes the record: its length, at most `Budget.updateRecordBytes`.
  public func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: bytes)
    writer.beginObject()
    write("format", Self.format, &writer)
    write("state", Int64(state.rawValue), &writer)
    write("origin", Int64(origin.rawValue), &writer)
    write("action", action.span, &writer)
    write("version", release.version.span, &writer)
    write("url", release.url.span, &writer)
    write("size", release.size, &writer)
    write("digest", Int64(release.digest.kind.rawValue), &writer)
    let hex = release.digest.hex
    write("hex", hex.span, &writer)
    write("etag", etag.span, &writer)
    write("flags", flags, &writer)
    write("attempts", attempts, &writer)
    write("trials", trials, &writer)
    write("from", Int64(fromSlot), &writer)
    write("baseline", baseline, &writer)
    write("lines", lines.span, &writer)
    write("outcome", Int64(outcome.rawValue), &writer)
    write("reason", reason.span, &writer)
    write("request", request, &writer)
    write("list", listNumber, &writer)
    write("closed", closedAction.span, &writer)
    write("closedOutcome", Int64(closedOutcome.rawValue), &writer)
    write("refused", refusedVersion.span, &writer)
    write("spent", spent, &writer)
    writer.endObject()
    precondition(writer.isComplete, "every member is bounded")
    return writer.count
  }

  private func write(_ key: StaticString, _ value: Int64, _ writer: inout JSONWriter) {
    if value == 0 { return }
    writer.key(key)
    writer.int(value)
  }

  private func write(_ key: StaticString, _ text: Span<UInt8>, _ writer: inout JSONWriter) {
    if text.isEmpty { return }
    writer.key(key)
    writer.string(text)
  }

  /// Reads a record; nil when it is not one.
  public init?(_ bytes: Span<UInt8>) {
    do throws(JSONError) { try JSONValidator.check(bytes, depthLimit: Budget.updateDepth) } catch { return nil }
    let root = JSONView(bytes)
    guard root.number("format") >= 1 else { return nil }
    // A state of a newer release: the update begins again when the server offers it again.
    state = UpdateState(rawValue: root.byte("state")) ?? .idle
    origin = UpdateOrigin(rawValue: root.byte("origin")) ?? .none
    _ = root.copy("action", into: &action)
    _ = root.copy("version", into: &release.version)
    _ = root.copy("url", into: &release.url)
    release.size = min(max(root.number("size"), 0), Budget.updateBundleBytes)
    var hex = InlineText<64>()
    if root.copy("hex", into: &hex), let kind = BundleDigest.Kind(rawValue: root.byte("digest")),
      let digest = BundleDigest(kind, hex: hex.span)
    {
      release.digest = digest
    }
    _ = root.copy("etag", into: &etag)
    set(flags: root.number("flags"))
    attempts = min(max(root.number("attempts"), 0), 1000)
    trials = min(max(root.number("trials"), 0), 1000)
    fromSlot = root.byte("from")
    baseline = root.number("baseline")
    _ = root.copy("lines", into: &lines)
    outcome = UpdateOutcome(rawValue: root.byte("outcome")) ?? .none
    _ = root.copy("reason", into: &reason)
    request = max(root.number("request"), 0)
    listNumber = max(root.number("list"), 0)
    _ = root.copy("closed", into: &closedAction)
    closedOutcome = UpdateOutcome(rawValue: root.byte("closedOutcome")) ?? .none
    _ = root.copy("refused", into: &refusedVersion)
    spent = min(max(root.number("spent"), 0), 2 * Budget.updateDayBytes)
  }

  // MARK: Flags

  private var flags: Int64 {
    var flags: Int64 = 0
    if isForced { flags |= 1 }
    if mayDownload { flags |= 2 }
    if mayInstall { flags |= 4 }
    // 8 was a wish for an older release, which only root may have.
    if hasPassed { flags |= 16 }
    if hasReached { flags |= 32 }
    if isHurried { flags |= 64 }
    return flags
  }

  private mutating func set(flags: Int64) {
    isForced = flags & 1 != 0
    mayDownload = flags & 2 != 0
    mayInstall = flags & 4 != 0
    hasPassed = flags & 16 != 0
    hasReached = flags & 32 != 0
    isHurried = flags & 64 != 0
  }

  /// Forgets the update, and keeps what outlives it.
  mutating func clear() {
    let old = self
    self = UpdateRecord()
    request = old.request
    listNumber = old.listNumber
    closedAction = old.closedAction
    closedOutcome = old.closedOutcome
    refusedVersion = old.refusedVersion
    spent = old.spent
    (outcome, reason) = (old.outcome, old.reason)
    release.version = old.release.version
  }
}

/// A sentence, cut where there is no more room for it.
func sentence(_ build: (inout ByteWriter) -> Void) -> UpdateText {
  var text = UpdateText()
  text.fill { buffer in
    var writer = ByteWriter(into: buffer)
    build(&writer)
    return min(writer.count, buffer.count)
  }
  return text
}

extension JSONView {
  fileprivate func number(_ name: StaticString) -> Int64 { member(name)?.int64 ?? 0 }

  fileprivate func byte(_ name: StaticString) -> UInt8 { UInt8(clamping: number(name)) }
}
