import Codec
import Testing

@testable import talon

@Suite("How far a board is, from its agent's status") struct ConnectProgressTests {
  @Test(
    "each state is one of a few",
    arguments: [
      (#"{"state":"connecting"}"#, .connecting), (#"{"state":"stopped"}"#, .connecting), ("{}", .connecting),
      (#"{"state":"of-tomorrow"}"#, .connecting),
      (#"{"state":"waiting","explanation":"nobody listens"}"#, .waiting("nobody listens")),
      (#"{"state":"paused","explanation":"a new code"}"#, .stuck("a new code")),
      (#"{"state":"untrusted","explanation":"another certificate"}"#, .stuck("another certificate")),
      (
        #"{"state":"awaiting-approval","approve":"openclaw devices approve 4e0a"}"#,
        .needsApproval("openclaw devices approve 4e0a")
      ),
      (#"{"state":"awaiting-approval"}"#, .needsApproval("openclaw devices approve --latest")),
      (#"{"state":"online"}"#, .online("")),
      (#"{"state":"online","commands":{"state":"served","explanation":"x"}}"#, .online("")),
      (#"{"state":"online","commands":{"state":"withheld","explanation":"held"}}"#, .online("held")),
      (
        #"{"state":"online","commands":{"state":"withheld","explanation":"h","approve":"openclaw nodes approve 7"}}"#,
        .needsCommands("openclaw nodes approve 7")
      ),
      (#"{"state":"online","tools":{"state":"waiting"}}"#, .needsCommands("openclaw nodes pending")),
      (#"{"state":"online","tools":{"state":"accepted"}}"#, .online("")),
    ] as [(String, ConnectProgress)])
  func states(status: String, progress: ConnectProgress) {
    let bytes = Array(status.utf8)
    #expect(ConnectProgress(JSONView(bytes.span)) == progress)
  }
}
