import Codec
import Completion
import Runtime

/// Calls of tools: those of the board go to the node, the agent's own are done here.
extension AgentServer {
  public func turnCalls(_ place: Int, tool: Int, arguments: UnsafeBufferPointer<UInt8>, flags: CallFlags) {
    switch book.runner(tool) {
    case .board: callBoard(place, tool, arguments, flags)
    case .own(let own): call(own, place, JSONView(Span(_unsafeElements: arguments)))
    }
  }

  public func turnDropsCall(_ place: Int) {
    let wait = calls[place]
    calls[place] = .nothing
    switch wait {
    case .board(let number): host.send(.drop) { $0.littleEndian(UInt64(number), bytes: 4) }
    case .page:
      means.pages?.cancel()
      beginNextPage()
    case .vector: vectors?.drop(place)
    case .mail: means.mail?.cancel()
    case .telegram: means.telegram?.cancelSending()
    case .nothing, .memory, .pageLater: return
    }
  }

  /// Ends a call that nothing is awaited for.
  func finish(_ place: Int, _ sentence: StaticString, isError: Bool = false) {
    calls[place] = .nothing
    machine.toolEnded(place, sentence.utf8Bytes, isError: isError)
  }

  /// Ends a call with what `write` writes.
  func finish(_ place: Int, isError: Bool = false, _ write: (inout ByteWriter) -> Void) {
    calls[place] = .nothing
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Budget.agentResultBytes) { room in
      var writer = ByteWriter(into: room)
      write(&writer)
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)])
      machine.toolEnded(place, Span(_unsafeElements: text), isError: isError)
    }
  }

  private func call(_ tool: OwnTool, _ place: Int, _ arguments: borrowing JSONView) {
    switch tool {
    case .memorySearch, .memoryGet, .remember: callMemory(tool, place, arguments)
    case .webSearch, .webFetch: callPages(tool, place, arguments)
    case .sendMessage: sendMessage(place, arguments)
    case .remind: remind(place, arguments)
    case .listReminders:
      finish(place) { writer in
        var json = JSONWriter(continuing: ByteWriter(into: self.result.bytes))
        self.keeper.reminders.write(to: &json)
        let count = min(json.count, self.result.bytes.count)
        writer.bytes(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(self.result.bytes)[..<count]).span)
      }
    case .cancelReminder: cancelReminder(place, arguments)
    }
  }

  // MARK: The board

  private func callBoard(_ place: Int, _ tool: Int, _ arguments: UnsafeBufferPointer<UInt8>, _ flags: CallFlags) {
    guard host.isConnected else { return finish(place, "the board's tools are not there now", isError: true) }
    let name = book.tools.list[tool].name
    guard arguments.count + name.utf8.count + 6 <= Budget.agentFrameBytes else {
      return finish(place, "the arguments are longer than the board takes", isError: true)
    }
    let number = calls.number()
    calls[place] = .board(number)
    host.send(.call) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(flags.rawValue)
      writer.text(name)
      writer.byte(0)
      writer.bytes(Span(_unsafeElements: arguments))
    }
  }

  /// A piece of a result, or its end. Pieces of a call that nobody waits for are passed over.
  func boardAnswered(_ kind: AgentFrame.Kind, _ body: UnsafeBufferPointer<UInt8>) {
    var fields = FrameFields(Span(_unsafeElements: body))
    let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
    guard fields.isComplete, let place = calls.place(of: .board(number)) else { return }
    if collecting != number { (collecting, resultCount, pictureCount) = (number, 0, 0) }
    switch kind {
    case .resultPiece: resultCount = Self.append(fields.rest(), to: result.bytes, after: resultCount)
    case .picturePiece: pictureCount = Self.append(fields.rest(), to: picture.bytes, after: pictureCount)
    default:
      let isError = fields.number(bytes: 1) != 0
      calls[place] = .nothing
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(result.bytes)[..<resultCount])
      // A picture that is cut is none.
      let isWhole = pictureCount < picture.bytes.count
      let shown = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(picture.bytes)[..<(isWhole ? pictureCount : 0)])
      (collecting, resultCount, pictureCount) = (0, 0, 0)
      machine.toolEnded(place, Span(_unsafeElements: text), isError: isError, picture: shown)
    }
  }

  /// Copies as much as there is room for; returns how much is there then.
  private static func append(
    _ piece: Span<UInt8>, to room: UnsafeMutableBufferPointer<UInt8>, after count: Int
  ) -> Int {
    let taken = min(piece.count, room.count - count)
    for index in 0..<taken { room[count + index] = piece[index] }
    return count + taken
  }

  // MARK: Reminders

  private func remind(_ place: Int, _ arguments: borrowing JSONView) {
    var text = InlineText<240>()
    guard let words = arguments.member("text"), text.fill({ words.copyString(into: $0) }) else {
      return finish(place, ReminderRefusal.text.sentence, isError: true)
    }
    guard let due = due(arguments) else {
      return finish(place, "say inSeconds, or at as 2026-08-01T06:00:00Z", isError: true)
    }
    let period = (arguments.member("everySeconds")?.int64 ?? 0).multiplied(clamping: 1000)
    do throws(ReminderRefusal) {
      let id = try keeper.reminders.add(text.span, at: due, every: period, now: clock.wall)
      keeper.keep(.reminders)
      finish(place) { writer in
        writer.text("reminder ")
        writer.decimal(UInt64(id))
        writer.text(" is set for ")
        writer.bytes(ISO8601(unixMilliseconds: due).text)
      }
    } catch {
      finish(place, error.sentence, isError: true)
    }
  }

  private func due(_ arguments: borrowing JSONView) -> Int64? {
    if let seconds = arguments.member("inSeconds")?.int64 {
      return clock.wall.adding(clamping: seconds.multiplied(clamping: 1000))
    }
    return arguments.member("at")?.unixMilliseconds
  }

  private func cancelReminder(_ place: Int, _ arguments: borrowing JSONView) {
    do throws(ReminderRefusal) {
      guard let id = arguments.member("id")?.uint64 else { throw .unknown }
      try keeper.reminders.cancel(UInt32(clamping: id))
      keeper.keep(.reminders)
      finish(place, "cancelled")
    } catch {
      finish(place, error.sentence, isError: true)
    }
  }
}
