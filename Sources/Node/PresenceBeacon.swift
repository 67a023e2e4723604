import Codec
import Gateway
import Runtime

/// Reports to the gateway that the node is alive, so that it records when it last was (gateway reference 10): after
/// each `hello-ok`, and on request; at most once a minute, one at a time. It is never kept for a later connection,
/// because a beacon says "now".
public final class PresenceBeacon: Part, RequestDelegate {
  /// Why a beacon is sent.
  public enum Trigger: Sendable {
    case connect, manual, background, significantLocation

    var text: StaticString {
      switch self {
      case .connect: "connect"
      case .manual: "manual"
      case .background: "background"
      case .significantLocation: "significant_location"
      }
    }
  }

  /// What the gateway shows of the node; the same as in `connect`.
  public struct Card: Sendable {
    public var displayName: InlineText<128>
    public var version: InlineText<128>
    public var model: InlineText<128>
    public var platform: StaticString
    public var deviceFamily: StaticString

    /// A card; see the properties. Empty texts are left out.
    public init(
      displayName: InlineText<128>, version: InlineText<128>, model: InlineText<128>,
      platform: StaticString = "linux", deviceFamily: StaticString = "Linux"
    ) {
      self.displayName = displayName
      self.version = version
      self.model = model
      self.platform = platform
      self.deviceFamily = deviceFamily
    }

    /// The card of a node that connects with this configuration.
    public init(_ configuration: SessionConfiguration) {
      self.init(
        displayName: InlineText(cutting: configuration.displayName),
        version: InlineText(cutting: configuration.version),
        model: InlineText(cutting: configuration.model))
    }
  }

  /// Least milliseconds between beacons (gateway reference 10: more frequent ones are throttled).
  static let spacing: Int64 = 60_000
  /// Milliseconds before a connection without room is tried again.
  private static let roomPause: Int64 = 1_000

  private let card: Card
  private let clock: any Clock
  private let log: Log
  /// Three texts of 128 bytes, each of which may grow sixfold when it is escaped, and the other members.
  private let text = FixedBuffer(capacity: 3 * 1024)
  private var channel: (any RequestChannel)?
  /// The beacon that is due, and the one that is being sent.
  private var waiting: Trigger?
  private var inFlight: Trigger?
  private var tag = 0
  private var earliest = Int64.min
  /// False when the gateway of this connection does not know the event.
  public private(set) var isSupported = true
  /// Beacons that the gateway recorded, or had recorded within the last minute.
  public private(set) var recorded: UInt64 = 0
  /// When the last of them was acknowledged: a monotonic time.
  public private(set) var lastRecorded: Int64?

  /// A beacon that sends nothing until the first `online`.
  @export(interface)
  public init(card: Card, clock: any Clock, log: Log) {
    self.card = card
    self.clock = clock
    self.log = log
    super.init()
  }

  public override func online(_ session: Session) { online(session as any RequestChannel) }

  /// After `hello-ok`.
  public func online(_ channel: any RequestChannel) {
    self.channel = channel
    isSupported = true
    send(.connect)
  }

  /// The connection is lost, and with it the beacon that was due.
  public override func offline() {
    channel = nil
    waiting = nil
    inFlight = nil
  }

  /// Milliseconds until the beacon that is due is sent; 0 while none waits, or one is on its way.
  public var pauseLeft: Int64 { waiting != nil && inFlight == nil ? max(earliest - clock.monotonic, 0) : 0 }

  /// Sends a beacon now, or a minute after the last one. Does nothing offline, and with a gateway that does not know
  /// beacons.
  public func send(_ trigger: Trigger) {
    guard channel != nil, isSupported else { return }
    waiting = trigger
    sendIfDue(clock.monotonic)
  }

  public override var nextDeadline: Int64? { waiting != nil && inFlight == nil ? earliest : nil }

  /// Sends the beacon that is due.
  public override func advance(to now: Int64) { sendIfDue(now) }

  private func sendIfDue(_ now: Int64) {
    guard let channel, let trigger = waiting, inFlight == nil, now >= earliest else { return }
    waiting = nil
    inFlight = trigger
    tag &+= 1
    earliest = now + Self.spacing
    let name: StaticString = "node.presence.alive"
    if NodeEvent.send(name.bytes, payload(trigger), over: channel, delegate: self, tag: tag) { return }
    inFlight = nil
    waiting = trigger
    earliest = now + Self.roomPause
  }

  private func payload(_ trigger: Trigger) -> UnsafeBufferPointer<UInt8> {
    var writer = JSONWriter(into: text.bytes)
    writer.beginObject()
    writer.key("trigger")
    writer.string(trigger.text)
    writer.key("sentAtMs")
    writer.int(clock.wall)
    writer.key("platform")
    writer.string(card.platform)
    writer.key("deviceFamily")
    writer.string(card.deviceFamily)
    if !card.displayName.isEmpty {
      writer.key("displayName")
      writer.string(card.displayName.span)
    }
    if !card.version.isEmpty {
      writer.key("version")
      writer.string(card.version.span)
    }
    if !card.model.isEmpty {
      writer.key("modelIdentifier")
      writer.string(card.model.span)
    }
    writer.endObject()
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<min(writer.count, text.bytes.count)])
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("beacon")
    writer.beginObject()
    writer.key("isSupported")
    writer.bool(isSupported)
    writer.key("recorded")
    writer.uint(recorded)
    if let last = lastRecorded {
      writer.key("age")
      writer.int(clock.monotonic - last)
    }
    writer.endObject()
  }

  // MARK: Answers

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, let trigger = inFlight else { return }
    inFlight = nil
    guard let handled = payload.member("handled"), let isHandled = handled.bool else {
      // An older gateway accepts every event and records none.
      isSupported = false
      waiting = nil
      return log.write(.debug, "presence", "the gateway does not support presence beacons")
    }
    if isHandled {
      recorded += 1
      lastRecorded = clock.monotonic
      return
    }
    let reason = payload.member("reason")
    let isTransient = reason?.equals("persist_failed") ?? false
    if isTransient { waiting = waiting ?? trigger }
    log.write(isTransient ? .info : .warning, "presence") { line in
      line.add("the gateway did not record the presence beacon")
      line.add(isTransient ? ": its storage failed, it is sent again" : "")
    }
  }

  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag, let trigger = inFlight else { return }
    inFlight = nil
    // Refused, for example because the pairing has changed: the next connection shows the reason.
    if failure.kind == .timedOut { waiting = waiting ?? trigger }
  }
}
