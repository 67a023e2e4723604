import Codec
import Completion
import Runtime

/// What the owner asks at a console.
extension AgentServer {
  /// A request of the owner whose answer the memory gives.
  struct OwnerCall {
    let number: UInt32
    let request: OwnerRequest
    let ticket: UInt32
  }

  /// Takes the body of the frame `ask`.
  func takeOwner(_ body: UnsafeBufferPointer<UInt8>) {
    var fields = FrameFields(Span(_unsafeElements: body))
    let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
    let request = OwnerRequest(rawValue: UInt8(truncatingIfNeeded: fields.number(bytes: 1)))
    let place = request?.hasNumber == true ? Int64(clamping: fields.number(bytes: 8)) : 0
    guard fields.isComplete else { return }
    guard let request else { return refuseOwner(number, "the agent is of another release: restart it") }
    // The node asks one thing at a time, so nobody waits for a list that is still under way.
    dropListing()
    guard owner == nil else { return refuseOwner(number, "the agent still does what was asked before") }
    let text = fields.rest().withUnsafeBufferPointer { $0 }
    switch request {
    case .status: answerOwner(number) { self.writeUsage(to: &$0) }
    case .models: listModels(number)
    case .exported: sendExport(number, from: place)
    case .importing:
      guard place.adding(clamping: Int64(text.count)) <= Budget.memoryImportBytes else {
        return refuseOwner(number, "the file is larger than any memory")
      }
      guard host.transfers.writeImport(text, at: place) else { return refuseOwner(number, Self.noFile) }
      answerOwner(number) { _ in }
    default: askMemory(number, request, place, text)
    }
  }

  private static var noFile: StaticString { "the agent cannot write a file: its folder is full, or damaged" }

  private func listModels(_ number: UInt32) {
    guard means.lister?.start() == true else { return refuseOwner(number, "the agent cannot ask for models now") }
    listing = number
  }

  /// Nobody waits for the list of models any more.
  func dropListing() {
    guard listing != nil else { return }
    listing = nil
    means.lister?.cancel()
  }

  /// The servers have said which models they have.
  func listed(_ text: UnsafeBufferPointer<UInt8>) {
    guard let number = listing else { return }
    listing = nil
    answerOwner(number) { $0.bytes(Span(_unsafeElements: text)) }
  }

  private func askMemory(
    _ number: UInt32, _ request: OwnerRequest, _ entry: Int64, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let memory = means.memory else { return refuseOwner(number, "this board keeps no memory") }
    let ticket: UInt32?
    switch request {
    case .forgetWords: ticket = memory.forget(words: text)
    case .forgetEntry: ticket = memory.forget(entry)
    case .forgetAll: ticket = memory.forgetAll()
    case .export:
      guard let sink = host.transfers.makeExport() else { return refuseOwner(number, Self.noFile) }
      ticket = memory.write(to: sink)
    case .imported:
      guard let source = host.transfers.openImport() else { return refuseOwner(number, "there is nothing to import") }
      ticket = memory.read(from: source)
    default:
      // By words, as the owner forgets: something is always nearest, and the owner would not see that all is gone.
      ticket = memory.search(
        text, vector: UnsafeBufferPointer(start: nil, count: 0), limit: Budget.ownerResults)
    }
    guard let ticket else { return refuseOwner(number, "the memory is busy: try again") }
    owner = OwnerCall(number: number, request: request, ticket: ticket)
  }

  /// The memory has done what the owner asked for.
  func ownerEnded(_ call: OwnerCall, _ outcome: MemoryOutcome, _ results: MemoryResults) {
    owner = nil
    switch outcome {
    case .failed(let fault):
      // Some of it may be gone.
      if call.request == .forgetWords || call.request == .forgetAll || call.request == .forgetEntry { machine.forget() }
      refuseOwner(call.number, fault.text)
    case .forgotten(let count):
      // What was said is with the model for some turns.
      if count > 0 { machine.forget() }
      if call.request == .forgetAll { host.transfers.removeAll() }
      answerOwner(call.number) { writer in
        writer.decimal(Int64(count))
        writer.text(count == 1 ? " entry is forgotten" : " entries are forgotten")
      }
    case .written(let count):
      answerOwner(call.number) { writer in
        writer.decimal(Int64(count))
        writer.text(count == 1 ? " entry" : " entries")
      }
    case .read(let report):
      host.transfers.removeAll()
      answerOwner(call.number) { Self.write(report, to: &$0) }
    default: answerOwner(call.number) { self.write(results, to: &$0) }
    }
  }

  private func write(_ results: MemoryResults, to writer: inout ByteWriter) {
    if results.count == 0 { return writer.text("nothing is remembered of that") }
    for index in 0..<results.count {
      let row = results.row(index)
      guard writer.count + row.subject.count + row.text.count + 128 <= Budget.ownerPieceBytes else {
        return writer.text("there is more: say more words")
      }
      write(row, to: &writer)
    }
  }

  private static func write(_ report: MemoryImport, to writer: inout ByteWriter) {
    writer.decimal(Int64(report.taken))
    writer.text(" taken, ")
    writer.decimal(Int64(report.known))
    writer.text(" known already, ")
    writer.decimal(Int64(report.refused))
    writer.text(" not taken")
    for index in 0..<report.faults.count {
      let fault = report.faults[index]
      writer.text("\nline ")
      writer.decimal(Int64(fault.line))
      writer.text(": ")
      writer.text(fault.reason.text)
    }
  }

  private func writeUsage(to writer: inout ByteWriter) {
    let usage = keeper.usage
    writer.text("today: ")
    writer.decimal(usage.turns)
    writer.text(" turns, ")
    writer.decimal(usage.tokens)
    writer.text(usage.isEstimated ? " tokens about, " : " tokens, ")
    writer.decimal(usage.seconds)
    writer.text(" s of waiting for models, money ")
    writer.decimal(usage.money)
    writer.text(" millionths")
    if let spent = usage.spent(settings.budget) {
      writer.text("\n")
      writer.text(spent.text)
    }
    writer.text(means.memory == nil ? "\nno memory: its file cannot be used" : "")
  }

  private func sendExport(_ number: UInt32, from place: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Budget.ownerPieceBytes) { room in
      guard var count = host.transfers.readExport(at: place, into: room) else {
        return refuseOwner(number, "there is no export")
      }
      // A character that does not end in a full piece begins the next one.
      if count == room.count {
        var start = count - 1
        while start > count - 4, room[start] & 0xC0 == 0x80 { start -= 1 }
        if room[start] >= 0xC0 { count = start }
      }
      let piece = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count])
      answerOwner(number) { $0.bytes(Span(_unsafeElements: piece)) }
    }
  }

  private func answerOwner(_ number: UInt32, _ text: (inout ByteWriter) -> Void) {
    host.send(.answer) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(0)
      text(&writer)
    }
  }

  private func refuseOwner(_ number: UInt32, _ sentence: StaticString) {
    host.send(.answer) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(1)
      writer.text(sentence)
    }
  }
}
