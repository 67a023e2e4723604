import Codec
import Gateway
import Runtime

/// Lends the board's tools to its own agent, so that neither part has to know the other. The calls go through the
/// router and the consent of people, as those of a gateway.
public protocol ToolLender: AnyObject {
  /// Calls `body` with the description of each tool that this board has: JSON of `name`, `description`, `parameters`
  /// and `effect`, which is 0 for what neither sees nor hears nor moves anything and 2 for the others; and of `brings`,
  /// true, where results are words of others. Each is valid until `body` returns.
  func forEachTool(_ body: (UnsafeBufferPointer<UInt8>) -> Void)
  /// Begins the call of a tool, whose arguments, a checked object, are valid until this returns. The borrower is told
  /// the end under `tag`, possibly within this call. `isTainted`: whoever calls has read words of others, so people are
  /// asked whatever was allowed before. False when there is no tool of this name.
  func begin(
    _ name: UnsafeBufferPointer<UInt8>, _ arguments: borrowing JSONView, deadline: Int64, isTainted: Bool,
    _ borrower: any ToolBorrower, _ tag: Int
  ) -> Bool
  /// The borrower does not want the end of this call any more.
  func cancel(_ borrower: any ToolBorrower, _ tag: Int)
}

/// Gets the ends of calls that it has begun at a `ToolLender`.
public protocol ToolBorrower: AnyObject {
  /// A call has ended: an object with `content`, perhaps `structuredContent`, and `isError` where it failed, as JSON
  /// text that is valid until this returns. A picture, JPEG, comes beside it; true: the borrower has taken that, and
  /// calls `blobReleased` of its delegate once it needs it no more.
  func toolEnded(
    _ tag: Int, _ result: UnsafeBufferPointer<UInt8>, isError: Bool, picture: OutboundBlob?
  ) -> Bool
}

/// What consent and router have to know of a call that was lent.
public struct LentCall: Sendable {
  /// The tool's name, as people read it in a question.
  public var tool: String
  /// The tool belongs to a server of the owner: its command is a place in a list, which tells people nothing.
  public var isOfServer: Bool
  /// It neither sees nor hears nor moves anything.
  public var isSafe: Bool
  /// People are asked, whatever the rule or a grant says.
  public var mustAsk: Bool
  /// It is one of several commands by which the tool asks people something: nobody is asked whether they may be asked.
  public var isStep: Bool

  /// A call; see the properties.
  public init(tool: String, isOfServer: Bool = false, isSafe: Bool, mustAsk: Bool, isStep: Bool = false) {
    self.tool = tool
    self.isOfServer = isOfServer
    self.isSafe = isSafe
    self.mustAsk = mustAsk
    self.isStep = isStep
  }

  /// What people read in the log and the journal for `command`.
  public func name(for command: String) -> String { isOfServer ? tool : command }

  /// The session that people read in a question, and that the journal has.
  static let session: StaticString = "own agent"
}
