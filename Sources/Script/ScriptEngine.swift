import CQuickJS
import Canvas
import Codec
import Graphics
import Runtime

/// Runs scripts in this process: the engine, its canvas and its console.
public final class ScriptEngine: ScriptHost {
  private let heap: ReservedBuffer
  private var script: OpaquePointer! = nil
  let canvas: ScriptCanvas
  private let caller: any LoopCaller
  /// The screen size that the context has.
  private var fitted: ScriptScreen?

  /// An engine without a context.
  /// - Parameters:
  ///   - surface: shared memory for the pixels; nil: memory of its own.
  ///   - limit: milliseconds for an evaluation.
  @export(interface)
  public init(
    caller: any LoopCaller, outlines: (any OutlineSource)?, pictures: (any PictureReader)?,
    surface: SharedMemory? = nil,
    limit: Int64 = Budget.scriptMilliseconds
  ) throws(Errno) {
    self.caller = caller
    canvas = ScriptCanvas(outlines: outlines, pictures: pictures, surface: surface)
    heap = try ReservedBuffer(capacity: Budget.scriptHeapBytes)
    try super.init(limit: limit)
    script = tl_script_create(
      heap.bytes.baseAddress, Int64(heap.bytes.count), Int64(Budget.scriptStackBytes),
      { page, call, answer in
        var answer = ScriptAnswer(answer!)
        Unmanaged<ScriptEngine>.fromOpaque(page!).takeUnretainedValue().answer(ScriptCall(call!), &answer)
      }, Unmanaged.passUnretained(self).toOpaque())
    if script == nil { throw .outOfMemory }
  }

  deinit { if let script { tl_script_destroy(script) } }

  override var pixels: PixelBuffer? { canvas.pixels }

  override func stop() { tl_script_stop(script) }
  override func resume() { tl_script_go_on(script) }

  // MARK: Running

  override func perform(_ order: ScriptOrder) -> ScriptResult {
    let result = work(order)
    hasDrawn = canvas.takeChange() || card.hasChanged
    card.hasChanged = false
    return result
  }

  private func work(_ order: ScriptOrder) -> ScriptResult {
    if order.kind == .drop {
      drop()
      return .done
    }
    if !hasContext {
      guard order.kind == .evaluate else { return .done }
      guard begin(order.screen) else { return .noContext }
      fitted = order.screen
    }
    if order.mustForget { tl_script_forget(script) }
    if fitted != order.screen {
      fitted = order.screen
      fit(order.screen)
    }
    guard hasContext else { return .ended }
    if order.kind == .turn { return turn(drawsFrame: order.drawsFrame) ? .done : .ended }
    guard evaluate(order.program) else { return .ended }
    return tidy()
  }

  private var hasContext: Bool { tl_script_has_context(script) }

  /// Creates a context for a screen. False: there is no memory.
  private func begin(_ screen: ScriptScreen) -> Bool {
    canvas.reset()
    forgetContext()
    return tl_script_begin(script, screen.width, screen.height, screen.ratio) >= 0
  }

  private func drop() {
    tl_script_drop(script)
    canvas.reset()
    forgetContext()
  }

  /// Drops the context and keeps its drawing.
  private func kill() {
    tl_script_drop(script)
    (nextTimer, wantsFrame) = (nil, false)
  }

  /// Runs a zero-terminated program. False: it ran out of time or was stopped.
  private func evaluate(_ program: UnsafeBufferPointer<UInt8>) -> Bool {
    outcome = nil
    let code = tl_script_evaluate(script, program.baseAddress, Int64(program.count), limit)
    guard code >= 0 else {
      kill()
      return false
    }
    if !tl_script_has_context(script) { kill() }
    return true
  }

  /// Runs due timers and frame callbacks. False: a callback took too long, and the context was dropped.
  private func turn(drawsFrame: Bool) -> Bool {
    guard tl_script_turn(script, drawsFrame, Budget.scriptCallbackMilliseconds) < 0 else { return true }
    kill()
    return false
  }

  /// Changes the screen size. A `resize` listener that takes too long ends the context.
  private func fit(_ screen: ScriptScreen) {
    if tl_script_resize(script, screen.width, screen.height, screen.ratio) < 0 { kill() }
  }

  /// Collects garbage after an evaluation. Drops a context that has hardly any memory left, or whose finalizers do not
  /// end.
  private func tidy() -> ScriptResult {
    let kept = tl_script_tidy(script)
    guard kept < 0 || kept > Int64(Budget.scriptKeptBytes) else { return .done }
    kill()
    if kept >= 0 { return .full }
    return outcome == nil ? .ended : .done
  }

  // MARK: Calls

  /// Executes a call with untrusted arguments.
  func answer(_ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    switch call.what {
    case TL_SCRIPT_LOG: console.add(level: call[0], call.bytes)
    case TL_SCRIPT_RESULT: end(.result, call.bytes)
    case TL_SCRIPT_FAILURE: end(.failure(line: Int(exactly: call[0]) ?? 0), call.bytes)
    case TL_SCRIPT_SCHEDULE:
      nextTimer =
        call[0] < .infinity ? Int64(clamping: min(max(call[0].rounded(.up), 0), Double(Self.latestTimer))) : nil
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

  private func end(_ outcome: ScriptOutcome, _ text: UnsafeBufferPointer<UInt8>) {
    self.outcome = outcome
    if !take(text), case .result = outcome { self.outcome = .tooLarge }
  }

  private func ask(_ kind: ScriptRequest.Kind, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    guard request.ask(kind, call.bytes, caller) else { return answer.fail("the program ends") }
    if request.isError { return answer.fail(request.answered) }
    if request.count > 0 { answer.set(request.answered) }
  }
}
