import Codec
import Runtime

/// Advice to a person about a connected node: which of its commands the gateway holds back, and how to release them
/// (gateway reference 5.8, 11.3). A gateway does not tell a node; an operator connection can ask.
public struct PolicyAdvice {
  public enum Finding: Equatable, Sendable {
    /// Every command gets through, or some do and more is not known.
    case served
    /// Nothing was invoked yet, and there is no operator connection to ask why.
    case silent
    /// Commands get through, and the gateway's list leaves the named ones out: the owner may want it so.
    case partial
    /// The gateway holds all commands back, or waits for a person to approve some.
    case withheld

    /// The finding as one word for programs.
    public var word: StaticString {
      switch self {
      case .served: "served"
      case .silent: "silent"
      case .partial: "partial"
      case .withheld: "withheld"
      }
    }
  }

  /// How a gateway's configuration spells the list of allowed commands: the old way up to 2026.7.2-beta.3, the new one
  /// from 2026.8 on, and each refuses the other. A gateway without a release is most likely a private build, and old.
  enum Spelling: Equatable {
    case allowCommands, commandsAllow

    init(_ release: Release?) {
      guard let release, release >= .august else {
        self = .allowCommands
        return
      }
      self = .commandsAllow
    }
  }

  /// Columns of a configuration line, so that it fits on a serial console.
  private static let columns = 72
  /// Commands named in the sentence; the configuration lines have all of them.
  private static let named = 4

  public private(set) var finding: Finding
  let spelling: Spelling
  private let release: Release?
  private let commands: [String]
  private let policy: CommandPolicy

  /// `commands` in the order of their declaration; `policy` as the operator connection read it.
  public init(_ policy: CommandPolicy, commands: [String], serverVersion: Span<UInt8>, hasBeenInvoked: Bool) {
    self.policy = policy
    self.commands = commands
    release = Release(serverVersion)
    spelling = Spelling(release)
    finding =
      switch policy.verdict {
      case .all: .served
      case .some where !policy.isAwaited: .partial
      case .some, .none: .withheld
      case .unknown: hasBeenInvoked ? .served : .silent
      }
    if finding == .partial, wanted(from: 0) == nil { finding = .served }
  }

  /// True for a command that has to be released: one held back, unless only an approval holds it back, or, while the
  /// policy is unknown, one that this gateway does not allow a Linux node by default.
  private func isWanted(_ index: Int) -> Bool {
    let isDefault = ReleaseCommands.isAllowedByDefault(commands[index], release)
    if finding == .silent { return !isDefault }
    return policy.isMissing(index) && !(policy.isAwaited && (isDefault || policy.isListed(index)))
  }

  /// True when the gateway's configuration is right, and only a person's approval is missing.
  public var needsApprovalOnly: Bool { finding == .withheld && policy.isAwaited && wanted(from: 0) == nil }

  /// The state in one sentence.
  public func writeSentence(to line: inout LogLine) {
    switch finding {
    case .served where policy.verdict != .unknown: line.add("connected, and the gateway allows every command")
    case .served: line.add("connected, and commands arrive")
    case .silent: line.add("connected, but nothing was asked of this node yet; the gateway may have to allow it")
    case .withheld where needsApprovalOnly:
      line.add("connected, and the gateway waits for a person to approve this node's commands")
    case .partial, .withheld:
      line.add(
        finding == .partial
          ? "connected, and commands arrive, but for those that the gateway's list leaves out: "
          : "connected, but the gateway allows none of these commands: ")
      var count = 0
      for index in commands.indices where isWanted(index) {
        count += 1
        if count > Self.named { continue }
        if count > 1 { line.add(", ") }
        line.add(commands[index])
      }
      guard count > Self.named else { return }
      line.add(" and ")
      line.add(count - Self.named)
      line.add(" more")
    }
  }

  /// The steps to take, line by line; none when there is nothing to do. The lines with quotes can be pasted into a list
  /// of the gateway's configuration, and leave there what an owner has in it. A line is valid until `body` returns.
  public func forEachStep(_ body: (Span<UInt8>) -> Void) {
    guard finding != .served else { return }
    // A gateway up to June 2026 forgets a request after five minutes; the next connection makes a new one.
    let isForgotten = needsApprovalOnly && policy.approval == .unapproved
    if needsApprovalOnly, !isForgotten { return sayApproval(body, "on the gateway's machine: ") }
    guard !needsApprovalOnly else {
      Self.say(body, "1. connect anew, on this board: talon reload")
      return sayApproval(body, "2. on the gateway's machine: ")
    }
    switch spelling {
    case .allowCommands:
      Self.say(body, "1. add these to the list gateway.nodes.allowCommands of the gateway's configuration")
      Self.say(body, "   (from August 2026 on gateway.nodes.commands.allow), beside what is there:")
    case .commandsAllow:
      Self.say(body, "1. add these to the list gateway.nodes.commands.allow of the gateway's configuration")
      Self.say(body, "   (up to July 2026 gateway.nodes.allowCommands), beside what is there:")
    }
    sayList(body)
    Self.say(body, "2. connect anew, on this board: talon reload")
    sayApproval(body, "3. on the gateway's machine: ")
    if finding == .partial {
      Self.say(body, "or leave them out, on this board: [node] commands names what is declared")
    }
  }

  /// What stands after `place` to the end of its line is a command, and can be pasted.
  private func sayApproval(_ body: (Span<UInt8>) -> Void, _ place: StaticString) {
    let isKnown = !policy.pendingRequest.isEmpty
    Self.say(body) { line in
      line.add(place)
      isKnown ? self.writeApproval(to: &line) : line.add("openclaw nodes pending")
    }
    if !isKnown {
      Self.say(body, "   and with its id in the place of ID, on the gateway's machine: openclaw nodes approve ID")
    }
    // Older gateways forget a request, and make a new one.
    guard isKnown, !(release.map { $0 >= .september } ?? false) else { return }
    Self.say(body, "   or, where that one has expired, on the gateway's machine: openclaw nodes pending")
  }

  private func writeApproval(to line: inout LogLine) {
    line.add("openclaw nodes approve ")
    line.add(code: policy.pendingRequest.span)
  }

  private static func say(_ body: (Span<UInt8>) -> Void, _ text: StaticString) {
    body(Span(_unsafeElements: text.bytes))
  }

  private func sayList(_ body: (Span<UInt8>) -> Void) {
    var next = 0
    while let first = wanted(from: next) {
      Self.say(body) { line in
        line.add("    ")
        var index: Int? = first
        while let command = index, line.count < Self.columns {
          line.add(" \"")
          line.add(self.commands[command])
          line.add("\",")
          next = command + 1
          index = self.wanted(from: next)
        }
      }
    }
  }

  private func wanted(from first: Int) -> Int? {
    for index in first..<commands.count where isWanted(index) { return index }
    return nil
  }

  private static func say(_ body: (Span<UInt8>) -> Void, _ build: (inout LogLine) -> Void) {
    var text = InlineText<256>()
    text.fill { buffer in
      var line = LogLine(buffer)
      build(&line)
      return line.count
    }
    body(text.span)
  }
}

extension PolicyAdvice {
  /// Writes the finding and the steps as one JSON object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(finding.word)
    writer.key("explanation")
    var sentence = InlineText<256>()
    sentence.fill { buffer in
      var line = LogLine(buffer)
      writeSentence(to: &line)
      return line.count
    }
    writer.string(sentence.span)
    writer.key("steps")
    writer.beginArray()
    forEachStep { writer.string($0) }
    writer.endArray()
    if policy.isAwaited, !policy.pendingRequest.isEmpty {
      var command = InlineText<192>()
      command.fill { buffer in
        var line = LogLine(buffer)
        writeApproval(to: &line)
        return line.count
      }
      writer.key("approve")
      writer.string(command.span)
    }
    writer.endObject()
  }
}
