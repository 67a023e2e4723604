import Codec
import Runtime

/// A call of a tool, as the model made it. The texts are valid until the reader begins anew.
public struct ModelCall {
  /// By which the result names the call; of the server, or nine letters and digits of our own.
  public let id: UnsafeBufferPointer<UInt8>
  public let name: UnsafeBufferPointer<UInt8>
  /// A JSON object, also for a call that is refused: then `{}`.
  public let arguments: UnsafeBufferPointer<UInt8>
  /// What the model wrote.
  public let rawArguments: UnsafeBufferPointer<UInt8>
  /// Why it must not be carried out; nil when it may.
  public let refusal: CallRefusal?
}

/// The calls of one answer, put together from their fragments, in memory of fixed size.
///
/// Servers differ. Fragments belong together by `index`, or where there is none by `id`, or they go on with the last
/// call. Old releases of vLLM give each fragment another id; Ollama has had the index 0 for all calls, each with its
/// name. So another id begins another call only where a name comes with it.
public final class CallList {
  private struct Call {
    var index: Int64?
    var id = 0
    var name = 0
    var arguments = 0
    var isNameTooLong = false
    var isCut = false
    var isObject = false
    var refusal: CallRefusal?
  }

  private static let share = Budget.modelCallIDBytes + Budget.modelToolNameBytes + Budget.modelArgumentBytes
  /// Bytes of an id of our own; Mistral's servers insist on nine letters and digits.
  private static let ownIDBytes = 9

  private let memory = FixedBuffer(capacity: Budget.modelCalls * share)
  private var calls = InlineArray<8, Call>(repeating: Call())
  /// Ids of our own that were given.
  private var serial: UInt32 = 0
  /// Calls.
  public private(set) var count = 0

  init() { precondition(Budget.modelCalls == 8 && Budget.modelCallIDBytes == 64 && Budget.modelToolNameBytes == 64) }

  public var isEmpty: Bool { count == 0 }

  /// The call at an index below `count`.
  public subscript(index: Int) -> ModelCall {
    let raw = text(index, Self.argumentsStart, calls[index].arguments)
    let empty: StaticString = "{}"
    return ModelCall(
      id: text(index, 0, calls[index].id), name: text(index, Self.nameStart, calls[index].name),
      arguments: calls[index].isObject ? raw : empty.bytes, rawArguments: raw, refusal: calls[index].refusal)
  }

  private static var nameStart: Int { Budget.modelCallIDBytes }
  private static var argumentsStart: Int { Budget.modelCallIDBytes + Budget.modelToolNameBytes }

  private func text(_ index: Int, _ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    let from = index * Self.share + start
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[from..<(from + count)])
  }

  private func room(_ index: Int, _ start: Int, _ size: Int, after used: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let from = index * Self.share + start
    return UnsafeMutableBufferPointer(rebasing: memory.bytes[(from + used)..<(from + size)])
  }

  func removeAll() { count = 0 }

  /// Bytes of names and arguments.
  var textBytes: Int {
    var sum = 0
    for index in 0..<count { sum += calls[index].name + calls[index].arguments }
    return sum
  }

  // MARK: Fragments

  /// Takes one element of `tool_calls`.
  /// - Returns: false when it begins one call more than there is room for.
  func take(_ fragment: borrowing JSONView) -> Bool {
    guard fragment.kind == .object else { return true }
    guard let place = place(of: fragment) ?? begin(fragment.member("index")?.int64) else { return false }
    // A number as id is as good as none: what is sent back must be a string.
    if let id = fragment.member("id") { take(id: id, place) }
    guard let function = fragment.member("function") else { return true }
    if let name = function.member("name") { take(name: name, place) }
    if let arguments = function.member("arguments") { take(arguments: arguments, place) }
    return true
  }

  /// The call to which a fragment belongs; nil: to a new one.
  private func place(of fragment: borrowing JSONView) -> Int? {
    let index = fragment.member("index")?.int64
    var (hasID, hasName, isNamedAgain) = (false, false, false)
    if let id = fragment.member("id"), id.kind == .string, !id.equals("") {
      hasID = true
      if let known = place(id: id), index == nil || calls[known].index == index { return known }
    }
    if let function = fragment.member("function"), let name = function.member("name"), name.kind == .string {
      hasName = !name.equals("")
      isNamedAgain = isLast(name)
    }
    guard let index else { return count > 0 && (!hasName || !hasID && isNamedAgain) ? count - 1 : nil }
    var place = count - 1
    while place >= 0, calls[place].index != index { place -= 1 }
    guard place >= 0 else { return nil }
    let isOther = hasID && calls[place].id > 0 && hasName
    return isOther ? nil : place
  }

  /// The last call has this name and nothing else, so that it is the same call again.
  private func isLast(_ name: borrowing JSONView) -> Bool {
    guard count > 0, calls[count - 1].arguments == 0, calls[count - 1].id == 0 else { return false }
    return name.equals(Span(_unsafeElements: text(count - 1, Self.nameStart, calls[count - 1].name)))
  }

  private func place(id: borrowing JSONView) -> Int? {
    for place in 0..<count where calls[place].id > 0 {
      if id.equals(Span(_unsafeElements: text(place, 0, calls[place].id))) { return place }
    }
    return nil
  }

  private func begin(_ index: Int64?) -> Int? {
    guard count < Budget.modelCalls else { return nil }
    calls[count] = Call()
    calls[count].index = index
    count += 1
    return count - 1
  }

  /// The first id of a call counts; one that is too long is replaced in the end.
  private func take(id: borrowing JSONView, _ place: Int) {
    guard calls[place].id == 0 else { return }
    calls[place].id = id.copyString(into: room(place, 0, Budget.modelCallIDBytes, after: 0)) ?? 0
  }

  /// Names come whole, some twice; a few servers send them in pieces.
  private func take(name: borrowing JSONView, _ place: Int) {
    guard let length = name.stringLength, length > 0 else { return }
    let used = calls[place].name
    if name.equals(Span(_unsafeElements: text(place, Self.nameStart, used))) { return }
    guard let added = name.copyString(into: room(place, Self.nameStart, Budget.modelToolNameBytes, after: used)) else {
      return calls[place].isNameTooLong = true
    }
    calls[place].name += added
  }

  /// A string that is a piece of the arguments, or the arguments themselves, as servers of Ollama's kind have them.
  private func take(arguments: borrowing JSONView, _ place: Int) {
    let used = calls[place].arguments
    let room = room(place, Self.argumentsStart, Budget.modelArgumentBytes, after: used)
    switch arguments.kind {
    case .string:
      guard let added = arguments.copyString(into: room), !calls[place].isCut else {
        return calls[place].isCut = true
      }
      calls[place].arguments += added
    case .object:
      let text = arguments.rawText
      guard text.count <= room.count, !calls[place].isCut else { return calls[place].isCut = true }
      for index in 0..<text.count { room[index] = text[index] }
      calls[place].arguments += text.count
    default: return
    }
  }

  // MARK: End

  /// All fragments have come: gives ids where they are missing, and judges each call.
  func finish() {
    for place in 0..<count {
      if calls[place].id == 0 || isTaken(place) { giveID(place) }
      calls[place].refusal = refusal(place)
      calls[place].isObject = calls[place].refusal == nil && calls[place].arguments > 0
    }
  }

  /// True when a call before it has the same id.
  private func isTaken(_ place: Int) -> Bool {
    for other in 0..<place {
      let first = text(other, 0, calls[other].id)
      if Span(_unsafeElements: first).isSame(as: Span(_unsafeElements: text(place, 0, calls[place].id))) { return true }
    }
    return false
  }

  private func giveID(_ place: Int) {
    serial = (serial + 1) % 100_000
    var writer = ByteWriter(into: room(place, 0, Budget.modelCallIDBytes, after: 0))
    writer.text("call" as StaticString)
    writer.decimal(UInt64(serial), width: 5)
    calls[place].id = Self.ownIDBytes
  }

  /// Arguments of nothing but white space are none, which is an empty object.
  private func refusal(_ place: Int) -> CallRefusal? {
    if calls[place].isNameTooLong { return .nameTooLong }
    if calls[place].name == 0 { return .noName }
    if calls[place].isCut { return .tooLong }
    let arguments = Span(_unsafeElements: text(place, Self.argumentsStart, calls[place].arguments))
    if arguments.trimmed.isEmpty {
      calls[place].arguments = 0
      return nil
    }
    do throws(JSONError) {
      try JSONValidator.check(arguments, depthLimit: Budget.modelDepth)
    } catch {
      return .notJSON(error)
    }
    return JSONView(arguments).kind == .object ? nil : .notAnObject
  }
}
