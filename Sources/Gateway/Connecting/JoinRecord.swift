import Codec
import Runtime

/// What a board knows of its join URLs, on flash: which were asked for, because each is asked for once; one that waits
/// for the network; and a payload that is not taken over yet. After a crash at any step nothing is asked for twice,
/// and a payload that arrived is not lost.
public struct JoinRecord {
  /// What is known of a URL.
  public enum State: Equatable, Sendable {
    /// It was not asked for.
    case new
    /// It was asked for, and gave nothing that could be kept.
    case spent
    /// Its payload is here, and not taken over yet.
    case kept
    /// Its payload was taken over.
    case done
  }

  private struct Entry {
    let digest: Fingerprint
    var isDone = false
  }

  private static let name: StaticString = "join"
  /// The URLs that were asked for, the newest last.
  private var entries: [Entry] = []
  /// The URL to ask for when there is a network.
  public private(set) var waiting: JoinURL?
  /// The payload of the newest URL, as it came; empty once it was taken over.
  public private(set) var payload: [UInt8] = []
  /// The host that sent the payload, when the board's authorities vouched for it; otherwise empty.
  public private(set) var vouchedHost = ""
  /// Something secret was removed, but the previous generation on flash has it until the second save.
  private var mustErase = false

  /// Nothing was asked for.
  public init() {}

  /// What is known of the URL with this digest (SHA-256 of its text).
  public func state(of digest: Fingerprint) -> State {
    guard let index = entries.lastIndex(where: { $0.digest == digest }) else { return .new }
    if entries[index].isDone { return .done }
    return index == entries.count - 1 && !payload.isEmpty ? .kept : .spent
  }

  /// A URL waits; it takes the place of another.
  public mutating func wait(for url: JoinURL) { waiting = url }

  /// The URL that waited is of no use any more.
  public mutating func stopWaiting() {
    if waiting != nil { mustErase = true }
    waiting = nil
  }

  /// This URL is about to be asked for.
  public mutating func noteAsked(_ digest: Fingerprint) {
    stopWaiting()
    dropPayload()
    if entries.count == Budget.joinURLs { entries.removeFirst() }
    entries.append(Entry(digest: digest))
  }

  /// Keeps the payload of the URL that was asked for last: a JSON object. `vouchedHost` is the host that sent it, when
  /// authorities vouched for it that count for the connection to the gateway too.
  public mutating func keep(_ payload: UnsafeBufferPointer<UInt8>, vouchedHost: String = "") {
    self.payload = Array(payload)
    self.vouchedHost = vouchedHost
  }

  /// The payload was taken over.
  public mutating func finish() {
    if !entries.isEmpty { entries[entries.count - 1].isDone = true }
    dropPayload()
  }

  /// The payload is of no use any more.
  public mutating func dropPayload() {
    if !payload.isEmpty { mustErase = true }
    payload = []
    vouchedHost = ""
  }

  // MARK: Storage

  /// Reads the record; an empty one where there is none.
  public static func load(from store: any RecordStore) throws(StoreError) -> JoinRecord {
    let buffer = FixedBuffer(capacity: Budget.joinRecordBytes)
    defer { withExtendedLifetime(buffer) {} }
    guard let found = try store.load(name.path, into: buffer.bytes) else { return JoinRecord() }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<found.count])
    guard let record = JoinRecord(Span(_unsafeElements: text)) else { throw .torn }
    return record
  }

  /// Writes the record, and erases from flash what was removed; blocks.
  public mutating func save(to store: any RecordStore) throws(StoreError) {
    let buffer = FixedBuffer(capacity: Budget.joinRecordBytes)
    defer { withExtendedLifetime(buffer) {} }
    let count = encode(into: buffer.bytes)
    guard count <= buffer.bytes.count else { throw .tooLarge }
    for _ in 0..<(mustErase ? 2 : 1) {
      try store.save(Self.name.path, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
    }
    mustErase = false
  }

  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.beginObject()
    writer.key("asked")
    writer.beginArray()
    for entry in entries {
      let hex = entry.digest.hex
      writer.beginObject()
      writer.key("sha256")
      writer.string(hex.span)
      writer.key("done")
      writer.bool(entry.isDone)
      writer.endObject()
    }
    writer.endArray()
    if let waiting {
      writer.key("waiting")
      writer.string(waiting.text)
    }
    if !payload.isEmpty {
      writer.key("payload")
      writer.raw(payload.span)
      if !vouchedHost.isEmpty {
        writer.key("vouchedHost")
        writer.string(vouchedHost)
      }
    }
    writer.endObject()
    return writer.count
  }

  /// Reads the record from JSON; nil when it is not valid.
  init?(_ text: Span<UInt8>) {
    guard (try? JSONValidator.check(text, depthLimit: 8)) != nil else { return nil }
    let root = JSONView(text)
    guard let asked = root.member("asked"), asked.kind == .array else { return nil }
    var elements = asked.elements()
    while let element = elements.next() {
      var hex = InlineText<64>()
      guard entries.count < Budget.joinURLs, let member = element.member("sha256"),
        hex.fill({ member.copyString(into: $0) }), let digest = Fingerprint(text: hex.span)
      else { return nil }
      var isDone = false
      if let done = element.member("done") { isDone = done.bool == true }
      entries.append(Entry(digest: digest, isDone: isDone))
    }
    if let member = root.member("waiting") {
      let buffer = FixedBuffer(capacity: Budget.urlBytes)
      guard let count = member.copyString(into: buffer.bytes),
        let url = try? JoinURL(String(decoding: buffer.bytes[..<count], as: UTF8.self))
      else { return nil }
      waiting = url
    }
    if let member = root.member("payload") {
      guard member.kind == .object else { return nil }
      payload = member.rawText.withUnsafeBufferPointer { Array($0) }
      if let host = root.member("vouchedHost") {
        let buffer = FixedBuffer(capacity: Budget.urlBytes)
        guard let count = host.copyString(into: buffer.bytes) else { return nil }
        vouchedHost = String(decoding: buffer.bytes[..<count], as: UTF8.self)
      }
    }
  }
}
