import Consent
import Runtime

/// A request at the gateway that waits for a person: a program that an agent wants to run there or on a node, or a
/// device that wants to be approved.
public struct Approval: Sendable {
  /// What is asked.
  public enum Kind: UInt8, Sendable {
    /// A program (`exec.approval.*`).
    case program
    /// A device that wants to connect (`device.pair.*`).
    case device
    /// What a node offers (`node.pair.*`).
    case node
  }

  public var kind: Kind
  /// Rises with each request: an answer is for this one.
  public var number = 0
  /// Its name for answers from consoles.
  public var name = QuestionName()
  /// The gateway's id.
  public var id = InlineText<128>()
  /// The command line, or the name of the device.
  public var subject = InlineText<384>()
  /// True when `subject` is not the whole: then it cannot be allowed here, because nobody sees what is allowed.
  public var isCut = false
  /// Where and for whom: "on gateway in /srv, agent main", "linux, operator, 192.168.1.7".
  public var place = InlineText<192>()
  /// When it became known, and when it expires, in milliseconds of the monotonic clock; `.max`: when somebody decides.
  public var askedAt: Int64 = 0
  public var until = Int64.max

  init(_ kind: Kind) { self.kind = kind }

  /// "The agent wants to run a program", for people.
  public func writeSentence(to line: inout LogLine) {
    switch kind {
    case .program: line.add("The gateway asks: may the agent run this program?")
    case .device: line.add("The gateway asks: may this device connect?")
    case .node: line.add("The gateway asks: may agents use what this node offers?")
    }
    if isCut { line.add(" It is too long to be shown whole: allow it at the gateway, or refuse it here.") }
  }
}
