import Codec
import Gateway
import Runtime

/// Why the router itself gives up on an invoke.
enum RouterError: WireError {
  /// More invokes, or more of one kind, than there is room for.
  case busy
  /// The answer did not come before the deadline.
  case timedOut

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .busy: ("UNAVAILABLE", "node busy")
    case .timedOut: ("UNAVAILABLE", "node invoke timed out")
    }
  }
}

/// Takes invokes from the session to their handlers, and answers back: each exactly once, before its deadline.
public final class Router {
  /// Milliseconds that an invoke has when the gateway names none (gateway reference 9.2).
  static let defaultTimeout: Int64 = 30_000
  /// Milliseconds kept for the answer's way back.
  static let transportReserve: Int64 = 500

  private let clock: any Clock
  private let log: Log
  private var commands: [Command] = []
  private var running = InvokeTable()
  private let parameters: ReservedBuffer
  private let message = FixedBuffer(capacity: 512)
  /// Set once the session exists; the two need each other.
  public unowned(unsafe) var session: Session! = nil
  /// Invokes answered since start: with a result, and with an error.
  public private(set) var succeeded: UInt64 = 0
  public private(set) var failed: UInt64 = 0

  /// A router without commands.
  public init(clock: any Clock, log: Log) throws(Errno) {
    self.clock = clock
    self.log = log
    parameters = try ReservedBuffer(capacity: Budget.invokeParameterBytes)
  }

  // MARK: Commands

  /// Adds commands of one handler: row `n` is the handler's command `n`. At start only.
  public func add(
    _ names: [StaticString], capability: StaticString, _ handler: any CommandHandler
  ) {
    for (number, name) in names.enumerated() {
      commands.append(
        Command(name: name, capability: capability, handler: handler, number: number))
    }
  }

  /// What is declared to the gateway.
  public var names: [StaticString] { commands.map { $0.name } }

  /// The capabilities of the commands, each once.
  public var capabilities: [StaticString] {
    var found: [StaticString] = []
    for command in commands
    where !found.contains(where: { $0.bytes.elementsEqual(command.capability.bytes) }) {
      found.append(command.capability)
    }
    return found
  }

  // MARK: Invokes

  /// Invokes that run.
  public var count: Int { running.count }

  /// Begins the invoke whose frame has this payload: checked JSON.
  public func begin(_ text: UnsafeBufferPointer<UInt8>) {
    let payload = JSONView(Span(_unsafeElements: text))
    var id = InlineText<128>()
    guard let idText = payload.member("id"), idText.kind == .string else { return }
    guard id.fill({ idText.copyString(into: $0) }) else { return refuseLongID(idText) }
    // An answer without an id could reach nobody.
    if id.isEmpty { return }
    guard isForUs(payload) else {
      return refuse(id, "INVALID_REQUEST", "INVALID_REQUEST: the invoke is for another node")
    }
    guard let name = payload.member("command"), let index = index(of: name) else {
      return refuse(id, "INVALID_REQUEST", "INVALID_REQUEST: unknown command")
    }
    guard let count = copyParameters(payload) else {
      return refuse(id, "INVALID_REQUEST", "INVALID_REQUEST: paramsJSON is not valid JSON, or too large")
    }
    let deadline = clock.monotonic + timeout(payload)
    guard let token = running.add(id: id, command: index, deadline: deadline) else {
      return refuse(id, "UNAVAILABLE", "UNAVAILABLE: node busy")
    }
    let copied = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(parameters.bytes)[..<count])
    commands[index].handler.begin(
      commands[index].number, token, JSONView(Span(_unsafeElements: copied)), deadline: deadline)
    if count > 16 * 1024 { parameters.release() }
  }

  private func isForUs(_ payload: borrowing JSONView) -> Bool {
    guard let node = payload.member("nodeId") else { return false }
    return node.equals(session.identity.id.span)
  }

  private func index(of name: borrowing JSONView) -> Int? {
    for index in commands.indices where name.equals(commands[index].name) { return index }
    return nil
  }

  /// Copies the parameters: `paramsJSON` unescaped, or the object `params` of some gateways; nothing, null and
  /// empty text count as `{}` (node-commands 1.1). Nil when they are no JSON.
  private func copyParameters(_ payload: borrowing JSONView) -> Int? {
    if let text = payload.member("paramsJSON"), text.kind == .string {
      guard let count = text.copyString(into: parameters.bytes) else { return nil }
      if isBlank(count) { return copy(("{}" as StaticString).bytes) }
      let copied = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(parameters.bytes)[..<count])
      do throws(JSONError) {
        try JSONValidator.check(Span(_unsafeElements: copied), depthLimit: Budget.jsonDepth)
        return count
      } catch {
        return nil
      }
    }
    if let parsed = payload.member("params"), parsed.kind == .object {
      return parsed.rawText.withUnsafeBufferPointer { copy($0) }
    }
    return copy(("{}" as StaticString).bytes)
  }

  private func isBlank(_ count: Int) -> Bool {
    for index in 0..<count {
      switch parameters.bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return false
      }
    }
    return true
  }

  private func copy(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count <= parameters.bytes.count else { return nil }
    parameters.bytes.baseAddress!.update(from: text.baseAddress!, count: text.count)
    return text.count
  }

  /// Milliseconds until the answer must be on its way: what the gateway allows, less the way back.
  private func timeout(_ payload: borrowing JSONView) -> Int64 {
    var allowed = Self.defaultTimeout
    if let wanted = payload.member("timeoutMs"), let value = wanted.int64, value > 0 {
      allowed = min(value, 3_600_000)
    }
    return max(allowed - Self.transportReserve, allowed / 2)
  }

  // MARK: Deadlines

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? { running.nextDeadline }

  /// Answers the invokes whose time is up, and stops their work.
  public func advance(to now: Int64) {
    while let token = running.due(at: now), let slot = running[token] {
      commands[slot.command].handler.cancel(token)
      fail(token, RouterError.timedOut)
    }
  }

  /// The connection is gone: stops all work, answers nobody.
  public func cancelAll() {
    while let token = running.first, let slot = running[token] {
      commands[slot.command].handler.cancel(token)
      running.remove(token)
    }
  }

  // MARK: Answers

  /// Answers with a result: `build` writes one JSON value. Nothing happens when `token` was answered already.
  public func succeed(_ token: InvokeToken, _ build: (inout JSONWriter) -> Void) {
    guard let slot = running[token] else { return }
    running.remove(token)
    if session.reply(to: slot.id.span, build) { return ended(slot) }
    refuse(slot.id, "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE: the result does not fit a message")
  }

  /// Answers with an object that ends in `base64` of a blob; see `Session.reply`. False when the blob was not
  /// taken, because `token` was answered already or the message would be too large: then it was answered with an error.
  public func succeed(
    _ token: InvokeToken, blob: UnsafeBufferPointer<UInt8>, owner: any BlobOwner,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    guard let slot = running[token] else { return false }
    running.remove(token)
    if session.reply(to: slot.id.span, blob: blob, owner: owner, members) {
      ended(slot)
      return true
    }
    refuse(slot.id, "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE: the photo does not fit a message")
    return false
  }

  /// Answers with an error. Nothing happens when `token` was answered already.
  public func fail(_ token: InvokeToken, _ error: some WireError) {
    guard let slot = running[token] else { return }
    running.remove(token)
    var writer = ByteWriter(into: message.bytes)
    error.writeMessage(to: &writer)
    let count = min(writer.count, message.bytes.count)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(message.bytes)[..<count])
    session.replyError(to: slot.id.span, code: error.code, message: Span(_unsafeElements: text))
    failed += 1
    log.write(.warning, "commands") { line in
      line.add(self.commands[slot.command].name)
      line.add(" failed: ")
      line.add(text)
    }
    session.replied()
  }

  private func ended(_ slot: InvokeTable.Slot) {
    succeeded += 1
    log.write(.debug, "commands") { line in
      line.add(self.commands[slot.command].name)
      line.add(" answered")
    }
    session.replied()
  }

  private func refuse(_ id: InlineText<128>, _ code: StaticString, _ text: StaticString) {
    session.replyError(to: id.span, code: code, message: Span(_unsafeElements: text.bytes))
    failed += 1
    log.write(.warning, "commands") { $0.add(text) }
  }

  /// An id too long to keep is answered at once, from where it stands: the parameter buffer holds it meanwhile.
  private func refuseLongID(_ id: borrowing JSONView) {
    guard let count = id.copyString(into: parameters.bytes) else { return }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(parameters.bytes)[..<count])
    session.replyError(
      to: Span(_unsafeElements: text), code: "INVALID_REQUEST",
      message: Span(_unsafeElements: ("INVALID_REQUEST: the invoke id is too long" as StaticString).bytes))
    failed += 1
  }
}
