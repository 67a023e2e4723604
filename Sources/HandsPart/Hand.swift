import Codec
import Hands
import Node
import Runtime

/// One hand of the running agent: a command and a tool. Subclasses are the kinds.
///
/// A class and not a protocol, as `Part`.
open class Hand {
  /// Its section of the configuration, which is checked.
  public let settings: HandSettings
  /// What it needs of the agent.
  public let surroundings: HandSurroundings
  /// Calls of the gateway since start.
  var calls: UInt64 = 0
  var limit: CallLimit
  /// What was changed last, by whom, and when; nil before.
  private(set) var lastChange: (what: StaticString, by: InlineText<64>, at: Int64)?
  /// Its place in the table of hands.
  let index: Int

  /// A hand that does nothing before `start`.
  @export(interface)
  public init(_ settings: HandSettings, _ surroundings: HandSurroundings, index: Int) {
    self.settings = settings
    self.surroundings = surroundings
    self.index = index
    limit = CallLimit(settings.callsPerMinute, in: 60_000)
  }

  // MARK: What it is; read once at start

  /// True when it changes nothing.
  open var isReadOnly: Bool { true }

  /// What comes back and what it cannot do, for the agent, after the owner's own words.
  open var explanation: String { "" }

  /// The schema of its parameters, a plain JSON object.
  open var schema: String { #"{"type":"object","properties":{}}"# }

  /// The first sentence of a tool's result; empty: the member "text" of the result, which is its first then.
  open var sentence: String { "" }

  // MARK: Life

  /// Opens its device. May read flash, which blocks: `surroundings.keeper.load`.
  open func start() {}

  /// Ends its work for good, and gives its device back.
  open func stop() {}

  /// False while something of it still runs or is open after `stop`.
  open var isStopped: Bool { true }

  /// A person holds the board (panic): outputs go to their safe state, and what runs ends. Calls are refused without
  /// asking the hand.
  open func hold() {}

  /// The person has released the board.
  open func letGo() {}

  /// When `advance` is to be called, in milliseconds of `Clock.monotonic`.
  open var nextDeadline: Int64? { nil }

  /// Does what is due.
  open func advance(to now: Int64) {}

  // MARK: Calls

  /// Begins a call, which it must answer once, now or later.
  open func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {}

  /// Stops a call, which needs no answer.
  open func cancel(_ token: InvokeToken) {}

  // MARK: Reports

  /// Writes its members of its object in the agent's status: the word "state" at least.
  open func writeStatus(to writer: inout JSONWriter) {}

  /// True when its device is absent or broken.
  open var hasFault: Bool { false }

  /// True for an output that is on; see `never_with`.
  open var isOn: Bool { false }

  /// The outputs that are never on together with this one.
  var rivals: [Hand] = []

  /// What it keeps on flash; nil for nothing. Asked for after `surroundings.keeper.changed`.
  open var record: HandRecord? { nil }
}

extension Hand {
  /// By index: iterators allocate in a debug build, and tests count allocations there.
  var rivalThatIsOn: Hand? {
    for index in 0..<rivals.count where rivals[index].isOn { return rivals[index] }
    return nil
  }

  /// Notes what was changed, for the log and the status, with the session that wanted it. `isOwn`: nobody wanted it
  /// just now.
  public func noteChange(_ what: StaticString, isOwn: Bool = false) {
    let session = surroundings.router.sessionKey
    var by = InlineText<64>(cutting: isOwn ? "by itself" : "the gateway")
    if !isOwn, !session.isEmpty { by = InlineText(cutting: session.span) }
    lastChange = (what, by, surroundings.clock.monotonic)
    surroundings.log.write(.notice, "io") { line in
      line.add(self.settings.name)
      line.add(": ")
      line.add(what)
      line.add(isOwn ? ", " : ", for ")
      line.add(by.span)
    }
  }

  /// Logs a sentence about it.
  public func say(_ level: LogLevel, _ text: StaticString) {
    surroundings.log.write(level, "io") { line in
      line.add(self.settings.name)
      line.add(": ")
      line.add(text)
    }
  }

  /// Answers a call with an object.
  public func succeed(_ token: InvokeToken, _ members: (inout JSONWriter) -> Void) {
    surroundings.router.succeed(token) { writer in
      writer.beginObject()
      members(&writer)
      writer.endObject()
    }
  }

  /// Answers a call with a sentence that begins with the hand's name.
  public func fail(_ token: InvokeToken, _ refusal: HandRefusal) {
    surroundings.router.fail(token, code: refusal.code) { line in
      line.text(refusal.code)
      line.text(": ")
      line.text(self.settings.name)
      line.text(": ")
      refusal.writeSentence(to: &line)
    }
  }

  /// Answers a call with an error whose sentence begins with the hand's name.
  func fail(_ token: InvokeToken, _ write: (inout ByteWriter) -> Void) {
    surroundings.router.fail(token, code: "UNAVAILABLE") { line in
      line.text("UNAVAILABLE: ")
      line.text(self.settings.name)
      line.text(": ")
      write(&line)
    }
  }

  /// Posts a line for the session of the gateway's agent, like the notification of a phone: without starting a run.
  func notify(title: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>, at instant: Int64) {
    settings.name.withBytes { name in
      surroundings.outbox.post(Notice("io", name, title: title, text: text, at: instant))
    }
  }

  /// Its object in the agent's status.
  func writeObject(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(settings.name)
    if let kind = settings.kind {
      writer.key("kind")
      writer.string(kind.word)
    }
    writeStatus(to: &writer)
    writer.key("calls")
    writer.uint(calls)
    if let lastChange {
      writer.key("last")
      writer.beginObject()
      writer.key("what")
      writer.string(lastChange.what)
      writer.key("by")
      writer.string(lastChange.by.span)
      writer.key("ageMs")
      writer.int(surroundings.clock.monotonic - lastChange.at)
      writer.endObject()
    }
    writer.endObject()
  }
}
