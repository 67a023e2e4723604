import Codec
import Gateway
import Node
import Runtime

// Results that servers of the owner's have made, and that are passed on as they are.
extension ToolCalls {
  /// A result that `build` writes.
  func finishWhole(_ caller: Caller, _ build: (inout JSONWriter) -> Void) {
    switch caller {
    case .gateway(let token): router.succeed(token, build)
    case .program(let call): control?.finish(call) { build(&$0) }
    case .borrower(let tag): giveWhole(tag, isError: false, build)
    }
  }

  /// A result that is a text of JSON, which `build` puts in. True when the text was taken.
  func finishWhole(_ caller: Caller, _ blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    if case .gateway(let token) = caller { return router.succeed(token, blob: blob, build) }
    let text = blob.bytes
    // A copy: the text is not taken, and its owner has it back at once.
    finishWhole(caller) { writer in writer.raw(Span(_unsafeElements: text)) }
    return false
  }
}
