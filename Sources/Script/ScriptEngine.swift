import CQuickJS
import Canvas
import Codec
import Runtime

/// What a script asks of the loop while it waits.
public final class ScriptRequest: LoopCall {
  public enum Kind: Sendable { case push, reset, surfaces, action }

  public internal(set) var kind = Kind.reset
  /// JSON of a script's making.
  public internal(set) var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private let memory = ScratchMemory(capacity: Budget.scriptAnswerBytes)
  private(set) var count = 0
  private(set) var isError = false
  /// Lives as long as the engine.
  unowned(unsafe) var owner: (any ScriptOwner)?

  public override func answer() {
    count = 0
    isError = false
    owner?.answer(self)
  }

  /// Answers with JSON.
  public func succeed(_ build: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(into: memory.bytes)
    build(&writer)
    guard writer.isComplete else { return fail { $0.text("the answer is too long") } }
    count = writer.count
  }

  /// Answers with an error, whose text is written.
  public func fail(_ build: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: memory.bytes)
    build(&writer)
    (count, isError) = (min(writer.count, memory.bytes.count), true)
  }

  var answered: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(memory.bytes).extracting(0..<count) }
}

/// How an evaluation has ended.
public enum ScriptOutcome: Sendable {
  /// With a result, whose text is in the engine's buffer.
  case result
  /// With an error; at a line of the program, or 0.
  case failure(line: Int)
  case tooLarge
}

/// The script's side of the page: the engine, what is drawn, and what is said. On the worker while the job is pending, else on
/// the loop's thread.
final class ScriptEngine {
  private let heap: ReservedBuffer
  private var script: OpaquePointer! = nil
  let canvas: ScriptCanvas
  let request = ScriptRequest()
  private let caller: any LoopCaller
  private let log: ScriptConsole
  private let limit: Int64
  /// How the evaluation has ended; nil: it has not, or that was told.
  var outcome: ScriptOutcome?
  /// The text of the result, or of the error.
  private let textMemory: ReservedBuffer
  private var textCount = 0
  /// When the next timer is due, in milliseconds; nil: none is set.
  private(set) var nextTimer: Int64?
  private(set) var wantsFrame = false
  /// What the page says in front of the drawing.
  var card = ScriptCard()

  init(caller: any LoopCaller, canvas: ScriptCanvas, log: ScriptConsole, limit: Int64) throws(Errno) {
    self.limit = limit
    self.caller = caller
    self.canvas = canvas
    self.log = log
    heap = try ReservedBuffer(capacity: Budget.scriptHeapBytes)
    textMemory = try ReservedBuffer(capacity: Budget.scriptResultBytes)
    script = tl_script_create(
      heap.bytes.baseAddress, Int64(heap.bytes.count), Int64(Budget.scriptStackBytes),
      { page, call, answer in
        var answer = ScriptAnswer(answer!)
        Unmanaged<ScriptEngine>.fromOpaque(page!).takeUnretainedValue().answer(ScriptCall(call!), &answer)
      }, Unmanaged.passUnretained(self).toOpaque())
    if script == nil { throw .outOfMemory }
  }

  deinit { tl_script_destroy(script) }

  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(textMemory.bytes).extracting(0..<textCount) }

  /// The result was sent.
  func releaseText() {
    textCount = 0
    textMemory.release()
  }

  // MARK: Running

  var hasContext: Bool { tl_script_has_context(script) }

  /// A new context for a screen, in units of scripts. False: there is no memory.
  func begin(_ screen: ScriptScreen) -> Bool {
    canvas.reset()
    card = ScriptCard()
    (nextTimer, wantsFrame) = (nil, false)
    return tl_script_begin(script, screen.width, screen.height, screen.ratio) >= 0
  }

  func drop() {
    tl_script_drop(script)
    canvas.reset()
    card = ScriptCard()
    (nextTimer, wantsFrame) = (nil, false)
  }

  /// The context is gone, what it has drawn stays.
  private func kill() {
    tl_script_drop(script)
    (nextTimer, wantsFrame) = (nil, false)
  }

  /// Runs a program, whose last byte is followed by a zero. False: its time was over, or it was stopped.
  func evaluate(_ program: UnsafeBufferPointer<UInt8>) -> Bool {
    outcome = nil
    let code = tl_script_evaluate(script, program.baseAddress, Int64(program.count), limit)
    guard code >= 0 else {
      kill()
      return false
    }
    return true
  }

  /// What is due. False: a callback took too long, and the context is gone.
  func turn(drawsFrame: Bool) -> Bool {
    guard tl_script_turn(script, drawsFrame, Budget.scriptCallbackMilliseconds) < 0 else { return true }
    kill()
    return false
  }

  /// The screen is another. A listener that takes too long costs the context.
  func fit(_ screen: ScriptScreen) {
    if tl_script_resize(script, screen.width, screen.height, screen.ratio) < 0 { kill() }
  }

  func forget() { tl_script_forget(script) }

  /// Collects what is not used, after an evaluation. A context that has hardly any room left is given up, as is one whose finalizers do
  /// not end.
  func tidy() -> ScriptJob.Result {
    let kept = tl_script_tidy(script)
    guard kept < 0 || kept > Int64(Budget.scriptKeptBytes) else { return .done }
    kill()
    if kept >= 0 { return .full }
    return outcome == nil ? .ended : .done
  }

  /// From any thread.
  func stop() { tl_script_stop(script) }
  func goOn() { tl_script_go_on(script) }

  // MARK: Calls

  /// Answers a call of whatever numbers and texts.
  func answer(_ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    switch call.what {
    case TL_SCRIPT_LOG: log.add(level: call[0], call.bytes)
    case TL_SCRIPT_RESULT: end(.result, call.bytes)
    case TL_SCRIPT_FAILURE: end(.failure(line: Int(exactly: call[0]) ?? 0), call.bytes)
    case TL_SCRIPT_SCHEDULE:
      nextTimer = call[0] < .infinity ? Int64(clamping: min(max(call[0].rounded(.up), 0), 1e15)) : nil
      wantsFrame = call.isTrue(1)
    case TL_SCRIPT_TITLE: return
    case TL_SCRIPT_PUSH: ask(.push, call, &answer)
    case TL_SCRIPT_RESET: ask(.reset, call, &answer)
    case TL_SCRIPT_SURFACES: ask(.surfaces, call, &answer)
    case TL_SCRIPT_ACTION: ask(.action, call, &answer)
    case TL_SCRIPT_STATUS: card.say(isShown: call.isTrue(0), call.text, Span(_unsafeElements: call.otherBytes))
    case TL_SCRIPT_HOME: card.sayHome(call.text)
    default: canvas.answer(call, &answer)
    }
  }

  private func isJSON(_ text: Span<UInt8>) -> Bool {
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Budget.jsonDepth)
      return JSONView(text).kind == .object
    } catch {
      return false
    }
  }

  private func end(_ outcome: ScriptOutcome, _ text: UnsafeBufferPointer<UInt8>) {
    self.outcome = outcome
    textCount = min(text.count, textMemory.bytes.count)
    for index in 0..<textCount { textMemory.bytes[index] = text[index] }
    if case .result = outcome, text.count > textMemory.bytes.count { self.outcome = .tooLarge }
  }

  private func ask(_ kind: ScriptRequest.Kind, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    // What goes over a script's objects asks those what their JSON is.
    if kind == .action, !isJSON(call.text) { return answer.fail("an action is an object with a name") }
    request.kind = kind
    request.text = call.bytes
    guard caller.call(request) else { return answer.fail("the program ends") }
    if request.isError { return answer.fail(request.answered) }
    if request.count > 0 { answer.set(request.answered) }
  }
}

/// The screen in units of scripts, which are CSS's pixels, and how many of its own each has.
public struct ScriptScreen: Equatable, Sendable {
  public var width: Double
  public var height: Double
  public var ratio: Double

  /// A screen of `size` pixels, drawn at `scale` percent.
  public init(_ size: Size, scale: Int32) {
    ratio = Double(max(scale, 1)) / 100
    width = Double(size.width) / ratio
    height = Double(size.height) / ratio
  }
}
