import Codec
import Consent
import Node
import Runtime

/// Calls of tools by the board's own agent, which has perhaps read words of others.
extension ConsentPart {
  /// What a request needs; nil: nobody's consent.
  func demand(of request: ConsentRequest, _ parameters: borrowing JSONView) -> ConsentDemand? {
    if let lent = request.lent {
      return ConsentDemand(lent, request.command, copy parameters, settings.rules, board)
    }
    return ConsentDemand(request.command, copy parameters, hasFront: settings.rules.hasFront, board)
  }

  /// While a person holds the board nobody is asked; false, as `admits` returns it.
  func failHeld(_ token: InvokeToken) -> Bool {
    router.fail(token, code: "UNAVAILABLE") { $0.text(HoldError.reason) }
    return false
  }

  /// A person allows what had to be asked about: this once, however long the answer would be good for otherwise.
  func allow(_ place: Int, by source: Grant.Source) {
    let waiting = queue[place]
    log.write(.notice, "consent") { line in
      line.add(waiting.demand.what.span)
      line.add(": allowed once at the ")
      line.add(source.word)
    }
    refusals.forget(waiting.demand.permissions)
    queue.begin(place)
    beginUse(
      waiting.token, waiting.demand, waiting.command, waiting.sessionKey, .grant(.once, source), lasting: [],
      once: waiting.demand.permissions)
    let text = queue.text(place)
    router.resume(waiting.token, sessionKey: waiting.sessionKey, JSONView(Span(_unsafeElements: text)))
    queue.free(place)
    announce()
  }
}

extension ConsentRequest {
  /// People are asked about it, whatever the rule or a grant says.
  var mustAsk: Bool { lent?.mustAsk == true }
}
