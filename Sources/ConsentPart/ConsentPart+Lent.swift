import Codec
import Consent
import Gateway
import Node
import Runtime

/// Calls of tools by the board's own agent, which has perhaps read words of others.
extension ConsentPart {
  /// What a request needs; nil: nobody's consent.
  func demand(of request: ConsentRequest, _ parameters: borrowing JSONView) -> ConsentDemand? {
    let found: ConsentDemand?
    if let lent = request.lent {
      found = ConsentDemand(lent, request.command, copy parameters, settings.rules, board)
    } else {
      found = ConsentDemand(request.command, copy parameters, hasFront: settings.rules.hasFront, board)
    }
    guard var demand = found else { return nil }
    let asked = settings.rules.those(of: demand.permissions, with: .ask)
    if request.mustAsk || !asked.isDisjoint(with: [.run, .tools, .camera, .frontCamera]) {
      demand.addDigest(request.lent, copy parameters, cryptography)
    }
    return demand
  }

  /// While a person holds the board nobody is asked; false, as `admits` returns it.
  func failHeld(_ token: InvokeToken) -> Bool {
    router.fail(token, code: "UNAVAILABLE") { $0.text(HoldError.reason) }
    return false
  }

  /// A person allows this one request, once: no other can use that up.
  func allow(_ place: Int, by source: Grant.Source) {
    let (waiting, now) = (queue[place], clock.monotonic)
    let demand = waiting.demand
    var rest = settings.rules.those(of: demand.permissions, with: .ask).subtracting(waiting.missing)
    if waiting.mustAsk { rest = [] }
    let lost = rest.subtracting(covered(rest, demand, at: now))
    guard lost.isEmpty else {
      // A grant that it relied on beside the answer ended while it waited.
      fail(place, .ended, lost)
      return announce()
    }
    log.write(.notice, "consent") { line in
      Self.write(waiting.missing, to: &line)
      line.add(": granted at the ")
      line.add(source.word)
      line.add(", once, for one request")
    }
    refusals.forget(waiting.missing)
    queue.begin(place)
    // What was given for one use before is for the next one, and this is it.
    let wanted = rest.union(waiting.missing)
    let used = table.use(wanted, demand.subject.digest, demand.kinds, for: demand.work, at: now)
    beginUse(
      waiting.token, demand, waiting.command, waiting.sessionKey, .grant(.once, source),
      lasting: rest.subtracting(used), once: waiting.missing.union(used))
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
