import Codec
import Runtime

/// The grants on flash: only those until an instant. One for a single use, and one for a session, end with the agent
/// that has them, so nothing that flash has can bring them back.
///
/// Two clocks are used. While the kernel has not been restarted, the monotonic one. After that, the wall clock, once
/// something has set it: what a board without a battery clock takes for now may be last week.
public struct GrantRecord: Sendable {
  /// The name of one run of the kernel: a UUID (`/proc/sys/kernel/random/boot_id`, random(4)).
  public typealias Boot = InlineText<36>

  private var grants = InlineArray<8, Grant?>(repeating: nil)
  private var boot: Boot

  /// What flash has to keep of the grants of this run. One for a single command line, call or named camera ends with
  /// it.
  public init(_ table: GrantTable, boot: Boot, at now: Int64) {
    self.boot = boot
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      guard let grant = table.lasting(permission, InlineText(), [], for: 0, at: now), grant.scope == .until else {
        continue
      }
      grants[Int(permission.rawValue)] = grant
    }
  }

  /// True when there is nothing to keep.
  public var isEmpty: Bool {
    for index in 0..<8 where grants[index] != nil { return false }
    return true
  }

  /// How its grants may be used in this run.
  public enum Use: Equatable {
    /// Of this run of the kernel.
    case same
    /// Of another one: only once something has set the wall clock.
    case waits
    /// Not at all: the kernel does not say which run this is.
    case never
  }

  /// How its grants may be used in this run of the kernel.
  public func use(in boot: Boot) -> Use {
    if boot.isEmpty || self.boot.isEmpty { return .never }
    return boot.equals(self.boot.span) ? .same : .waits
  }

  /// Puts into `table` what is still in force.
  /// - Parameters:
  ///   - wall: milliseconds since the Unix epoch, when something has set the clock; nil in the same run of the kernel.
  ///   - now: milliseconds of the monotonic clock.
  public func restore(to table: inout GrantTable, wall: Int64?, at now: Int64) {
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      guard var grant = grants[Int(permission.rawValue)], table.grant(permission, at: now) == nil else { continue }
      if let wall {
        // A date before the one of the grant is wrong.
        guard grant.isDated, BelievableDate.contains(wall), wall >= grant.givenAt else { continue }
        let left = grant.duration - (wall - grant.givenAt)
        guard left > 0 else { continue }
        (grant.start, grant.duration) = (now, left)
        grant.givenAt = wall
      }
      guard grant.start <= now, let end = grant.end, end > now else { continue }
      table.give(permission, grant)
    }
  }

  // MARK: JSON

  /// Writes the record, and returns the length that it needs.
  public func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.beginObject()
    writer.key("boot")
    writer.string(boot.span)
    writer.key("grants")
    writer.beginArray()
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      guard let grant = grants[Int(permission.rawValue)] else { continue }
      writer.beginObject()
      writer.key("permission")
      writer.string(permission.word)
      writer.key("source")
      writer.int(Int64(grant.source.rawValue))
      writer.key("givenAt")
      writer.int(grant.givenAt)
      writer.key("isDated")
      writer.bool(grant.isDated)
      writer.key("start")
      writer.int(grant.start)
      writer.key("duration")
      writer.int(grant.duration)
      if grant.kinds != .all {
        writer.key("kinds")
        writer.int(Int64(grant.kinds.rawValue))
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.count
  }

  /// Reads a record; nil when it is not valid.
  public init?(_ text: Span<UInt8>) {
    guard (try? JSONValidator.check(text, depthLimit: 3)) != nil else { return nil }
    let root = JSONView(text)
    boot = Boot()
    guard let name = root.member("boot"), name.kind == .string, boot.fill({ name.copyString(into: $0) }),
      let list = root.member("grants"), list.kind == .array
    else { return nil }
    var elements = list.elements()
    while let element = elements.next() {
      var word = InlineText<16>()
      guard let text = element.member("permission"), word.fill({ text.copyString(into: $0) }),
        let permission = Permission.named(word.span),
        let source = element.member("source")?.int64, let by = Grant.Source(rawValue: UInt8(clamping: source)),
        let givenAt = element.member("givenAt")?.int64, (0..<1 << 52).contains(givenAt),
        let isDated = element.member("isDated")?.bool,
        let start = element.member("start")?.int64, start.magnitude < 1 << 52,
        let duration = element.member("duration")?.int64, (0...Budget.grantMilliseconds).contains(duration)
      else { return nil }
      var grant = Grant(.until, by: by, givenAt: givenAt, start: start, duration: duration, isDated: isDated)
      if let number = element.member("kinds") {
        guard let kinds = number.int64, let bits = UInt8(exactly: kinds) else { return nil }
        grant.kinds = UseKinds(rawValue: bits)
      }
      grants[Int(permission.rawValue)] = grant
    }
  }
}
