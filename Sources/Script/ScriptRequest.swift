import Canvas
import Codec
import Runtime

/// A request of a script to the loop; the script waits for the answer.
public final class ScriptRequest: LoopCall {
  public enum Kind: Int64, Sendable { case push, reset, surfaces, action }

  public internal(set) var kind = Kind.reset
  /// JSON from the script; untrusted.
  public internal(set) var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private let memory = ScratchMemory(capacity: Budget.scriptAnswerBytes)
  private(set) var count = 0
  private(set) var isError = false
  /// Outlives the engine.
  unowned(unsafe) var delegate: (any ScriptDelegate)?

  public override func answer() {
    count = 0
    isError = false
    delegate?.answer(self)
  }

  /// Sends the request to the loop and waits for the answer. False: there will be none.
  func ask(_ kind: Kind, _ text: UnsafeBufferPointer<UInt8>, _ caller: any LoopCaller) -> Bool {
    // Objects of a script may define `toJSON`, so the text is checked again.
    if kind == .action, !Self.isObject(text.span) {
      fail { $0.text("an action is an object with a name") }
      return true
    }
    self.kind = kind
    self.text = text
    return caller.call(self)
  }

  private static func isObject(_ text: Span<UInt8>) -> Bool {
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Budget.jsonDepth)
      return JSONView(text).kind == .object
    } catch {
      return false
    }
  }

  /// Answers with JSON.
  public func succeed(_ build: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(into: memory.bytes)
    build(&writer)
    guard writer.isComplete else { return fail { $0.text("the answer is too long") } }
    count = writer.count
  }

  /// Answers with an error text.
  public func fail(_ build: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: memory.bytes)
    build(&writer)
    (count, isError) = (min(writer.count, memory.bytes.count), true)
  }

  /// Answers with a text from elsewhere.
  func settle(_ text: UnsafeBufferPointer<UInt8>, isError: Bool) {
    self.isError = isError
    count = text.copy(into: memory.bytes)
  }

  var answered: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(memory.bytes).extracting(0..<count) }
}
