import Codec
import Runtime
import Testing

@testable import Gateway

/// The parts of a session that were taken out of it.
@Suite struct UnsavedTrustTests {
  private func pin(_ byte: UInt8) -> KnownTrust {
    .pin(Fingerprint(digest: InlineArray(repeating: byte)), key: nil)
  }

  @Test("what cannot be stored gives way to what was trusted before, of several changes the first")
  func failed() {
    var unsaved = UnsavedTrust()
    let unasked = unsaved.stored(hasFailed: true)
    unsaved.replace(pin(1))
    unsaved.replace(pin(2))
    let wasPending = unsaved.isPending
    let first = unsaved.stored(hasFailed: true)
    // Another record that cannot be stored later changes nothing.
    let later = unsaved.stored(hasFailed: true)
    #expect(unasked == nil && wasPending && first == pin(1) && later == nil && !unsaved.isPending)
  }

  @Test("what was stored is the trust from which the next change starts")
  func stored() {
    var unsaved = UnsavedTrust()
    unsaved.replace(.nothing)
    let kept = unsaved.stored(hasFailed: false)
    let isPending = unsaved.isPending
    unsaved.replace(pin(1))
    let before = unsaved.stored(hasFailed: true)
    #expect(kept == nil && !isPending && before == pin(1))
  }

  @Test("a gateway is known by what the owner says, and else by what was kept")
  func words() {
    var rule = TrustRule()
    #expect("\(rule.word(.nothing))" == "first use" && !rule.knows(.nothing))
    #expect("\(rule.word(pin(1)))" == "pin" && rule.knows(pin(1)))
    #expect("\(rule.word(.authorities))" == "authorities" && rule.knows(.authorities))
    rule.pinning = .key
    #expect("\(rule.word(pin(1)))" == "key")
    rule.requiresAuthorities = true
    #expect("\(rule.word(.nothing))" == "configured authorities" && rule.knows(.nothing))
    rule.pins = [Fingerprint(digest: InlineArray(repeating: 7))]
    #expect("\(rule.word(.authorities))" == "configured pin" && rule.knows(.nothing))
  }

  @Test("each step that was not in time has a sentence, and each state a level")
  func sentences() {
    let phases: [Session.Phase] = [.opening, .upgrading, .challenge, .hello, .storingPin, .storingToken]
    #expect(Set(phases.map { "\($0.overdue)" }).count == 5)
    #expect(SessionState.untrusted.level == .error && SessionState.online.level == .notice)
  }

  @Test("a refusal of a request keeps what both forms of the error say")
  func failure() {
    let newer = Array(
      #"""
      {"ok":false,"error":{"code":"FORBIDDEN","message":"no","details":{"code":"SCOPE","missingScope":"operator.admin",
      "reason":"policy","fallbackEligible":true}}}
      """#.utf8)
    let failure = RequestFailure(answer: JSONView(newer.span))
    #expect(failure.kind == .refused && failure.code.equals("SCOPE".utf8.span) && failure.isFallbackEligible)
    #expect(failure.missingScope.equals("operator.admin".utf8.span) && failure.reason.equals("policy".utf8.span))
    let older = Array(#"{"ok":false,"error":{"code":"X","message":"missing scope: operator.write"}}"#.utf8)
    let old = RequestFailure(answer: JSONView(older.span))
    #expect(old.missingScope.equals("operator.write".utf8.span) && old.code.equals("X".utf8.span))
    let bare = Array(#"{"ok":false}"#.utf8)
    let none = RequestFailure(answer: JSONView(bare.span))
    #expect(none.kind == .refused && none.code.isEmpty)
  }
}
