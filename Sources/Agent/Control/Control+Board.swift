import Camera
import Codec
import Gateway
import Runtime

/// The operations about the board itself.
extension Control {

  // MARK: Log

  /// `{lines?, level?, follow?}`: the newest lines of the log as parts of type `line`, then the end; with `follow` the new
  /// ones as they come, until the client hangs up.
  func log(_ call: Int, _ request: borrowing JSONView) {
    guard let log = agent(for: call)?.log else { return }
    guard let level = level(request, or: .debug) else { return refuseLevel(call) }
    var count = Int64(Budget.logLines)
    if let member = request.member("lines") {
      guard let value = member.int64, (1...Int64(Budget.logLines)).contains(value) else {
        return refuse(call, "\"lines\" is a number from 1 to 256")
      }
      count = value
    }
    let follows = request.member("follow")?.bool ?? false
    log.forEachEntry(last: Int(count), upTo: level) { sendLine(call, $0) }
    guard follows else { return endParts(call, "final") }
    calls.follow(call, level)
    log.observer = self
  }

  /// A client is gone: without followers nobody has to be told.
  func unfollow() {
    guard let log = node.agent?.log, log.observer === self, !calls.hasFollower else { return }
    log.observer = nil
  }

  /// `{level}`: what the log keeps from now on.
  func setLogLevel(_ call: Int, _ request: borrowing JSONView) {
    guard request.member("level") != nil, let level = level(request, or: .info) else { return refuseLevel(call) }
    agent(for: call)?.log.level = level
    finishEmpty(call)
  }

  private func level(_ request: borrowing JSONView, or usual: LogLevel) -> LogLevel? {
    guard let member = request.member("level") else { return usual }
    for level in LogLevel.all where member.equals(level.word) { return level }
    return nil
  }

  private func refuseLevel(_ call: Int) { refuse(call, "\"level\" is error, warning, notice, info or debug") }

  func sendLine(_ call: Int, _ entry: LogEntry) {
    sendPart(call, "line") { writer in
      writer.key("level")
      writer.string(entry.level.word)
      writer.key("age")
      writer.int((node.agent?.now ?? entry.time) - entry.time)
      writer.key("text")
      writer.string(Span(_unsafeElements: entry.text))
    }
  }

  // MARK: Camera

  /// `{path, device?, width?}`: takes a photo into a file that the agent writes itself.
  func snap(_ call: Int, _ request: borrowing JSONView) {
    guard let agent = agent(for: call) else { return }
    if agent.hold.isHeld { return fail(call, DeskFailure("HELD", HoldError.held.wire.text)) }
    guard snapCall == nil else { return fail(call, DeskFailure("BUSY", "another photo is being taken for this board")) }
    var path = InlineText<1024>()
    guard let member = request.member("path"), path.fill({ member.copyString(into: $0) }), !path.isEmpty,
      path.span[0] == UInt8(ascii: "/")
    else { return refuse(call, "\"path\" is an absolute path of at most 1024 bytes") }
    do throws(CameraError) {
      snapCall = call
      try path.span.withUnsafeBufferPointer { (path) throws(CameraError) in
        try agent.camera.snap(Self.parameters(request), to: path, self)
      }
    } catch {
      snapCall = nil
      fail(call, Self.failure(error))
    }
  }

  private static func parameters(_ request: borrowing JSONView) throws(CameraError) -> SnapParameters {
    var parameters = SnapParameters()
    if let member = request.member("device") {
      var device = CameraText()
      guard device.fill({ member.copyString(into: $0) }) else { throw .unknownDevice(device) }
      parameters.choice.device = device
    }
    if let width = request.member("width")?.int64, (2...65_535).contains(width) { parameters.maxWidth = Int(width) }
    return parameters
  }

  private static func failure(_ error: CameraError) -> DeskFailure {
    DeskFailure(error.code) { line in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeSentence(to: &writer)
        line.add(UnsafeBufferPointer(rebasing: buffer[..<min(writer.count, buffer.count)]))
      }
    }
  }

  // MARK: People

  /// Tries what the board has; the answer holds what was found.
  func selfTest(_ call: Int) {
    guard let agent = agent(for: call) else { return }
    if !agent.selfTest.begin(self, call) {
      fail(call, DeskFailure("BUSY", "a self-test is under way"))
    }
  }

  /// `{hold}`: holds the board still, or lets it go.
  func panic(_ call: Int, _ request: borrowing JSONView) {
    guard let hold = request.member("hold")?.bool else { return refuse(call, "\"hold\" is true or false") }
    guard let agent = agent(for: call) else { return }
    hold ? agent.holdStill("at the console") : agent.letGo("at the console")
    finish(call) { writer in
      writer.beginObject()
      writer.key("held")
      writer.bool(agent.hold.isHeld)
      writer.endObject()
    }
  }

  /// A person has seen what the agent wanted of people.
  func acknowledge(_ call: Int) {
    agent(for: call)?.acknowledge()
    finishEmpty(call)
  }

  /// `{confirm}`: forgets who the board is, when the node's id is named.
  func reset(_ call: Int, _ request: borrowing JSONView) {
    guard let agent = agent(for: call) else { return }
    guard let confirm = request.member("confirm"), confirm.equals(agent.session.identity.id.span) else {
      return refuse(call, "\"confirm\" is not this board's node id")
    }
    finishEmpty(call)
    agent.reset("at the console")
  }

  /// The object of `device.health`.
  func health(_ call: Int) {
    guard let agent = agent(for: call) else { return }
    if !agent.readHealth(self, call) {
      fail(call, DeskFailure("BUSY", "too many readings are under way; try again"))
    }
  }

  func finishEmpty(_ call: Int) {
    finish(call) { writer in
      writer.beginObject()
      writer.endObject()
    }
  }
}

extension Control: BoardSnapOwner {
  func snapTaken(_ snap: BoardSnap) {
    guard let call = snapCall else { return }
    snapCall = nil
    if let failure = snap.failure {
      return fail(call, DeskFailure("IO") { line in
        line.add("the photo was taken, and could not be written: ")
        line.add(failure)
      })
    }
    finish(call) { writer in
      writer.beginObject()
      writer.key("bytes")
      writer.int(Int64(snap.count))
      writer.key("width")
      writer.int(Int64(snap.width))
      writer.key("height")
      writer.int(Int64(snap.height))
      writer.endObject()
    }
  }

  func snapFailed(_ error: CameraError) {
    guard let call = snapCall else { return }
    snapCall = nil
    fail(call, Self.failure(error))
  }
}

extension Control: SelfTestListener {
  func selfTestEnded(_ tag: Int, _ test: SelfTest) { finish(tag) { test.write(to: &$0) } }
}

extension Control: HealthListener {
  func healthRead(_ tag: Int, _ write: (inout JSONWriter) -> Void) { finish(tag, write) }
}

extension Control: LogObserver {
  public func logKept(_ line: LogEntry) {
    for index in 0..<calls.capacity {
      if let level = calls[index]?.follows, line.level <= level { sendLine(index, line) }
    }
  }
}
